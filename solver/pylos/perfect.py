"""What a solution says of the moves of a position."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..position import Observation, Position
from .board import APEX_CELL
from .notation import rules_of
from .rules import after, legal, write_moves
from .state import FIELD_MASK, MAX_MOVES
from .table import LOST, UNKNOWN, Book, Solution, Table, book_file, file_of, rules_key


class Outcome(NamedTuple):
    """What comes of a move under best play.

    Attributes:
        value: ``"win"``, ``"draw"`` or ``"loss"`` for the side that makes it.
        plies: until the game ends, the move counted; None for a draw.
        traps: share of the replies that lose against best play, for a draw; None where it is none, and where the
            opening book ends.
    """

    value: str
    plies: int | None
    traps: float | None = None

    @property
    def win(self) -> float:
        """The share of the win in [0, 1]."""
        return {"win": 1.0, "draw": 0.5, "loss": 0.0}[self.value]

    @property
    def points(self) -> None:
        """There are no points."""

    @property
    def told(self) -> str:
        """The same in a sentence."""
        if self.value == "draw":
            lose = "" if self.traps is None else f"; {100 * self.traps:.0f} % of the replies lose"
            return f"A draw by going round{lose}."
        return f"{'Wins' if self.value == 'win' else 'Loses'} in {self.plies}."

    @property
    def liking(self) -> tuple[int, float]:
        """Sorts moves from worst to best: losses late, draws with many traps, wins soon."""
        order = ("loss", "draw", "win").index(self.value)
        return order, self.traps or 0.0 if self.plies is None else self.plies * (1 - order)


Reader: TypeAlias = Callable[[Path, dict[str, Any]], Solution]


@lru_cache(maxsize=8)
def _opened(reader: Reader, path: Path, changed: int, *rules: Any) -> Solution:
    return reader(path, dict(rules))


def solution_of(rules: dict[str, Any], where: Path | None = None) -> Solution | None:
    """The solution of some rules, or at least an opening book; None where there is neither.

    Raises:
        InputError: the file of the solution is damaged.
    """
    return _kept(Table, file_of(rules, where), rules) or book_of(rules)


def book_of(rules: dict[str, Any]) -> Solution | None:
    """The opening book of some rules that comes with the package; None where there is none."""
    return _kept(Book, book_file(rules), rules)


def _kept(reader: Reader, path: Path, rules: dict[str, Any]) -> Solution | None:
    return _opened(reader, path, path.stat().st_mtime_ns, *rules.items()) if path.exists() else None


def _traps(table: Solution, own: np.uint64, other: np.uint64, seat: int) -> float | None:
    """Share of the moves of the side to move that lose, none of which reaches the apex; None where it is not known."""
    rules, size = rules_key(table.rules), table.ix.size
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    reserve = table.reserve(own, seat)
    count = write_moves(own, other, reserve, size, rules.variant, rules.may, moves)
    try:
        values = table.values_after(own, other, seat, moves[:count])
    except LookupError:
        return None
    return float(np.count_nonzero((values > UNKNOWN) & (values % 2 == 0)) / count)


def outcomes(view: Position | Observation) -> tuple[Outcome, ...] | None:
    """What comes of every legal move, in their order; None where neither a solution nor a book knows.

    A position that occurs for the third time is a draw in play, which a solution does not know of: whoever wins never
    needs to repeat one.
    """
    return _outcomes(view, solution_of(rules_of(view.state)))


def opening(view: Position | Observation) -> tuple[Outcome, ...] | None:
    """What the opening book alone says of every legal move, in their order; None where it does not know one."""
    return _outcomes(view, book_of(rules_of(view.state)))


def _outcomes(view: Position | Observation, solution: Solution | None) -> tuple[Outcome, ...] | None:
    try:
        return None if solution is None else _told(view, solution)
    except LookupError:
        return None


def _told(view: Position | Observation, table: Solution) -> tuple[Outcome, ...]:
    seat = view.to_act
    own, other = view.state.balls[seat], view.state.balls[1 - seat]
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    moves = moves[: legal(view.state, moves)]
    tops = moves & FIELD_MASK == APEX_CELL
    found = [Outcome("win", 1)] * len(moves)
    below = np.flatnonzero(~tops).tolist()
    values = table.values_after(own, other, seat, moves[~tops]).tolist()
    for i, value in zip(below, values, strict=True):
        if value == UNKNOWN:
            found[i] = Outcome("draw", None, _traps(table, other, after(own, int(moves[i])), 1 - seat))
        else:
            found[i] = Outcome("win" if value % 2 else "loss", value - LOST + 1)
    return tuple(found)
