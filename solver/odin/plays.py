"""How many plays it takes to empty a hand."""

import numpy as np

from ..bits import ONE, ZERO, U, popcount
from ..jit import kernel
from .cards import COLOUR, FIRST_COLOUR, GOAT, PLAIN, SUITS

S1, S2, S4, S5 = U(1), U(2), U(4), U(5)
OF_COLOURS = np.array(
    [sum(int(COLOUR[i]) for i in range(SUITS) if colours >> i & 1) for colours in range(1 << SUITS)], dtype=U
)
"""The cards of every set of colours."""


@kernel
def count_ranks(cards):
    """How many ranks there are among cards other than the goat."""
    pairs = cards | cards >> S1
    return popcount((pairs | pairs >> S2 | cards >> S4 | cards >> S5) & FIRST_COLOUR)


@kernel
def colours_among(cards):
    """The set of colours among cards, as six bits."""
    found = ZERO
    for colour in range(SUITS):
        if cards & COLOUR[colour] != ZERO:
            found |= ONE << U(colour)
    return found


@kernel
def fewest_plays(hand):
    """The smallest number of sets that a hand can be split into, whatever they would have to beat.

    Some colours are played as colours, what is left rank by rank; the goat goes with any colour, or alone. So it is a
    smallest vertex cover of the cards as edges between colours and ranks (König 1931).
    """
    present = colours_among(hand)
    best = count_ranks(hand & PLAIN) + (1 if hand & GOAT != ZERO else 0)
    chosen = present
    while chosen != ZERO:
        best = min(best, popcount(chosen) + count_ranks(hand & PLAIN & ~OF_COLOURS[chosen]))
        chosen = (chosen - ONE) & present
    return best
