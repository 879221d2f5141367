"""The command that looks a bot over."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ...solver.errors import InputError
from .. import options
from ..files import print_json
from ..waiting import compiling

if TYPE_CHECKING:
    from collections import Counter

    from rich.console import RenderableType

    from ..checking import Report

FOUND = 1
MOST_DEALS = 1000
SHOWN = 5
"""How many different errors are told."""


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A strategy my_bot.py or my_bot.py:Name, or any bot.")],
    game: Annotated[str | None, typer.Option(metavar="GAME", help="What to play, if the bot does not say.")] = None,
    deals: Annotated[int, typer.Option(metavar="N", help="Games against each opponent.")] = 1,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed; the same seed gives the same games.")] = 0,
    slow: Annotated[str, typer.Option(metavar="TIME", help="A decision that takes longer is too slow.")] = "1s",
    as_json: options.AsJson = False,
) -> None:
    """Play a bot against everything and report what is wrong with it.

    Exit code 0 if nothing was found, 1 if something was.
    """
    limit = options.duration(slow, "slow")
    options.positive(deals, "deals", MOST_DEALS)
    from tqdm import tqdm

    from ..bots.find import game_of
    from ..checking import Checker

    game = game or game_of(bot)
    if game is None:
        raise InputError("game", f"expected --game; {bot} does not say what it is for")
    checker = Checker(bot, game, seed)
    with compiling(f"check-{game}-{bot}"):
        # so that what has to be compiled is not taken for slowness
        Checker(bot, game, seed).play(len(checker.others) - 1)
        for number in tqdm(range(deals * len(checker.others)), unit="game", disable=None, leave=False):
            checker.play(number)
        checker.ask_elsewhere()
    report = checker.report
    if as_json:
        print_json(_as_dict(report, limit))
    else:
        from ..screen import console

        console(sys.stdout).print(_table(bot, game, report, limit))
    raise typer.Exit(0 if report.is_clean(limit) else FOUND)


def _as_dict(report: "Report", limit: float) -> dict[str, object]:
    return {
        "clean": report.is_clean(limit),
        "games": report.games,
        "decisions": report.decisions,
        "players": sorted(report.players),
        "illegal": dict(report.illegal),
        "errors": dict(report.errors),
        "median": report.median,
        "slowest": max(report.seconds, default=0.0),
        "slow": report.slower(limit),
        "changed": dict(report.changed),
        "worlds": report.worlds,
        "unlike": report.unlike,
        "open": report.is_open,
    }


def _told(found: "Counter[str]") -> str:
    told = [f"{what} ({count} times)" if count > 1 else what for what, count in found.most_common(SHOWN)]
    return "\n".join([*told, f"and {len(found) - SHOWN} more"][: len(told) + (len(found) > SHOWN)]) or "none"


def _table(bot: str, game: str, report: "Report", limit: float) -> "RenderableType":
    """A row for everything that was looked for."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    slow, slowest = report.slower(limit), max(report.seconds, default=0.0)
    hidden = f"{report.worlds} worlds dealt to what it saw; all look alike to it"
    if report.unlike:
        hidden = f"{report.unlike} of {report.worlds} worlds do not look like what it saw"
    if report.is_open:
        hidden = "it is shown what is hidden: that is cheating"
    times = f"median {_time(report.median)}, slowest {_time(slowest)}"
    rows = [
        ("illegal moves", not report.illegal, _told(report.illegal)),
        ("exceptions", not report.errors, _told(report.errors)),
        ("slowness", not slow, times + (f"; {slow} above {limit:g} s" if slow else "")),
        ("same question, other move", not report.changed, _told(report.changed)),
        ("hidden cards", not (report.unlike or report.is_open), hidden),
    ]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for name, is_fine, told in rows:
        table.add_row(Text(name), Text("ok" if is_fine else "FOUND", style="" if is_fine else "bold"), Text(told))
    counts = ", ".join(map(str, sorted(report.players)))
    played = f"{bot}, {game}: {report.games} games of {counts} players, {report.decisions} decisions"
    return Group(Text(played), table)


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.2f} ms"
