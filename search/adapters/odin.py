"""Odin for learners.

Actions: 0 to pass, then for every set that may be played one for each way to play it: to take nothing, or the first,
second, … card of the set on the table, in canonical order. That set is no larger than the one played, so that a set of
``n`` cards has ``n + 1`` ways. Sets without the goat come first: without it there are fewer actions. Deals are not
listed as outcomes.

The vector: for each card ``CARD`` numbers, of which the first ``PLACES`` tell where it is, one of them 1: in the own
hand, known in the hand of each other seat, on the table, discarded, unseen, not in this game; then whether everybody
knows that it is in the hand. Then the phase, the seats to play, of the set on the table, and that opened the hand; of
each seat its points and unknown cards in hand; how many undealt cards are unknown; and the rules. Seats are counted
from the one that sees.
"""

from typing import Any

import numpy as np

from ...solver import game
from ...solver.bits import ONE, bit, has, popcount, select
from ...solver.jit import kernel
from ...solver.odin.cards import CARDS, GOAT_MEMBER, GROUP_SHIFT, GROUPS, MEMBERS, SET_BITS, SUITS
from ...solver.odin.rules import SET_MASK
from ...solver.odin.state import (
    DTYPE,
    GOAT_POINTS,
    HAND,
    LIMITS,
    NOBODY,
    NOTHING,
    ONE_HAND,
    PASS,
    SEATS,
    TAKEN_SHIFT,
)
from ...solver.odin.worlds import cards_in_play

PASS_ACTION = 0
PHASES = 3
TABLE, DISCARD, UNSEEN, ABSENT = SEATS, SEATS + 1, SEATS + 2, SEATS + 3
PLACES = ABSENT + 1
KNOWN = PLACES
CARD = KNOWN + 1
FEWEST = 2
LIMIT_NUMBERS = np.array([limit if isinstance(limit, int) else ONE_HAND for limit in LIMITS])
MOST_SCORE = int(LIMIT_NUMBERS.max()) - 1 + HAND - 1 + GOAT_POINTS
LENGTH = CARDS * CARD + PHASES + 3 * SEATS + 2 * SEATS + 1 + (SEATS - FEWEST + 1) + len(LIMITS) + 1


def _is_set(number: int) -> bool:
    """Whether this is how some set that a hand can hold is numbered: one card as one of its colour, the goat of the
    first."""
    group, members = number >> GROUP_SHIFT, number & MEMBERS
    count = members.bit_count()
    if group >= SUITS:
        return count > 1 and members < 1 << SUITS
    return 0 < count <= HAND and (members != GOAT_MEMBER or group == 0)


def _numbered() -> tuple[np.ndarray, np.ndarray, int]:
    """The first action of every set, the set of every action, and how many actions there are without the goat."""
    sets = [number for number in range(GROUPS << GROUP_SHIFT) if _is_set(number)]
    plain = [number for number in sets if not number & int(GOAT_MEMBER)]
    first = np.full(1 << SET_BITS, -1, dtype=np.int32)
    sets_of = [0]
    for number in plain + [number for number in sets if number & int(GOAT_MEMBER)]:
        first[number] = len(sets_of)
        sets_of += [number] * ((number & MEMBERS).bit_count() + 1)
    without = sum((number & MEMBERS).bit_count() + 1 for number in plain) + 1
    return first, np.array(sets_of, dtype=np.int32), without


FIRST, SET_OF, WITHOUT_GOAT = _numbered()


def actions(rules: dict[str, Any]) -> int:
    """How many actions there are."""
    return len(SET_OF) if rules["goat"] else WITHOUT_GOAT


@kernel
def action_of(s, move):
    """The action of a move."""
    move = np.int64(move)
    if move == PASS:
        return np.int64(PASS_ACTION)
    first, taken = np.int64(FIRST[move & SET_MASK]), move >> TAKEN_SHIFT
    return first if taken == NOTHING else first + 1 + popcount(s.table & (bit(taken) - ONE))


@kernel
def move_of(s, action):
    """The move of an action."""
    if action == PASS_ACTION:
        return np.int64(PASS)
    number = np.int64(SET_OF[action])
    way = action - FIRST[number]
    return number | (np.int64(NOTHING) if way == 0 else select(s.table, way - 1)) << TAKEN_SHIFT


@kernel
def _mark(cards, place, out):
    for card in range(CARDS):
        if has(cards, card):
            out[card * CARD + place] = 1.0


@kernel
def describe(s, seat, out):
    """What a concealed record shows."""
    players = np.int64(s.players)
    for i in range(players):
        other = (seat + i) % players
        _mark(s.hand[other], i, out)
        _mark(s.known[other] & s.hand[other], KNOWN, out)
    _mark(s.table, TABLE, out)
    _mark(s.discard, DISCARD, out)
    _mark(s.unseen, UNSEEN, out)
    _mark(~cards_in_play(s), ABSENT, out)
    at = CARDS * CARD
    out[at + np.int64(s.phase)] = 1.0
    at += PHASES
    out[at + (np.int64(s.turn) - seat) % players] = 1.0
    if s.owner != NOBODY:
        out[at + SEATS + (np.int64(s.owner) - seat) % players] = 1.0
    out[at + 2 * SEATS + (np.int64(s.opener) - seat) % players] = 1.0
    at += 3 * SEATS
    for i in range(players):
        other = (seat + i) % players
        out[at + i] = s.scores[other] / MOST_SCORE
        out[at + SEATS + i] = s.hidden[other] / HAND
    at += 2 * SEATS
    out[at] = s.hidden_undealt / CARDS
    out[at + 1 + players - FEWEST] = 1.0
    at += 1 + SEATS - FEWEST + 1
    for i in range(len(LIMIT_NUMBERS)):
        out[at + i] = s.limit == LIMIT_NUMBERS[i]
    out[at + len(LIMIT_NUMBERS)] = s.goat


game.register(DTYPE, action_of=action_of, move_of=move_of, describe=describe)
