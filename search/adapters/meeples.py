"""Meeple stacking for learners.

Actions: 0 to stop, else ``2 * row + pace``: rows from 1, the pace 0 for quick and 1 for careful. What hands do is a
listed outcome: 0 where they hold, else ``2 * row``, and 1 more where a neighbour's pyramid was hit.

The vector: of each seat the meeples in every row, their height and number, the time left, the score, whether it is
out, and whether it began the round; then the phase, the seat that builds, the row and pace its hands are at, the round,
and the rules with the numbers of the builder. Seats are counted from the one that sees.
"""

from typing import Any

import numpy as np

from ...solver import game
from ...solver.jit import kernel
from ...solver.meeples.builder import FALLS, LONGEST_SECONDS, MOST_POWER, MOST_SLIP, TICKS
from ...solver.meeples.state import (
    COLUMN,
    DTYPE,
    HIGHER,
    MEEPLES,
    MOST_POINTS,
    MOST_SECONDS,
    MOST_TURNS,
    PHASES,
    SEATS,
    WIDEST,
)

SEAT = MEEPLES + 6
LONGEST = LONGEST_SECONDS * TICKS
LENGTH = SEATS * SEAT + len(PHASES) + SEATS + 3 + SEATS + 5 + 4 + 3 + len(FALLS) + 1


def actions(rules: dict[str, Any]) -> int:
    """How many actions there are."""
    return 2 * (MEEPLES + 1)


@kernel
def action_of(s, move):
    """The action of a move, or of what hands do."""
    return np.int64(move)


@kernel
def move_of(s, action):
    """The move of an action."""
    return np.int64(action)


@kernel
def _wall(s, seat, out):
    """One seat's wall and what it has."""
    for row in range(MEEPLES):
        out[row] = s.rows[seat, row] / WIDEST
    out[MEEPLES] = s.height[seat] / MEEPLES
    out[MEEPLES + 1] = s.used[seat] / MEEPLES
    out[MEEPLES + 2] = s.ticks[seat] / (MOST_SECONDS * TICKS)
    out[MEEPLES + 3] = s.scores[seat] / (MOST_TURNS * MOST_POINTS)
    out[MEEPLES + 4] = np.int64(s.out) >> seat & 1
    out[MEEPLES + 5] = np.int64(s.present) >> seat & 1


@kernel
def describe(s, seat, out):
    """What all see, from one seat."""
    players = np.int64(s.players)
    for i in range(players):
        _wall(s, (seat + i) % players, out[i * SEAT :])
    at = SEATS * SEAT
    out[at + np.int64(s.phase)] = 1.0
    at += len(PHASES)
    out[at + (np.int64(s.turn) - seat) % players] = 1.0
    at += SEATS
    out[at] = (s.action >> 1) / (MEEPLES + 1)
    out[at + 1] = s.action & 1
    out[at + 2] = s.lap / MOST_TURNS
    out[at + 2 + players] = 1.0
    at += 3 + SEATS
    out[at], out[at + 1], out[at + 2] = s.mode == HIGHER, s.support == COLUMN, s.shared
    out[at + 3] = s.turns / MOST_TURNS
    out[at + 4] = s.full / (MOST_SECONDS * TICKS)
    at += 5
    out[at], out[at + 1] = s.place[0] / LONGEST, s.place[1] / LONGEST
    out[at + 2], out[at + 3] = s.row / LONGEST, s.clear / LONGEST
    at += 4
    out[at], out[at + 1], out[at + 2] = s.slip[0] / MOST_SLIP, s.slip[1] / MOST_SLIP, s.power / MOST_POWER
    at += 3
    for i in range(len(FALLS)):
        out[at + i] = s.fall[i]
    out[at + len(FALLS)] = s.hit


game.register(DTYPE, action_of=action_of, move_of=move_of, describe=describe)
