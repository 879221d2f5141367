"""Policies for Odin: each is one short preference, and one line of prose in ``PROSE``."""

from typing import Any

import numpy as np

from ...solver import game
from ...solver.bits import ZERO, bit, lowest, popcount, without_lowest
from ...solver.jit import kernel
from ...solver.odin.cards import COLOUR, GOAT_CARD, NO_SET, RANK_MASK, RANKS, SUITS, U, cards_of, next_set, value_of
from ...solver.odin.plays import fewest_plays
from ...solver.odin.rules import lead, leads, points, race, random_move, set_in
from ...solver.odin.state import DTYPE, HAND, ONE_HAND, PASS, TAKEN_SHIFT
from ...solver.odin.state import POINTS as FOR_POINTS
from ...solver.rng import below

PROSE = {
    "random": "any legal move, each as likely",
    "greedy": "the fewest cards left; of equals the lowest set, and the card that goes best with the hand",
    "high": "the fewest cards left; of equals the highest set, to lead the next round",
    "keep-sets": "the fewest plays that would empty the hand, then the fewest cards left",
    "pass-poor": "as keep-sets, but passes unless that takes a play fewer",
}
"""Name and prose of every policy; the number of a policy is its place here."""

NAMES = tuple(PROSE)
RANDOM, GREEDY, HIGH, KEEP_SETS, PASS_POOR = range(len(NAMES))

DEFAULTS: dict[str, Any] = {"playout": "keep-sets"}
"""Search options that differ from the usual ones."""
FULL_EFFORT = 1
"""States that a policy may look at where it plays for itself: here it makes no difference."""

A_PLAY, A_CARD, A_VALUE = 10**14, 10**12, 100
"""What counts first, second and third; beside them how well a taken card goes with the hand, below 100."""


@kernel
def _company(hand, card):
    """How well a card goes with a hand, 0 … 99: cards of its rank or colour, then its rank."""
    if card == GOAT_CARD:
        return 0
    rank = card // SUITS
    kin = hand & (COLOUR[card % SUITS] | RANK_MASK << U(SUITS * rank))
    return 10 * popcount(kin) + RANKS - rank


@kernel
def _liking(policy, hand, worth):
    """How much a policy likes to be left with a hand, after a set worth so much."""
    liking = -A_CARD * popcount(hand) + (A_VALUE if policy == HIGH else -A_VALUE) * worth
    if policy == KEEP_SETS or policy == PASS_POOR:
        liking -= A_PLAY * fewest_plays(hand)
    return liking


@kernel
def _lead(hand, policy, rng):
    moves = np.empty(HAND + 1, dtype=np.int64)
    best, liked, ties = PASS, 0, 0
    for i in range(leads(hand, moves)):
        number = set_in(moves[i])
        liking = _liking(policy, hand & ~cards_of(number), value_of(number))
        if ties == 0 or liking > liked:
            best, liked, ties = moves[i], liking, 1
        elif liking == liked:
            ties += 1
            if below(rng, ties) == 0:
                best = moves[i]
    return best


@kernel
def policy_move(s, policy, effort, rng):
    """The move of the policy with this number; a seat must be to act."""
    if policy == RANDOM:
        return random_move(s, rng)
    hand = s.hand[s.turn]
    if s.table == ZERO:
        return _lead(hand, policy, rng)
    size, worth = popcount(s.table), np.int64(s.value)
    best, liked = PASS, _liking(policy, hand, 0)
    if policy == PASS_POOR:
        # a play fewer, whatever else
        liked = -A_PLAY * (fewest_plays(hand) - 1) - A_PLAY // 2
    ties = 1
    number = next_set(hand, size, worth, NO_SET)
    while number != NO_SET:
        left = hand & ~cards_of(number)
        if left == ZERO:
            return number | PASS
        rest = s.table
        while rest != ZERO:
            taken = lowest(rest)
            rest = without_lowest(rest)
            liking = _liking(policy, left | bit(taken), value_of(number)) + _company(left, taken)
            if liking > liked:
                best, liked, ties = number | taken << TAKEN_SHIFT, liking, 1
            elif liking == liked:
                ties += 1
                if below(rng, ties) == 0:
                    best = number | taken << TAKEN_SHIFT
        number = next_set(hand, size, worth, number)
    return best


@kernel
def evaluate(s, out):
    """Guess of every seat's payoff while the hand goes on: as if it were over."""
    players = np.int64(s.players)
    if s.horizon == FOR_POINTS:
        lead(s, out)
        return
    for seat in range(players):
        out[seat] = np.float64(s.scores[seat] + points(s.hand[seat]))
    race(out, players, np.int64(s.limit) if s.limit != ONE_HAND else 0)


@kernel
def _surprises(s):
    """Seats that have passed on the set on the table, where the policy ``keep-sets`` would have played."""
    if s.table == ZERO:
        return 0
    count, turn, rng = 0, s.turn, np.zeros(1, dtype=np.uint64)
    seat = (np.int64(s.owner) + 1) % s.players
    while seat != turn:
        s.turn = seat
        if policy_move(s, KEEP_SETS, 1, rng) != PASS:
            count += 1
        seat = (seat + 1) % s.players
    s.turn = turn
    return count


game.register(DTYPE, policy_move=policy_move, evaluate=evaluate, surprises=_surprises)
