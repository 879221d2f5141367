"""The rules of Pylos: moves of a pair of boards, and the same on records.

Kernels that search and solve work on two words, the balls of the side to move and those of the other; a game in
play is a record, which also remembers the positions there have been.
"""

import numpy as np

from ..bits import ZERO, bit, lowest, popcount, select, without_lowest
from ..game import NO_ONE
from ..jit import kernel
from ..rng import below
from .board import APEX_CELL, BALLS, REACH, SIZES, completes_line, completes_square, covered, dense, open_cells
from .state import (
    BEGINNER,
    DRAWN,
    EXPERT,
    FIELD_MASK,
    FIRST,
    NOBODY,
    NOWHERE,
    PLY_LIMIT,
    REPETITIONS,
    SECOND,
    SOURCE,
)

U, I64 = np.uint64, np.int64
RESERVES = np.array([BALLS.get(size, (0, 0)) for size in range(max(SIZES) + 1)])
"""Balls of light and dark at the start, by the side of the base."""
KEEPS = NOWHERE << FIRST | NOWHERE << SECOND
"""The part of a move that says that nothing is taken back."""
RESERVE = U(1 << NOWHERE)
COLOUR_BITS, TURN_BIT = U(30), U(60)


# --- on boards ---


@kernel
def takes_back(own, target, variant):
    """Whether the ball just moved to ``target`` lets its side take balls back."""
    if variant == BEGINNER:
        return False
    return completes_square(own, target) or (variant == EXPERT and completes_line(own, target))


@kernel
def free_balls(own, occupied):
    """Own balls on which nothing rests."""
    return own & ~covered(occupied)


@kernel
def sources(own, occupied, reserve):
    """Where a ball to move may come from: the free balls, and ``NOWHERE`` while there is a reserve."""
    free = free_balls(own, occupied)
    return free | RESERVE if reserve > 0 else free


@kernel
def targets(source, occupied, size):
    """Cells that the ball from ``source`` may go to."""
    return open_cells(occupied & ~bit(source), size) & REACH[source]


@kernel
def can_raise(own, occupied, size):
    """Whether some own ball can be raised."""
    free = free_balls(own, occupied)
    while free != ZERO:
        if targets(lowest(free), occupied, size) != ZERO:
            return True
        free = without_lowest(free)
    return False


@kernel
def freed(own, occupied, taken):
    """Own balls that are free only once the free ball on ``taken`` has gone."""
    return own & covered(occupied) & ~covered(occupied & ~bit(taken))


@kernel
def count_takings(own, occupied, may):
    """Number of ways to take back one or two of ``own``, after the move; with ``may`` also none."""
    free = free_balls(own, occupied)
    n = popcount(free)
    count = n * (n + 1) // 2 + (1 if may else 0)
    while free != ZERO:
        count += popcount(freed(own, occupied, lowest(free)))
        free = without_lowest(free)
    return count


@kernel
def _pair(one, other):
    return min(one, other) << FIRST | max(one, other) << SECOND


@kernel
def write_takings(own, occupied, may, move, moves, count):
    """Append ``move`` with every way of taking back to ``moves`` from place ``count``; the new number."""
    if may:
        moves[count] = move | KEEPS
        count += 1
    rest = free_balls(own, occupied)
    while rest != ZERO:
        one = lowest(rest)
        rest = without_lowest(rest)
        moves[count] = move | one << FIRST | NOWHERE << SECOND
        count += 1
        others = rest | freed(own, occupied, one)
        while others != ZERO:
            moves[count] = move | _pair(one, lowest(others))
            count += 1
            others = without_lowest(others)
    return count


@kernel
def write_moves(own, other, reserve, size, variant, may, moves):
    """Write all moves into ``moves`` (``int32[MAX_MOVES]``); their number.

    Args:
        own, other: balls of the side to move, and of the other.
        reserve: balls that the side to move has left.
    """
    occupied = own | other
    count = 0
    balls = sources(own, occupied, reserve)
    while balls != ZERO:
        source = lowest(balls)
        balls = without_lowest(balls)
        spots = targets(source, occupied, size)
        while spots != ZERO:
            target = lowest(spots)
            spots = without_lowest(spots)
            move = target | source << SOURCE
            moved = own & ~bit(source) | bit(target)
            if takes_back(moved, target, variant):
                count = write_takings(moved, moved | other, may, move, moves, count)
            else:
                moves[count] = move | KEEPS
                count += 1
    return count


@kernel
def ways(moved, other, target, variant, may):
    """Number of moves that put a ball on ``target`` and so lead to ``moved``, as balls may be taken back."""
    return count_takings(moved, moved | other, may) if takes_back(moved, target, variant) else 1


@kernel
def count_moves(own, other, reserve, size, variant, may):
    """Number of moves, counted in bulk: ways of taking back are not written out one by one."""
    occupied = own | other
    count = 0
    balls = sources(own, occupied, reserve)
    while balls != ZERO:
        source = lowest(balls)
        balls = without_lowest(balls)
        spots = targets(source, occupied, size)
        if variant == BEGINNER:
            count += popcount(spots)
            continue
        while spots != ZERO:
            target = lowest(spots)
            spots = without_lowest(spots)
            moved = own & ~bit(source) | bit(target)
            count += ways(moved, other, target, variant, may)
    return count


