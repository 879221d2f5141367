"""Policies for meeple stacking: each is one short preference, and one line of prose in ``PROSE``."""

import math
from typing import Any

import numpy as np

from ...solver import game
from ...solver.jit import kernel
from ...solver.meeples.rules import builds, cost, fallen, falls, goal, random_move, slips
from ...solver.meeples.state import BRIDGE, BUILD, CAREFUL, DTYPE, HANDS, MAX_MOVES, MEEPLES, QUICK, SEATS, STOP, WIDEST
from ...solver.meeples.wall import is_pyramid, points, takes

PROSE = {
    "random": "any legal move, each as likely",
    "tower": "as high as there is something to stand on, quickly",
    "wide": "row after row, each as wide as it can be, quickly",
    "cautious": "the most points to be expected for a step, always carefully; stops where a step costs points",
    "steady-rows": "row after row of the largest full pyramid there is time for; carefully where slips are frequent",
    "one-step": "the most points to be expected a second after one step; stops where every step costs points",
}
"""Name and prose of every policy; the number of a policy is its place here."""

NAMES = tuple(PROSE)
RANDOM, TOWER, WIDE, CAUTIOUS, STEADY_ROWS, ONE_STEP = range(len(NAMES))

DEFAULTS: dict[str, Any] = {"playout": "steady-rows", "cutoff": -1, "epsilon": 0.0}
"""Search options that differ from the usual ones."""
FULL_EFFORT = 1
"""States that a policy may look at where it plays for itself: here it makes no difference."""

STEPS = 1024
"""Steps of a plan that may slip, at most."""
WORTH = 1.0
"""What a tick is worth after a slip, as a share of what it earns in a plan without one."""
TOP = 2
"""Rows at the top of a pyramid for which no time is set aside: slips mostly leave some."""
FREQUENT = 0.08
"""Slips that are worth taking care for; with the steady builder those from row 4 up."""


@kernel
def _gain(s, row, pace):
    """Points to be expected of a placement, beside those that stand."""
    seat = np.int64(s.turn)
    height, risk = np.int64(s.height[seat]), slips(s, row, pace)
    now = points(s.rows[seat], height, s.support)
    s.rows[seat, row - 1] += 1
    gain = (1.0 - risk) * (points(s.rows[seat], max(height, row), s.support) - now)
    s.rows[seat, row - 1] -= 1
    if risk > 0.0:
        chances = np.empty(4)
        falls(s, row, chances)
        for i in range(4):
            if chances[i] > 0.0:
                left = min(height, fallen(row, i) - 1)
                gain += risk * chances[i] * (points(s.rows[seat], left, s.support) - now)
    return gain


@kernel
def _first_risky_row(s):
    """The lowest row in which the quick pace slips often."""
    row = 2
    while row <= WIDEST and slips(s, row, QUICK) <= FREQUENT:
        row += 1
    return row


@kernel
def _time_to(s, base, risky):
    """Ticks to complete the full pyramid of a base but for its top, carefully from the row ``risky`` up."""
    seat, total = np.int64(s.turn), 0
    for row in range(1, base - TOP + 1):
        missing = base - row + 1 - np.int64(s.rows[seat, row - 1])
        if missing > 0:
            total += missing * cost(s, row, CAREFUL if row >= risky else QUICK)
    return total


@kernel
def _of_pyramid(s, risky):
    """The placement that the largest full pyramid in reach wants next, from below; ``STOP`` where there is none.

    ``risky`` is the lowest row to be careful in.
    """
    seat, base = np.int64(s.turn), goal(s)
    left = np.int64(s.ticks[seat])
    if base == 0:
        base = WIDEST
        while base > 1 and _time_to(s, base, risky) > left:
            base -= 1
    for row in range(1, base + 1):
        is_short = np.int64(s.rows[seat, row - 1]) <= base - row
        if is_short and takes(s.rows[seat], row, s.used[seat], s.support, goal(s)):
            quick, careful = cost(s, row, QUICK), cost(s, row, CAREFUL)
            if careful <= left and (row >= risky or quick > left):
                return 2 * row + CAREFUL
            return 2 * row + QUICK if quick <= left else STOP
    return STOP


@kernel
def _by_gain(s, policy):
    """The placement that promises most, or to stop where all cost points; of those that gain nothing the lowest."""
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    best, liked = STOP, 0.0
    for i in range(builds(s, moves)):
        move = np.int64(moves[i])
        row, pace = move >> 1, move & 1
        if policy == CAUTIOUS and pace == QUICK:
            continue
        gain = _gain(s, row, pace)
        liking = gain if policy == CAUTIOUS else gain / cost(s, row, pace)
        if liking > liked or (best == STOP and liking == liked):
            best, liked = move, liking
    return best


@kernel
def _steady(s, risky):
    """What ``steady-rows`` does; columns have no pyramids, but where one is asked for."""
    move = _of_pyramid(s, risky) if goal(s) > 0 or s.support == BRIDGE else STOP
    return move if move != STOP else _by_gain(s, ONE_STEP)


