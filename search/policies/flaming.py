"""Policies for Flaming Pyramids: each is one short function, and one line of prose in ``PROSE``.

A policy looks at the board, its own hand and what it may take; it works on any world that fits its observation,
since nothing it looks at is hidden from it.
"""

from typing import Any

import numpy as np

from ...solver import game
from ...solver.bits import ZERO, bit, lowest, popcount, without_lowest
from ...solver.flaming.board import DOWN_LEFT, DOWN_RIGHT, row_of
from ...solver.flaming.mess import CLEAN, DEPTH, FULL_EFFORT, MESSY, NO_BOUND, glance, least_mess
from ...solver.flaming.mess import stack as mess_stack
from ...solver.flaming.rules import act, legal, random_move, write_spots
from ...solver.flaming.state import CELL_BITS, DTYPE, MAX_MOVES, PLACE
from ...solver.flaming.tiles import ALL, FIRES, FITTING, WEIGHT
from ...solver.jit import kernel
from ...solver.position import Observation, Position
from ...solver.rng import below

PROSE = {
    "random": "any legal move, each as likely",
    "smallest-mess": "the move that takes the fewest tiles; ties at random",
    "smallest-mess-heavy": "the smallest mess; of equals the heaviest tile, since it fits least often later",
    "smallest-mess-light": "the smallest mess; of equals the lightest tile, to leave little room above it",
    "heaviest-first": "the heaviest tile in hand, where it makes the smallest mess",
    "spread-the-mess": "the smallest mess; of equals the one that leaves the next player the fewest fitting tiles",
    "keep-options": "the smallest mess; of equals the one after which most of the own hand fits somewhere",
    "douse": "the smallest mess; of equals coals and torches first, then as keep-options",
}
"""Name and prose of every policy; the number of a policy is its place here."""

NAMES = tuple(PROSE)
(RANDOM, SMALLEST, HEAVY, LIGHT, HEAVIEST_FIRST, SPREAD, OPTIONS, DOUSE) = range(len(NAMES))

DEFAULTS: dict[str, Any] = {"playout": "smallest-mess"}
"""Search options that differ from the usual ones."""

ROUNDING = 1e-9


@kernel
def _fitting_at_spots(s, cells):
    """The set of tiles that fit on at least one of the spots of the board; ``cells`` is scratch."""
    fitting = ZERO
    for i in range(write_spots(s, cells)):
        cell = cells[i]
        if row_of(cell) == 0:
            return ALL
        fitting |= FITTING[s.grid[cell + DOWN_LEFT], s.grid[cell + DOWN_RIGHT]]
    return fitting


@kernel
def _others_tiles(s, seat):
    """Tiles that are neither on the board nor out nor in this seat's hand."""
    tiles = ALL & ~s.out & ~s.hand[seat]
    for row in range(s.height):
        left = s.rows[row]
        while left != ZERO:
            tiles &= ~bit(s.grid[64 * row + lowest(left)])
            left = without_lowest(left)
    return tiles


@kernel
def _preference(s, policy, move, seat, stack, cells):
    """How much the policy likes a move among those of equal mess; higher is better."""
    if policy == SMALLEST or s.phase != PLACE:
        return 0
    tile = move >> CELL_BITS
    if policy == HEAVY:
        return np.int64(WEIGHT[tile])
    if policy == LIGHT:
        return -np.int64(WEIGHT[tile])
    stack[0] = s
    act(stack[0], move)
    if stack[0].phase != PLACE:
        return 0
    fitting = _fitting_at_spots(stack[0], cells)
    if policy == SPREAD:
        return -popcount(fitting & _others_tiles(stack[0], seat))
    liked = popcount(fitting & stack[0].hand[seat])
    if policy == DOUSE and FIRES & bit(tile) != ZERO:
        liked += 100
    return liked


@kernel
def _heaviest(tiles):
    """The heaviest tile of a set, of equals the first."""
    best = lowest(tiles)
    while tiles != ZERO:
        if WEIGHT[lowest(tiles)] > WEIGHT[best]:
            best = lowest(tiles)
        tiles = without_lowest(tiles)
    return best


@kernel
def _tidy_move(s, policy, effort, rng):
    """Least mess first, then the policy's preference, then chance; only ``HEAVIEST_FIRST`` puts weight before mess."""
    heaviest = _heaviest(s.hand[s.turn]) if policy == HEAVIEST_FIRST and s.phase == PLACE else -1
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    cells = np.empty(MAX_MOVES, dtype=np.int32)
    stack = np.empty(1 if effort == 1 else DEPTH, dtype=DTYPE)
    n = legal(s, moves)
    seat = s.turn if s.phase == PLACE else s.charged
    best, least, liked, ties = -1, NO_BOUND, 0, 0
    # moves that are surely clean come first: after one of them no misfit needs a look
    for certain in (True, False):
        for i in range(n):
            move = moves[i]
            if heaviest >= 0 and move >> CELL_BITS != heaviest:
                continue
            seen = glance(s, move)
            if (seen == CLEAN) != certain or (seen == MESSY and least < 1.0):
                continue
            mess = 0.0 if certain else least_mess(s, move, stack, least + ROUNDING, effort)
            if mess > least + ROUNDING:
                continue
            preference = _preference(s, policy, move, seat, stack, cells)
            if mess < least - ROUNDING or preference > liked:
                best, least, liked, ties = move, mess, preference, 1
            elif preference == liked:
                ties += 1
                if below(rng, ties) == 0:
                    best = move
    return best


@kernel
def policy_move(s, policy, effort, rng):
    """The move of the policy with this number; a seat must be to act."""
    if policy == RANDOM:
        return random_move(s, rng)
    return _tidy_move(s, policy, effort, rng)


def expected_mess(view: Observation | Position) -> list[float]:
    """For every legal move of the seat to act, the least expected number of tiles that it takes."""
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    stack = mess_stack()
    count = legal(view.state, moves)
    return [float(least_mess(view.state, int(move), stack, NO_BOUND, FULL_EFFORT)) for move in moves[:count]]


@kernel
def evaluate(s, out):
    """Guess of every seat's share of the win: inversely proportional to the tiles it still has."""
    total = 0.0
    for seat in range(s.players):
        out[seat] = 1.0 / max(1.0, np.float64(s.held[seat]))
        total += out[seat]
    for seat in range(s.players):
        out[seat] /= total


game.register(DTYPE, policy_move=policy_move, evaluate=evaluate, surprises=game.nothing_surprises)
