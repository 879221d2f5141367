"""Dealing, what one seat knows, and the worlds that fit it."""

import numpy as np

from ..bits import ZERO, U, bit, popcount
from ..jit import kernel
from ..rng import below, shuffled
from .cards import CARDS, COLOUR, GOAT, GOAT_CARD, PLAIN
from .state import DEAL_MOVE, HAND, NOBODY, PLAY, SEED_MASK


@kernel
def cards_in_play(s):
    """All cards of the game, dealt or not."""
    cards = PLAIN
    for i in range(2):
        if s.removed[i] != NOBODY:
            cards &= ~COLOUR[s.removed[i]]
    return cards | GOAT if s.goat else cards


@kernel
def open_hand(s):
    """Begin a hand whose cards are dealt: nothing on the table, the opener to play."""
    s.table, s.discard, s.value, s.owner = ZERO, ZERO, 0, NOBODY
    s.undealt = cards_in_play(s)
    for seat in range(s.players):
        s.known[seat] = ZERO
        s.undealt &= ~s.hand[seat]
    s.turn = s.opener
    s.phase = PLAY


@kernel
def deal(s, rng):
    """Deal nine cards each; the goat is always among them."""
    order = np.empty(CARDS, dtype=np.uint8)
    n = shuffled(cards_in_play(s) & PLAIN, order, rng)
    holder = below(rng, s.players) if s.goat else -1
    for seat in range(s.players):
        s.hand[seat] = ZERO
        if seat == holder:
            s.hand[seat] = bit(GOAT_CARD)
        for _ in range(HAND - (1 if seat == holder else 0)):
            n -= 1
            s.hand[seat] |= bit(order[n])
    open_hand(s)


@kernel
def deal_hands(s, move):
    """Deal as a move of chance says: by its seed, or what the record has noted."""
    if move & DEAL_MOVE:
        rng = np.empty(1, dtype=np.uint64)
        rng[0] = U(move & SEED_MASK)
        deal(s, rng)
        return
    for seat in range(s.players):
        s.hand[seat], s.dealt[seat] = s.dealt[seat], ZERO
    open_hand(s)


@kernel
def conceal(s, seat):
    """Cut the record down to what ``seat`` knows: its own hand, and what everybody saw."""
    for other in range(s.players):
        if other != seat:
            unknown = s.hand[other] & ~s.known[other]
            s.hidden[other] += popcount(unknown)
            s.hand[other] = s.known[other]
            s.unseen |= unknown
    s.hidden_undealt += popcount(s.undealt)
    s.unseen |= s.undealt
    s.undealt = ZERO


@kernel
def redeal(s, rng):
    """Fill a concealed record with a uniform random arrangement of the unseen cards over the unknown places."""
    order = np.empty(CARDS, dtype=np.uint8)
    n = shuffled(s.unseen & PLAIN, order, rng)
    if s.unseen & GOAT != ZERO:
        # somebody holds it, every hidden place in a hand as likely
        hidden = 0
        for seat in range(s.players):
            hidden += s.hidden[seat]
        place = below(rng, hidden)
        for seat in range(s.players):
            if 0 <= place < s.hidden[seat]:
                s.hand[seat] |= GOAT
                s.hidden[seat] -= 1
                break
            place -= s.hidden[seat]
    for seat in range(s.players):
        for _ in range(s.hidden[seat]):
            n -= 1
            s.hand[seat] |= bit(order[n])
        s.hidden[seat] = 0
    for i in range(n):
        s.undealt |= bit(order[i])
    s.hidden_undealt, s.unseen = 0, ZERO
