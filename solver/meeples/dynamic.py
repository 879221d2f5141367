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
from .walls import EMPTY, Rows, Walls, with_one_more

Progress = Callable[[int], object]
Visit = Callable[[int, np.ndarray, np.ndarray], object]
ALIKE = 1e-12
"""Values closer than this are as good; stopping is then preferred, else the lower row and the quick pace."""
LARGE = 4096
"""Walls from which it pays to share a tick among threads."""


@kernel
def _improve(first, last, start, row, after, under, moves, slip, ahead, fell, stopped, values, mixed, best, chosen):
    """Values of the walls ``first … last - 1`` at one number of ticks left, for ``L`` aims at once.

    Args:
        start, row, after, under: of ``Walls``.
        moves: int64[A], the actions ``2 * row + pace`` by row, rows 1 … A / 2.
        slip: float64[A], their chances to slip.
        ahead, fell: int64[A], which line of ``values`` holds what follows a success, of ``mixed`` what follows a slip;
            -1 where there is no time for the action.
        stopped: float64[N, L], what a wall is worth.
        values, mixed: float64[window, N, L], a line for each number of ticks left.
        best: float64[N, L], out.
        chosen: uint8[N, L], out: the best action.
    """
    aims = stopped.shape[1]
    for i in range(first, last):
        for aim in range(aims):
            best[i, aim] = stopped[i, aim]
            chosen[i, aim] = STOP
        for j in range(start[i], start[i + 1]):
            wall, rest = after[j], under[j]
            for k in range(2 * row[j] - 2, 2 * row[j]):
                if ahead[k] < 0:
                    continue
                stands, falls, risk, move = values[ahead[k], wall], mixed[fell[k], rest], slip[k], moves[k]
                for aim in range(aims):
                    worth = stands[aim] + risk * (falls[aim] - stands[aim])
                    if worth > best[i, aim] + ALIKE:
                        best[i, aim] = worth
                        chosen[i, aim] = move


@kernel
def _rows_below(lower, wall):
    """A wall without its top row and without its top two, the first row staying."""
    one = lower[wall] if lower[wall] != EMPTY else wall
    return one, lower[one] if lower[one] != EMPTY else one


@kernel
def _mix(first, last, lower, bottom, fall, values, mixed):
    """What a slip just above each wall leads to: an expectation over the rows that fall.

    Args:
        lower, bottom: int32[N], the wall without its top row, and its first row alone.
        fall: float64[4].
        values: float64[N, L], of the walls.
        mixed: float64[N, L], out.
    """
    for i in range(first, last):
        one, two = _rows_below(lower, i)
        for aim in range(values.shape[1]):
            mixed[i, aim] = (
                fall[0] * values[i, aim]
                + fall[1] * values[one, aim]
                + fall[2] * values[two, aim]
                + fall[3] * values[bottom[i], aim]
            )


