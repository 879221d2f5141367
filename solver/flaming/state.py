"""The state of a game: one record of fixed size.

The same record serves as an *observation*: then the tiles whose place the observer does not know lie in ``unseen``
alone, and hands and piles only count how many they miss (``hidden``, ``unknown``), so that a search that starts
from it cannot look.
"""

import numpy as np

from .board import CELLS, ROWS

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
        ("rows", "u8", (ROWS,)),  # cells with a tile: one word a row
        ("straw", "u8", (ROWS,)),  # cells with straw
        ("wood", "u8", (ROWS,)),  # cells with wood
        ("suspect", "u8", (ROWS,)),  # cells whose fit may have changed since it was last looked at
        ("hand", "u8", (SEATS,)),  # tiles in hand
        ("known", "u8", (SEATS,)),  # tiles in hand that everybody knows
        ("out", "u8"),  # tiles out of the game
        ("unseen", "u8"),  # observation only: tiles whose place the observer does not know
        ("fire_at", "u2", (4,)),  # cells of G1, Y1, R7, B7, or NO_CELL
        ("at", "u2"),  # cell that falls or burns, or NO_CELL
        ("placed", "u2"),  # cell of the tile placed this turn while it lies there, or NO_CELL
        ("turns", "u2"),  # finished turns
        ("grid", "u1", (CELLS,)),  # tile on each cell, EMPTY where there is none
        ("next", "u1", (45,)),  # in a pile: the tile drawn after this one
        ("top", "u1", (SEATS,)),  # of each pile, NO_TILE when it is empty
        ("bottom", "u1", (SEATS,)),
        ("unknown", "u1", (SEATS,)),  # tiles at the top of each pile that are still from the deal
        ("hidden", "u1", (SEATS,)),  # observation only: tiles in hand that the observer does not know
        ("held", "u1", (SEATS,)),  # tiles in hand and pile
        ("height", "u1"),  # rows in use, empty ones under a floating tile included
        ("players", "u1"),
        ("preset", "u1"),
        ("curse", "u1"),
        ("special_fire", "u1"),
        ("turn", "u1"),  # seat whose turn it is
        ("charged", "u1"),  # seat charged with mayhem
        ("phase", "u1"),
        ("rolled", "u1"),  # fire tiles that rolled this turn, as a set of four bits
        ("winner", "u1"),  # seat, NOBODY or DRAWN
        ("spare", "u1", (5,)),  # always zero: makes the record whole words long
    ]
)

LEFT, RIGHT = 0, 1
CELL_BITS = 10
CELL_MASK = (1 << CELL_BITS) - 1
FALL_MOVE = 45 << CELL_BITS
DIE_MOVE = 46 << CELL_BITS
"""A move is one integer: ``tile << CELL_BITS | cell`` for a placement, ``FALL_MOVE | LEFT`` or ``| RIGHT`` for a
fall, ``DIE_MOVE | 1..6`` for a die."""

MAX_MOVES = 256
"""Bound on the moves of one position: five tiles, and fewer spots than there are tiles."""
