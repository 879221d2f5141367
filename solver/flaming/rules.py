"""The rules: what may be played, and what happens then.

Clauses in quotes are those of the rules page. Every kernel takes the record ``s`` of ``state.DTYPE`` and changes it
in place.
"""

import numpy as np

from ..bits import ONE, ZERO, bit, has, highest, lowest, popcount, select, without_lowest
from ..game import CHANCE, NO_ONE
from ..jit import kernel
from ..rng import below
from .board import (
    CENTRE,
    DOWN_LEFT,
    DOWN_RIGHT,
    FIRST_COLUMN,
    LAST_COLUMN,
    MAX_HEIGHT,
    MAX_WIDTH,
    NEIGHBOURS,
    NO_CELL,
    ROWS,
    STRIDE,
    UP_LEFT,
    UP_RIGHT,
    beside,
    between,
    column_of,
    held_twice,
    held_up,
    row_of,
    touched,
)
from .state import (
    BEYOND,
    BGA,
    CELL_BITS,
    CELL_MASK,
    DIE,
    DIE_MOVE,
    DRAWN,
    FALL,
    FALL_MOVE,
    HAND,
    LEFT,
    NO_TILE,
    OVER,
    PLACE,
    RIGHT,
    TURN_LIMIT,
)
from .tiles import EMPTY, FIRST_FIRE, FITTING, MATERIAL, MILLSTONE, STRAW, WEIGHT, WOOD

U, I64 = np.uint64, np.int64
FIRST_COAL, FIRST_TORCH = 0, 2
"""Places of the two coals and the two torches in ``fire_at``."""


# --- what may be played ---


@kernel
def must_spots(s, row):
    """Columns of a row that are *must* spots: both supports present, or under ``bga`` a gap in the base."""
    if row > 0:
        return held_twice(s.rows[row - 1]) & ~s.rows[row]
    if s.preset == BGA and s.rows[0] != ZERO:
        return between(s.rows[0])
    return ZERO


@kernel
def count_must_spots(s):
    """Number of must spots on the board."""
    n = 0
    for row in range(s.height + 1):
        n += popcount(must_spots(s, row))
    return n


@kernel
def base_spots(s):
    """Columns of the base that may be used when there is no must spot."""
    base = s.rows[0]
    if base == ZERO:
        return bit(CENTRE)
    ends = bit(lowest(base) - 1) | bit(highest(base) + 1)
    return ends if s.preset == BGA else ends | between(base)


@kernel
def to_act(s):
    """Seat to decide, ``CHANCE`` or ``NO_ONE``."""
    if s.phase == PLACE:
        return I64(s.turn)
    if s.phase == FALL:
        return I64(s.charged)
    return CHANCE if s.phase == DIE else NO_ONE


@kernel
def write_spots(s, cells):
    """Write the cells where the next tile may go into ``cells`` in scan order; how many there are."""
    n = 0
    must = count_must_spots(s) > 0
    for row in range(s.height if must else 0, -1, -1):
        columns = must_spots(s, row) if must else base_spots(s)
        while columns != ZERO:
            cells[n] = STRIDE * row + lowest(columns)
            columns = without_lowest(columns)
            n += 1
    return n


