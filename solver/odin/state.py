"""The state of a game: one record of fixed size, and moves as integers.

The same record serves as an *observation*: then the cards whose place the observer does not know lie in ``unseen``
alone, and hands and the undealt only count how many they miss.
"""

import numpy as np

from .cards import SET_BITS

SEATS = 6
HAND = 9
GOAT_POINTS = 5
LIMITS = (15, 10, 20, "one-hand")
"""The default first."""
ONE_HAND = 0
"""Limit of a game of one hand."""
NOBODY = 255

PLAY, DEAL, OVER = 0, 1, 2
"""Phases: a seat plays, the next hand is to be dealt, the game is over."""

DTYPE = np.dtype(
    [
        ("hand", "u8", (SEATS,)),
        ("known", "u8", (SEATS,)),  # cards in hand that everybody knows
        ("dealt", "u8", (SEATS,)),  # hands that the next deal will give, where a text has told them
        ("table", "u8"),
        ("discard", "u8"),
        ("undealt", "u8"),
        ("unseen", "u8"),  # observation only: cards whose place the observer does not know
        ("value", "i4"),  # of the set on the table, 0 without one
        ("scores", "u2", (SEATS,)),
        ("hidden", "u1", (SEATS,)),  # observation only: cards in hand that the observer does not know
        ("hidden_undealt", "u1"),
        ("players", "u1"),
        ("limit", "u1"),
        ("goat", "u1"),
        ("removed", "u1", (2,)),  # colours left out, as they were drawn; NOBODY where none is
        ("owner", "u1"),  # seat of the set on the table, or NOBODY
        ("opener", "u1"),  # seat that opened this hand
        ("turn", "u1"),  # seat to play; when the hand is over, who ended it
        ("phase", "u1"),
        ("horizon", "u1"),  # where a search stops, see rules.payoff
        ("spare", "u1", (7,)),  # always zero: makes the record whole words long
    ]
)

GAME, HAND_AND_RACE, POINTS = 0, 1, 2
"""Horizons: the end of the game; of the hand, as far as it decides the game; of the hand, for its points."""

TAKEN_SHIFT = SET_BITS
NOTHING = 63
"""A move is one integer: ``set | card taken << TAKEN_SHIFT``, ``NOTHING`` where no card is taken."""
PASS = NOTHING << TAKEN_SHIFT
DEAL_MOVE = 1 << 30
"""Chance: ``DEAL_MOVE | seed``, a deal that the seed stands for, up to ``SEED_MASK``."""
SEED_MASK = (1 << 30) - 1
DEALT_MOVE = 1 << 29
"""Chance: the deal that the record has noted."""

MAX_MOVES = 2048
"""Bound on the moves of a position: at most 1051, with nine cards of one colour over a set of five (see the tests)."""
