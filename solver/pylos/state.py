"""The state of a game: one record of fixed size, and moves as integers."""

import numpy as np

VARIANTS = ("standard", "beginner", "expert")
"""The default first."""
STANDARD, BEGINNER, EXPERT = 0, 1, 2
EMPTY_RESERVE = ("may-raise", "loses")
TAKE_BACK = ("must", "may")
COLOURS = "wb"

NOBODY, DRAWN = 255, 254
PLY_LIMIT = 500
"""A game that goes on for so many plies is a draw; the record remembers every position until then."""
REPETITIONS = 3
"""A game is a draw when a position occurs for the third time."""

DTYPE = np.dtype(
    [
        ("balls", "u8", (2,)),  # cells of light and of dark
        ("seen", "u8", (PLY_LIMIT,)),  # positions before every ply, see rules.fingerprint
        ("plies", "u2"),  # plies played from the start of this record
        ("turn", "u1"),  # seat to move: 0 light, 1 dark
        ("winner", "u1"),  # seat, NOBODY while the game goes on, or DRAWN
        ("side", "u1"),  # side of the base
        ("variant", "u1"),
        ("loses", "u1"),  # whether an empty reserve loses
        ("may", "u1"),  # whether taking back is voluntary
    ]
)

NOWHERE = 63
"""Source of a ball that comes from the reserve, and place in a move of a ball that is not taken back."""
FIELD_BITS = 6
FIELD_MASK = (1 << FIELD_BITS) - 1
SOURCE, FIRST, SECOND = FIELD_BITS, 2 * FIELD_BITS, 3 * FIELD_BITS
"""A move is one integer: ``target | source << SOURCE | taken << FIRST | taken too << SECOND``."""

MAX_MOVES = 4096
"""Bound on the moves of one position, far above what play meets (see the tests)."""
