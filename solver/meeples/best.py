"""Best play for one who builds alone, or who cannot be disturbed: exact values of moves, and what to do."""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..errors import InputError
from ..position import Observation, Position
from .builder import Builder
from .contest import finishing_chances, race
from .dynamic import Solution
from .notation import builder_of
from .rules import goal, legal
from .state import FIRST_BASE, HIGHER, MAX_MOVES, MEEPLES
from .wall import is_pyramid
from .walls import Rows, Walls, walls

QUICK_WORK, QUICK_BYTES = 60_000_000, 1 << 30
"""Walls times ticks, and bytes of values, that are worth spending on a move or a hint; 120 s take two thirds of it."""


class Outcome(NamedTuple):
    """What a move leads to under best play.

    Attributes:
        win: the share of the win; whoever plays alone has it.
        points: alone, to be expected at the end of the game, in ``higher`` the rounds passed; else None.
        told: the same in a sentence.
        liking: sorts moves from worst to best.
    """

    win: float
    points: float | None
    told: str
    liking: float


@lru_cache(maxsize=4)
def graph(builder: Builder, ticks: int, support: int, base: int = 0, most: int | None = None) -> Walls:
    """The walls of a builder, as ``walls.walls``."""
    return walls(builder, ticks, support, base, most)


def worth_of(walls: Walls, base: int) -> np.ndarray:
    """What each wall is worth, ``float64[N, 1]``: points, or with a goal whether it is that."""
    return (walls.goal if base else walls.points).astype(np.float64)[:, None]


def solve(
    builder: Builder,
    ticks: int,
    support: int,
    base: int = 0,
    policy: bool = False,
    keep: bool = False,
    most: int | None = None,
) -> Solution:
    """A solution to be filled in: expected points, or with a ``base`` the chance to finish.

    Raises:
        OverflowError: there are more than ``most`` walls.
    """
    known = graph(builder, ticks, support, base, most)
    return Solution(known, builder, ticks, worth_of(known, base), keep=keep, policy=policy)


@lru_cache(maxsize=4)
def _policy(builder: Builder, ticks: int, support: int, base: int) -> Solution:
    return solve(builder, ticks, support, base, policy=True, most=_most(builder, ticks)).solve()


@lru_cache(maxsize=8)
def _chances(builder: Builder, ticks: int, support: int) -> list[float]:
    return finishing_chances(builder, ticks, support, _most(builder, ticks))


def _most(builder: Builder, ticks: int) -> int:
    """Walls that are solved on the way to a move: seconds of work, and a gigabyte of values, at most."""
    window = min(ticks, max(builder.place) + MEEPLES * builder.row + builder.clear) + 1
    return min(QUICK_WORK // (ticks + 1), QUICK_BYTES // (16 * window))


def _rows(state: Any, seat: int) -> Rows:
    return tuple(state.rows[seat, : state.height[seat]].tolist())


def best_move(view: Position | Observation) -> int:
    """The placement or stop that earns most points, or that finishes most surely, for the seat to act.

    Raises:
        InputError: with so much time there are too many walls.
    """
    s = view.state
    seat = view.to_act
    try:
        solution = _policy(builder_of(s), int(s.full), int(s.support), int(goal(s)))
    except OverflowError as error:
        raise InputError("rules.seconds", f"expected less time for an exact solution, {error} can stand") from None
    return solution.best_action(_rows(s, seat), int(s.ticks[seat]))


def outcomes(view: Position | Observation) -> tuple[Outcome, ...] | None:
    """What every legal move leads to, in their order.

    None where several play for points, nobody is to act, or there are too many walls to be solved at once.
    """
    if view.to_act < 0 or (view.players > 1 and view.state.mode != HIGHER):
        return None
    try:
        return _outcomes(view)
    except OverflowError:
        return None


def _outcomes(view: Position | Observation) -> tuple[Outcome, ...]:
    s = view.state
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    moves = moves[: legal(s, moves)]
    seat, builder, full = view.to_act, builder_of(s), int(s.full)
    left, rows, base = int(s.ticks[seat]), _rows(s, seat), int(goal(s))
    solution = solve(builder, full, int(s.support), base, most=_most(builder, full))
    solution.solve(until=left)
    values = [solution.action_value(rows, int(move), left) for move in moves]
    if s.mode == HIGHER:
        return tuple(_of_higher(s, seat, value) for value in values)
    rest = 0.0
    if s.lap < s.turns:
        rest = float(int(s.turns) - int(s.lap)) * _policy(builder, full, int(s.support), 0).value((), full)
    total = [int(s.scores[0]) + value + rest for value in values]
    return tuple(Outcome(1.0, points, f"{points:.2f} points to be expected.", points) for points in total)


def _of_higher(s: Any, seat: int, value: float) -> Outcome:
    """What comes of finishing this base with a chance of ``value``, if everybody builds as surely as can be."""
    base, told = int(goal(s)), f"Finishes with {100 * value:.2f} %."
    chances = _chances(builder_of(s), int(s.full), int(s.support))[base - FIRST_BASE :]
    if s.players == 1:
        rounds = 0.0
        for chance in reversed(chances[1:]):
            rounds = chance * (1.0 + rounds)
        points = int(s.scores[0]) + value * (1.0 + rounds)
        return Outcome(1.0, points, told, points)
    inside = [other for other in range(s.players) if not int(s.out) >> other & 1]
    runs = []
    for other in inside:
        now = chances[0]
        if other == seat:
            now = value
        elif other < seat:
            now = float(is_pyramid(s.rows[other], int(s.height[other]), base))
        runs.append([now, *chances[1:]])
    return Outcome(race(runs)[inside.index(seat)], None, told, value)
