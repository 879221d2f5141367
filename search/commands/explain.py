"""The command that judges the moves of a recorded game."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...solver.errors import InputError
from .. import options
from ..files import Entry, print_json, read_records, title, warn_of_fields
from ..waiting import compiling, interruptible

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from ...solver.position import Position
    from ..judging import Account, Effort, Judged

STOPPED = 130
LONGEST_MOVE, LONGEST_NAME = 20, 20
"""Characters of a move and of a name in a table, so that it fits 80 columns."""
VALUES = {1.0: "win", 0.5: "draw", 0.0: "loss"}
LUCK, MISJUDGED = "luck", "misjudged"
MEANING = {
    LUCK: "dice, deals, draws, what came to light, what was misjudged",
    MISJUDGED: "what the search saw only later; nothing here is luck",
}


def explain(
    file: Annotated[str, typer.Argument(metavar="RECORD.json", help='Record, or one a line; "-" reads from stdin.')],
    game: Annotated[
        int | None, typer.Option(metavar="N", help="Which record of the file, from 1.  [default: the last]")
    ] = None,
    seat: Annotated[int | None, typer.Option(metavar="S", help="Judge only what this seat did.")] = None,
    time: Annotated[
        str | None, typer.Option(metavar="TIME", help="Time to think about a move, as 2s or 500ms.")
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(metavar="N", help="Or iterations.  [default: 2000; alpha-beta: 100000 positions]"),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed and iterations, same judgement.")] = 0,
    method: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="mcts, pimc or alphabeta.  [default: a solution; Pylos alphabeta; mcts]"),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Judge every move of a recorded game: what it lost, and what was luck.

    Each move is judged by what its seat saw. Moves that lose 5, 10 and 20 % win probability are marked ?!, ? and ??,
    alone 0.25, 0.5 and 1 points, unless chance in the search alone could explain that. Interrupted, it prints what it
    has.
    """
    limit = options.budget(time, iterations) if time is not None or iterations is not None else {}
    if game is not None:
        options.positive(game, "game")
    entry, number, count = _chosen(file, game)
    from .. import records
    from ..judging import Effort, accounts, judge, result_of
    from ..settings import METHODS, check_method

    if method is not None and method not in METHODS:
        raise InputError("method", f"expected one of {', '.join(METHODS)}, got {method!r}")
    record = entry.data
    with records.within(f"{entry.where}: " if entry.where else ""):
        start, positions = records.positions_of(record)
    if method is not None:
        check_method(method, start.game.NAME)
    if seat is not None and not 0 <= seat < start.players:
        raise InputError("seat", f"expected a seat from 0 to {start.players - 1}, got {seat}")
    warn_of_fields([name for name in record if name not in records.FIELDS])
    effort = Effort(**limit, seed=seed, method=method)
    seats = None if seat is None else (seat,)
    with compiling(f"explain-{start.game.NAME}-{method}"):
        judged = _judged(judge(start, record["moves"], effort, seats), len(positions))
    is_complete = len(judged) == len(positions)
    result = result_of(positions[-1] if positions else start) if is_complete else None
    told = accounts(start.players, judged, result)
    if seat is not None:
        judged_shown, told = [row for row in judged if row.seat == seat], [told[seat]]
    else:
        judged_shown = judged
    names = record.get("players") or [""] * start.players
    if as_json:
        facts = {"game": start.game.NAME, "number": number, "of": count, "players": names, "complete": is_complete}
        print_json(facts | _as_dict(judged_shown, told, result, effort, start.players == 1))
    else:
        from ..screen import console

        heading = f"{start.game.NAME}, game {number} of {count}"
        console(sys.stdout).print(_page(heading, start, judged_shown, told, names, result is not None))
    if not is_complete:
        print(f"interrupted after {len(judged)} of {len(positions)} moves", file=sys.stderr)
        raise typer.Exit(STOPPED)


def _chosen(file: str, game: int | None) -> tuple[Entry, int, int]:
    """The record asked for, its number, and how many there are; by default the last: the game played most recently."""
    entry, number, count = None, 0, 0
    for count, found in enumerate(read_records(file), 1):
        if game is None or count == game:
            entry, number = found, count
    if entry is None:
        raise InputError("game", f"expected at most {count}, as many records as are in {title(file)}; got {game}")
    if isinstance(entry.data, dict) and "format" in entry.data and "bots" in entry.data:
        raise InputError("file", f"expected records of games, {title(file)} is of a match, which keeps no moves")
    if not isinstance(entry.data, dict):
        raise InputError("record", f"expected an object in {entry.where or title(file)}")
    return entry, number, count


