"""The rules: what a seat may try, what its hands make of it, whose turn it is, and who wins.

In ``points`` all build at once: whoever has most time left acts next. In ``higher`` one builds after the other.
"""

import math

import numpy as np

from ..game import CHANCE, NO_ONE, OUTCOMES
from ..jit import kernel
from ..rng import below, unit
from .state import (
    BUILD,
    CAREFUL,
    FIRST_BASE,
    HANDS,
    HIGHER,
    HIT,
    LAST_BASE,
    MAX_MOVES,
    OK,
    OVER,
    POINTS,
    QUICK,
    STOP,
)
from .wall import is_pyramid, points, takes


@kernel
def to_act(s):
    """Seat that builds, chance while its hands are at work, or nobody."""
    if s.phase == OVER:
        return NO_ONE
    return CHANCE if s.phase == HANDS else np.int64(s.turn)


@kernel
def goal(s):
    """Base of the pyramid that this round asks for; 0 where points count."""
    return np.int64(s.lap) + FIRST_BASE - 1 if s.mode == HIGHER else 0


@kernel
def is_in(s, seat):
    """Whether a seat is still in the game."""
    return (np.int64(s.out) >> seat) & 1 == 0


@kernel
def cost(s, row, pace):
    """Ticks to place a meeple in ``row``."""
    return np.int64(s.place[pace]) + (row - 1) * np.int64(s.row)


@kernel
def slips(s, row, pace):
    """The chance that a meeple put into ``row`` slips."""
    return 0.0 if row < 2 else -math.expm1(-s.slip[pace] * np.float64(row - 1) ** s.power)


@kernel
def builds(s, moves):
    """Write the placements that the seat to act may try into ``moves``, by row and pace; how many there are."""
    seat, base, count = np.int64(s.turn), goal(s), 0
    left, quick, careful = np.int64(s.ticks[seat]), np.int64(s.place[QUICK]), np.int64(s.place[CAREFUL])
    for row in range(1, np.int64(s.height[seat]) + 2):
        if takes(s.rows[seat], row, s.used[seat], s.support, base):
            extra = (row - 1) * np.int64(s.row)
            if quick + extra <= left:
                moves[count] = 2 * row + QUICK
                count += 1
            if careful + extra <= left:
                moves[count] = 2 * row + CAREFUL
                count += 1
    return count


@kernel
def neighbours(s):
    """How many pyramids a slip of the seat to act may hit: one on each side of it, if there is one."""
    if s.shared == 0:
        return 0
    turn, players = np.int64(s.turn), np.int64(s.players)
    right = (turn + 1) % players
    while not is_in(s, right):
        right = (right + 1) % players
    left = (turn + players - 1) % players
    while not is_in(s, left):
        left = (left + players - 1) % players
    hit = 0
    if right != turn and s.height[right] > 0:
        hit += 1
    if left not in (turn, right) and s.height[left] > 0:
        hit += 1
    return hit


@kernel
def falls(s, row, starts):
    """Write the chances to fall from each row after a slip in ``row`` into ``starts[0 … 3]``, highest row first.

    Entry ``i`` is for row ``row - i``, the last for row 2; rows below the second count as it.
    """
    starts[:4] = 0.0
    for i in range(3):
        starts[min(i, max(row - 2, 0))] += s.fall[i]
    starts[min(3, max(row - 2, 0))] += s.fall[3]


@kernel
def fallen(row, i):
    """The row that entry ``i`` of ``falls`` is for."""
    return 2 if i == 3 else row - i


@kernel
def chances(s, moves, weights):
    """Write what the hands may do and how probable it is, nothing impossible; how many outcomes there are."""
    row, pace = np.int64(s.action) >> 1, np.int64(s.action) & 1
    slip = slips(s, row, pace)
    count = 0
    if slip < 1.0:
        moves[count], weights[count] = OK, 1.0 - slip
        count += 1
    if slip == 0.0:
        return count
    starts = np.empty(4)
    falls(s, row, starts)
    hit = 1.0 - (1.0 - s.hit) ** neighbours(s)
    for i in range(4):
        if starts[i] > 0.0:
            for kind in range(2):
                weight = slip * starts[i] * (hit if kind == HIT else 1.0 - hit)
                if weight > 0.0:
                    moves[count], weights[count] = 2 * fallen(row, i) + kind, weight
                    count += 1
    return count


@kernel
def legal(s, moves):
    """Write what may be played into ``moves``: placements by row and pace, then stop; or the outcomes of chance."""
    if s.phase == OVER:
        return 0
    if s.phase == HANDS:
        weights = np.empty(OUTCOMES)
        return chances(s, moves, weights)
    count = builds(s, moves)
    moves[count] = STOP
    return count + 1


@kernel
def random_move(s, rng):
    """A uniform legal move; at chance, an outcome by its probability."""
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    if s.phase == BUILD:
        return np.int64(moves[below(rng, legal(s, moves))])
    row, pace = np.int64(s.action) >> 1, np.int64(s.action) & 1
    if unit(rng) >= slips(s, row, pace):
        return OK
    starts = np.empty(4)
    falls(s, row, starts)
    drawn, i = unit(rng), 0
    while i < 3 and (drawn >= starts[i] or starts[i] == 0.0):
        drawn -= starts[i]
        i += 1
    move = 2 * fallen(row, i)
    if s.shared != 0 and unit(rng) >= (1.0 - s.hit) ** neighbours(s):
        move += HIT
    return move


