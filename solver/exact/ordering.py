"""Moves in the order of their promise, as far as a search asks for them."""

import numpy as np

from ..jit import kernel


@kernel
def pick(moves, merits, first, count):
    """Bring the most promising of the moves from ``first`` on to that place; it is the one returned."""
    best = first
    for i in range(first + 1, count):
        if merits[i] > merits[best]:
            best = i
    moves[first], moves[best] = moves[best], moves[first]
    merits[first], merits[best] = merits[best], merits[first]
    return np.int64(moves[first])