@kernel
def _spread(start, row, after, under, lower, bottom, slip, ahead, fell, fall, chosen, now, coming, final):
    """Send the chances of all walls at one number of ticks left on to where the policy takes them.

    Args:
        start, row, after, under, lower, bottom: of ``Walls``.
        slip, ahead, fell, fall: as for ``_improve`` and ``_mix``; the lines are those of ``coming``.
        chosen: uint8[N], the policy.
        now: float64[N], the chances; cleared.
        coming: float64[window, N], chances at fewer ticks.
        final: float64[N], of the walls that are left standing.
    """
    for i in range(now.size):
        chance = now[i]
        if chance == 0.0:
            continue
        now[i] = 0.0
        action = np.int64(chosen[i])
        if action == STOP:
            final[i] += chance
            continue
        k, j = action - 2, start[i]
        while row[j] != action >> 1:
            j += 1
        coming[ahead[k], after[j]] += chance * (1.0 - slip[k])
        if slip[k] > 0.0:
            rest, wall = chance * slip[k], under[j]
            one, two = _rows_below(lower, wall)
            coming[fell[k], wall] += rest * fall[0]
            coming[fell[k], one] += rest * fall[1]
            coming[fell[k], two] += rest * fall[2]
            coming[fell[k], bottom[wall]] += rest * fall[3]


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
        worth: float64[N, L], of each wall for each of ``L`` aims.
        values: float64[window, N, L], line ``t % window`` for ``t`` ticks left; only the last lines are kept, or all.
        mixed: float64[window, N, L], what a slip in the row on top of each wall leads to.
        policy: uint8[ticks + 1, N, L] or None: the best action.
    """

    def __init__(
        self, walls: Walls, builder: Builder, ticks: int, worth: np.ndarray, keep: bool = False, policy: bool = False
    ) -> None:
        self.walls, self.builder, self.ticks, self.worth = walls, builder, ticks, worth
        self.clock = Clock.of(builder, int(walls.row.max(initial=1)))
        self.window = ticks + 1 if keep else min(ticks, self.clock.span) + 1
        n = len(walls.rows)
        self.values = np.zeros((self.window, n, worth.shape[1]))
        self.mixed = np.zeros_like(self.values)
        self.policy = np.zeros((ticks + 1, *worth.shape), dtype=np.uint8) if policy else None
        self._scratch = np.zeros(worth.shape, dtype=np.uint8)

    def solve(self, workers: int = 1, progress: Progress | None = None, until: int | None = None) -> "Solution":
        """Fill in the values, from no time left up to ``until`` ticks, or to all; ``progress`` hears of every tick."""
        fall = np.array(self.builder.fall)
        with ThreadPoolExecutor(workers) as pool:
            for left in range((self.ticks if until is None else until) + 1):
                count = self.walls.until(self.ticks - left)
                cuts = np.linspace(0, count, (workers if count >= LARGE else 1) + 1, dtype=np.int64)
                parts = list(pairwise(cuts))
                ahead, fell = self.clock.lines(left, self.window)
                line = left % self.window
                chosen = self._scratch if self.policy is None else self.policy[left]
                self._run(pool, parts, _improve, *self._graph, ahead, fell, *self._tables, self.values[line], chosen)
                shape = self.walls.lower, self.walls.first, fall
                self._run(pool, parts, _mix, *shape, self.values[line], self.mixed[line])
                if progress is not None:
                    progress(1)
        return self

    @property
    def _graph(self) -> tuple[Any, ...]:
        walls, clock = self.walls, self.clock
        return walls.start, walls.row, walls.after, walls.under, clock.moves, clock.slip

    @property
    def _tables(self) -> tuple[Any, ...]:
        return self.worth, self.values, self.mixed

    @staticmethod
    def _run(pool: ThreadPoolExecutor, parts: list[Any], function: Any, *arguments: Any) -> None:
        if len(parts) == 1:
            function(*parts[0], *arguments)
        else:
            list(pool.map(lambda part: function(*part, *arguments), parts))

    def value(self, rows: Rows, left: int, aim: int = 0) -> float:
        """What is to be expected of a wall with so many ticks left, if that line is kept."""
        return float(self.values[left % self.window, self.walls.find(rows), aim])

    def action_value(self, rows: Rows, action: int, left: int, aim: int = 0) -> float:
        """What to expect of an action, a placement ``2 * row + pace`` or ``STOP``, with so many ticks left.

        The values at the ticks that it may leave must be kept, and there must be time for it.
        """
        walls = self.walls
        if action == STOP:
            return float(self.worth[walls.find(rows), aim])
        row, k = action >> 1, action - 2
        ahead, fell = self.clock.lines(left, self.window)
        stands = self.values[ahead[k], walls.find(with_one_more(rows, row)), aim]
        falls = self.mixed[fell[k], walls.find(rows[: row - 1]), aim]
        return float(stands + self.clock.slip[k] * (falls - stands))

    def best_action(self, rows: Rows, left: int, aim: int = 0) -> int:
        """What to do with a wall when so many ticks are left; ``policy`` must have been kept."""
        assert self.policy is not None
        return int(self.policy[left, self.walls.find(rows), aim])

    def ends(self, rows: Rows = (), aim: int = 0, visit: Visit | None = None) -> np.ndarray:
        """How likely each wall is to be the last, if the policy builds on from ``rows`` with all the time.

        Args:
            rows: the wall at the start.
            aim: whose policy.
            visit: told of every tick that is left, with the chances of the walls then and what is done with them.

        Returns:
            float64[N], which adds up to 1. ``policy`` must have been kept.
        """
        assert self.policy is not None
        walls, clock = self.walls, self.clock
        n = len(walls.rows)
        coming = np.zeros((clock.span + 1, n))
        coming[self.ticks % len(coming), walls.find(rows)] = 1.0
        final = np.zeros(n)
        fall = np.array(self.builder.fall)
        for left in range(self.ticks, -1, -1):
            now = coming[left % len(coming)]
            if visit is not None:
                visit(left, now, self.policy[left, :, aim])
            ahead, fell = clock.lines(left, len(coming))
            _spread(
                *(walls.start, walls.row, walls.after, walls.under, walls.lower, walls.first),
                *(clock.slip, ahead, fell, fall, self.policy[left, :, aim], now[: self.walls.until(self.ticks - left)]),
                *(coming, final),
            )
        return final