@kernel
def policy_move(s, policy, effort, rng):
    """The move of the policy with this number; a seat must be to act."""
    if policy == RANDOM:
        return random_move(s, rng)
    seat = np.int64(s.turn)
    if policy == TOWER or policy == WIDE:
        moves = np.empty(MAX_MOVES, dtype=np.int32)
        count = builds(s, moves)
        row = np.int64(moves[0 if policy == WIDE else count - 1]) >> 1
        return 2 * row + (QUICK if cost(s, row, QUICK) <= np.int64(s.ticks[seat]) else CAREFUL)
    return _steady(s, _first_risky_row(s)) if policy == STEADY_ROWS else _by_gain(s, policy)


@kernel
def forecast(s, seat):
    """What the round should come to for a seat that plays ``steady-rows``: ``(points, their variance)``.

    Towards a goal it is the chance to finish without a slip.

    The plan is followed as if nothing slipped. Every placement that might slip then costs its chance times what a slip
    costs: the time to clear and to build again, at the points a tick that the plan earns, or all that falls, whichever
    is less. Beside playouts, which differ by a third of the points, this is nearly free of noise, and off by a few.
    """
    turn, phase, action = s.turn, s.phase, s.action
    height, used, ticks = s.height[seat], s.used[seat], s.ticks[seat]
    rows = s.rows[seat].copy()
    s.turn = seat
    pending = np.int64(action) if phase == HANDS and turn == seat else STOP
    s.phase = BUILD
    risky = _first_risky_row(s)
    spent = np.zeros(MEEPLES)
    total = 0.0
    for row in range(1, np.int64(height) + 1):
        spent[row - 1] = rows[row - 1] * cost(s, row, CAREFUL if row >= risky else QUICK)
        total += spent[row - 1]
    risk, chance, wasted, kept = np.empty(STEPS), np.empty((STEPS, 4)), np.empty((STEPS, 4)), np.empty((STEPS, 4))
    steps = 0
    while steps < STEPS:
        move = pending if pending != STOP else _steady(s, risky)
        pending = STOP
        if move == STOP:
            break
        row, pace = move >> 1, move & 1
        time = cost(s, row, pace)
        slip = slips(s, row, pace)
        if slip > 0.0:
            falls(s, row, chance[steps])
            risk[steps] = slip
            for i in range(4):
                left = min(np.int64(s.height[seat]), fallen(row, i) - 1)
                wasted[steps, i] = time + np.float64(s.clear)
                for k in range(left, np.int64(s.height[seat])):
                    wasted[steps, i] += spent[k]
                kept[steps, i] = points(s.rows[seat], left, s.support)
            steps += 1
        s.rows[seat, row - 1] += 1
        s.height[seat] = max(np.int64(s.height[seat]), row)
        s.used[seat] += 1
        s.ticks[seat] -= time
        spent[row - 1] += time
        total += time
    reached = np.float64(points(s.rows[seat], s.height[seat], s.support))
    pace_of_points = WORTH * reached / max(1.0, total + s.ticks[seat])
    mean, variance = reached, 0.0
    if goal(s) > 0:
        mean = 1.0 if is_pyramid(s.rows[seat], np.int64(s.height[seat]), goal(s)) else 0.0
        for step in range(steps):
            mean *= 1.0 - risk[step]
        variance, steps = mean * (1.0 - mean), 0
    for step in range(steps):
        loss, square = 0.0, 0.0
        for i in range(4):
            one = min(pace_of_points * wasted[step, i], reached - kept[step, i])
            loss += chance[step, i] * one
            square += chance[step, i] * one * one
        mean -= risk[step] * loss
        variance += risk[step] * square
    s.turn, s.phase = turn, phase
    s.height[seat], s.used[seat], s.ticks[seat] = height, used, ticks
    s.rows[seat] = rows
    return mean, variance


@kernel
def evaluate(s, out):
    """Guess of every seat's share of the win, by forecasts of what it has at the end of the round."""
    players = np.int64(s.players)
    variances = np.zeros(SEATS)
    for seat in range(players):
        out[seat] = np.float64(s.scores[seat])
        if (np.int64(s.out) >> seat) & 1 == 0:
            mean, variances[seat] = forecast(s, seat)
            out[seat] += mean
    if players == 1:
        out[0] = (out[0] - s.floor) / s.scale
        return
    _shares(out, variances, players, np.int64(s.out))


@kernel
def _shares(out, variances, players, outs):
    """Turn expected points into shares of the win: in proportion to the chances to beat all others one by one."""
    total = 0.0
    shares = np.zeros(SEATS)
    for seat in range(players):
        if (outs >> seat) & 1 == 1:
            continue
        shares[seat] = 1.0
        for other in range(players):
            if other != seat and (outs >> other) & 1 == 0:
                spread = math.sqrt(2.0 * (variances[seat] + variances[other]) + 1.0)
                shares[seat] *= 0.5 + 0.5 * math.erf((out[seat] - out[other]) / spread)
        total += shares[seat]
    for seat in range(players):
        out[seat] = shares[seat] / total if total > 0.0 else 1.0 / players


game.register(DTYPE, policy_move=policy_move, evaluate=evaluate, surprises=game.nothing_surprises)
