"""The command tune."""

from typing import Annotated

import typer

from ...search.options import with_rules
from . import INTERRUPTED, AsJson, Cluster, Folder, Game, Quiet, Rules, Seed, Workers, print_as_json


@with_rules()
def tune(
    game: Game,
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A search, as mcts@500; what it is now is what it must beat.")
    ],
    vary: Annotated[
        str, typer.Option(metavar="OPTIONS", help="What to try, as 'exploration=0.2:2.0,playout=random|greedy'.")
    ],
    *,
    candidates: Annotated[int, typer.Option(metavar="N", help="How many to try; each round keeps half.")] = 16,
    deals: Annotated[int, typer.Option(metavar="N", help="Deals of the first round; each round doubles them.")] = 8,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="The last test, see mess match; by default 0,30, with more than two players 0,5.",
        ),
    ] = None,
    most: Annotated[int, typer.Option(metavar="N", help="Deals of the last test at most.")] = 1000,
    seed: Seed = 0,
    rules: Rules,
    workers: Workers = None,
    cluster: Cluster = None,
    out: Folder = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Find good options for a search: a race on few deals, the better half on more, and a test of the winner."""
    from ..tune import Tuning, read_vary
    from ..tune import tune as run
    from ..tuning_tables import print_tuning

    players = rules.pop("players", 2)
    if sprt is None:
        sprt = "0,30" if players == 2 else "0,5"
    tuning = Tuning(game, bot, read_vary(vary), candidates, deals, sprt, most, players, rules, seed)
    try:
        document = run(
            tuning,
            folder=out,
            workers=workers,
            cluster=cluster,
            progress=not quiet,
            tell=lambda line: None if quiet else typer.echo(line, err=True),
        )
    except KeyboardInterrupt:
        typer.echo("interrupted" + ("; the same command goes on" if out else ""), err=True)
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        print_as_json(document)
    else:
        print_tuning(document)
