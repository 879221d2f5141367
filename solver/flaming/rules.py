"""The rules: what may be played, and what happens then.

Clauses in quotes are those of the rules page. Every kernel takes the record ``s`` of ``state.DTYPE`` and changes it
in place.
"""

from ..bits import ZERO, bit, has, highest, lowest, popcount, select, without_lowest
from ..game import CHANCE, NO_ONE
from ..jit import kernel
from ..rng import below
from .board import (
    BASE,
    BASE_ROW,
    CELLS,
    COLUMNS,
    LAST_COLUMN,
    LEFT_OF_BASE,
    NO_CELL,
    NOTHING,
    ONE_ROW,
    STRIDE,
    U,
    between,
    common,
    first,
    flooded,
    minus,
    nth,
    resting,
    single,
    size,
    some,
    supported_by_two,
    touching,
    union,
)
from .state import (
    BEYOND,
    BGA,
    DIE,
    DIE_MOVE,
    DRAWN,
    FALL,
    FALL_MOVE,
    HAND,
    LEFT,
    NO_TILE,
    NOBODY,
    OVER,
    PLACE,
    RIGHT,
    TURN_LIMIT,
)
from .tiles import COALS, EMPTY, FIRE, FIRST_FIRE, FITTING, MATERIAL, STRAW, TORCHES, WEIGHT, WOOD

ROOM = 2 * STRIDE
"""Cells below this number are in the two topmost rows, which are kept free."""


@kernel
def occupied(s):
    """The set of cells with a tile."""
    return s.occupied[0], s.occupied[1], s.occupied[2]


@kernel
def cells_of(s, material):
    """The set of cells with a tile of one material."""
    return s.material[material, 0], s.material[material, 1], s.material[material, 2]


# --- what may be played ---


@kernel
def spots(s):
    """The set of cells where the next tile may go; ``LEFT_OF_BASE`` stands for column -1 of the base."""
    board = occupied(s)
    if not some(board):
        return single(BASE)
    must = minus(supported_by_two(board), board)
    base = board[2] & BASE_ROW
    gaps = between(base)
    if s.preset == BGA:
        must = must[0], must[1], must[2] | gaps
        gaps = ZERO
    if some(must):
        return must
    return ZERO, ZERO, gaps | bit(lowest(base) - 1) | bit(highest(base) + 1)


@kernel
def to_act(s):
    """Seat to decide, ``CHANCE`` or ``NO_ONE``."""
    if s.phase == PLACE:
        return int(s.turn)
    if s.phase == FALL:
        return int(s.charged)
    return CHANCE if s.phase == DIE else NO_ONE


@kernel
def legal(s, moves):
    """Write every legal move into ``moves`` (``int32[MAX_MOVES]``); how many there are. At a die: its six faces."""
    n = 0
    if s.phase == PLACE:
        where = spots(s)
        tiles = s.hand[s.turn]
        while tiles != ZERO:
            tile = lowest(tiles)
            tiles = without_lowest(tiles)
            for word in range(3):
                left = where[word]
                while left != ZERO:
                    moves[n] = tile << 8 | (64 * word + lowest(left))
                    left = without_lowest(left)
                    n += 1
    elif s.phase == FALL:
        moves[0] = FALL_MOVE | LEFT
        moves[1] = FALL_MOVE | RIGHT
        n = 2
    elif s.phase == DIE:
        for face in range(1, 7):
            moves[n] = DIE_MOVE | face
            n += 1
    return n


@kernel
def random_move(s, rng):
    """A uniform legal move, or a roll of the die; the game must not be over."""
    if s.phase == PLACE:
        tiles = s.hand[s.turn]
        where = spots(s)
        tile = select(tiles, below(rng, popcount(tiles)))
        return tile << 8 | nth(where, below(rng, size(where)))
    if s.phase == FALL:
        return FALL_MOVE | below(rng, 2)
    return DIE_MOVE | (1 + below(rng, 6))


# --- tiles that move ---


@kernel
def _suspect(s, cells):
    for word in range(3):
        s.suspect[word] |= cells[word]