def _judged(judgements: "Iterable[Judged]", total: int) -> "list[Judged]":
    """What is judged until the end of the game or an interrupt."""
    from tqdm import tqdm

    rows: list[Judged] = []
    source = iter(judgements)
    try:
        with tqdm(total=total, unit="move", disable=None, leave=False) as bar:
            while (row := interruptible(lambda: next(source, None))) is not None:
                rows.append(row)
                bar.update()
    except KeyboardInterrupt:
        pass
    return rows


def _as_dict(
    judged: "Sequence[Judged]",
    told: "Sequence[Account]",
    result: "Sequence[float] | None",
    effort: "Effort",
    alone: bool,
) -> dict[str, Any]:
    from dataclasses import asdict

    from ..judging import THRESHOLDS

    return {
        "unit": "points" if alone else "win",
        "thresholds": [kind._asdict() for kind in THRESHOLDS],
        **asdict(effort),
        "result": result,
        "moves": [asdict(row) | {"lost": row.lost} for row in judged],
        "seats": [asdict(account) for account in told],
    }


def _number(value: float | None, alone: bool, sign: str = "") -> str:
    """A value or a change of it, in points or percent."""
    if value is None:
        return ""
    text = f"{value:{sign}.2f}" if alone else f"{100 * value:{sign}.1f}"
    return text.replace("-", "−") if float(text) else text.replace("-", "").replace("+", "")


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _kept(row: "Judged") -> str:
    """What became of the value of a solved position."""
    if row.before is None or row.after is None:
        return ""
    before, after = VALUES[row.before], VALUES[row.after]
    return f"{before} kept" if before == after else f"{before} → {after}"


def _page(
    heading: str,
    view: "Position",
    rows: "Sequence[Judged]",
    told: "Sequence[Account]",
    names: "Sequence[str]",
    is_over: bool,
) -> "RenderableType":
    """A line a move, then a line a seat, in 80 columns."""
    from rich.console import Group
    from rich.text import Text

    has_all, alone = len(told) == view.players, view.players == 1
    methods = sorted({row.method for row in rows if row.method})
    luck = MISJUDGED if view.game.NAME in options.TWO_SIDED else LUCK
    notes = []
    if has_all and not alone:
        shared = ", shared equally" if view.players > 2 else ""
        notes.append(f"given: what the errors of the others were worth{shared}")
    notes.append(f"{luck}: {MEANING[luck]}" + ("" if has_all else "; and what the others gave"))
    notes.append("not marked: what chance in the search alone could explain")
    if not is_over:
        notes.append("not to its end: a seat's start is at its first move, its end after its last")
    return Group(
        Text(f"{heading}; judged by {', '.join(methods) or 'nothing: there was no choice'}"),
        _moves_table(rows, alone, luck, is_solved=methods == ["table"]),
        Text(""),
        _seats_table(told, names, alone, luck, has_all and not alone),
        *map(Text, notes),
    )


def _table(heads: "Sequence[str]", left: "Collection[str]") -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for head in heads:
        table.add_column(head, justify="left" if head in left else "right", no_wrap=True, header_style="bold")
    return table


def _moves_table(rows: "Sequence[Judged]", alone: bool, luck: str, is_solved: bool) -> "Table":
    """A line a move; where all is solved, what became of the value instead of luck."""
    from rich.text import Text

    changed = "value" if is_solved else luck
    heads = ["ply", "seat", "move", changed, "points before" if alone else "% before", "", "after", "", "best"]
    table = _table(heads, ("move", "best", "value"))
    for row in rows:
        before, after = _number(row.before, alone), _number(row.after, alone)
        is_better = row.best != row.move and row.lost > 0 and before != after
        cells = [str(row.ply + 1), "" if row.seat < 0 else str(row.seat), _short(row.move, LONGEST_MOVE)]
        cells.append(_kept(row) if is_solved else _number(row.luck, alone, "+"))
        cells += [before, "→" if before else "", after, row.mark, _short(row.best or "", LONGEST_MOVE) * is_better]
        style = "bold" if row.mark else "dim" if row.before is None else ""
        table.add_row(*(Text(cell, style=style) for cell in cells))
    return table


def _seats_table(told: "Sequence[Account]", names: "Sequence[str]", alone: bool, luck: str, has_given: bool) -> "Table":
    """A line a seat: start - lost + given + luck = end."""
    from rich.text import Text

    heads = ["seat", "player", "moves", "?!", "?", "??", "start", "− lost", *["+ given"] * has_given]
    table = _table([*heads, f"+ {luck}", "= end"], ("player",))
    for row in told:
        errors = [str(row.errors[kind]) for kind in ("inaccuracy", "mistake", "blunder")]
        cells = [str(row.seat), _short(names[row.seat], LONGEST_NAME), str(row.judged), *errors]
        changes = [row.start, row.lost, *[row.given] * has_given, row.luck]
        cells += ["" if row.start is None else _number(value, alone) for value in changes]
        table.add_row(*map(Text, [*cells, _number(row.end, alone)]))
    return table
