"""Records read in Python: all fields at once, since one by one they are slow."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np


def plain(state: Any) -> SimpleNamespace:
    """The fields of a record as Python numbers, and as arrays where a field is one."""
    return SimpleNamespace(**dict(zip(state.dtype.names, state.item(), strict=True)))


def legal_texts(state: Any, legal: Any, most: int, move_texts: Callable[..., list[str]]) -> dict[str, int]:
    """The moves that a kernel ``legal`` writes, at most so many, by what ``move_texts`` calls them, in their order."""
    buffer = np.empty(most, dtype=np.int32)
    moves = buffer[: legal(state, buffer)].tolist()
    return dict(zip(move_texts(state, moves), moves, strict=True))


def members(bits: Any) -> list[int]:
    """The numbers that a set of bits holds, in order."""
    bits, found = int(bits), []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found