@kernel
def _put(s, tile, cell):
    word = cell >> 6
    s.occupied[word] |= bit(cell & 63)
    s.material[MATERIAL[tile], word] |= bit(cell & 63)
    s.grid[cell] = tile
    here = single(cell)
    _suspect(s, union(here, resting(here)))


@kernel
def _lift(s, cell):
    tile = s.grid[cell]
    word = cell >> 6
    s.occupied[word] &= ~bit(cell & 63)
    s.material[MATERIAL[tile], word] &= ~bit(cell & 63)
    s.grid[cell] = EMPTY
    _suspect(s, resting(single(cell)))
    if s.placed == cell:
        s.placed = NO_CELL
    return tile


@kernel
def _take(s, cell):
    """ "Every tile taken goes to the bottom of the charged player's pile." """
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
def _take_all(s, cells):
    """Take a set of tiles in scan order."""
    for word in range(3):
        left = cells[word]
        while left != ZERO:
            _take(s, 64 * word + lowest(left))
            left = without_lowest(left)


@kernel
def _leave_game(s, cells):
    for word in range(3):
        left = cells[word]
        while left != ZERO:
            s.out |= bit(_lift(s, 64 * word + lowest(left)))
            left = without_lowest(left)


# --- mayhem ---


@kernel
def _first_misfit(s):
    """First tile in scan order that does not fit; only tiles whose supports changed can have ceased to."""
    for word in range(3):
        left = s.suspect[word] & s.occupied[word]
        if word == 2:
            left &= ~BASE_ROW
        while left != ZERO:
            cell = 64 * word + lowest(left)
            fitting = FITTING[s.grid[cell + STRIDE], s.grid[cell + STRIDE + 1]]
            if not has(fitting, s.grid[cell]):
                return cell
            left = without_lowest(left)
        s.suspect[word] = ZERO
    return NO_CELL


@kernel
def _explode(s, fires):
    """Blow up the first connected group of coals and torches; whether there was one."""
    in_contact = common(touching(fires), fires)
    if not some(in_contact):
        return False
    group = flooded(single(first(in_contact)), fires)
    _take_all(s, common(minus(touching(group), group), occupied(s)))
    _leave_game(s, group)
    return True


@kernel
def _fuel(s, fire_tile):
    """Cells that may burn: "a coal burns straw, a torch burns straw and wood"."""
    straw = cells_of(s, STRAW)
    return union(straw, cells_of(s, WOOD)) if has(TORCHES, fire_tile) else straw


@kernel
def _lights(s, cell, fuel):
    """Whether the fire tile on ``cell``, which touches ``fuel``, burns now."""
    if not s.special_fire:
        return True
    if s.placed == NO_CELL or has(U(s.rolled), s.grid[cell] - FIRST_FIRE):
        return False
    touched = common(touching(single(cell)), fuel)
    return s.placed == cell or some(common(touched, single(int(s.placed))))


@kernel
def _first_burning(s, fires):
    """Cell of the fire tile that burns first: torches before coals, each kind in scan order; or ``NO_CELL``."""
    for kind in (TORCHES, COALS):
        for word in range(3):
            left = fires[word]
            while left != ZERO:
                cell = 64 * word + lowest(left)
                left = without_lowest(left)
                if has(kind, s.grid[cell]):
                    fuel = _fuel(s, s.grid[cell])
                    if some(common(touching(single(cell)), fuel)) and _lights(s, cell, fuel):
                        return cell
    return NO_CELL


@kernel
def _burn(s, cell):
    _take_all(s, flooded(single(cell), _fuel(s, s.grid[cell])))


@kernel
def _first_cursed(s, board):
    """First tile whose two supports are present and have its weight, or ``NO_CELL``."""
    candidates = common(supported_by_two(board), board)
    for word in range(3):
        left = candidates[word]
        while left != ZERO:
            cell = 64 * word + lowest(left)
            weight = WEIGHT[s.grid[cell]]
            if weight == WEIGHT[s.grid[cell + STRIDE]] and weight == WEIGHT[s.grid[cell + STRIDE + 1]]:
                return cell
            left = without_lowest(left)
    return NO_CELL


@kernel
def _take_supports(s, cell):
    for support in (cell + STRIDE, cell + STRIDE + 1):
        if s.grid[support] != EMPTY:
            _take(s, support)


