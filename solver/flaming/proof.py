"""Proof-number search of Flaming Pyramids with all cards open: can one seat, the *target*, force to win?

The question is always asked with a horizon: within so many finished turns. The target chooses at its own decisions;
all other seats, and the dice unless they are on the target's side, choose against it. A state with its horizon never
comes back, since every line uses turns up and every turn ends; so repetition cannot fake a proof, and no cut-off for
it is needed. The search is depth-first proof-number search (Nagai 2002) on an explicit stack.

What the table keeps of a state holds at any turn count and for any horizon: in how many turns a win has been proven,
for how many turns it has been refuted, and the numbers that guide the search. The turn limit enters through the
horizon alone.
"""

import hashlib
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..bits import ZERO, has, lowest, without_lowest
from ..exact.table import Table, empty, probe, store
from ..jit import kernel
from .board import CELLS, DOWN_LEFT, DOWN_RIGHT, NEIGHBOURS, NO_CELL, STRIDE
from .rules import columns_in_use, legal, play, to_act, write_spots
from .state import BEYOND, DIE, DRAWN, DTYPE, FALL, MAX_MOVES, NO_TILE, OVER, PLACE, SEATS
from .tiles import FIRST_FIRE, FITTING, MILLSTONE, TILES

U, I64 = np.uint64, np.int64

FRAMES = 160
PLACES = 4096
ROOT = PLACES - 1
"""Depth of the stack in decisions, and places for the states on it with all their children, the last for the root;
what would need more stays unknown."""
LONGEST = 40
"""Largest horizon asked for, in turns."""
FOREVER = 1023
"""``refuted`` of a state that the target cannot win whatever the horizon."""
LIMIT = (1 << 22) - 2
BLOCKED = LIMIT + 1
"""Proof numbers are at most ``LIMIT``; both are ``BLOCKED`` where the search cannot go on."""
FALL_GUESS = 4
"""Proof numbers that a state with a falling tile starts with, others start with 1: to see a fall through to its end
before all other falls have begun saves most of the nodes."""

REFUTED, OPEN, PROVEN = -1, 0, 1

FRAME = np.dtype(
    [
        ("place", "i4"),
        ("prove", "i4"),  # proof numbers at which to leave the frame
        ("refute", "i4"),
        ("first", "i4"),  # its children, as a range of places
        ("end", "i4"),
        ("chosen", "i4"),
        ("nodes", "i8"),  # nodes spent before it was entered
        ("horizon", "i2"),
        ("helps", "i1"),  # whether the choice is the target's
    ]
)
CHILD = np.dtype(
    [
        ("where", "u8"),
        ("key", "u8"),
        ("prove", "i4"),
        ("refute", "i4"),
        ("won", "i2"),  # turns in which a win is proven, if prove is 0
        ("lost", "i2"),  # turns for which it is refuted, if refute is 0
        ("ends", "i1"),  # turns that the move finishes: 0 or 1
    ]
)
QUESTION = np.dtype([("target", "i1"), ("helped", "i1"), ("verdict", "i1"), ("horizon", "i2")])
NO_ONE_YET, BOTH = -1, -2
"""``forced`` of a move that nothing is proven of, and of one that leads to a certain draw."""

HAND_AT = CELLS
PILE_AT = HAND_AT + SEATS
SPOTS = PILE_AT + SEATS * TILES
"""Places of a tile, for fingerprints: a cell counted from the leftmost column, a hand, a position in a pile."""
MARK_AT, MARK_PLACED, MARK_CLOCK, MARK_RULES = range(TILES, TILES + 4)


class Room(NamedTuple):
    """All the memory of a search: made once, used for any number of questions.

    Attributes:
        states: ``DTYPE[PLACES]``, the states of ``children``; the one asked about is at ``ROOT``.
        frames: ``FRAME[FRAMES]``.
        children: ``CHILD[PLACES]``.
        moves: ``int32[MAX_MOVES]``.
        marks: ``uint64[TILES + 4, SPOTS, 2]``, random.
        table: what is known of states.
        answer: ``int64[2]``: turns for which the last question was proven or refuted, and nodes used.
        after: ``DTYPE[MAX_MOVES + 1]``, of the position last given to ``prove_moves``: the states after each of
            ``count`` moves, then that position itself.
        questions: ``QUESTION[MAX_MOVES + 1, SEATS]``, what is asked of each of ``after``.
        forced: ``int8[MAX_MOVES]``: the seat that wins by force after a move, ``BOTH`` for a certain draw, or
            ``NO_ONE_YET``.
        lasts: ``int16[MAX_MOVES]``: turns from there until the shortest forced win or the draw.
    """

    states: Any
    frames: Any
    children: Any
    moves: np.ndarray
    marks: np.ndarray
    table: Table
    answer: np.ndarray
    after: Any
    questions: Any
    forced: np.ndarray
    lasts: np.ndarray


