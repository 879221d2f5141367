"""The command rate."""

from typing import Annotated

import typer

from ...search.options import bot_list, with_rules
from . import INTERRUPTED, AsJson, Cluster, Folder, Game, Opening, Quiet, Rules, Seed, Workers, print_as_json


@with_rules()
def rate(
    game: Game,
    pool: Annotated[str, typer.Option(metavar="BOTS", help="Bots to rate, separated by commas.")],
    *,
    deals: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Deals of all lineups together, with those there are; by default 25 a bot.",
            show_default=False,
        ),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(
            metavar="BOT", help="The bot whose rating is 0; by default the mean of those that are no bounds is."
        ),
    ] = None,
    seed: Seed = 0,
    rules: Rules,
    opening: Opening = None,
    workers: Workers = None,
    cluster: Cluster = None,
    out: Folder = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Rate a pool of bots: plays the games that tell most, and fits ratings with intervals.

    With the same folder a pool can be extended later; what was played is not played again.
    """
    from ..crew import crew
    from ..rate import DEALS_A_BOT, check_anchor, open_pool, summary
    from ..rate import rate as play
    from ..rating_tables import print_ratings

    bots, players = bot_list(pool), rules.pop("players", 2)
    check_anchor(bots, anchor)
    with crew(workers, cluster) as work:
        opened = open_pool(game, bots, players, rules, seed, opening, out)
        finished = play(
            opened, DEALS_A_BOT * len(bots) if deals is None else deals, work, cluster is not None, progress=not quiet
        )
        if not opened.finished:
            raise KeyboardInterrupt
        document = summary(opened, work, anchor, progress=not quiet)
    if as_json:
        print_as_json(document)
    else:
        print_ratings(document)
    if not finished:
        typer.echo("interrupted; with --out the same command goes on", err=True)
        raise typer.Exit(INTERRUPTED)
