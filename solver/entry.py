"""Kernels of the contract as Python calls them often: with an array of one record.

To call a kernel numba looks at the type of what it is given: that of an array at once, that of a record field by field,
which takes longer than most kernels.
"""

from . import game
from .jit import kernel


@kernel
def to_act(states):
    """Seat to decide, ``CHANCE`` or ``NO_ONE``."""
    return game.to_act(states[0])


@kernel
def legal(states, moves):
    """Write all legal moves into ``moves`` and return their number."""
    return game.legal(states[0], moves)


@kernel
def play(states, move):
    """Play a move in place."""
    game.play(states[0], move)


@kernel
def players(states):
    """Number of seats."""
    return game.players(states[0])


@kernel
def conceal(states, seat):
    """Cut the record down, in place, to what one seat knows."""
    game.conceal(states[0], seat)
