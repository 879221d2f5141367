"""Records read in Python: all fields at once, since one by one they are slow."""

from types import SimpleNamespace
from typing import Any

import numpy as np


def plain(state: Any) -> SimpleNamespace:
    """The fields of a record as Python numbers, and as arrays where a field is one."""
    return SimpleNamespace(**dict(zip(state.dtype.names, state.item(), strict=True)))


def legal_moves(state: Any, legal: Any, most: int) -> list[int]:
    """The moves that a game's kernel ``legal`` writes, at most so many."""
    moves = np.empty(most, dtype=np.int32)
    return moves[: legal(state, moves)].tolist()


def members(bits: int) -> list[int]:
    """The numbers that a set of bits holds, in order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
