"""The pyramid as bits: cells, and sets of cells in three 64-bit words.

Cells are numbered in scan order, the order in which mayhem is looked for: rows from top to bottom, in a row from
left to right. So "the first in scan order" is the lowest set bit, and a step down is ``+16``::

    cell = 16 * (11 - row) + column          word 0: rows 11..8    word 1: rows 7..4    word 2: rows 3..0

    (r, c)   rests on   (r-1, c) = cell + 16   and   (r-1, c+1) = cell + 17

Column 15 is always empty. It guards the rows: a shift across a row's end falls into it, so no masks are needed.
A set of cells is a triple of ``uint64``.
"""

import numpy as np

from ..bits import ONE, ZERO, bit, highest, lowest, popcount, select
from ..jit import kernel

U = np.uint64

ROWS = 12
COLUMNS = 15
STRIDE = 16
CELLS = ROWS * STRIDE
NO_CELL = 255

BASE = STRIDE * (ROWS - 1)
"""Cell of row 0, column 0."""
LEFT_OF_BASE = BASE - 1
"""Stands for column -1 of row 0: a guard cell that nothing else can ever name."""

S16, S48 = U(STRIDE), U(48)
BASE_ROW = U(0xFFFF << 48)
ONE_ROW = U(0xFFFF)
LAST_COLUMN = U(0x4000_4000_4000_4000)
NOTHING = (ZERO, ZERO, ZERO)


def cell_at(row: int, column: int) -> int:
    """Number of the cell in ``row`` and ``column``; column -1 of row 0 is ``LEFT_OF_BASE``."""
    return STRIDE * (ROWS - 1 - row) + column


def row_column(cell: int) -> tuple[int, int]:
    """Row and column of a cell."""
    if cell == LEFT_OF_BASE:
        return 0, -1
    return ROWS - 1 - cell // STRIDE, cell % STRIDE


@kernel
def union(x, y):
    """Cells in ``x`` or ``y``."""
    return x[0] | y[0], x[1] | y[1], x[2] | y[2]


@kernel
def common(x, y):
    """Cells in both ``x`` and ``y``."""
    return x[0] & y[0], x[1] & y[1], x[2] & y[2]


@kernel
def minus(x, y):
    """Cells in ``x`` and not in ``y``."""
    return x[0] & ~y[0], x[1] & ~y[1], x[2] & ~y[2]


@kernel
def some(x):
    """Whether the set has a cell."""
    return (x[0] | x[1] | x[2]) != ZERO


@kernel
def same(x, y):
    """Whether two sets are equal."""
    return x[0] == y[0] and x[1] == y[1] and x[2] == y[2]


@kernel
def single(cell):
    """The set of one cell."""
    b = bit(cell & 63)
    word = cell >> 6
    return (b if word == 0 else ZERO, b if word == 1 else ZERO, b if word == 2 else ZERO)


@kernel
def first(x):
    """The first cell of a set in scan order; the set must not be empty."""
    if x[0] != ZERO:
        return lowest(x[0])
    if x[1] != ZERO:
        return 64 + lowest(x[1])
    return 128 + lowest(x[2])


@kernel
def size(x):
    """Number of cells in a set."""
    return popcount(x[0]) + popcount(x[1]) + popcount(x[2])


@kernel
def nth(x, k):
    """The ``k``-th cell of a set in scan order, counted from 0."""
    n = popcount(x[0])
    if k < n:
        return select(x[0], k)
    k -= n
    n = popcount(x[1])
    if k < n:
        return 64 + select(x[1], k)
    return 128 + select(x[2], k - n)


@kernel
def raised(x):
    """Every cell moved one row up in its column."""
    return (x[0] >> S16) | (x[1] << S48), (x[1] >> S16) | (x[2] << S48), x[2] >> S16


@kernel
def lowered(x):
    """Every cell moved one row down in its column."""
    return x[0] << S16, (x[1] << S16) | (x[0] >> S48), (x[2] << S16) | (x[1] >> S48)


@kernel
def leftward(x):
    """Every cell moved one column left; column 0 drops into a guard cell or out."""
    return x[0] >> ONE, x[1] >> ONE, x[2] >> ONE


@kernel
def rightward(x):
    """Every cell moved one column right."""
    return x[0] << ONE, x[1] << ONE, x[2] << ONE


@kernel
def resting(x):
    """Cells that rest on a cell of ``x``: up in the same column, and up to the left."""
    return raised(union(x, leftward(x)))


@kernel
def supported_by_two(x):
    """Cells whose two supports are both in ``x``."""
    return raised(common(x, leftward(x)))


@kernel
def touching(x):
    """Cells that touch a cell of ``x``: beside it, resting on it, or under it."""
    return union(union(leftward(x), rightward(x)), union(resting(x), lowered(union(x, rightward(x)))))


@kernel
def flooded(start, through):
    """Cells of ``through`` reached from ``start`` by touching cells of ``through``."""
    reached = common(touching(start), through)
    while some(reached):
        wider = union(reached, common(touching(reached), through))
        if same(wider, reached):
            break
        reached = wider
    return reached


@kernel
def between(row):
    """Empty places strictly between the outermost set bits of a non-empty row."""
    return (bit(highest(row)) - bit(lowest(row))) & ~row
