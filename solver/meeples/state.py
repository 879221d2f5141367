"""The state of a game: one record of fixed size, and moves as integers.

All see everything, so there is no observation of another shape.
"""

import numpy as np

SEATS = 6
MEEPLES = 99
WIDEST = 18
"""Meeples of 16 mm side by side on a cloth 297 mm wide."""
FIRST_BASE, LAST_BASE = 3, 13
"""Bases asked for in ``higher``: one of 14 would need 105 meeples."""
MOST_TURNS, MOST_SECONDS = 20, 600
MOST_POINTS = MEEPLES * (MEEPLES + 1) // 2
"""Of one turn: a column of all meeples."""
SECONDS = {"points": 120, "higher": 45}

POINTS, HIGHER = 0, 1
MODES = ("points", "higher")
BRIDGE, COLUMN = 0, 1
SUPPORTS = ("bridge", "column")

BUILD, HANDS, OVER = 0, 1, 2
"""Phases: a seat chooses what to try, its hands do it, the game is over."""
PHASES = ("build", "hands", "over")

DTYPE = np.dtype(
    [
        ("slip", "f8", (2,)),  # a of the chance to slip, by pace
        ("power", "f8"),
        ("fall", "f8", (4,)),
        ("hit", "f8"),
        ("floor", "f8"),  # what a search takes for a payoff of 0, where one plays alone for points
        ("scale", "f8"),  # and how much more for a payoff of 1
        ("rows", "u1", (SEATS, MEEPLES)),  # meeples in every row, from the bottom
        ("height", "u1", (SEATS,)),
        ("used", "u1", (SEATS,)),  # meeples that stand
        ("out", "u1"),  # bit set of seats that are out
        ("present", "u1"),  # bit set of seats that began the round
        ("winners", "u1"),  # bit set, when the game is over
        ("players", "u1"),
        ("mode", "u1"),
        ("support", "u1"),
        ("shared", "u1"),  # whether all build on one mat
        ("turns", "u1"),
        ("lap", "u1"),  # the round, from 1
        ("phase", "u1"),
        ("turn", "u1"),  # seat that builds; when the game is over, the last that did
        ("action", "u1"),  # what its hands are doing
        ("ticks", "u2", (SEATS,)),  # left
        ("scores", "u4", (SEATS,)),
        ("full", "u2"),  # ticks of a round
        ("place", "u2", (2,)),
        ("row", "u2"),
        ("clear", "u2"),
    ]
)

QUICK, CAREFUL = 0, 1
STOP = 0
"""An action is ``2 * row + pace``, rows from 1, or ``STOP``."""
OK, HIT = 0, 1
"""An outcome is ``OK``, or ``2 * (row from which all fell)``, ``+ HIT`` where a neighbour's pyramid was hit too."""

MAX_MOVES = 64
"""Bound on the moves: a row that takes a meeple is shorter than the one below, so at most 19 do, at two paces."""
