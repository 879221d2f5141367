"""The pyramid as bits: every row is one 64-bit word, every cell a number.

::

    cell = 64 * row + column        row 0 at the bottom; (r, c) rests on (r-1, c) and (r-1, c+1)

Rows are words, so supports, must spots and contact are shifts and masks of neighbouring rows. Columns inside the
record are absolute: the pyramid starts in the middle and wanders; only notation counts from the leftmost tile, and
only a pyramid that reaches the edge is moved back to the middle. Two columns at either edge and the top row stay
empty, so that no neighbour of a tile is ever out of range.
"""

import numpy as np

from ..bits import ONE, bit, highest, lowest
from ..jit import kernel

ROWS = 11
MAX_HEIGHT = ROWS - 1
STRIDE = 64
MAX_WIDTH = STRIDE - 4
FIRST_COLUMN, LAST_COLUMN = 2, STRIDE - 3
CENTRE = STRIDE // 2 - 1
CELLS = ROWS * STRIDE
NO_CELL = 0xFFFF

DOWN_LEFT, DOWN_RIGHT = -STRIDE, 1 - STRIDE
UP_LEFT, UP_RIGHT = STRIDE - 1, STRIDE
NEIGHBOURS = np.array([UP_LEFT, UP_RIGHT, -1, 1, DOWN_LEFT, DOWN_RIGHT])
"""Steps to the six cells that touch a cell, in scan order."""


@kernel
def row_of(cell):
    """Row of a cell."""
    return cell >> 6


@kernel
def column_of(cell):
    """Column of a cell."""
    return cell & 63


@kernel
def held_up(below):
    """Columns of the row above that have at least one support in the row ``below``."""
    return below | below >> ONE


@kernel
def held_twice(below):
    """Columns of the row above that have both supports in the row ``below``."""
    return below & below >> ONE


@kernel
def beside(row):
    """Columns next to a member of ``row``."""
    return row << ONE | row >> ONE


@kernel
def between(row):
    """Empty columns strictly between the outermost members of a non-empty row."""
    return (bit(highest(row)) - bit(lowest(row))) & ~row


@kernel
def touched(rows, r):
    """Columns of row ``r`` that touch a member of the set of cells ``rows`` (``uint64[ROWS]``)."""
    columns = beside(rows[r]) | rows[r + 1] | rows[r + 1] << ONE if r + 1 < ROWS else beside(rows[r])
    return columns | held_up(rows[r - 1]) if r > 0 else columns
