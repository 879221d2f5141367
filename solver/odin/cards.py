"""The cards as bits of one word, and the sets that may be played, each with a number.

::

    bit = 6 * (9 - rank) + colour        B R P G K O in this order; the goat, X0, is bit 54

So canonical order, highest rank first, is ascending bits; a rank is six bits side by side and a colour every sixth
bit. A *set* is numbered by its group, a colour or a rank, and which members of the group are in it::

    set = group << 10 | members          groups 0 … 5 are colours, 6 … 14 ranks 9 … 1

Members of a colour are its ranks from the highest, bit 0 for a 9, and bit 9 for the goat, which joins any colour;
members of a rank are its colours. A single card is a set of its colour, the goat alone one of the first colour.
"""

import numpy as np

from ..bits import ONE, ZERO, U, lowest, popcount
from ..jit import kernel

COLOURS = "BRPGKO"
RANKS = 9
SUITS = len(COLOURS)
GOAT_CARD = RANKS * SUITS
CARDS = GOAT_CARD + 1
CODES: tuple[str, ...] = (*(f"{colour}{rank}" for rank in range(RANKS, 0, -1) for colour in COLOURS), "X0")
INDEX = {code: card for card, code in enumerate(CODES)}

GOAT = U(1 << GOAT_CARD)
PLAIN = U((1 << GOAT_CARD) - 1)
"""All cards but the goat."""
COLOUR = np.array([U(sum(1 << (SUITS * i + colour) for i in range(RANKS))) for colour in range(SUITS)])
"""The cards of each colour."""
FIRST_COLOUR = COLOUR[0]
RANK_MASK = U((1 << SUITS) - 1)

GROUP_SHIFT = 10
GROUPS = SUITS + RANKS
MEMBERS = (1 << GROUP_SHIFT) - 1
GOAT_MEMBER = U(1 << RANKS)
NO_SET = 0
"""The set without cards."""
SET_BITS = 14

REPUNIT = np.array([0, 1, 11, 111, 1111, 11111, 111111])


def _spread() -> np.ndarray:
    """Cards of the first colour for every set of ranks, the goat left out."""
    return np.array([sum(1 << (SUITS * i) for i in range(RANKS) if ranks >> i & 1) for ranks in range(1 << RANKS)], U)


def _values() -> np.ndarray:
    """Value of every set of ranks, the goat among them: its digits in descending order."""
    values = []
    for members in range(1 << (RANKS + 1)):
        digits = "".join(str(RANKS - i) for i in range(RANKS + 1) if members >> i & 1)
        # ten cards of a colour are more than a hand holds
        values.append(int(digits or "0") if len(digits) <= RANKS else 0)
    return np.array(values)


SPREAD = _spread()
VALUES = _values()
M1, M2, M3, M4 = (U(0x3003003003003), U(0xF00000F00000F), U(0xFF | 1 << 48), U(0x1FF))
S5, S10, S20, S40 = U(5), U(10), U(20), U(40)


@kernel
def _gather(cards):
    """Every sixth bit of ``cards``, which has no others, as nine bits side by side."""
    cards = (cards | cards >> S5) & M1
    cards = (cards | cards >> S10) & M2
    cards = (cards | cards >> S20) & M3
    return (cards | cards >> S40) & M4


@kernel
def members(cards, group):
    """Which members of a group there are among ``cards``; none of a colour of which there is only the goat."""
    if group >= SUITS:
        return cards >> U(SUITS * (group - SUITS)) & RANK_MASK
    found = _gather(cards >> U(group) & FIRST_COLOUR)
    return found | GOAT_MEMBER if found != ZERO and cards & GOAT != ZERO else found


@kernel
def cards_of(number):
    """The cards of a set."""
    group, chosen = number >> GROUP_SHIFT, U(number & MEMBERS)
    if group >= SUITS:
        return chosen << U(SUITS * (group - SUITS))
    cards = SPREAD[chosen & ~GOAT_MEMBER] << U(group)
    return cards | GOAT if chosen & GOAT_MEMBER != ZERO else cards


@kernel
def value_of(number):
    """What a set is worth."""
    group, chosen = number >> GROUP_SHIFT, number & MEMBERS
    if group >= SUITS:
        return (GROUPS - group) * REPUNIT[popcount(U(chosen))]
    return VALUES[chosen]


@kernel
def single(card):
    """The set that is one card."""
    if card == GOAT_CARD:
        return np.int64(GOAT_MEMBER)
    return (card % SUITS) << GROUP_SHIFT | 1 << (card // SUITS)


@kernel
def set_of(cards):
    """The number of the set that some cards are, or ``NO_SET``."""
    if cards == ZERO:
        return NO_SET
    if popcount(cards) == 1:
        return single(lowest(cards))
    first = lowest(cards)
    colour, rank = first % SUITS, SUITS + first // SUITS
    if cards & ~(COLOUR[colour] | GOAT) == ZERO:
        return colour << GROUP_SHIFT | np.int64(members(cards, colour))
    of_rank = members(cards, rank)
    if popcount(of_rank) == popcount(cards):
        return rank << GROUP_SHIFT | np.int64(of_rank)
    return NO_SET


@kernel
def _next_subset(chosen, there):
    """The subset of ``there`` that comes after ``chosen``; the empty one is the last."""
    return (chosen - ONE) & there


@kernel
def next_set(hand, count, value, last):
    """The set after ``last`` of those in a hand that may be played over a set, or ``NO_SET`` after the last one.

    Args:
        hand: cards.
        count, value: how many cards lie on the table, at least one, and what they are worth.
        last: a set that this gave before, or ``NO_SET`` for the first one.
    """
    if last == NO_SET:
        group = 0
        there = members(hand, group)
        chosen = there
    else:
        group = last >> GROUP_SHIFT
        there = members(hand, group)
        chosen = _next_subset(U(last & MEMBERS), there)
    while True:
        while chosen != ZERO:
            n = popcount(chosen)
            number = group << GROUP_SHIFT | np.int64(chosen)
            # a single card is a set of its colour, and the goat alone beats nothing
            if n == count + 1 or (
                n == count and (n > 1 or (group < SUITS and chosen != GOAT_MEMBER)) and value_of(number) > value
            ):
                return number
            chosen = _next_subset(chosen, there)
        group += 1
        if group == GROUPS:
            return NO_SET
        there = members(hand, group)
        if popcount(there) >= count:
            chosen = there
