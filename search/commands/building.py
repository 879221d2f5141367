"""``mess solve meeples KIND``: checks what was asked for, solves it, tells it and writes it."""

import os
import shlex
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...solver.errors import InputError
from ...solver.fields import integer, member, shown
from ..files import STDIN, builder_file, check_writable, print_json, write_bytes, write_text
from ..waiting import compiling

if TYPE_CHECKING:
    from ...solver.meeples.builder import Builder
    from ..building.solutions import Plan

OPTIONS = {
    "points": ("seconds", "builder", "support", "workers", "out"),
    "higher": ("seconds", "builder", "support", "players", "out"),
    "contest": ("seconds", "builder", "support", "turns", "workers", "out"),
    "wall": ("support", "meeples"),
}
"""What can be solved, and the options that go with it."""
ENDINGS = {"points": (".json", ".csv", ".npz", ".svg"), "higher": (".json", ".svg"), "contest": (".json",)}
DEFAULT_SECONDS = {"points": 120, "higher": 45, "contest": 120}
ARGUMENTS = ("target", "position", "as_json")
THREADS = 2


def is_kind(text: str | None) -> bool:
    """Whether the argument after ``meeples`` is one of the kinds; if not, it must be a file."""
    if text in OPTIONS:
        return True
    if text is None or (text != STDIN and not text.endswith(".json") and not os.path.exists(text)):
        got = "nothing" if text is None else shown(text)
        raise InputError("kind", f"expected one of {', '.join(OPTIONS)}, or a position of meeples; got {got}")
    return False


def support_of(text: str | None) -> int:
    """The number of a support rule, by default of the first."""
    from ...solver.meeples.state import BRIDGE, SUPPORTS

    return BRIDGE if text is None else SUPPORTS.index(member({"support": text}, "support", SUPPORTS))


def _builders(text: str | None) -> "list[Builder]":
    from ...solver.meeples.builder import NAMES, read_builder

    return [read_builder(builder_file(name.strip())) for name in (text or NAMES[0]).split(",")]


def _check(kind: str, asked: dict[str, Any]) -> None:
    """All options must go with the kind; what ``--out`` names must be a file that can be written."""
    known = OPTIONS[kind]
    for name in asked:
        if name not in known and name not in ARGUMENTS:
            flags = ", ".join(f"--{option}" for option in known)
            raise InputError(name.replace("_", "-"), f"no option of mess solve meeples {kind}; expected {flags}")
    if "out" in asked:
        if not asked["out"].endswith(ENDINGS[kind]):
            *others, last = ENDINGS[kind]
            endings = f"{', '.join(others)} or {last}" if others else last
            raise InputError("out", f"expected a file that ends in {endings}, got {shown(asked['out'])}")
        check_writable(asked["out"])
        if asked["out"].endswith(".svg"):
            from ..plots import matplotlib_part

            matplotlib_part("figure")


def _command(kind: str, asked: dict[str, Any]) -> str:
    """The command as it was typed."""
    typed = (part for name in OPTIONS[kind] if name in asked for part in (f"--{name}", str(asked[name])))
    return shlex.join(["mess", "solve", "meeples", kind, *typed])


def _title(kind: str, summary: dict[str, Any], builders: str | None) -> str:
    names = [Path(name.strip()).stem for name in (builders or "steady").split(",")]
    turns = [f"{summary['turns']} turns"] if summary.get("turns", 1) > 1 else []
    return ", ".join([f"Meeples solved: {kind}", *turns, f"{summary['seconds']} s", summary["support"], *names])


def _task(kind: str, asked: dict[str, Any]) -> "Callable[[], tuple[dict[str, Any], Plan | None]]":
    """What solves a kind, with checked options: it returns the summary, and of points the plan that it is of."""
    from ...solver.meeples.state import MEEPLES, MOST_SECONDS, MOST_TURNS, SEATS

    support = support_of(asked.get("support"))
    if kind == "wall":
        meeples = integer({"meeples": MEEPLES} | asked, "meeples", 1, MEEPLES)
        from ..building.solutions import solve_wall

        return lambda: (solve_wall(meeples, support), None)
    seconds = integer({"seconds": DEFAULT_SECONDS[kind]} | asked, "seconds", 1, MOST_SECONDS)
    builders = _builders(asked.get("builder"))
    workers = asked.get("workers", THREADS)
    if kind == "points":
        if len(builders) > 1:
            raise InputError("builder", f"expected one, got {len(builders)}")
        from ..building.solutions import solve_points

        def points() -> "tuple[dict[str, Any], Plan | None]":
            plan = solve_points(builders[0], seconds, support, workers, asked.get("out", "").endswith(".csv"))
            return plan.summary, plan

        return points
    if kind == "higher":
        players = integer({"players": len(builders)} | asked, "players", 1, SEATS)
        if len(builders) not in (1, players):
            raise InputError("builder", f"expected one, or {players}, one a player; got {len(builders)}")
        from ..building.solutions import solve_higher

        return lambda: (solve_higher(builders * (players // len(builders)), seconds, support), None)
    if len(builders) > 2:
        raise InputError("builder", f"expected one or two, got {len(builders)}")
    turns = integer({"turns": 1} | asked, "turns", 1, MOST_TURNS)
    from ..building.solutions import solve_contest

    return lambda: (solve_contest((builders[0], builders[-1]), seconds, support, turns, workers), None)


def _keep(path: str, plan: Any, title: str, kind: str, asked: dict[str, Any], summary: dict[str, Any]) -> None:
    """Write what the ending of a file asks for."""
    if path.endswith(".json"):
        from .solve import keep_summary

        keep_summary(path, "building", title, _command(kind, asked), summary)
    elif path.endswith(".svg"):
        from ..plots import plot_bars, plot_plan

        if kind == "higher":
            chances = {f"base {entry['base']}": (entry["chance"],) * 3 for entry in summary["players"][0]["bases"]}
            write_bytes(path, plot_bars(title, "chance to finish in time", chances))
        else:
            write_bytes(path, plot_plan(plan, title))
    else:
        from ..building.files import policy_arrays, policy_table

        if path.endswith(".csv"):
            write_text(path, policy_table(plan))
        else:
            write_bytes(path, policy_arrays(plan))


def run(kind: str, asked: dict[str, Any], as_json: bool) -> None:
    """Solve a kind with the options that were asked for.

    Raises:
        InputError: an option that does not go with the kind, or has a wrong value; or a file cannot be written.
    """
    _check(kind, asked)
    task = _task(kind, asked)
    with nullcontext() if kind == "wall" else compiling(f"solve-meeples-{kind}"):
        summary, plan = task()
    if "out" in asked:
        _keep(asked["out"], plan, _title(kind, summary, asked.get("builder")), kind, asked, summary)
    if as_json:
        print_json(summary)
        return
    from ..building.tables import building_table
    from ..screen import console, is_plain

    screen = console(sys.stdout)
    screen.print(building_table(summary, is_plain(screen)))
