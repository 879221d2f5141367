"""Contests, exactly: two builders over some turns, each wanting to win rather than points; and races in ``higher``.

In a turn both build at once and without looking, so a turn at a given score gap is a game in which a strategy is a way
to build, and all that counts of it is the distribution of its points. It is solved by double oracle (McMahan, Gordon,
Blum 2003, "Planning in the presence of cost functions controlled by an adversary"): the small game between the ways
found so far is solved by regret matching; the best answer of each side to the other's mixture is found by backward
induction over *all* ways to build, and joins them; the two best answers bound the value from above and below.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from .builder import Builder
from .dynamic import Solution
from .state import FIRST_BASE, LAST_BASE
from .walls import Walls, walls

TOLERANCE = 1e-3
"""Bounds of a value this close together count as equilibrium."""
MOST_ANSWERS = 30
"""Best answers after which a turn is left as it is, and said not to have converged."""
SMALL_GAME_STEPS = 4000
BATCH = 8
"""Score gaps that are solved in one backward induction: each takes about 40 MB with 120 s."""


class Turn(NamedTuple):
    """What a turn comes to for the first of two, at each of ``G`` score gaps.

    Attributes:
        gaps: int64[G], own points minus the other's before the turn.
        low, high: float64[G], bounds of the share of wins under best play of both.
        mean, spread: float64[G, 2], expected points of the turn and their standard deviation, of each of the two.
        answers: int64[G], best answers looked at.
    """

    gaps: np.ndarray
    low: np.ndarray
    high: np.ndarray
    mean: np.ndarray
    spread: np.ndarray
    answers: np.ndarray

    @property
    def has_converged(self) -> bool:
        """Whether the bounds are together at all gaps."""
        return bool((self.high - self.low <= TOLERANCE).all())

    def share(self, gap: np.ndarray) -> np.ndarray:
        """The share of wins at some gaps: the middle of the bounds; beyond all gaps of the turn 0 or 1."""
        middle = (self.low + self.high) / 2
        inside = middle[np.clip(gap - self.gaps[0], 0, len(self.gaps) - 1)]
        return np.where(gap < self.gaps[0], 0.0, np.where(gap > self.gaps[-1], 1.0, inside))


class Side:
    """One of the two: its walls, and the best answer to what the other does."""

    def __init__(self, builder: Builder, ticks: int, support: int, workers: int) -> None:
        self.builder, self.ticks, self.workers = builder, ticks, workers
        self.walls: Walls = walls(builder, ticks, support)
        self.most = int(self.walls.points.max())

    def best(self, worth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Value and points of the best ways to build.

        Args:
            worth: float64[L, most + 1], what each number of points is worth, for ``L`` aims.

        Returns:
            float64[L], the values; float64[L, most + 1], the distributions of points.
        """
        values, ends = [], []
        for begin in range(0, len(worth), BATCH):
            aims = np.ascontiguousarray(worth[begin : begin + BATCH, self.walls.points].T)
            solution = Solution(self.walls, self.builder, self.ticks, aims, policy=True).solve(self.workers)
            for aim in range(aims.shape[1]):
                values.append(solution.value((), self.ticks, aim))
                ends.append(np.bincount(self.walls.points, solution.ends((), aim), minlength=self.most + 1))
        return np.array(values), np.array(ends)


