"""All positions of a variant solved at once, by sweeps over a table of one byte a position.

A value is 0 while nothing is known, else one more than the plies until the game ends under best play: the winner
hurries, the loser delays. So even values are wins of the side to move, odd ones losses, 1 is lost already. Each
sweep goes from full boards to empty ones and gives every position the value that follows from those after it. The
values known at any time can be forced, and they only ever fall; where a whole sweep changes nothing they are exact,
and what is still 0 is a draw: neither side can force an end.

A change is worth one more than a change that it follows from. So where the smallest value that a sweep changed
something to is ``v``, the next one changes nothing to less than ``v + 1``, and what is worth no more than that already
need not be looked at again.

Proof. A position worth ``v`` has, if won, a lost one worth ``v - 1`` after it, and if lost nothing but won ones
worth at most ``v - 1``; so by induction the game can be brought to its end in time. At the fixed point no value can be
too large: take a too large one whose true value is smallest; those it truly follows from are exact, so it would
follow. And a position worth 0 has no lost position after it, but one worth 0: its side can always go round.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from ..bits import ONE, ZERO, U, bit, has, lowest, popcount, without_lowest
from ..jit import kernel
from .board import APEX, CELLS, LINES, SQUARE, SQUARES, dense, open_cells
from .classes import APEX_BIT, class_of, compress, number_in, rank, turn
from .rules import RESERVES, free_balls, sources, takes_back, targets, write_takings
from .state import BEGINNER, EXPERT, FIELD_MASK, FIRST, MAX_MOVES, NOWHERE, SECOND
from .symmetry import SYMMETRIES

I64 = np.int64
LOST, WON = 1, 2
"""The side to move has lost, and: it can put a ball on the apex."""
UNKNOWN = 256
SCORE = np.array([UNKNOWN if value == 0 else 2 * UNKNOWN - value if value & 1 else value for value in range(UNKNOWN)])
"""How much a side likes to leave a value to the other: best lost soon, then lost late, unknown, won late, won soon."""
NO_MOVE = -1

CELL_OF = np.array(CELLS)
"""Cell of a bit of a dense board."""
NO_CELL = len(CELLS)
DENSE_CELL = np.full(64, NO_CELL)
DENSE_CELL[CELL_OF] = range(len(CELLS))
"""Bit of a cell in a dense board; ``NO_CELL`` for those that there are not."""
CHUNKS, CHUNK_BITS = 3, 10
CHUNK = 1 << CHUNK_BITS
CHUNK_MASK = U(CHUNK - 1)
S2, S10, S20 = U(2), U(CHUNK_BITS), U(2 * CHUNK_BITS)
BINOMIAL = np.array([[comb(n, k) for k in range(17)] for n in range(31)])


class Rules(NamedTuple):
    """What a solution depends on besides the size."""

    variant: int
    loses: bool
    may: bool


class Fan(NamedTuple):
    """The moves of one occupancy, whoever the balls belong to, and where the positions after them are.

    Arrays of ``MOVES`` entries but the first. The position after a move is found by turning the balls of the side that
    did not move, chunk by chunk, each chunk of ten cells by a table.

    Attributes:
        words: ``uint64[3, 1024]``, the cells of each subset of a chunk of the occupied cells.
        sources, targets: ``int64``, cells.
        filled: ``uint64``, the dense occupancy after the move.
        lines: ``uint64[MOVES, 6]``, cells besides the target that let the mover take balls back, if they are all own.
        line_count: ``int64``.
        classes: ``int64``, class of the occupancy after the move.
        turned: ``uint32[MOVES, 3, 1024]``, where the cells of a subset of a chunk are in that class.
    found: ``int32[MOVES, 31, 31]``, class and symmetry after two dense cells are taken back too, the second 30 when
        it is only one; -1 where nobody has asked yet.
    """

    words: np.ndarray
    sources: np.ndarray
    targets: np.ndarray
    filled: np.ndarray
    lines: np.ndarray
    line_count: np.ndarray
    classes: np.ndarray
    turned: np.ndarray
    found: np.ndarray


MOVES = 128
"""More moves than an occupancy has, ways of taking back left out: at most 117, with a full base and nothing on it."""


def fan() -> Fan:
    """Room for the moves of an occupancy."""
    return Fan(
        words=np.zeros((CHUNKS, CHUNK), dtype=np.uint64),
        sources=np.zeros(MOVES, dtype=np.int64),
        targets=np.zeros(MOVES, dtype=np.int64),
        filled=np.zeros(MOVES, dtype=np.uint64),
        lines=np.zeros((MOVES, 6), dtype=np.uint64),
        line_count=np.zeros(MOVES, dtype=np.int64),
        classes=np.zeros(MOVES, dtype=np.int64),
        turned=np.zeros((MOVES, CHUNKS, CHUNK), dtype=np.uint32),
        found=np.full((MOVES, NO_CELL + 1, NO_CELL + 1), -1, dtype=np.int32),
    )


@kernel
def _add_line(moves, i, line, target, left):
    """Note a line through the target, if balls of one side may fill it."""
    needed = line & ~bit(target)
    if needed & ~left == ZERO:
        moves.lines[i, moves.line_count[i]] = needed
        moves.line_count[i] += 1


@kernel
def _add_move(ix, rules, moves, i, source, target, occupied):
    """Fill in entry ``i``: a ball from ``source`` goes to ``target``."""
    left = occupied & ~bit(source)
    moves.sources[i], moves.targets[i] = source, target
    moves.filled[i] = dense(left | bit(target))
    moves.line_count[i] = 0
    moves.found[i] = -1
    if rules.variant != BEGINNER:
        for corner in (target, target - 1, target - 4, target - 5):
            if corner >= 0 and has(SQUARES, corner):
                _add_line(moves, i, SQUARE << U(corner), target, left)
    if rules.variant == EXPERT:
        _add_line(moves, i, LINES[target, 0], target, left)
        _add_line(moves, i, LINES[target, 1], target, left)
    found = class_of(ix, moves.filled[i])
    moves.classes[i] = found >> 3
    place = 0
    for cell in range(APEX_BIT):
        if not has(occupied, CELL_OF[cell]):
            continue
        image = np.uint32(0)
        if CELL_OF[cell] != source:
            image = np.uint32(compress(ix, found >> 3, turn(ix, found & 7, bit(cell))))
        chunk, half = place // CHUNK_BITS, 1 << (place % CHUNK_BITS)
        for j in range(half):
            moves.turned[i, chunk, half + j] = moves.turned[i, chunk, j] | image
        place += 1


@kernel
def spread(ix, rules, cls, moves):
    """Write the moves of a class into a fan.

    Returns:
        ``(moves, occupied, topping)``: their number, the occupied cells, and where a ball for the apex can come from.
    """
    occupied, place = ZERO, 0
    for i in range(APEX_BIT):
        if has(ix.masks[cls], i):
            cell = bit(CELL_OF[i])
            occupied |= cell
            chunk, half = place // CHUNK_BITS, 1 << (place % CHUNK_BITS)
            for j in range(half):
                moves.words[chunk, half + j] = moves.words[chunk, j] | cell
            place += 1
    count, topping = 0, ZERO
    balls = sources(occupied, occupied, 1)
    while balls != ZERO:
        source = lowest(balls)
        balls = without_lowest(balls)
        spots = targets(source, occupied, ix.size)
        if spots & APEX != ZERO:
            topping |= bit(source)
            spots &= ~APEX
        while spots != ZERO:
            _add_move(ix, rules, moves, count, source, lowest(spots), occupied)
            spots = without_lowest(spots)
            count += 1
    return count, occupied, topping


@kernel
def _lets_take(moves, i, own):
    """Whether move ``i`` completes something of ``own`` balls."""
    for j in range(moves.line_count[i]):
        if own & moves.lines[i, j] == moves.lines[i, j]:
            return True
    return False


@kernel
def _score_takings(ix, values, side, moved, other, moves, i, again, takings, turned):
    """The most liked position after move ``i``, to ``moved``, and taking back one or two of them.

    To take back the very ball that moved leads to the same positions wherever it went: ``again`` leaves them out.
    """
    theirs, best, known, target = dense(other), NO_MOVE, 0, DENSE_CELL[moves.targets[i]]
    for j in range(write_takings(moved, moved | other, False, 0, takings, 0)):
        first, second = DENSE_CELL[takings[j] >> FIRST & FIELD_MASK], DENSE_CELL[takings[j] >> SECOND]
        if again and (first == target or second == target):
            continue
        found = I64(moves.found[i, first, second])
        if found < 0:
            found = class_of(ix, moves.filled[i] & ~(bit(first) | bit(second)))
            moves.found[i, first, second] = found
        symmetry = found & 7
        if known >> symmetry & 1 == 0:
            turned[symmetry] = turn(ix, symmetry, theirs)
            known |= 1 << symmetry
        best = max(best, SCORE[values[number_in(ix, side, found >> 3, turned[symmetry])]])
    return best


@kernel
def unrank(place, n, k):
    """The set of ``n`` numbers below ``k`` that has this colexicographic rank."""
    cells = ZERO
    top = k - 1
    for i in range(n, 0, -1):
        while BINOMIAL[top, i] > place:
            top -= 1
        cells |= bit(top)
        place -= BINOMIAL[top, i]
        top -= 1
    return cells


@kernel
def following(cells):
    """The next set of as many numbers in colexicographic order (Gosper's hack); ``cells`` must not be empty."""
    least = cells & (~cells + ONE)
    carried = cells + least
    return carried | (cells ^ carried) >> S2 >> U(lowest(cells))


@kernel
def following_value(best):
    """Value of a position from the score of the most liked one after it, or ``NO_MOVE``."""
    if best > UNKNOWN:
        return 2 * UNKNOWN - best + 1
    return 0 if best == UNKNOWN else LOST if best == NO_MOVE else best + 1


@kernel
def _mark(ix, due, side, occupied, own):
    """Mark a position, under all its numbers: where a class is symmetric in itself there are several."""
    board, mine = dense(occupied), dense(own)
    found = class_of(ix, board)
    cls = found >> 3
    if ix.orbits[cls] == SYMMETRIES:
        due[number_in(ix, side, cls, turn(ix, found & 7, mine))] = 1
        return
    for symmetry in range(SYMMETRIES):
        if turn(ix, symmetry, board) == U(ix.masks[cls]):
            due[number_in(ix, side, cls, turn(ix, symmetry, mine))] = 1


@kernel
def _mark_moves_to(ix, rules, due, side, own, other, back):
    """Mark the positions from which ``own`` made a move to this one, before it took the balls ``back`` back."""
    limit = RESERVES[ix.size, side]
    moved = own | back
    occupied = moved | other
    if popcount(moved) > limit:
        return
    rest = free_balls(moved, occupied)
    while rest != ZERO:
        target = lowest(rest)
        rest = without_lowest(rest)
        if back != ZERO and not takes_back(moved, target, rules.variant):
            continue
        left, empty = moved & ~bit(target), occupied & ~bit(target)
        _mark(ix, due, side, empty, left)
        spots = open_cells(empty, ix.size)
        while spots != ZERO:
            source = lowest(spots)
            spots = without_lowest(spots)
            if source >> 4 < target >> 4:
                _mark(ix, due, side, empty | bit(source), left | bit(source))


@kernel
def mark_before(ix, rules, due, side, own, other):
    """Mark every position that a move leads from to this one, and some more; ``own`` is the side that moved.

    Balls taken back are put on open cells again, one or two; then the ball that moved leaves its place, to the reserve
    or to an open cell further down.
    """
    _mark_moves_to(ix, rules, due, side, own, other, ZERO)
    if rules.variant == BEGINNER:
        return
    firsts = open_cells(own | other, ix.size) & ~APEX
    while firsts != ZERO:
        last = bit(lowest(firsts))
        firsts = without_lowest(firsts)
        _mark_moves_to(ix, rules, due, side, own, other, last)
        seconds = open_cells(own | other | last, ix.size) & ~APEX
        while seconds != ZERO:
            _mark_moves_to(ix, rules, due, side, own, other, last | bit(lowest(seconds)))
            seconds = without_lowest(seconds)


@kernel
def sweep(ix, values, rules, moves, pieces, due, marks, only_due, settled):
    """Give positions the values that follow from those after them.

    Args:
        ix: an ``Index``.
        values: ``uint8[positions]``.
        rules: ``Rules``.
        moves: scratch, a ``Fan``.
        pieces: ``int64[pieces, 5]``: side, class, own balls, first rank and the one after the last.
        due: ``uint8[positions]``, 1 where something after a position has changed since it was looked at; empty unless
            ``marks``.
        marks: whether to keep ``due``.
        only_due: whether to look at nothing else.
        settled: the largest value that cannot change any more; positions with it or a smaller one are passed over.

    Returns:
        How many positions were looked at, how many changed, and the smallest value that one changed to.
    """
    looked, changed, least = 0, 0, UNKNOWN
    starts = np.zeros(MOVES, dtype=np.int64)
    turns = np.zeros(SYMMETRIES, dtype=np.uint64)
    takings = np.empty(MAX_MOVES, dtype=np.int32)
    count, occupied, topping, spread_class = 0, ZERO, ZERO, -1
    for piece in range(pieces.shape[0]):
        side, cls, n, start, stop = pieces[piece]
        if cls != spread_class:
            count, occupied, topping = spread(ix, rules, cls, moves)
            spread_class = cls
        k = I64(ix.balls[cls])
        opposite = 1 - side if ix.sides == 2 else 0
        has_reserve = RESERVES[ix.size, side] > n
        reserve = bit(NOWHERE) if has_reserve else ZERO
        is_lost = rules.loses and not has_reserve
        first = ix.first[side, cls] + ix.before[side, k, n]
        for i in range(count):
            after = moves.classes[i]
            starts[i] = ix.first[opposite, after] + ix.before[opposite, I64(ix.balls[after]), k - n]
        if only_due and not due[first + start : first + stop].any():
            continue
        everything = bit(k) - ONE
        mine = unrank(start, n, k)
        for place in range(first + start, first + stop):
            if only_due and due[place] == 0:
                if n > 0:
                    mine = following(mine)
                continue
            if marks:
                due[place] = 0
            if 0 < values[place] <= settled:
                if n > 0:
                    mine = following(mine)
                continue
            looked += 1
            value = LOST
            own = (
                moves.words[0, mine & CHUNK_MASK]
                | moves.words[1, mine >> S10 & CHUNK_MASK]
                | moves.words[2, mine >> S20]
            )
            if not is_lost:
                movable = own | reserve
                if movable & topping != ZERO:
                    value = WON
                else:
                    theirs = everything ^ mine
                    low, middle, high = theirs & CHUNK_MASK, theirs >> S10 & CHUNK_MASK, theirs >> S20
                    best, done = NO_MOVE, ZERO
                    for i in range(count):
                        source = moves.sources[i]
                        if not has(movable, source):
                            continue
                        takes = _lets_take(moves, i, own)
                        if not takes or rules.may:
                            turned = moves.turned[i, 0, low] | moves.turned[i, 1, middle] | moves.turned[i, 2, high]
                            best = max(best, SCORE[values[starts[i] + rank(ix, U(turned))]])
                        if takes:
                            moved = own & ~bit(source) | bit(moves.targets[i])
                            other, again = occupied ^ own, has(done, source)
                            liked = _score_takings(ix, values, opposite, moved, other, moves, i, again, takings, turns)
                            best = max(best, liked)
                            done |= bit(source)
                    value = following_value(best)
            if values[place] != value:
                values[place] = value
                changed += 1
                least = min(least, value)
                if marks:
                    mark_before(ix, rules, due, opposite, occupied ^ own, own)
            if n > 0:
                mine = following(mine)
    return looked, changed, least
