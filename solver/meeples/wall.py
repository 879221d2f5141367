"""Walls: what may be put where, and what a wall is worth. Rows count from the bottom, the first is row 1."""

from collections.abc import Sequence

import numpy as np

from ..jit import kernel
from .state import BRIDGE, MEEPLES, WIDEST


@kernel
def widest(rows, row, support, base):
    """The most meeples that ``row`` may have on what is below it, and within a goal of this base (0 without one)."""
    most = WIDEST
    if row > 1:
        most = np.int64(rows[row - 2]) - (1 if support == BRIDGE else 0)
    if base > 0:
        most = min(most, base - row + 1)
    return most


@kernel
def takes(rows, row, used, support, base):
    """Whether ``row`` may get one meeple more, ``used`` being those that stand."""
    return used < MEEPLES and rows[row - 1] < widest(rows, row, support, base)


@kernel
def points(rows, height, support):
    """Points of the highest pyramid of a wall.

    Under ``bridge`` what carries the second row is linked, and nothing else of the first; columns are not linked.
    """
    if support != BRIDGE or height < 2:
        return np.int64(height) * (np.int64(height) + 1) // 2
    total = np.int64(rows[1]) + 1
    for i in range(1, height):
        total += (i + 1) * np.int64(rows[i])
    return total


@kernel
def is_pyramid(rows, height, base):
    """Whether the wall is the full pyramid of a base."""
    if height != base:
        return False
    for i in range(base):
        if rows[i] != base - i:
            return False
    return True


def points_of(rows: Sequence[int], support: int) -> int:
    """``points`` of rows as the formats write them."""
    return int(points(np.array([*rows, 0, 0], dtype=np.uint8), len(rows), support))