@lru_cache(maxsize=1)
def _noise(length: int) -> bytes:
    """So many random bytes, the same in every process; to make them takes as long as a small proof."""
    return hashlib.shake_256(b"fingerprints").digest(length)


def make_room(entries_log2: int = 18) -> Room:
    """Memory for a search: about 7 MB, and 20 bytes for each of ``2**entries_log2`` table entries."""
    shape = (TILES + 4, SPOTS, 2)
    noise = _noise(8 * shape[0] * shape[1] * shape[2])
    return Room(
        np.zeros(PLACES, dtype=DTYPE).view(np.recarray),
        np.zeros(FRAMES, dtype=FRAME).view(np.recarray),
        np.zeros(PLACES, dtype=CHILD).view(np.recarray),
        np.zeros(MAX_MOVES, dtype=np.int32),
        np.frombuffer(noise, dtype=np.uint64).reshape(shape).copy(),
        empty(entries_log2),
        np.zeros(2, dtype=np.int64),
        np.zeros(MAX_MOVES + 1, dtype=DTYPE).view(np.recarray),
        np.zeros((MAX_MOVES + 1, SEATS), dtype=QUESTION).view(np.recarray),
        np.zeros(MAX_MOVES, dtype=np.int8),
        np.zeros(MAX_MOVES, dtype=np.int16),
    )


@kernel
def fingerprint(s, question, marks):
    """Both halves of the fingerprint of a state under a question: all that matters but the number of turns."""
    where, key = ZERO, ZERO
    columns = columns_in_use(s)
    left = lowest(columns) if columns != ZERO else 0
    for row in range(s.height):
        tiles = s.rows[row]
        while tiles != ZERO:
            cell = STRIDE * row + lowest(tiles)
            tiles = without_lowest(tiles)
            tile = s.grid[cell]
            where ^= marks[tile, cell - left, 0]
            key ^= marks[tile, cell - left, 1]
    for seat in range(s.players):
        tiles = s.hand[seat]
        while tiles != ZERO:
            tile = lowest(tiles)
            tiles = without_lowest(tiles)
            where ^= marks[tile, HAND_AT + seat, 0]
            key ^= marks[tile, HAND_AT + seat, 1]
        place = PILE_AT + TILES * seat
        drawn = s.top[seat]
        while drawn != NO_TILE:
            where ^= marks[drawn, place, 0]
            key ^= marks[drawn, place, 1]
            place += 1
            drawn = s.next[drawn]
    if s.at != NO_CELL:
        where ^= marks[MARK_AT, I64(s.at) - left, 0]
        key ^= marks[MARK_AT, I64(s.at) - left, 1]
    if s.special_fire and s.placed != NO_CELL:
        where ^= marks[MARK_PLACED, I64(s.placed) - left, 0]
        key ^= marks[MARK_PLACED, I64(s.placed) - left, 1]
    clock = (I64(s.turn) * SEATS + I64(s.charged)) * 3 + I64(s.phase)
    rules = ((I64(s.players) * 2 + I64(s.preset)) * 2 + I64(s.curse)) * 2 + I64(s.special_fire)
    where ^= marks[MARK_CLOCK, clock, 0] ^ marks[MARK_RULES, rules, 0]
    key ^= marks[MARK_CLOCK, clock, 1] ^ marks[MARK_RULES, rules, 1]
    where ^= marks[MARK_CLOCK, 500 + question, 0] ^ marks[MARK_CLOCK, 600 + I64(s.rolled), 0]
    key ^= marks[MARK_CLOCK, 500 + question, 1] ^ marks[MARK_CLOCK, 600 + I64(s.rolled), 1]
    return where, key