@kernel
def _settle(s):
    """Resolve mayhem, event by event, until somebody must decide or nothing is left: then the phase is ``PLACE``."""
    s.at = NO_CELL
    while True:
        board = occupied(s)
        floating = minus(minus(board, resting(board)), (ZERO, ZERO, BASE_ROW))
        if some(floating):
            s.at = first(floating)
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
        fires = cells_of(s, FIRE)
        if some(fires):
            if _explode(s, fires):
                continue
            cell = _first_burning(s, fires)
            if cell != NO_CELL:
                if s.special_fire:
                    s.phase = DIE
                    s.at = cell
                    return
                _burn(s, cell)
                _leave_game(s, single(cell))
                continue
        if s.curse:
            cell = _first_cursed(s, board)
            if cell != NO_CELL:
                s.charged = (s.turn + s.players - 1) % s.players
                _take(s, cell)
                _take_supports(s, cell)
                continue
        s.phase = PLACE
        return


# --- columns: after every move the smallest column in use is 0 ---


@kernel
def _shift_sets(s, columns):
    """Move every set of cells by some columns to the right (negative: to the left)."""
    for word in range(3):
        s.suspect[word] &= s.occupied[word]
    if columns > 0:
        by = U(columns)
        for word in range(3):
            s.occupied[word] <<= by
            s.suspect[word] <<= by
            for material in range(4):
                s.material[material, word] <<= by
    else:
        by = U(-columns)
        for word in range(3):
            s.occupied[word] >>= by
            s.suspect[word] >>= by
            for material in range(4):
                s.material[material, word] >>= by


@kernel
def _make_room_on_the_left(s):
    """Move the pyramid one column to the right; False when it has no room there."""
    for word in range(3):
        if s.occupied[word] & LAST_COLUMN != ZERO:
            return False
    for cell in range(CELLS - 1, ROOM, -1):
        s.grid[cell] = s.grid[cell - 1]
    _shift_sets(s, 1)
    return True


@kernel
def _renumber_columns(s):
    columns = s.occupied[0] | s.occupied[1] | s.occupied[2]
    columns |= columns >> U(32)
    columns = (columns | columns >> U(16)) & ONE_ROW
    if columns == ZERO or has(columns, 0):
        return
    by = lowest(columns)
    for cell in range(first(occupied(s)) - by, CELLS - by):
        s.grid[cell] = s.grid[cell + by]
    _shift_sets(s, -by)
    if s.at != NO_CELL:
        s.at -= by
    if s.placed != NO_CELL:
        s.placed -= by


# --- moves ---


@kernel
def _has_room(cell):
    return cell >= ROOM and cell % STRIDE < COLUMNS


@kernel
def act(s, move):
    """Play a move and resolve mayhem, but leave the turn open: when all is resolved the phase is ``PLACE``.

    What happens until then depends on nothing hidden.
    """
    tile = move >> 8
    if s.phase == PLACE:
        cell = move & 0xFF
        if cell == LEFT_OF_BASE:
            cell = BASE if _make_room_on_the_left(s) else NO_CELL
        if not _has_room(cell) or cell == NO_CELL:
            s.phase = BEYOND
            return
        s.hand[s.turn] &= ~bit(tile)
        s.known[s.turn] &= ~bit(tile)
        s.held[s.turn] -= 1
        _put(s, tile, cell)
        s.placed = cell
    elif s.phase == FALL:
        cell = int(s.at) + STRIDE + (move & 1)
        if not _has_room(cell):
            s.phase = BEYOND
            return
        _put(s, _lift(s, int(s.at)), cell)
    else:
        face = move & 0xFF
        cell = int(s.at)
        s.rolled |= 1 << (s.grid[cell] - FIRST_FIRE)
        if face <= 4:
            _burn(s, cell)
        elif face == 5:
            _take_all(s, common(touching(single(cell)), occupied(s)))
        if face == 4 or face == 5:
            _leave_game(s, single(cell))
    _settle(s)
    _renumber_columns(s)


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
        if s.winner < NOBODY - 1:
            out[seat] = 1.0 if seat == s.winner else 0.0
        else:
            out[seat] = 1.0 / s.players
