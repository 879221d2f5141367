"""Pylos for learners.

Actions: a step, which is a ball from the reserve to a cell or from a cell to one of a higher level, and what is taken
back after it: nothing, one of the cells, or two of them::

    action = step * takings + taking

In the beginner's game nothing is ever taken back, so that takings are 1. Smaller bases have fewer cells.

The vector: the cells with an own ball, the cells with one of the other side, both reserves, whether the seat that sees
is to move, whether the game is over, the plies, how often this position has been there, and the rules.
"""

from typing import Any

import numpy as np

from ...solver import game
from ...solver.bits import has
from ...solver.jit import kernel
from ...solver.pylos.board import BALLS, CELLS, LEVELS, SIZES
from ...solver.pylos.rules import fingerprint, reserve_of
from ...solver.pylos.state import (
    BEGINNER,
    DTYPE,
    FIRST,
    NOBODY,
    NOWHERE,
    PLY_LIMIT,
    REPETITIONS,
    SECOND,
    SOURCE,
    VARIANTS,
)

FULL = max(SIZES)
LENGTH = 2 * len(CELLS) + 2 + 1 + 1 + 1 + 1 + len(VARIANTS) + 2 + len(SIZES)
RESERVE = max(max(balls) for balls in BALLS.values())


def _steps(side: int) -> list[int]:
    """The steps on a base, as the part of a move that they are."""
    cells = [cell for cell in CELLS if cell >> 4 >= LEVELS - side]
    placed = [cell | NOWHERE << SOURCE for cell in cells]
    return placed + [to | cell << SOURCE for cell in cells for to in cells if to >> 4 > cell >> 4]


def _takings(side: int) -> list[int]:
    """What may be taken back on a base, as the part of a move that it is, moved to its end."""
    cells = [cell for cell in CELLS if cell >> 4 >= LEVELS - side]
    pairs = [(one, two) for one in cells for two in cells if one < two]
    taken = [(NOWHERE, NOWHERE), *((cell, NOWHERE) for cell in cells), *pairs]
    return [one | two << (SECOND - FIRST) for one, two in taken]


def _tables(parts: Any) -> tuple[np.ndarray, np.ndarray]:
    """By the side of the base, the parts by their number, and the number of every part."""
    known = [parts(side) if side in SIZES else [] for side in range(FULL + 1)]
    by_number = np.zeros((FULL + 1, max(map(len, known))), dtype=np.int32)
    number_of = np.zeros((FULL + 1, 1 << FIRST), dtype=np.int16)
    for side, values in enumerate(known):
        by_number[side, : len(values)] = values
        number_of[side, values] = range(len(values))
    return by_number, number_of


STEPS, STEP_OF = _tables(_steps)
TAKINGS, TAKING_OF = _tables(_takings)
COUNTS = np.array(
    [[len(part(side)) if side in SIZES else 0 for part in (_steps, _takings)] for side in range(FULL + 1)]
)
"""``[side, 2]``: how many steps and takings there are."""
SQUARES = np.array(CELLS)


def actions(rules: dict[str, Any]) -> int:
    """How many actions there are."""
    steps, takings = COUNTS[rules["size"]].tolist()
    return steps if rules["variant"] == VARIANTS[BEGINNER] else steps * takings


@kernel
def _ways(s):
    return np.int64(1) if s.variant == BEGINNER else COUNTS[s.side, 1]


@kernel
def action_of(s, move):
    """The action of a move."""
    move = np.int64(move)
    step, taking = np.int64(STEP_OF[s.side, move & ((1 << FIRST) - 1)]), np.int64(TAKING_OF[s.side, move >> FIRST])
    return step * _ways(s) + taking


@kernel
def move_of(s, action):
    """The move of an action."""
    step, taking = action // _ways(s), action % _ways(s)
    return np.int64(STEPS[s.side, step]) | np.int64(TAKINGS[s.side, taking]) << FIRST


@kernel
def describe(s, seat, out):
    """What all see, from the side of one."""
    other, cells = 1 - seat, len(SQUARES)
    for i in range(cells):
        out[i] = has(s.balls[seat], SQUARES[i])
        out[cells + i] = has(s.balls[other], SQUARES[i])
    at = 2 * cells
    out[at] = reserve_of(s, seat) / RESERVE
    out[at + 1] = reserve_of(s, other) / RESERVE
    out[at + 2] = s.winner == NOBODY and s.turn == seat
    out[at + 3] = s.winner != NOBODY
    out[at + 4] = s.plies / PLY_LIMIT
    now, times = fingerprint(s), 1
    for i in range(s.plies):
        if s.seen[i] == now:
            times += 1
    out[at + 5] = min(times, REPETITIONS) / REPETITIONS
    at += 6
    out[at + np.int64(s.variant)] = 1.0
    at += len(VARIANTS)
    out[at], out[at + 1] = s.loses, s.may
    out[at + 2 + FULL - np.int64(s.side)] = 1.0


game.register(DTYPE, action_of=action_of, move_of=move_of, describe=describe)
