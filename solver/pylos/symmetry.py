"""The eight symmetries of the square, as tables, and keys that do not depend on them."""

import numpy as np

from ..bits import ZERO, U, lowest, without_lowest
from ..jit import kernel
from .board import CELLS, FULL_SIDE
from .state import FIELD_MASK, FIRST, SECOND, SOURCE

SYMMETRIES = 8


def _turned(cell: int, symmetry: int) -> int:
    """The cell that a symmetry of the square takes ``cell`` to: bit 0 mirrors files, 1 ranks, 2 the diagonal."""
    level, rank, file = cell >> 4, cell >> 2 & 3, cell & 3
    last = FULL_SIDE - level - 1
    if symmetry & 1:
        file = last - file
    if symmetry & 2:
        rank = last - rank
    if symmetry & 4:
        rank, file = file, rank
    return 16 * level + 4 * rank + file


TURNED = np.array([[_turned(cell, g) if cell in CELLS else cell for cell in range(64)] for g in range(SYMMETRIES)])
"""``int64[8, 64]``: where each symmetry takes each cell; ``NOWHERE`` stays."""
BACK = np.array([[[*row].index(cell) for cell in range(64)] for row in TURNED.tolist()])
"""``int64[8, 64]``: the cell that each symmetry takes to each cell."""


def _zobrist() -> np.ndarray:
    """Random numbers for light and dark on each cell; the key of a turned board is that of the board, turned."""
    plain = np.random.default_rng(1994).integers(1 << 64, size=(2, 64), dtype=np.uint64)
    plain[:, [cell for cell in range(64) if cell not in CELLS]] = 0
    return np.ascontiguousarray(plain[:, TURNED].transpose(0, 2, 1))


ZOBRIST = _zobrist()
"""``uint64[2, 64, 8]``: by colour, cell and symmetry; 0 where there is no cell (Zobrist 1970)."""


@kernel
def write_keys(light, dark, keys):
    """Write the key of a board under each symmetry into ``keys``, ``uint64[8]``."""
    keys[:] = ZERO
    for colour in range(2):
        balls = U(light) if colour == 0 else U(dark)
        while balls != ZERO:
            keys ^= ZOBRIST[colour, lowest(balls)]
            balls = without_lowest(balls)


@kernel
def write_keys_after(keys, colour, move, fresh):
    """Write the keys after a move of ``colour`` into ``fresh``, from those before it."""
    target, source = move & FIELD_MASK, move >> SOURCE & FIELD_MASK
    one, two = move >> FIRST & FIELD_MASK, move >> SECOND & FIELD_MASK
    for g in range(SYMMETRIES):
        fresh[g] = (
            keys[g]
            ^ ZOBRIST[colour, target, g]
            ^ ZOBRIST[colour, source, g]
            ^ ZOBRIST[colour, one, g]
            ^ ZOBRIST[colour, two, g]
        )


@kernel
def canonical(keys):
    """A symmetry whose key is smallest: turned so, all boards that are turned into each other look alike."""
    best = 0
    for g in range(1, SYMMETRIES):
        if keys[g] < keys[best]:
            best = g
    return best


@kernel
def turned_move(move, cells):
    """A move with its cells replaced by those in ``cells``, a row of ``TURNED`` or ``BACK``."""
    one, two = cells[move >> FIRST & FIELD_MASK], cells[move >> SECOND & FIELD_MASK]
    stem = cells[move & FIELD_MASK] | cells[move >> SOURCE & FIELD_MASK] << SOURCE
    return stem | min(one, two) << FIRST | max(one, two) << SECOND