@kernel
def is_done(s, seat):
    """Whether a seat has built all it can in this round."""
    if not is_in(s, seat):
        return True
    base, height, left = goal(s), np.int64(s.height[seat]), np.int64(s.ticks[seat])
    if base > 0 and is_pyramid(s.rows[seat], height, base):
        return True
    quickest = min(np.int64(s.place[QUICK]), np.int64(s.place[CAREFUL]))
    for row in range(1, height + 2):
        if quickest + (row - 1) * np.int64(s.row) > left:
            return True
        if takes(s.rows[seat], row, s.used[seat], s.support, base):
            return False
    return True


@kernel
def _next_builder(s):
    """The seat that builds next in this round, or -1 when all have built."""
    chosen, most = -1, -1
    for seat in range(np.int64(s.players)):
        if is_done(s, seat):
            continue
        if s.mode == HIGHER:
            return seat
        if np.int64(s.ticks[seat]) > most:
            chosen, most = seat, np.int64(s.ticks[seat])
    return chosen


@kernel
def begin_round(s):
    """Clear the cloths and start the clocks of those that are in."""
    s.present = 0
    for seat in range(np.int64(s.players)):
        for i in range(np.int64(s.height[seat])):
            s.rows[seat, i] = 0
        s.height[seat] = s.used[seat] = 0
        s.ticks[seat] = s.full if is_in(s, seat) else 0
        if is_in(s, seat):
            s.present |= 1 << seat
    s.phase = BUILD


@kernel
def _only_one(seats):
    """Whether a bit set has one member."""
    return seats != 0 and seats & (seats - 1) == 0


@kernel
def _finish(s, winners):
    s.winners = winners
    s.phase = OVER


@kernel
def _most_points(s):
    """Bit set of the seats in the game that have most points."""
    most, winners = -1, 0
    for seat in range(np.int64(s.players)):
        score = np.int64(s.scores[seat])
        if is_in(s, seat) and score >= most:
            winners = (winners if score == most else 0) | 1 << seat
            most = score
    return winners


@kernel
def _end_round(s):
    """Count what was built; the next round, or the end of the game."""
    base, players = goal(s), np.int64(s.players)
    for seat in range(players):
        if not is_in(s, seat):
            continue
        if base == 0:
            s.scores[seat] += points(s.rows[seat], s.height[seat], s.support)
        elif is_pyramid(s.rows[seat], s.height[seat], base):
            s.scores[seat] += 1
        else:
            s.out |= 1 << seat
    left = np.int64(s.present) & ~np.int64(s.out)
    if s.mode == POINTS:
        if s.lap == s.turns:
            _finish(s, _most_points(s))
            return
    elif left == 0:
        _finish(s, s.present)
        return
    elif base == LAST_BASE or (players > 1 and _only_one(left)):
        _finish(s, left)
        return
    s.lap += 1
    begin_round(s)


@kernel
def settle(s):
    """Find out who builds next, ending rounds that are over, until somebody can or the game is over."""
    everybody = (1 << np.int64(s.players)) - 1
    while s.phase == BUILD:
        left = everybody & ~np.int64(s.out)
        if s.shared != 0 and _only_one(left):
            _finish(s, left)
            return
        seat = _next_builder(s)
        if seat >= 0:
            s.turn = seat
            return
        _end_round(s)


@kernel
def _fall(s, seat, row):
    """All from ``row`` up falls."""
    for i in range(row - 1, np.int64(s.height[seat])):
        s.used[seat] -= s.rows[seat, i]
        s.rows[seat, i] = 0
    s.height[seat] = min(np.int64(s.height[seat]), row - 1)


@kernel
def play(s, move):
    """Play a placement or a stop, or what the hands made of it, in place."""
    seat = np.int64(s.turn)
    if s.phase == BUILD and move != STOP:
        s.action = move
        s.phase = HANDS
        return
    if s.phase == BUILD:
        s.ticks[seat] = 0
    else:
        row, pace = np.int64(s.action) >> 1, np.int64(s.action) & 1
        left = np.int64(s.ticks[seat]) - cost(s, row, pace)
        if move == OK:
            s.rows[seat, row - 1] += 1
            s.height[seat] = max(np.int64(s.height[seat]), row)
            s.used[seat] += 1
        elif move & HIT:
            _fall(s, seat, 1)
            s.out |= 1 << seat
            left = 0
        else:
            _fall(s, seat, move >> 1)
            left = max(0, left - np.int64(s.clear))
        s.ticks[seat] = left
        s.action = STOP
        s.phase = BUILD
    settle(s)


@kernel
def payoff(s, out):
    """Every seat's share of the win; for one who plays alone what was reached, on the scale of the search."""
    players, winners = np.int64(s.players), np.int64(s.winners)
    if players == 1:
        out[0] = (np.float64(s.scores[0]) - s.floor) / s.scale
        return
    count = 0
    for seat in range(players):
        count += (winners >> seat) & 1
    for seat in range(players):
        out[seat] = ((winners >> seat) & 1) / count
