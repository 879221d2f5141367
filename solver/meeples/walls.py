"""All walls that can stand, numbered, and what placing and falling makes of them: the graph that exact solvers walk."""

from functools import cache
from typing import NamedTuple

import numpy as np

from ..jit import kernel
from .builder import Builder
from .state import BRIDGE, COLUMN, MEEPLES, WIDEST
from .wall import points

EMPTY = 0
"""The number of the empty cloth."""
Rows = tuple[int, ...]


class Walls(NamedTuple):
    """``N`` walls, by the least time that they take, and ``M`` ways to add a meeple; a wall's number is its index.

    A slip in row ``k`` leaves some of the rows below ``k``: those are what an entry of ``under`` stands for.
    """

    rows: tuple[Rows, ...]  # meeples a row, from the bottom
    number: dict[Rows, int]
    ticks: np.ndarray  # int64[N]   the least time to build it
    points: np.ndarray  # int64[N]
    goal: np.ndarray  # bool[N]    whether it is the pyramid that was asked for
    lower: np.ndarray  # int32[N]   the wall without its top row; of the empty cloth itself
    first: np.ndarray  # int32[N]   its first row alone
    start: np.ndarray  # int64[N + 1] where its ways to add begin
    row: np.ndarray  # int64[M]   row that gets the meeple, from 1
    after: np.ndarray  # int32[M]   the wall then; itself where there is never the time for it
    under: np.ndarray  # int32[M]   the wall below that row

    def until(self, ticks: int) -> int:
        """How many walls can be built in so many ticks."""
        return int(np.searchsorted(self.ticks, ticks, side="right"))

    def find(self, rows: Rows) -> int:
        """The number of a wall; of columns without a goal the height is all that counts."""
        number = self.number.get(rows)
        return self.number[(1,) * len(rows)] if number is None else number


def with_one_more(rows: Rows, row: int) -> Rows:
    """The wall with a meeple more in a row."""
    return (*rows[: row - 1], rows[row - 1] + 1, *rows[row:]) if row <= len(rows) else (*rows, 1)


def additions(rows: Rows, support: int, base: int) -> list[tuple[int, Rows]]:
    """What ``wall.takes`` allows: rows that may get a meeple more, from 1, and the walls then.

    Columns without a goal grow at the top only: to widen a lower row earns nothing, and allows nothing.
    """
    if sum(rows) == MEEPLES:
        return []
    if support == COLUMN and not base:
        return [(len(rows) + 1, (*rows, 1))]
    grown, below = [], WIDEST + (support == BRIDGE)
    for i, count in enumerate((*rows, 0)):
        most = min(below - (support == BRIDGE), base - i) if base else below - (support == BRIDGE)
        if count < most:
            grown.append((i + 1, with_one_more(rows, i + 1)))
        below = count
    return grown


@kernel
def _all_points(rows, heights, support, out):
    for i in range(heights.size):
        out[i] = points(rows[i], heights[i], support)


def walls(builder: Builder, ticks: int, support: int, base: int = 0, most: int | None = None) -> Walls:
    """All walls that can be built from an empty cloth in so many ticks; towards a goal, if there is a ``base``.

    Raises:
        OverflowError: there are more than ``most``.
    """
    step = [builder.least_ticks(row) for row in range(1, MEEPLES + 1)]
    found: dict[Rows, int] = {(): 0}
    ways: dict[Rows, list[tuple[int, Rows]]] = {}
    queue: list[Rows] = [()]
    for rows in queue:
        if most is not None and len(queue) > most:
            raise OverflowError(f"more than {most} walls")
        ways[rows] = additions(rows, support, base)
        for row, after in ways[rows]:
            if after not in found and found[rows] + step[row - 1] <= ticks:
                found[after] = found[rows] + step[row - 1]
                queue.append(after)
    order = sorted(found, key=lambda rows: (found[rows], rows))
    number = {rows: i for i, rows in enumerate(order)}
    heights = np.array([len(rows) for rows in order], dtype=np.int64)
    table = np.zeros((len(order), int(heights.max()) + 1), dtype=np.uint8)
    for i, rows in enumerate(order):
        table[i, : len(rows)] = rows
    score = np.empty(len(order), dtype=np.int64)
    _all_points(table, heights, support, score)
    goal = tuple(range(base, 0, -1))
    return Walls(
        rows=tuple(order),
        number=number,
        ticks=np.array([found[rows] for rows in order], dtype=np.int64),
        points=score,
        goal=np.array([rows == goal and base > 0 for rows in order]),
        lower=np.array([number[rows[:-1]] for rows in order], dtype=np.int32),
        first=np.array([number[rows[:1]] for rows in order], dtype=np.int32),
        start=np.cumsum([0, *(len(ways[rows]) for rows in order)], dtype=np.int64),
        row=np.array([row for rows in order for row, _ in ways[rows]], dtype=np.int64),
        after=np.array(
            [number.get(after, i) for i, rows in enumerate(order) for _, after in ways[rows]], dtype=np.int32
        ),
        under=np.array([number[rows[: row - 1]] for rows in order for row, _ in ways[rows]], dtype=np.int32),
    )


def best_wall(meeples: int, support: int) -> tuple[int, Rows]:
    """The most points that so many meeples are worth without a clock, and rows that have them.

    Under ``bridge`` what does not carry anything earns nothing, so the first row is one longer than the second.
    """
    if support == COLUMN:
        return meeples * (meeples + 1) // 2, (1,) * meeples

    @cache
    def on_top(row: int, most: int, left: int) -> tuple[int, Rows]:
        """The best rows from ``row`` up, none longer than ``most``."""
        best: tuple[int, Rows] = (0, ())
        for count in range(1, min(most, left) + 1):
            earned, above = on_top(row + 1, count - 1, left - count)
            best = max(best, (earned + row * count, (count, *above)))
        return best

    best: tuple[int, Rows] = (min(meeples, 1), (1,) * min(meeples, 1))
    for second in range(1, min(WIDEST - 1, (meeples - 1) // 2) + 1):
        earned, above = on_top(3, second - 1, meeples - 2 * second - 1)
        best = max(best, (second + 1 + 2 * second + earned, (second + 1, second, *above)))
    return best
