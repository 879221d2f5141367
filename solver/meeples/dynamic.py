"""Exact solutions by backward induction over walls and ticks left.

The value of a wall with ``t`` ticks left is the best of stopping and of every placement there is time for:
``(1 - slip) V(wall + 1, t - d) + slip * sum_j fall_j V(rows below j, t - d - clear)``, ``d`` being the time it takes.
Every placement takes a tick at least, so values at ``t`` follow from those at fewer ticks; and since no wall can stand
before the time to build it has gone by, the first walls by that time are all that matter.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..jit import kernel
from .builder import PACES, Builder
from .state import STOP
from .walls import EMPTY, Rows, Walls

Progress = Callable[[int], object]
ALIKE = 1e-12
"""Values closer than this are as good; stopping is then preferred, else the lower row and the quick pace."""
LARGE = 4096
"""Walls from which it pays to share a tick among threads."""


@kernel
def _improve(first, last, start, row, after, under, moves, slip, ahead, fell, stopped, values, afterfall, best, chosen):
    """Values of the walls ``first … last - 1`` at one number of ticks left.

    Args:
        start, row, after, under: of ``Walls``.
        moves: int64[A], the actions ``2 * row + pace`` by row, rows 1 … A / 2.
        slip: float64[A], their chances to slip.
        ahead, fell: int64[A], which line of ``values`` holds what follows a success, of ``afterfall`` a slip; -1 where
            there is no time for the action.
        stopped: float64[N], what a wall is worth.
        values, afterfall: float64[window, N], a line for each number of ticks left.
        best: float64[N], out.
        chosen: uint8[N], out: the best action.
    """
    for i in range(first, last):
        value, action = stopped[i], STOP
        for j in range(start[i], start[i + 1]):
            for k in range(2 * row[j] - 2, 2 * row[j]):
                if ahead[k] < 0:
                    continue
                worth = values[ahead[k], after[j]]
                if slip[k] > 0.0:
                    worth += slip[k] * (afterfall[fell[k], under[j]] - worth)
                if worth > value + ALIKE:
                    value, action = worth, moves[k]
        best[i] = value
        chosen[i] = action


@kernel
def _mix(first, last, lower, bottom, fall, values, mixed):
    """What a slip just above each wall leads to: an expectation over the rows that fall.

    Args:
        lower, bottom: int32[N], the wall without its top row, and its first row alone.
        fall: float64[4].
        values: float64[N], of the walls.
        mixed: float64[N], out.
    """
    for i in range(first, last):
        one = lower[i] if lower[i] != EMPTY else i
        two = lower[one] if lower[one] != EMPTY else one
        mixed[i] = fall[0] * values[i] + fall[1] * values[one] + fall[2] * values[two] + fall[3] * values[bottom[i]]


@dataclass(frozen=True)
class Clock:
    """What a builder's actions take, and how they end, by action: rows 1 … ``rows``, at each pace.

    Attributes:
        builder: whose.
        moves: int64[A], ``2 * row + pace``.
        ticks: int64[A].
        slip: float64[A].
    """

    builder: Builder
    moves: np.ndarray
    ticks: np.ndarray
    slip: np.ndarray

    @classmethod
    def of(cls, builder: Builder, rows: int) -> "Clock":
        """The actions on ``rows`` rows."""
        actions = [(row, pace) for row in range(1, rows + 1) for pace in range(len(PACES))]
        return cls(
            builder,
            np.array([2 * row + pace for row, pace in actions], dtype=np.int64),
            np.array([builder.ticks(row, pace) for row, pace in actions], dtype=np.int64),
            np.array([builder.slips(row, pace) for row, pace in actions]),
        )

    @property
    def span(self) -> int:
        """Ticks that the longest action takes, a slip included."""
        return int(self.ticks.max()) + self.builder.clear

    def lines(self, left: int, window: int) -> tuple[np.ndarray, np.ndarray]:
        """Which lines of a window hold what follows each action with so many ticks left; -1 without the time."""
        after = left - self.ticks
        ahead = np.where(after < 0, -1, after % window)
        return ahead, np.where(after < 0, -1, np.maximum(after - self.builder.clear, 0) % window)


class Solution:
    """The best way to build, from every wall that can stand at every time.

    Attributes:
        walls: those there are.
        ticks: time at the start.
        values: float64[window, N], line ``t % window`` for ``t`` ticks left; only the last lines are kept, or all.
        policy: uint8[ticks + 1, N] or None: the best action.
    """

    def __init__(
        self, walls: Walls, builder: Builder, ticks: int, worth: np.ndarray, keep: bool = False, policy: bool = False
    ) -> None:
        self.walls, self.builder, self.ticks, self.worth = walls, builder, ticks, worth
        self.clock = Clock.of(builder, int(walls.row.max(initial=1)))
        self.window = ticks + 1 if keep else min(ticks, self.clock.span) + 1
        n = len(walls.rows)
        self.values = np.zeros((self.window, n))
        self._mixed = np.zeros((self.window, n))
        self.policy = np.zeros((ticks + 1, n), dtype=np.uint8) if policy else None
        self._scratch = np.zeros(n, dtype=np.uint8)

    def solve(self, workers: int = 1, progress: Progress | None = None) -> "Solution":
        """Fill in the values, from no time left to all of it; ``progress`` hears of every tick."""
        fall = np.array(self.builder.fall)
        with ThreadPoolExecutor(workers) as pool:
            for left in range(self.ticks + 1):
                count = self.walls.until(self.ticks - left)
                cuts = np.linspace(0, count, (workers if count >= LARGE else 1) + 1, dtype=np.int64)
                parts = list(pairwise(cuts))
                ahead, fell = self.clock.lines(left, self.window)
                line = left % self.window
                chosen = self._scratch if self.policy is None else self.policy[left]
                self._run(pool, parts, _improve, *self._graph, ahead, fell, *self._tables, self.values[line], chosen)
                shape = self.walls.lower, self.walls.first, fall
                self._run(pool, parts, _mix, *shape, self.values[line], self._mixed[line])
                if progress is not None:
                    progress(1)
        return self

    @property
    def _graph(self) -> tuple[Any, ...]:
        walls, clock = self.walls, self.clock
        return walls.start, walls.row, walls.after, walls.under, clock.moves, clock.slip

    @property
    def _tables(self) -> tuple[Any, ...]:
        return self.worth, self.values, self._mixed

    @staticmethod
    def _run(pool: ThreadPoolExecutor, parts: list[Any], function: Any, *arguments: Any) -> None:
        if len(parts) == 1:
            function(*parts[0], *arguments)
        else:
            list(pool.map(lambda part: function(*part, *arguments), parts))

    def value(self, rows: Rows, left: int) -> float:
        """What is to be expected of a wall with so many ticks left, if that line is kept."""
        return float(self.values[left % self.window, self.walls.number[rows]])
