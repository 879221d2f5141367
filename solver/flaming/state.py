"""The state of a game: one record of fixed size.

The same record serves as an *observation*: then the tiles whose place the observer does not know lie in ``unseen``
alone, and hands and piles only count how many they miss (``hidden``, ``unknown``), so that a search that starts
from it cannot look.
"""

import numpy as np

SEATS = 6
HAND = 5
TURN_LIMIT = 1000

BGA, GERMAN = 0, 1
PRESETS = ("bga", "german")

PLACE, FALL, DIE, OVER, BEYOND = 0, 1, 2, 3, 4
"""Phases; ``BEYOND``: the pyramid outgrew the board this engine was built for, and the game cannot go on."""
PHASES = ("place", "fall", "die", "over")

NO_TILE = 255
NOBODY = 255
DRAWN = 254

DTYPE = np.dtype(
    [
        ("occupied", "u8", (3,)),  # cells with a tile
        ("material", "u8", (4, 3)),  # cells with straw, wood, stone, fire
        ("suspect", "u8", (3,)),  # cells whose fit may have changed since it was last looked at
        ("hand", "u8", (SEATS,)),  # tiles in hand
        ("known", "u8", (SEATS,)),  # tiles in hand that everybody knows
        ("out", "u8"),  # tiles out of the game
        ("unseen", "u8"),  # observation only: tiles whose place the observer does not know
        ("grid", "u1", (192,)),  # tile on each cell, EMPTY where there is none
        ("next", "u1", (45,)),  # in a pile: the tile drawn after this one
        ("top", "u1", (SEATS,)),  # of each pile, NO_TILE when it is empty
        ("bottom", "u1", (SEATS,)),
        ("unknown", "u1", (SEATS,)),  # tiles at the top of each pile that are still from the deal
        ("hidden", "u1", (SEATS,)),  # observation only: tiles in hand that the observer does not know
        ("held", "u1", (SEATS,)),  # tiles in hand and pile
        ("players", "u1"),
        ("preset", "u1"),
        ("curse", "u1"),
        ("special_fire", "u1"),
        ("turn", "u1"),  # seat whose turn it is
        ("charged", "u1"),  # seat charged with mayhem
        ("phase", "u1"),
        ("at", "u1"),  # cell that falls or burns, or NO_CELL
        ("placed", "u1"),  # cell of the tile placed this turn while it lies there, or NO_CELL
        ("rolled", "u1"),  # fire tiles that rolled this turn, as a set of four bits
        ("winner", "u1"),  # seat, NOBODY or DRAWN
        ("turns", "u2"),  # finished turns
    ]
)

LEFT, RIGHT = 0, 1
FALL_MOVE = 45 << 8
DIE_MOVE = 46 << 8
"""A move is one integer: ``tile << 8 | cell`` for a placement, ``FALL_MOVE | LEFT`` or ``| RIGHT`` for a fall,
``DIE_MOVE | 1..6`` for a die."""

MAX_MOVES = 256
"""Bound on the moves of one position: five tiles, and fewer spots than there are tiles."""
