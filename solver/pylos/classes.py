"""Numbers for all positions: the table that solutions are kept in, byte by byte.

A position is the balls of the side to move and those of the other, the apex empty. What is occupied, whoever by, is
an *occupancy*; occupancies that a symmetry of the square turns into each other form a *class*, with the smallest
dense board as its canonical one. A position is turned so that its occupancy is canonical, and its number is

    first of the class (and of the side to move, where sides differ)
    + positions of the class with fewer own balls
    + colexicographic rank of the own balls among the occupied cells.

Where a class is symmetric in itself, positions that are turned into each other have several numbers, with equal
values; that costs less than telling them apart.
"""

from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np

from ..bits import HAS_EXTRACT, ONE, ZERO, U, extract, popcount
from ..jit import kernel
from .board import APEX, BALLS, CELLS, LEVEL, LEVELS, dense, open_cells
from .rules import after
from .symmetry import SYMMETRIES, TURNED

APEX_BIT = 29
LOW_BITS = 15
LOW_MASK = U((1 << LOW_BITS) - 1)
BASE_BITS, BASE_MASK = U(16), U(0xFFFF)
STEPS = 5
"""Steps of bit compression: cells move down by 1, 2, 4, 8 and 16 places."""


IMAGES = np.array([[CELLS.index(cells[cell]) for cell in CELLS] for cells in TURNED.tolist()])
"""``int64[8, 30]``: where each symmetry takes each cell of a dense board."""


def _subset_table(images: np.ndarray, bits: range, dtype: type) -> np.ndarray:
    """For every subset of some bits, the set of their images."""
    table: np.ndarray = np.zeros(1, dtype=dtype)
    for i in bits:
        table = np.concatenate([table, table | dtype(1 << int(images[i]))])
    return table


class Index(NamedTuple):
    """What it takes to number positions of one size of the pyramid; all boards in it are dense.

    Attributes:
        size: side of the base.
        sides: 1 where both sides have as many balls, so that only the side to move counts, else 2.
        total: positions.
        masks: ``uint32[classes]``, the canonical occupancies, ascending in balls.
        balls: ``int8[classes]``.
        orbits: ``int64[classes]``, how many occupancies a class holds.
        first: ``int64[sides, classes]``, number of the first position of a class.
        fewest, most: ``int64[sides, 31]``, own balls there can be among so many.
        before: ``int64[sides, 31, 17]``, positions of an occupancy with fewer own balls.
        shifts: ``uint32[classes, 5]``, cells that move down at each step of compression.
        keys: ``uint32[2**k]`` hash table of occupancies plus one, 0 where empty.
        found: ``uint32[2**k]``, class and symmetry of the occupancy, ``class << 3 | symmetry``.
        base_turns, upper_turns: ``uint32[8, 65536]``, ``uint32[8, 8192]``, turned lowest level and the rest.
        low_ranks, high_ranks: ``uint32[32768]``, ``uint32[16, 16384]``, ranks of both halves of a set.
    """

    size: int
    sides: int
    total: int
    masks: np.ndarray
    balls: np.ndarray
    orbits: np.ndarray
    first: np.ndarray
    fewest: np.ndarray
    most: np.ndarray
    before: np.ndarray
    shifts: np.ndarray
    keys: np.ndarray
    found: np.ndarray
    base_turns: np.ndarray
    upper_turns: np.ndarray
    low_ranks: np.ndarray
    high_ranks: np.ndarray


@kernel
def _write_occupancies(size, boards):
    """Write all dense occupancies into ``boards`` as far as they fit; how many there are."""
    lowest_level = LEVELS - size
    count = 0
    base = LEVEL[lowest_level]
    first = base
    while True:
        above = open_cells(first, size) & ~base & ~APEX
        second = above
        while True:
            top = open_cells(first | second, size) & ~base & ~above & ~APEX
            third = top
            while True:
                if count < boards.size:
                    boards[count] = dense(first | second | third)
                count += 1
                if third == ZERO:
                    break
                third = (third - ONE) & top
            if second == ZERO:
                break
            second = (second - ONE) & above
        if first == ZERO:
            break
        first = (first - ONE) & base
    return count


def occupancies(size: int) -> np.ndarray:
    """All dense occupancies of a size without the apex, ``uint32``, ascending."""
    boards = np.zeros(0, dtype=np.uint32)
    boards = np.zeros(_write_occupancies(size, boards), dtype=np.uint32)
    _write_occupancies(size, boards)
    return np.sort(boards)


@kernel
def _write_shifts(masks, shifts):
    """Write which cells of each mask move down 1, 2, 4, 8, 16 places when its gaps close (Hacker's Delight, 7-4)."""
    for i in range(masks.size):
        shifts[i] = 0
        target = 0
        for cell in range(APEX_BIT):
            if masks[i] >> np.uint32(cell) & np.uint32(1) == 0:
                continue
            place, distance = cell, cell - target
            for step in range(STEPS):
                if distance >> step & 1:
                    shifts[i, step] |= np.uint32(1 << place)
                    place -= 1 << step
            target += 1


def _ranks(bits: range, below: int, size: int) -> np.ndarray:
    """Colexicographic rank of every subset of some numbers, with ``below`` smaller members besides."""
    ranks, members = np.zeros(1, dtype=np.int64), np.full(1, below)
    for top in bits:
        ways = np.array([comb(top, k) for k in range(size + 1)])
        ranks = np.concatenate([ranks, ranks + ways[np.minimum(members + 1, size)]])
        members = np.concatenate([members, members + 1])
    return ranks.astype(np.uint32)


