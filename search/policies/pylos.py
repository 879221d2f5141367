"""Policies for Pylos: each is one short preference, and one line of prose in ``PROSE``."""

from typing import Any

import numpy as np

from ...solver import game
from ...solver.bits import ZERO, bit, lowest, without_lowest
from ...solver.jit import kernel
from ...solver.pylos.board import APEX_CELL, open_cells
from ...solver.pylos.rules import after, gain, legal, random_move, reserve_of, takes_back, target_of
from ...solver.pylos.state import DTYPE, MAX_MOVES
from ...solver.rng import below

PROSE = {
    "random": "any legal move, each as likely",
    "greedy": "the move that leaves the largest reserve; ties at random",
    "careful": "the largest reserve, but a place where the other side could at once take balls back counts against it",
    "high": "the largest reserve; of equals the highest place",
}
"""Name and prose of every policy; the number of a policy is its place here."""

NAMES = tuple(PROSE)
RANDOM, GREEDY, CAREFUL, HIGH = range(len(NAMES))

DEFAULTS: dict[str, Any] = {"playout": "greedy"}
"""Search options that differ from the usual ones."""
FULL_EFFORT = 1
"""States that a policy may look at where it plays for itself: here it makes no difference."""

STEP = 100
"""What a ball in reserve is worth, beside smaller likings."""
BALL = 0.35
"""How much of a win a ball more in reserve is worth, in log-odds; a guess that ranks positions rightly is enough."""


@kernel
def _offers(s, own, other):
    """Whether the other side can place a ball so that it takes balls back."""
    spots = open_cells(own | other, np.int64(s.side))
    while spots != ZERO:
        target = lowest(spots)
        spots = without_lowest(spots)
        if takes_back(other | bit(target), target, np.int64(s.variant)):
            return True
    return False


@kernel
def policy_move(s, policy, effort, rng):
    """The move of the policy with this number; a seat must be to act."""
    if policy == RANDOM:
        return random_move(s, rng)
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    mover = np.int64(s.turn)
    best, liked, ties = -1, 0, 0
    for i in range(legal(s, moves)):
        move = np.int64(moves[i])
        liking = STEP * gain(move)
        target = target_of(move)
        if target == APEX_CELL:
            return move
        if policy == HIGH:
            liking += target >> 4
        if policy == CAREFUL and _offers(s, after(s.balls[mover], move), s.balls[1 - mover]):
            liking -= STEP + STEP // 2
        if best == -1 or liking > liked:
            best, liked, ties = move, liking, 1
        elif liking == liked:
            ties += 1
            if below(rng, ties) == 0:
                best = move
    return best


@kernel
def evaluate(s, out):
    """Guess of every seat's share of the win, from the difference of the reserves."""
    lead = np.float64(reserve_of(s, 0) - reserve_of(s, 1))
    # to be to move costs half a ball: it is about to be placed
    lead += 0.5 if s.turn == 1 else -0.5
    out[0] = 1.0 / (1.0 + np.exp(-BALL * lead))
    out[1] = 1.0 - out[0]


game.register(DTYPE, policy_move=policy_move, evaluate=evaluate, surprises=game.nothing_surprises)
