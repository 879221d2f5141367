"""The least mess: how many tiles a move costs the seat that makes it, at best.

Until the turn ends nothing that happens depends on hidden tiles, so with enough effort this is exact: an expectimin
search over the seat's own L/R choices with the die averaged. After a curse nothing more comes to the seat, and the
search stops.
"""

import numpy as np

from ..bits import ZERO, bit, has
from ..jit import kernel
from .board import DOWN_LEFT, DOWN_RIGHT, column_of, row_of
from .rules import act, in_contact
from .state import CELL_BITS, CELL_MASK, DIE, DIE_MOVE, DTYPE, FALL, FALL_MOVE, PLACE
from .tiles import FIRST_FIRE, FITTING, MILLSTONE

DEPTH = 48
"""States on the stack of one search; beyond this many decisions in one turn the tiles taken so far count."""
FULL_EFFORT = 4000
"""States a search may look at where exactness counts: turns that need more are rare (see the tests)."""
NO_BOUND = 1e9
LESS = 1e-9
CLEAN, UNCLEAR, MESSY = 0, 1, 2


@kernel
def glance(s, move):
    """What a move surely does, as far as it can be told without playing it: ``CLEAN``, ``MESSY`` or ``UNCLEAR``.

    ``CLEAN``: no mayhem. ``MESSY``: the tile does not fit, so at least one tile is taken.
    """
    if s.phase != PLACE:
        return UNCLEAR
    tile, cell = move >> CELL_BITS, np.int64(move & CELL_MASK)
    row, column = row_of(cell), column_of(cell)
    if row > 0 and not has(FITTING[s.grid[cell + DOWN_LEFT], s.grid[cell + DOWN_RIGHT]], tile):
        return MESSY
    if FIRST_FIRE <= tile < MILLSTONE or s.curse:
        return UNCLEAR
    if s.rows[row + 1] & (bit(column) | bit(column - 1)) != ZERO:
        return UNCLEAR
    for fire in range(4):
        if in_contact(np.int64(s.fire_at[fire]), cell):
            return UNCLEAR
    return CLEAN


@kernel
def _choices(s, seat):
    """Outcomes to look at before the turn ends: of the seat's own fall, or of a die it is charged with."""
    if s.charged != seat:
        return 0
    return 2 if s.phase == FALL else 4 if s.phase == DIE else 0


@kernel
def _least(stack, seat, held, bound, effort):
    """Least expected growth of the seat's tiles from ``stack[0]`` to the end of the turn."""
    taken = np.empty(DEPTH)
    value = np.empty(DEPTH)
    limit = np.empty(DEPTH)
    tried = np.empty(DEPTH, dtype=np.int64)
    choices = np.empty(DEPTH, dtype=np.int64)
    limit[0] = bound
    depth, nodes, entered = 0, 0, True
    while True:
        s = stack[depth]
        if entered:
            nodes += 1
            tried[depth] = 0
            choices[depth] = 0
            value[depth] = taken[depth] = np.int64(s.held[seat]) - held
            if nodes < effort and depth + 1 < DEPTH and taken[depth] <= limit[depth]:
                choices[depth] = _choices(s, seat)
            if choices[depth] > 0:
                value[depth] = NO_BOUND if s.phase == FALL else 0.0
        # tiles taken never come back: a fall that costs nothing more cannot be bettered
        if tried[depth] < choices[depth] and not (s.phase == FALL and value[depth] <= taken[depth]):
            stack[depth + 1] = s
            if s.phase == FALL:
                act(stack[depth + 1], FALL_MOVE | tried[depth])
                limit[depth + 1] = min(limit[depth], value[depth] - LESS)
            else:
                act(stack[depth + 1], DIE_MOVE | (3 + tried[depth]))
                limit[depth + 1] = NO_BOUND
            tried[depth] += 1
            depth += 1
            entered = True
            continue
        if depth == 0:
            return value[0]
        depth -= 1
        entered = False
        if stack[depth].phase == FALL:
            value[depth] = min(value[depth], value[depth + 1])
        else:
            # faces 1, 2 and 3 are one outcome, tried as face 3
            value[depth] += value[depth + 1] * (3.0 if tried[depth] == 1 else 1.0) / 6.0


@kernel
def least_mess(s, move, stack, bound, effort):
    """Least expected number of tiles that the seat to act takes from ``move`` to the end of the turn.

    Args:
        s: state in which a seat is to act.
        move: a legal placement or fall.
        stack: scratch, records of ``DTYPE`` (``DEPTH`` of them).
        bound: a result above this may be too small, but is still above it.
        effort: states to look at, at most; what lies beyond is taken to cost nothing more. 1 counts only what
            happens before the first choice, ``FULL_EFFORT`` looks through to the end of the turn.
    """
    if glance(s, move) == CLEAN:
        return 0.0
    seat = s.turn if s.phase == PLACE else s.charged
    held = np.int64(s.held[seat]) - (1 if s.phase == PLACE else 0)
    stack[0] = s
    act(stack[0], move)
    if effort == 1:
        return np.float64(np.int64(stack[0].held[seat]) - held)
    return _least(stack, seat, held, bound, effort)


def stack() -> np.ndarray:
    """Scratch for ``least_mess``."""
    return np.zeros(DEPTH, dtype=DTYPE)