def _mixtures(payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nearly optimal mixtures of a zero-sum game, by regret matching+ (Tammelin 2014) with averages weighted by step.

    Args:
        payoffs: float64[n, m], what the row player gets.
    """
    rows, columns = np.zeros(payoffs.shape[0]), np.zeros(payoffs.shape[1])
    row_sum, column_sum = np.zeros_like(rows), np.zeros_like(columns)

    def mixture(regrets: np.ndarray) -> np.ndarray:
        total = regrets.sum()
        return regrets / total if total > 0 else np.full(len(regrets), 1 / len(regrets))

    column = mixture(columns)
    for step in range(1, SMALL_GAME_STEPS + 1):
        gains = payoffs @ column
        row = mixture(rows)
        rows = np.maximum(rows + gains - row @ gains, 0.0)
        row = mixture(rows)
        losses = row @ payoffs
        columns = np.maximum(columns + column @ losses - losses, 0.0)
        column = mixture(columns)
        row_sum += step * row
        column_sum += step * column
    return row_sum / row_sum.sum(), column_sum / column_sum.sum()


def _decided(gap: np.ndarray) -> np.ndarray:
    """The share of wins when no turn is left."""
    return np.where(gap > 0, 1.0, np.where(gap == 0, 0.5, 0.0))


class _Gap:
    """One score gap of a turn: what is found of it so far."""

    def __init__(self, gap: int, after: Callable[[np.ndarray], np.ndarray], sides: tuple[Side, Side]) -> None:
        own, other = (np.arange(side.most + 1) for side in sides)
        self.shares = after(gap + own[:, None] - other[None, :])
        self.found: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
        self.low, self.high, self.answers = 0.0, 1.0, 0
        self.mixed: list[np.ndarray] = []

    @property
    def is_open(self) -> bool:
        return self.high - self.low > TOLERANCE and self.answers < MOST_ANSWERS

    def mix(self) -> None:
        """Solve the small game of what was found."""
        first, second = (np.array(ways) for ways in self.found)
        mixtures = _mixtures(first @ self.shares @ second.T)
        self.mixed = [mixtures[0] @ first, mixtures[1] @ second]

    def worth(self, seat: int) -> np.ndarray:
        """What points are worth to a seat, against the mixture of the other."""
        return self.shares @ self.mixed[1] if seat == 0 else 1.0 - self.mixed[0] @ self.shares


def solve_turn(
    sides: tuple[Side, Side],
    gaps: Sequence[int],
    after: Callable[[np.ndarray], np.ndarray],
    progress: Callable[[int, int], object] | None = None,
) -> Turn:
    """The equilibrium of one turn at each of some consecutive gaps.

    Args:
        sides: the two.
        gaps: own points minus the other's, ascending.
        after: the share of wins at gaps after the turn.
        progress: told of the gaps that are settled, and how many there are.
    """
    todo = [_Gap(gap, after, sides) for gap in gaps]
    plain = [side.best(np.arange(side.most + 1.0)[None])[1][0] for side in sides]
    for entry in todo:
        for seat in range(2):
            entry.found[seat].append(plain[seat])
    while unsettled := [entry for entry in todo if entry.is_open]:
        for entry in unsettled:
            entry.mix()
            entry.answers += 1
        for seat in range(2):
            values, ends = sides[seat].best(np.array([entry.worth(seat) for entry in unsettled]))
            for entry, value, end in zip(unsettled, values, ends, strict=True):
                entry.found[seat].append(end)
                if seat == 0:
                    entry.high = min(entry.high, float(value))
                else:
                    entry.low = max(entry.low, 1.0 - float(value))
        if progress is not None:
            progress(sum(not entry.is_open for entry in todo), len(todo))
    points = [np.arange(side.most + 1.0) for side in sides]
    mean = np.array([[entry.mixed[seat] @ points[seat] for seat in range(2)] for entry in todo])
    square = np.array([[entry.mixed[seat] @ points[seat] ** 2 for seat in range(2)] for entry in todo])
    return Turn(
        gaps=np.array(gaps),
        low=np.array([entry.low for entry in todo]),
        high=np.array([entry.high for entry in todo]),
        mean=mean,
        spread=np.sqrt(np.maximum(square - mean**2, 0.0)),
        answers=np.array([entry.answers for entry in todo]),
    )


def solve_contest(
    builders: tuple[Builder, Builder],
    ticks: int,
    support: int,
    turns: int,
    workers: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> list[Turn]:
    """A contest of so many turns: what every turn comes to at every gap that can be, the first turn first.

    Bounds of a turn take the middle of the bounds of the next for its value.
    """
    sides = tuple(Side(builder, ticks, support, workers) for builder in builders)
    after: Callable[[np.ndarray], np.ndarray] = _decided
    solved: list[Turn] = []
    for turn in range(turns, 0, -1):
        behind, ahead = ((turn - 1) * side.most for side in reversed(sides))
        to_go = turns - turn + 1
        # a gap that the rest of the turns cannot close is decided
        behind, ahead = min(behind, to_go * sides[0].most), min(ahead, to_go * sides[1].most)
        solved.append(solve_turn((sides[0], sides[1]), range(-behind, ahead + 1), after, progress))
        after = solved[-1].share
    return solved[::-1]


# --- higher ---


def finishing(builder: Builder, base: int, ticks: int, support: int, most: int | None = None) -> Solution:
    """The best way to build the full pyramid of a base in time: values are chances to finish.

    Raises:
        OverflowError: there are more than ``most`` walls.
    """
    graph = walls(builder, ticks, support, base, most)
    return Solution(graph, builder, ticks, graph.goal.astype(np.float64)[:, None], policy=True).solve()


def finishing_chances(builder: Builder, ticks: int, support: int, most: int | None = None) -> list[float]:
    """The chance to finish each base in time under best play, from the first that is asked for to the last.

    Raises:
        OverflowError: there are more than ``most`` walls for some base.
    """
    chances: list[float] = []
    for base in range(FIRST_BASE, LAST_BASE + 1):
        if chances and chances[-1] == 0.0:
            chances.append(0.0)
            continue
        solution = finishing(builder, base, ticks, support, most)
        chances.append(solution.value((), ticks))
    return chances


def race(chances: Sequence[Sequence[float]]) -> list[float]:
    """Every player's share of the win in ``higher``.

    Args:
        chances: for each player the chance to finish each base, as ``finishing_chances`` gives them.
    """

    @cache
    def shares(players: tuple[int, ...], base: int) -> np.ndarray:
        total = np.zeros(len(chances))
        if len(players) == 1 or base == len(chances[0]):
            total[list(players)] = 1 / len(players)
            return total
        for passed in product((False, True), repeat=len(players)):
            chance = 1.0
            for player, ok in zip(players, passed, strict=True):
                chance *= chances[player][base] if ok else 1 - chances[player][base]
            if chance > 0.0:
                left = tuple(player for player, ok in zip(players, passed, strict=True) if ok)
                if left:
                    total += chance * shares(left, base + 1)
                else:
                    total[list(players)] += chance / len(players)
        return total

    return shares(tuple(range(len(chances))), 0).tolist()
