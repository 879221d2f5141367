"""The command match."""

from pathlib import Path
from typing import Annotated

import typer

from ...search.options import with_rules
from ...solver.errors import InputError
from . import INTERRUPTED, AsJson, Cluster, Game, Opening, Quiet, Rules, Seed, Workers, print_as_json

DEALS, MOST_OF_TEST = 50, 100_000
"""Deals of a match, and the most of a sequential test, unless told otherwise."""


@with_rules()
def match(
    game: Game,
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT", help="Such as mcts@2000 or my_bot.py; fewer than players take turns.")
    ],
    deals: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Deals, by default 50, each with every rotation of the bots; the most of --sprt."
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Play until it is decided whether the first bot is better by LOW or by HIGH: of two players Elo, of "
            "more points of win share above an equal one, in percent.",
        ),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(metavar="P", help="Of --sprt: chance of a wrong HIGH; by default 0.05.")
    ] = None,
    beta: Annotated[
        float | None, typer.Option(metavar="P", help="Of --sprt: chance of a wrong LOW; by default 0.05.")
    ] = None,
    seed: Seed = 0,
    *,
    rules: Rules,
    opening: Opening = None,
    workers: Workers = None,
    cluster: Cluster = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for finished deals; continues an earlier run.")
    ] = None,
    control: Annotated[
        bool,
        typer.Option(
            "--control", help="Take known luck out of the first bot's share; meeples. Plays all games once more."
        ),
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play bots against each other on duplicate deals: who wins how often, and how sure that is."""
    if control:
        from ..variance import check_control

        setup = check_control(game, bots, seed, rules, opening)
    from ..match import match as play
    from ..sprt import ERROR
    from ..tables import interval, match_json, percent, print_match

    for field, value in (("alpha", alpha), ("beta", beta)):
        if value is not None and sprt is None:
            raise InputError(field, "expected this option only with --sprt")
    if deals is None:
        deals = DEALS if sprt is None else MOST_OF_TEST
    result = play(
        game,
        bots,
        deals=deals,
        seed=seed,
        rules=rules,
        opening=opening,
        workers=workers,
        cluster=cluster,
        out=out,
        progress=not quiet,
        sprt=sprt,
        alpha=ERROR if alpha is None else alpha,
        beta=ERROR if beta is None else beta,
    )
    share = None
    if control and result.is_finished:
        from ..variance import control as without_luck

        share = without_luck(setup, result.blocks, workers, progress=not quiet)
    if as_json:
        print_as_json(match_json(result) | ({"control": share._asdict()} if share else {}))
    else:
        print_match(result)
        if share:
            typer.echo(
                f"luck taken out, {result.bots[0]}: {percent(share.value)}, "
                f"95 % interval {interval(share.low, share.high)}"
            )
    if not result.is_finished:
        typer.echo(f"interrupted after {len(result.blocks)} of {deals} deals", err=True)
        raise typer.Exit(INTERRUPTED)