@cache
def index(size: int) -> Index:
    """The numbering for a size of the pyramid."""
    boards = occupancies(size)
    base_turns = np.stack([_subset_table(IMAGES[g], range(16), np.uint32) for g in range(SYMMETRIES)])
    upper_turns = np.stack([_subset_table(IMAGES[g], range(16, APEX_BIT), np.uint32) for g in range(SYMMETRIES)])
    turned = np.stack([base_turns[g][boards & 0xFFFF] | upper_turns[g][boards >> 16] for g in range(SYMMETRIES)])
    canonical = turned.min(axis=0)
    masks = np.unique(canonical)
    order = np.lexsort((masks, np.bitwise_count(masks)))
    numbers = np.empty(len(masks), dtype=np.int64)
    numbers[order] = np.arange(len(masks))
    found = numbers[np.searchsorted(masks, canonical)] << 3 | turned.argmin(axis=0)
    masks = masks[order]
    balls = np.bitwise_count(masks)
    shifts = np.empty((len(masks), STEPS), dtype=np.uint32)
    _write_shifts(masks, shifts)
    slots = 1 << (2 * len(boards) - 1).bit_length()
    keys, values = np.zeros(slots, dtype=np.uint32), np.zeros(slots, dtype=np.uint32)
    _fill(keys, values, boards, found.astype(np.uint32))
    limits = BALLS[size]
    sides = 1 if limits[0] == limits[1] else 2
    fewest, most = np.zeros((sides, 31), dtype=np.int64), np.zeros((sides, 31), dtype=np.int64)
    before = np.zeros((sides, 31, 17), dtype=np.int64)
    for side in range(sides):
        for k in range(31):
            fewest[side, k], most[side, k] = max(0, k - limits[1 - side]), min(k, limits[side])
            for n in range(17):
                before[side, k, n] = sum(comb(k, m) for m in range(fewest[side, k], min(n, most[side, k] + 1)))
    counts = np.stack([before[side, balls, most[side, balls] + 1] for side in range(sides)])
    ends = counts.ravel().cumsum()
    return Index(
        size=size,
        sides=sides,
        total=int(ends[-1]),
        masks=masks,
        balls=balls.astype(np.int8),
        orbits=np.bincount(found >> 3),
        first=(ends - counts.ravel()).reshape(counts.shape),
        fewest=fewest,
        most=most,
        before=before,
        shifts=shifts,
        keys=keys,
        found=values,
        base_turns=base_turns,
        upper_turns=upper_turns,
        low_ranks=_ranks(range(LOW_BITS), 0, APEX_BIT),
        high_ranks=np.stack([_ranks(range(LOW_BITS, APEX_BIT), low, APEX_BIT) for low in range(LOW_BITS + 1)]),
    )


@kernel
def _fill(keys, values, boards, found):
    for i in range(boards.size):
        slot = _slot(keys, U(boards[i]))
        keys[slot] = boards[i] + np.uint32(1)
        values[slot] = found[i]


@kernel
def _slot(keys, board):
    """Slot of a dense occupancy, or the empty one where it belongs."""
    slot = np.int64((board * U(0x9E3779B97F4A7C15)) >> U(40)) & (keys.size - 1)
    while keys[slot] != 0 and U(keys[slot]) != board + U(1):
        slot = (slot + 1) & (keys.size - 1)
    return slot


@kernel
def class_of(ix, occupied):
    """Class of a dense occupancy and the symmetry that makes it canonical, ``class << 3 | symmetry``."""
    return np.int64(ix.found[_slot(ix.keys, occupied)])


@kernel
def rank(ix, cells):
    """Colexicographic rank of a set of numbers below 29 among the sets of its size."""
    low = cells & LOW_MASK
    return np.int64(ix.low_ranks[low]) + np.int64(ix.high_ranks[popcount(low), cells >> U(LOW_BITS)])


@kernel
def number(ix, side, occupied, own):
    """Number of a position.

    Args:
        side: 0, or the seat to move where ``ix.sides`` is 2.
        occupied, own: dense occupancy, and balls of the side to move.
    """
    found = class_of(ix, occupied)
    return number_in(ix, side, found >> 3, turn(ix, found & 7, own))


@kernel
def turn(ix, symmetry, cells):
    """Dense cells, turned by a symmetry."""
    return U(ix.base_turns[symmetry, cells & BASE_MASK] | ix.upper_turns[symmetry, cells >> BASE_BITS])


@kernel
def compress(ix, cls, cells):
    """Cells of the canonical occupancy of a class as numbers among its cells."""
    if HAS_EXTRACT:
        return extract(cells, U(ix.masks[cls]))
    for step in range(STEPS):
        moving = cells & U(ix.shifts[cls, step])
        cells = (cells ^ moving) | moving >> U(1 << step)
    return cells


@kernel
def number_in(ix, side, cls, own):
    """Number of a position of a class, with ``own`` turned to its canonical occupancy."""
    before = ix.before[side, ix.balls[cls], popcount(own)]
    return ix.first[side, cls] + before + rank(ix, compress(ix, cls, own))


@kernel
def number_of(ix, side, own, other):
    """Number of a position, by the balls of the side to move and those of the other."""
    return number(ix, side, dense(U(own) | U(other)), dense(U(own)))


@kernel
def write_numbers_after(ix, side, own, other, moves, places):
    """Write into ``places`` the numbers of the positions after ``moves``, none of them to the apex, of ``own``.

    ``side`` is that of the other side, which is to move then.
    """
    for i in range(moves.size):
        moved = after(U(own), moves[i])
        places[i] = number_of(ix, side, other, moved)