@kernel
def turns_needed(s, seat):
    """Turns that must at least be finished before ``seat`` can have won: it sheds one tile a turn of its own."""
    held = I64(s.held[seat])
    if s.turn != seat:
        return (seat - I64(s.turn) + s.players) % s.players + 1 + s.players * (held - 1)
    return 1 + s.players * (held - 1 if s.phase == PLACE else held)


@kernel
def sheds_last(s):
    """Whether the seat whose turn it is surely wins in this turn.

    It does when it has one tile to place, which fits somewhere away from all fires; or when it has none left, and
    the curse charges somebody else with all that is still to come.
    """
    if s.phase != PLACE:
        return s.held[s.turn] == 0 and s.charged != s.turn
    tile = lowest(s.hand[s.turn])
    if s.held[s.turn] != 1 or FIRST_FIRE <= tile < MILLSTONE:
        return False
    spots = np.empty(MAX_MOVES, dtype=np.int32)
    for i in range(write_spots(s, spots)):
        cell = I64(spots[i])
        safe = cell < STRIDE or has(FITTING[s.grid[cell + DOWN_LEFT], s.grid[cell + DOWN_RIGHT]], tile)
        for step in NEIGHBOURS:
            if cell + step >= 0 and FIRST_FIRE <= s.grid[cell + step] < MILLSTONE:
                safe = False
        if safe:
            return True
    return False


@kernel
def _judge(s, target, question, horizon, room, child):
    """Fill in what is known of a state: from the rules, a bound or the table, else a guess of its proof numbers."""
    child.prove, child.refute = 1, 1
    child.won = child.lost = 0
    if s.phase == OVER:
        if s.winner == target:
            child.prove = 0
        else:
            # a draw is one of the turn limit, which no table entry may depend on
            child.refute = 0
            child.lost = 0 if s.winner == DRAWN else FOREVER
        return
    if s.phase == BEYOND:
        child.prove = child.refute = BLOCKED
        return
    needed = turns_needed(s, target)
    if needed > horizon:
        child.refute = 0
        child.lost = needed - 1
        return
    if sheds_last(s):
        if s.turn == target:
            child.prove = 0
            child.won = 1
        else:
            child.refute = 0
            child.lost = FOREVER
        return
    child.where, child.key = fingerprint(s, question, room.marks)
    known = probe(room.table, child.where, child.key)
    won, lost = I64(known & U(1023)), I64(known >> U(10) & U(1023))
    if won > 0 and won <= horizon:
        child.prove = 0
        child.won = won
    elif lost >= horizon and lost > 0:
        child.refute = 0
        child.lost = lost
    else:
        prove, refute = I64(known >> U(20) & U(LIMIT + 1)), I64(known >> U(42))
        if prove > 0 and refute > 0:
            child.prove, child.refute = prove, refute
        else:
            child.prove = child.refute = FALL_GUESS if s.phase == FALL else 1


@kernel
def _remember(room, frame, child):
    """Store what has been found out about the state of a frame, next to what was known of it."""
    known = probe(room.table, child.where, child.key)
    won, lost = I64(known & U(1023)), I64(known >> U(10) & U(1023))
    if won == 0 or (child.won > 0 and child.won < won):
        won = I64(child.won)
    lost = max(lost, I64(child.lost))
    payload = U(won) | U(lost) << U(10) | U(child.prove) << U(20) | U(child.refute) << U(42)
    store(room.table, child.where, child.key, payload, room.answer[1] - frame.nodes + 1)


@kernel
def _expand(frame, depth, end, target, helped, room):
    """List the children of a frame's state from place ``end`` on, with what is known of them.

    One that decides the matter ends the list. False if there is no room.
    """
    s = room.states[frame.place]
    frame.helps = to_act(s) == target or (s.phase == DIE and helped)
    frame.first = frame.end = end
    frame.nodes = room.answer[1]
    count = legal(s, room.moves)
    if count == 0 or end + count > ROOT or depth + 1 >= FRAMES:
        return False
    for i in range(count):
        if s.phase == DIE and 0 < i < 3:
            continue  # faces 1, 2 and 3 do the same
        child = room.children[frame.end]
        room.states[frame.end] = s
        after = room.states[frame.end]
        play(after, I64(room.moves[i]))
        room.answer[1] += 1
        child.ends = I64(after.turns) - I64(s.turns)
        _judge(after, target, 2 * target + helped, I64(frame.horizon) - child.ends, room, child)
        frame.end += 1
        if (child.prove if frame.helps else child.refute) == 0:
            break
    return True