@kernel
def target_of(move):
    """Cell that a move puts a ball on."""
    return I64(move) & FIELD_MASK


@kernel
def gain(move):
    """By how much a move changes the reserve of its side."""
    move = I64(move)
    placed = (move >> SOURCE & FIELD_MASK) == NOWHERE
    taken = ((move >> FIRST & FIELD_MASK) != NOWHERE) + ((move >> SECOND & FIELD_MASK) != NOWHERE)
    return taken - 1 if placed else taken


@kernel
def after(own, move):
    """Balls of the side that made ``move``."""
    source, one, two = I64(move) >> SOURCE & FIELD_MASK, I64(move) >> FIRST & FIELD_MASK, I64(move) >> SECOND
    own = own & ~bit(source) | bit(target_of(move))
    # NOWHERE is bit 63, where there is no ball
    return own & ~bit(one) & ~bit(two)


@kernel
def is_stuck(own, other, reserve, size, loses):
    """Whether the side to move has lost: it has nothing to place, and cannot or may not raise.

    With a ball in reserve and the apex empty there is always an open cell: the lowest level that is not full has one.
    """
    return reserve == 0 and (loses or not can_raise(own, own | other, size))


@kernel
def packed(light, dark, turn):
    """Both boards and the side to move in one word, without loss."""
    return dense(light) | dense(dark) << COLOUR_BITS | U(turn) << TURN_BIT


# --- on records ---


@kernel
def fingerprint(s):
    """Both boards and the side to move in one word, without loss."""
    return packed(s.balls[0], s.balls[1], s.turn)


@kernel
def reserve_of(s, seat):
    """Balls that a seat has left to place."""
    return RESERVES[s.side, seat] - popcount(s.balls[seat])


@kernel
def settle(s):
    """Note the winner, if the game has been decided by what lies on the board."""
    mover, other = I64(s.turn), 1 - I64(s.turn)
    if (s.balls[0] | s.balls[1]) & bit(APEX_CELL) != ZERO or is_stuck(
        s.balls[mover], s.balls[other], reserve_of(s, mover), s.side, s.loses
    ):
        s.winner = other


@kernel
def to_act(s):
    """Seat to decide, or ``NO_ONE``."""
    if s.winner == NOBODY:
        return I64(s.turn)
    return NO_ONE


@kernel
def legal(s, moves):
    """Write all moves of the side to move; their number, 0 when the game is over."""
    if s.winner != NOBODY:
        return 0
    mover = I64(s.turn)
    return write_moves(
        s.balls[mover], s.balls[1 - mover], reserve_of(s, mover), I64(s.side), I64(s.variant), s.may != 0, moves
    )


@kernel
def random_move(s, rng):
    """A uniform legal move."""
    mover = I64(s.turn)
    own, other, reserve = s.balls[mover], s.balls[1 - mover], reserve_of(s, mover)
    size, variant, may = I64(s.side), I64(s.variant), s.may != 0
    # each move of a ball counts for as many moves as there are ways of taking back after it
    occupied = own | other
    chosen, total, count = 0, 0, 0
    balls = sources(own, occupied, reserve)
    while balls != ZERO:
        source = lowest(balls)
        balls = without_lowest(balls)
        spots = targets(source, occupied, size)
        while spots != ZERO:
            target = lowest(spots)
            spots = without_lowest(spots)
            moved = own & ~bit(source) | bit(target)
            n = ways(moved, other, target, variant, may)
            total += n
            if below(rng, total) < n:
                chosen, count = target | source << SOURCE, n
    moved = after(own, chosen | KEEPS)
    if not takes_back(moved, target_of(chosen), variant):
        return chosen | KEEPS
    return nth_taking(moved, moved | other, may, chosen, below(rng, count))


@kernel
def nth_taking(own, occupied, may, move, n):
    """``move`` with the ``n``-th way of taking back, in the order of ``write_takings``."""
    if may:
        if n == 0:
            return move | KEEPS
        n -= 1
    rest = free_balls(own, occupied)
    while True:
        one = lowest(rest)
        rest = without_lowest(rest)
        if n == 0:
            return move | one << FIRST | NOWHERE << SECOND
        others = rest | freed(own, occupied, one)
        if n <= popcount(others):
            return move | _pair(one, select(others, n - 1))
        n -= 1 + popcount(others)


@kernel
def play(s, move):
    """Play a move in place."""
    mover = I64(s.turn)
    s.seen[s.plies] = fingerprint(s)
    s.balls[mover] = after(s.balls[mover], move)
    s.plies += 1
    s.turn = 1 - mover
    settle(s)
    if s.winner != NOBODY:
        return
    now, times = fingerprint(s), 1
    for i in range(s.plies):
        if s.seen[i] == now:
            times += 1
    if times >= REPETITIONS or s.plies >= PLY_LIMIT:
        s.winner = DRAWN


@kernel
def payoff(s, out):
    """Every seat's share of the win."""
    for seat in range(2):
        out[seat] = 0.5 if s.winner == DRAWN else np.float64(s.winner == seat)
