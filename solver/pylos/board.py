"""The pyramid of balls as one 64-bit word: every level is a 4x4 square of bits, so that a shift means the same on all.

::

    cell = 16 * level + 4 * rank + file          level 0 at the bottom

    level 0            level 1        level 2     level 3
    12 13 14 15
     8  9 10 11        24 25 26
     4  5  6  7        20 21 22       36 37
     0  1  2  3        16 17 18       32 33       48

A cell rests on the four cells 16, 15, 12 and 11 before it. A pyramid with a smaller base is the top of this one: the
levels below are *ground*, which holds up what lies on it and belongs to nobody.
"""

import numpy as np

from ..bits import ONE, bit
from ..jit import kernel

U = np.uint64
SIZES = (4, 3, 2)
"""Sides of the base; the default first."""
BALLS = {4: (15, 15), 3: (7, 7), 2: (3, 2)}
"""Balls of light and dark, by the side of the base."""

LEVELS = 4
FULL_SIDE = 4
APEX_CELL = 48
CELLS = tuple(
    16 * level + 4 * rank + file for level in range(4) for rank in range(4 - level) for file in range(4 - level)
)
"""The 30 cells, level by level, rank by rank: the order of notation, and of dense boards."""


def _set(cells) -> np.uint64:
    return U(sum(1 << cell for cell in cells))


VALID = _set(CELLS)
APEX = _set([APEX_CELL])
LEVEL = np.array([_set(cell for cell in CELLS if cell >> 4 == level) for level in range(LEVELS)])
SQUARES = VALID >> U(16)
"""Cells that are the first of a 2x2 square: those that hold up a cell of the next level as its first support."""
SQUARE = _set([0, 1, 4, 5])
"""The 2x2 square whose first cell is cell 0."""
GROUND = np.array([_set(cell for cell in CELLS if cell >> 4 < 4 - size) for size in range(5)])
"""Ground by the side of the base."""
FIELD = np.array([VALID & ~GROUND[size] for size in range(5)])
"""Cells that are played on, by the side of the base."""
REACH = np.array([VALID if cell == 63 else _set(to for to in CELLS if to >> 4 > cell >> 4) for cell in range(64)])
"""Cells that a ball from each cell may be raised to, for their levels; from the reserve, cell 63, any."""


def _lines() -> np.ndarray:
    """``uint64[64, 2]``: row and column through each cell, where they count; else a set that nobody can fill."""
    lines = np.full((64, 2), ~U(0))
    for cell in CELLS:
        level, rank, file = cell >> 4, cell >> 2 & 3, cell & 3
        side = FULL_SIDE - level
        if side >= 3:
            lines[cell, 0] = _set(16 * level + 4 * rank + i for i in range(side))
            lines[cell, 1] = _set(16 * level + 4 * i + file for i in range(side))
    return lines


LINES = _lines()
S1, S4, S5, S15, S16 = U(1), U(4), U(5), U(15), U(16)


@kernel
def squares(cells):
    """First cells of the 2x2 squares that lie wholly in ``cells``."""
    return cells & cells >> S1 & cells >> S4 & cells >> S5 & SQUARES


@kernel
def open_cells(occupied, size):
    """Empty cells that lie at the base, or on four filled ones."""
    held_up = squares(occupied | GROUND[size]) << S16 | LEVEL[LEVELS - size]
    return held_up & FIELD[size] & ~occupied


@kernel
def covered(occupied):
    """Cells that something rests on."""
    resting = occupied >> S16
    return resting | resting << S1 | resting << S4 | resting << S5


@kernel
def completes_square(own, cell):
    """Whether ``cell`` is part of a 2x2 square of ``own`` balls."""
    ball = bit(cell)
    return squares(own) & (ball | ball >> S1 | ball >> S4 | ball >> S5) != U(0)


@kernel
def completes_line(own, cell):
    """Whether ``cell`` is part of a whole row or column of ``own`` balls, where those count."""
    row, column = LINES[cell, 0], LINES[cell, 1]
    return own & row == row or own & column == column


@kernel
def dense(cells):
    """The cells as 30 bits without gaps, in the order of ``CELLS``."""
    second, third = cells >> U(16), cells >> U(32)
    return (
        cells & U(0xFFFF)
        | (second & U(7)) << U(16)
        | (second & U(0x70)) << S15
        | (second & U(0x700)) << U(14)
        | (third & U(3)) << U(25)
        | (third & U(0x30)) << U(23)
        | (cells >> U(48) & ONE) << U(29)
    )