@kernel
def ask(target, helped, horizon, budget, room):
    """Ask whether ``target`` can force to win the game at ``room.states[ROOT]`` within ``horizon`` turns.

    ``horizon`` must not reach past the turn limit; ``helped``: 1 if the dice are on the target's side, else 0.

    Returns:
        ``PROVEN``, ``REFUTED`` or, when ``budget`` more nodes were not enough, ``OPEN``; ``room.answer`` tells for how
        many turns, and counts the nodes.
    """
    frames, children = room.frames, room.children
    last = room.answer[1] + budget
    root = children[ROOT]
    root.ends = 0
    _judge(room.states[ROOT], target, 2 * target + helped, horizon, room, root)
    searching = root.prove > 0 and root.refute > 0 and root.prove != BLOCKED
    depth, end = 0, I64(0)
    place = I64(ROOT)
    opened = True
    frames[0].prove = frames[0].refute = BLOCKED
    frames[0].horizon = horizon
    while searching:
        frame = frames[depth]
        if place >= 0:
            frame.place = place
            opened = _expand(frame, depth, end, target, helped, room)
        mine = children[frame.place]
        rival = I64(BLOCKED)
        if opened:
            frame.chosen, rival = _sum_up(frame, children, mine)
        else:
            mine.prove = mine.refute = BLOCKED
        blocked = mine.prove == BLOCKED and mine.refute == BLOCKED
        if mine.prove >= frame.prove or mine.refute >= frame.refute or blocked or room.answer[1] >= last:
            if not blocked:
                _remember(room, frame, mine)
            searching = depth > 0
            depth -= 1
            place, opened = I64(-1), True
            continue
        child = children[frame.chosen]
        below = frames[depth + 1]
        below.horizon = frame.horizon - child.ends
        wider = min(rival + rival // 4 + 1, BLOCKED)
        if frame.helps:
            below.prove = min(I64(frame.prove), wider)
            below.refute = frame.refute - mine.refute + child.refute
        else:
            below.prove = frame.prove - mine.prove + child.prove
            below.refute = min(I64(frame.refute), wider)
        depth += 1
        place, end = I64(frame.chosen), I64(frame.end)
    room.answer[0] = max(root.won, root.lost)
    if root.prove == 0:
        return PROVEN
    return REFUTED if root.refute == 0 else OPEN


@kernel
def _sum_up(frame, children, mine):
    """Fill in what is known of a frame's state from its children; the child to open, and its rival's number.

    Told for a seat that wants to prove; for one that wants to refute the two proof numbers change places.
    """
    least, rival, total, chosen = BLOCKED + 1, BLOCKED, 0, -1
    helps = frame.helps != 0
    turns = I64(FOREVER if helps else 0)
    mine.won = mine.lost = 0
    for place in range(frame.first, frame.end):
        child = children[place]
        own, other = int(child.prove), int(child.refute)
        if not helps:
            own, other = other, own
        solved = max(I64(child.won), I64(child.lost))
        if solved != FOREVER:
            solved += child.ends
        if own == 0:
            mine.prove, mine.refute = (0, BLOCKED) if helps else (BLOCKED, 0)
            if helps:
                mine.won = solved
            else:
                mine.lost = solved
            return place, 0
        if other == 0:
            turns = min(turns, solved) if helps else max(turns, solved)
            continue
        total = min(total + other, LIMIT)
        if own < least:
            least, rival, chosen = own, least, place
        elif own < rival:
            rival = own
    if chosen < 0:
        mine.prove, mine.refute = (BLOCKED, 0) if helps else (0, BLOCKED)
        if helps:
            mine.lost = turns
        else:
            mine.won = turns
    elif least == BLOCKED:
        mine.prove = mine.refute = BLOCKED
    else:
        mine.prove, mine.refute = (least, total) if helps else (total, least)
    return chosen, min(rival, BLOCKED)
