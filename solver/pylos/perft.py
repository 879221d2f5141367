"""Counting the positions a given number of plies ahead, to check and to time the moves of the engine."""

import numpy as np

from ..bits import ZERO, bit, popcount
from ..jit import kernel
from .board import APEX_CELL
from .rules import RESERVES, after, count_moves, is_stuck, write_moves
from .state import MAX_MOVES


@kernel
def leaves(own, other, seat, size, variant, loses, may, depth, moves):
    """Positions after ``depth`` plies, those counted that are reached in several ways as often as they are.

    Args:
        own, other: balls of the side to move, ``seat``, and of the other.
        moves: scratch, ``int32[depth, MAX_MOVES]``.

    The last ply is counted in bulk: its moves are not made.
    """
    if depth == 0:
        return 1
    mine = np.zeros(depth, dtype=np.uint64)
    theirs = np.zeros(depth, dtype=np.uint64)
    counts = np.zeros(depth, dtype=np.int64)
    ply, total, entering = 0, 0, True
    mine[0], theirs[0] = own, other
    while ply >= 0:
        mover = (seat + ply) & 1
        reserve = RESERVES[size, mover] - popcount(mine[ply])
        if entering:
            over = (mine[ply] | theirs[ply]) & bit(APEX_CELL) != ZERO
            if over or is_stuck(mine[ply], theirs[ply], reserve, size, loses):
                ply, entering = ply - 1, False
                continue
            if ply == depth - 1:
                total += count_moves(mine[ply], theirs[ply], reserve, size, variant, may)
                ply, entering = ply - 1, False
                continue
            counts[ply] = write_moves(mine[ply], theirs[ply], reserve, size, variant, may, moves[ply])
        if counts[ply] == 0:
            ply, entering = ply - 1, False
            continue
        counts[ply] -= 1
        mine[ply + 1] = theirs[ply]
        theirs[ply + 1] = after(mine[ply], moves[ply, counts[ply]])
        ply, entering = ply + 1, True
    return total


def perft(state, depth: int) -> int:
    """Number of positions ``depth`` plies after a record."""
    mover = int(state.turn)
    if state.winner < 2:
        return int(depth == 0)
    moves = np.empty((max(1, depth), MAX_MOVES), dtype=np.int32)
    own, other = state.balls[mover], state.balls[1 - mover]
    rules = (int(state.side), int(state.variant), bool(state.loses), bool(state.may))
    return int(leaves(own, other, mover, *rules, depth, moves))