@kernel
def legal(s, moves):
    """Write every legal move into ``moves`` (``int32[MAX_MOVES]``); how many there are. At a die: its six faces."""
    if s.phase == PLACE:
        spots = write_spots(s, moves)
        tiles = s.hand[s.turn]
        n = spots * popcount(tiles)
        # from the last tile to the first, so that the spots at the front are overwritten last
        for i in range(n - 1, -1, -1):
            moves[i] = select(tiles, i // spots) << CELL_BITS | moves[i % spots]
        return n
    if s.phase == FALL:
        moves[0] = FALL_MOVE | LEFT
        moves[1] = FALL_MOVE | RIGHT
        return 2
    if s.phase == DIE:
        for face in range(1, 7):
            moves[face - 1] = DIE_MOVE | face
        return 6
    return 0


@kernel
def _random_spot(s, rng):
    n = count_must_spots(s)
    if n == 0:
        columns = base_spots(s)
        return select(columns, below(rng, popcount(columns)))
    n = below(rng, n)
    row = 0
    columns = must_spots(s, 0)
    while n >= popcount(columns):
        n -= popcount(columns)
        row += 1
        columns = must_spots(s, row)
    return STRIDE * row + select(columns, n)


@kernel
def random_move(s, rng):
    """A uniform legal move, or a roll of the die; the game must not be over."""
    if s.phase == PLACE:
        tiles = s.hand[s.turn]
        return select(tiles, below(rng, popcount(tiles))) << CELL_BITS | _random_spot(s, rng)
    if s.phase == FALL:
        return FALL_MOVE | below(rng, 2)
    return DIE_MOVE | (1 + below(rng, 6))


# --- tiles that move ---


@kernel
def _suspect_above(s, row, column):
    """The two cells that rest on a cell have got or lost a support."""
    s.suspect[row + 1] |= bit(column) | bit(column - 1)


@kernel
def put(s, tile, cell):
    """Lay a tile on an empty cell, which must be within the bounds of the board."""
    row, column = row_of(cell), column_of(cell)
    here = bit(column)
    s.rows[row] |= here
    s.suspect[row] |= here
    _suspect_above(s, row, column)
    if row >= s.height:
        s.height = row + 1
    s.grid[cell] = tile
    material = MATERIAL[tile]
    if material == STRAW:
        s.straw[row] |= here
    elif material == WOOD:
        s.wood[row] |= here
    elif FIRST_FIRE <= tile < MILLSTONE:
        s.fire_at[tile - FIRST_FIRE] = cell


@kernel
def _lift(s, cell):
    """Take a tile off the board; which one."""
    row, column = row_of(cell), column_of(cell)
    away = ~bit(column)
    tile = s.grid[cell]
    s.rows[row] &= away
    s.straw[row] &= away
    s.wood[row] &= away
    s.grid[cell] = EMPTY
    if FIRST_FIRE <= tile < MILLSTONE:
        s.fire_at[tile - FIRST_FIRE] = NO_CELL
    if s.placed == cell:
        s.placed = NO_CELL
    _suspect_above(s, row, column)
    return tile


@kernel
def _take(s, cell):
    """Put a tile of the board under the charged player's pile: all that is taken goes there."""
    tile = _lift(s, cell)
    seat = s.charged
    if s.top[seat] == NO_TILE:
        s.top[seat] = tile
    else:
        s.next[s.bottom[seat]] = tile
    s.next[tile] = NO_TILE
    s.bottom[seat] = tile
    s.held[seat] += 1


@kernel
def _take_supports(s, cell):
    for step in (DOWN_LEFT, DOWN_RIGHT):
        if s.grid[cell + step] != EMPTY:
            _take(s, cell + step)


@kernel
def _take_all(s, cells):
    """Take a set of cells (``uint64[ROWS]``) in scan order."""
    for row in range(ROWS - 1, -1, -1):
        left = cells[row]
        while left != ZERO:
            _take(s, STRIDE * row + lowest(left))
            left = without_lowest(left)


@kernel
def _leave_game(s, cell):
    s.out |= bit(_lift(s, cell))


# --- mayhem ---


@kernel
def has_support(s, cell):
    """Whether a tile above the base rests on at least one other."""
    return s.grid[cell + DOWN_LEFT] != EMPTY or s.grid[cell + DOWN_RIGHT] != EMPTY


@kernel
def _first_floating(s):
    """First tile in scan order above the base without support, or ``NO_CELL``."""
    for row in range(I64(s.height) - 1, 0, -1):
        floating = s.rows[row] & ~held_up(s.rows[row - 1])
        if floating != ZERO:
            return STRIDE * row + lowest(floating)
    return NO_CELL


@kernel
def _first_misfit(s):
    """First tile in scan order that does not fit; only tiles whose supports changed can have ceased to."""
    for row in range(I64(s.height) - 1, 0, -1):
        left = s.suspect[row] & s.rows[row]
        while left != ZERO:
            cell = STRIDE * row + lowest(left)
            if not has(FITTING[s.grid[cell + DOWN_LEFT], s.grid[cell + DOWN_RIGHT]], s.grid[cell]):
                return cell
            left = without_lowest(left)
        s.suspect[row] = ZERO
    return NO_CELL


@kernel
def in_contact(a, b):
    """Whether two cells touch."""
    apart = abs(I64(a) - I64(b))
    return apart == 1 or apart == UP_LEFT or apart == UP_RIGHT


@kernel
def comes_before(cell, other):
    """Whether a cell comes before another (or ``NO_CELL``) in scan order: top to bottom, then left to right."""
    if other == NO_CELL or row_of(cell) != row_of(other):
        return other == NO_CELL or row_of(cell) > row_of(other)
    return cell < other


@kernel
def _some_fire(s):
    """Whether a coal or torch lies on the board: late in a game hardly ever."""
    for fire in range(4):
        if s.fire_at[fire] != NO_CELL:
            return True
    return False


@kernel
def _explode(s):
    """Blow up the first connected group of coals and torches; whether there was one."""
    first = NO_CELL
    for i in range(4):
        cell = I64(s.fire_at[i])
        if cell == NO_CELL:
            continue
        for j in range(4):
            if in_contact(cell, I64(s.fire_at[j])) and comes_before(cell, first):
                first = cell
    if first == NO_CELL:
        return False
    group = np.zeros(ROWS, dtype=np.uint64)
    fires = np.zeros(ROWS, dtype=np.uint64)
    for i in range(4):
        if s.fire_at[i] != NO_CELL:
            fires[row_of(s.fire_at[i])] |= bit(column_of(s.fire_at[i]))
    group[row_of(first)] = bit(column_of(first))
    _spread(group, fires)
    blast = np.zeros(ROWS, dtype=np.uint64)
    for row in range(s.height):
        blast[row] = touched(group, row) & s.rows[row] & ~group[row]
    _take_all(s, blast)
    for row in range(ROWS):
        while group[row] != ZERO:
            _leave_game(s, STRIDE * row + lowest(group[row]))
            group[row] = without_lowest(group[row])
    return True


@kernel
def _spread(reached, through):
    """Add to the set ``reached`` all of the set ``through`` that is connected with it by touching."""
    grows = True
    while grows:
        grows = False
        for row in range(ROWS):
            wider = reached[row] | (touched(reached, row) & through[row])
            if wider != reached[row]:
                reached[row] = wider
                grows = True


@kernel
def _fuel(s, fire, row):
    """Columns of a row that may burn: "a coal burns straw, a torch burns straw and wood"."""
    return s.straw[row] | s.wood[row] if fire >= FIRST_TORCH else s.straw[row]


@kernel
def _is_fuel(s, fire, cell):
    return has(_fuel(s, fire, row_of(cell)), column_of(cell))


@kernel
def _would_burn(s, fire):
    """Whether the fire tile on the board touches fuel and, under ``special_fire``, may roll for it now."""
    cell = I64(s.fire_at[fire])
    row, here = row_of(cell), bit(column_of(cell))
    fuel = beside(here) & _fuel(s, fire, row) | held_up(here) & _fuel(s, fire, row + 1)
    if row > 0:
        fuel |= (here | here << ONE) & _fuel(s, fire, row - 1)
    if fuel == ZERO or not s.special_fire:
        return fuel != ZERO
    if s.placed == NO_CELL or has(U(s.rolled), fire):
        return False
    placed = I64(s.placed)
    return placed == cell or (in_contact(placed, cell) and _is_fuel(s, fire, placed))


@kernel
def _first_burning(s):
    """The fire tile that burns first, as a place in ``fire_at``: torches, then coals, each in scan order; or -1."""
    for pair in (FIRST_TORCH, FIRST_COAL):
        one = s.fire_at[pair] != NO_CELL and _would_burn(s, pair)
        other = s.fire_at[pair + 1] != NO_CELL and _would_burn(s, pair + 1)
        if one and other:
            return pair if comes_before(I64(s.fire_at[pair]), I64(s.fire_at[pair + 1])) else pair + 1
        if one or other:
            return pair if one else pair + 1
    return -1


@kernel
def _burn(s, fire):
    """Take every burnable tile reached from the fire tile by touching burnable tiles."""
    cell = I64(s.fire_at[fire])
    burning = np.zeros(ROWS, dtype=np.uint64)
    fuel = np.zeros(ROWS, dtype=np.uint64)
    for row in range(s.height):
        fuel[row] = _fuel(s, fire, row)
    burning[row_of(cell)] = bit(column_of(cell))
    _spread(burning, fuel)
    burning[row_of(cell)] &= ~bit(column_of(cell))
    _take_all(s, burning)


@kernel
def _first_cursed(s):
    """First tile whose two supports are present and have its weight, or ``NO_CELL``."""
    for row in range(I64(s.height) - 1, 0, -1):
        left = s.rows[row] & held_twice(s.rows[row - 1])
        while left != ZERO:
            cell = STRIDE * row + lowest(left)
            weight = WEIGHT[s.grid[cell]]
            if weight == WEIGHT[s.grid[cell + DOWN_LEFT]] and weight == WEIGHT[s.grid[cell + DOWN_RIGHT]]:
                return cell
            left = without_lowest(left)
    return NO_CELL


@kernel
def settle(s):
    """Resolve mayhem, event by event, until somebody must decide or nothing is left: then the phase is ``PLACE``."""
    while True:
        while s.height > 0 and s.rows[s.height - 1] == ZERO:
            s.height -= 1
        cell = _first_floating(s)
        if cell != NO_CELL:
            s.at = cell
            s.phase = FALL
            return
        cell = _first_misfit(s)
        if cell != NO_CELL:
            _take_supports(s, cell)
            s.at = cell
            s.phase = FALL
            if s.placed == cell:
                s.placed = NO_CELL
            return
        some_fire = _some_fire(s)
        if some_fire and _explode(s):
            continue
        fire = _first_burning(s) if some_fire else -1
        if fire >= 0:
            if s.special_fire:
                s.at = s.fire_at[fire]
                s.phase = DIE
                return
            _burn(s, fire)
            _leave_game(s, I64(s.fire_at[fire]))
            continue
        if s.curse:
            cell = _first_cursed(s)
            if cell != NO_CELL:
                s.charged = (s.turn + s.players - 1) % s.players
                _take(s, cell)
                _take_supports(s, cell)
                continue
        s.at = NO_CELL
        s.phase = PLACE
        return


# --- moves ---


@kernel
def columns_in_use(s):
    """Columns with a tile in any row."""
    columns = ZERO
    for row in range(s.height):
        columns |= s.rows[row]
    return columns


@kernel
def _shift(s, by):
    """Move the pyramid by some columns, to the right if positive."""
    tiles = s.grid.copy()
    s.grid[:] = EMPTY
    for row in range(s.height):
        left = s.rows[row]
        suspect = s.suspect[row] & left
        s.rows[row] = s.straw[row] = s.wood[row] = s.suspect[row] = ZERO
        while left != ZERO:
            cell = STRIDE * row + lowest(left)
            put(s, tiles[cell], cell + by)
            left = without_lowest(left)
        s.suspect[row] = suspect << U(by) if by > 0 else suspect >> U(-by)
    if s.at != NO_CELL:
        s.at = I64(s.at) + by
    if s.placed != NO_CELL:
        s.placed = I64(s.placed) + by


@kernel
def _with_room(s, cell):
    """``cell``, or where it lies when the pyramid had to be moved to make room for it; ``NO_CELL`` if nothing helps."""
    if row_of(cell) >= MAX_HEIGHT:
        return NO_CELL
    if FIRST_COLUMN <= column_of(cell) <= LAST_COLUMN:
        return cell
    columns = columns_in_use(s) | bit(column_of(cell))
    width = highest(columns) - lowest(columns) + 1
    if width > MAX_WIDTH:
        return NO_CELL
    by = (STRIDE - width) // 2 - lowest(columns)
    _shift(s, by)
    return cell + by


@kernel
def act(s, move):
    """Play a move and resolve mayhem, but leave the turn open: when all is resolved the phase is ``PLACE``.

    What happens until then depends on nothing hidden.
    """
    if s.phase == PLACE:
        tile = move >> CELL_BITS
        cell = _with_room(s, move & CELL_MASK)
        if cell == NO_CELL:
            s.phase = BEYOND
            return
        s.hand[s.turn] &= ~bit(tile)
        s.known[s.turn] &= ~bit(tile)
        s.held[s.turn] -= 1
        put(s, tile, cell)
        s.placed = cell
    elif s.phase == FALL:
        down = DOWN_RIGHT if move & 1 == RIGHT else DOWN_LEFT
        cell = _with_room(s, I64(s.at) + down)
        if cell == NO_CELL:
            s.phase = BEYOND
            return
        put(s, _lift(s, I64(s.at)), cell)
    else:
        face = move & CELL_MASK
        cell = I64(s.at)
        fire = I64(s.grid[cell]) - FIRST_FIRE
        s.rolled |= 1 << fire
        if face <= 4:
            _burn(s, fire)
        elif face == 5:
            for step in NEIGHBOURS:
                if cell + step >= 0 and s.grid[cell + step] != EMPTY:
                    _take(s, cell + step)
        if face == 4 or face == 5:
            _leave_game(s, cell)
    settle(s)


@kernel
def _draw_up(s, seat):
    while s.top[seat] != NO_TILE and popcount(s.hand[seat]) < HAND:
        tile = s.top[seat]
        s.top[seat] = s.next[tile]
        s.hand[seat] |= bit(tile)
        if s.unknown[seat] > 0:
            s.unknown[seat] -= 1
        else:
            s.known[seat] |= bit(tile)


@kernel
def end_turn(s):
    """Draw, see whether the player to move has won, and pass the turn on; all mayhem must be resolved."""
    seat = s.turn
    _draw_up(s, seat)
    s.turns += 1
    s.placed = NO_CELL
    s.rolled = 0
    s.charged = seat
    if s.held[seat] == 0:
        s.phase = OVER
        s.winner = seat
    elif s.turns >= TURN_LIMIT:
        s.phase = OVER
        s.winner = DRAWN
    else:
        s.turn = (seat + 1) % s.players
        s.charged = s.turn


@kernel
def play(s, move):
    """Play a legal move, or a face of the die."""
    act(s, move)
    if s.phase == PLACE:
        end_turn(s)


@kernel
def payoff(s, out):
    """Share of the win of every seat, into ``out`` (``float64[players]``): 1 to the winner, equal shares of a draw."""
    for seat in range(s.players):
        if s.winner < s.players:
            out[seat] = 1.0 if seat == s.winner else 0.0
        else:
            out[seat] = 1.0 / s.players
