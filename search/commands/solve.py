"""The commands that solve: positions, whole games, and how to build; and the points of a wall."""

import json
import sys
from typing import Annotated, Any

import typer

from ...solver.errors import InputError
from ...solver.fields import shown
from .. import options
from ..files import print_json, read_position, write_text
from ..options import AsJson, EmptyReserve, Size, Support, TakeBack, Variant
from ..waiting import compiling, interruptible

POINTS = ("points", "leads")
"""What a solution only has in games with points."""
THREADS = 2
MOST_THREADS = 1024


def solve(
    target: Annotated[
        str,
        typer.Argument(
            metavar="POSITION.json|GAME",
            help="Position without anything hidden; or a game, whole; or meeples and a KIND.",
        ),
    ],
    position: Annotated[
        str | None,
        typer.Argument(
            metavar="[POSITION.json|KIND]",
            help="Position of the game that was named before it; of meeples points, higher, contest or wall.",
        ),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(metavar="N", help="Positions to look at, or a few more; by default as the game needs.")
    ] = None,
    variant: Variant = None,
    empty_reserve: EmptyReserve = None,
    take_back: TakeBack = None,
    size: Size = None,
    seconds: Annotated[
        int | None,
        typer.Option(metavar="N", help="Meeples: seconds of a turn.  [default: 120; higher: 45]", show_default=False),
    ] = None,
    builder: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE.toml",
            help="Meeples: steady, beginner, expert or a file; of a contest two, of higher one a player, separated by "
            "commas.",
        ),
    ] = None,
    support: Support = None,
    players: Annotated[
        int | None, typer.Option(metavar="N", help="Meeples, higher: players with one builder.", show_default=False)
    ] = None,
    turns: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Meeples: turns of a contest. One of 120 s takes a minute, more take hours: try 20 s.  [default: 1]",
            show_default=False,
        ),
    ] = None,
    meeples: Annotated[
        int | None,
        typer.Option(metavar="N", help="Meeples: how many a wall may have.  [default: 99]", show_default=False),
    ] = None,
    check: Annotated[
        str | None, typer.Option(metavar="HOW", help="Check a solution: some positions (sample) or all of them (all).")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help=f"Threads for a whole game.  [default: {THREADS}]")
    ] = None,
    book: Annotated[str | None, typer.Option(metavar="FOLDER", help="Folder for an opening book of a game.")] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="File for what the solution of a game comes to; of meeples .json, and for points the policy as .csv, "
            ".npz or .svg.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Prove who wins a position in which nothing is hidden, or solve a game whole.

    Of meeples: what to build for most points (points), how sure a full pyramid is (higher), what to build to win
    against another (contest), or the wall that is worth most (wall).
    """
    asked = {name: value for name, value in locals().items() if value is not None}
    for name in ("nodes", "workers"):
        if name in asked:
            options.positive(asked[name], name, MOST_THREADS if name == "workers" else options.MOST)
    if target == "meeples":
        from .building import is_kind, run

        if is_kind(position):
            run(position or "", asked, as_json)
            return
    if meeples is not None:
        raise InputError("meeples", "expected this option only with mess solve meeples wall")
    from ...solver.game import NAMES

    rules = options.rules_of(asked)
    if target in NAMES and position is None:
        from .solving import solve_game

        summary = solve_game(target, rules, workers or THREADS, check, book)
        if out is not None:
            told = "".join(f" --{name.replace('_', '-')} {value}" for name, value in rules.items())
            checked = summary["rules"]
            title = f"Pylos solved: {checked['variant']}, {checked['empty_reserve']}, base of {checked['size']}"
            keep_summary(out, "solution", title, f"mess solve {target}{told} --out {out}", summary)
        if check is not None:
            which = f"all {summary['positions']:,}" if check == "all" else "a sample of"
            print(f"checked: {which} positions follow from those after them", file=sys.stderr)
        _print_solution(summary, as_json)
        return
    if rules or check or out or book:
        raise InputError("target", f"expected the name of a game with these options, got {target!r}")
    _solve_position(target, position, nodes, as_json)


def _solve_position(target: str, position: str | None, nodes: int | None, as_json: bool) -> None:
    """Prove what can be proven of a position in a file; of meeples tell what every move is worth."""
    view = read_position(position or target)
    if position is not None and target != view.game.NAME:
        raise InputError("target", f"expected {view.game.NAME}, the game of the position, got {target!r}")
    from .solving import judge_position, solve_position, whole_truth

    truth = whole_truth(view)
    if truth.game.NAME == "meeples":
        if nodes is not None:
            raise InputError("nodes", "expected no such option, all of meeples is looked at")
        with compiling("solve-meeples"):
            judged = interruptible(lambda: judge_position(truth))
        if as_json:
            print_json(judged)
            return
        from ..building.tables import position_text

        print(position_text(judged))
        return
    with compiling(f"solve-{view.game.NAME}"):
        solution = interruptible(lambda: solve_position(truth, nodes))
    if as_json:
        told = {name: value for name, value in solution._asdict().items() if name not in POINTS or value is not None}
        print_json({"game": view.game.NAME, **told})
        return
    from ..tables import solution_text

    print(solution_text(solution))


def keep_summary(path: str, kind: str, title: str, command: str, summary: dict[str, Any]) -> None:
    """Write a result as ``mess report`` reads it."""
    document = {"kind": kind, "title": title, "command": command, **summary}
    write_text(path, json.dumps(document, indent=1) + "\n")


def _print_solution(summary: dict[str, Any], as_json: bool) -> None:
    """What a whole solution comes to."""
    if as_json:
        print_json(summary)
        return
    from ..screen import console
    from ..tables import summary_table

    console(sys.stdout).print(summary_table(summary))


def score(
    rows: Annotated[str, typer.Argument(metavar="ROWS", help="Meeples a row from the bottom, as 5,4,2,1.")],
    support: Support = None,
) -> None:
    """Print the points of a wall of meeples."""
    from .building import support_of

    values = [int(text) if text.strip().isdecimal() and len(text) < 5 else text for text in rows.split(",")]
    for i, value in enumerate(values):
        if isinstance(value, str):
            raise InputError(f"rows[{i}]", f"expected a whole number, got {shown(value)}")
    kind = support_of(support)
    from ...solver.meeples.notation import check_rows
    from ...solver.meeples.wall import points_of

    print(points_of(check_rows(values, "rows", kind), kind))
