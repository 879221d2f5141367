"""Alpha-beta for Pylos: two sides, nothing hidden, no chance.

Iterative deepening; principal variation search with an aspiration-free window; a transposition table; moves ordered by
the table's move, killers, what they do for the reserve, and history. A position that has been there before, in the game
or on the way to it, counts as a draw; the table does not know the way (the graph history problem), so scores
that came from such a draw may be met on other ways, as in every program of this kind.

Scores are for the side to move: ``WIN - ply`` for a win so many plies from the root, else an evaluation.
"""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..solver.bits import ZERO, U, popcount
from ..solver.exact.ordering import pick
from ..solver.exact.table import AT_LEAST, AT_MOST, EXACT, Table, empty, probe, store
from ..solver.jit import kernel
from ..solver.position import Observation, Position
from ..solver.pylos.board import APEX_CELL
from ..solver.pylos.rules import (
    RESERVES,
    after,
    fingerprint,
    gain,
    is_stuck,
    packed,
    target_of,
    write_moves,
)
from ..solver.pylos.state import MAX_MOVES
from ..solver.pylos.symmetry import BACK, SYMMETRIES, TURNED, canonical, turned_move, write_keys, write_keys_after
from .watch import Watch
from .worth import BALL, SCALE, judge

I64 = np.int64
WIN = 20_000
DECIDED = WIN - 1_000
"""A score beyond this is a proven win, below its negative a proven loss."""
MAX_PLY = 64
ENTRIES_LOG2 = 20
CHECK_NODES = 2_048
FIRST_NODES = 20_000
"""Nodes between two looks at the clock."""

MIX1, MIX2, S29, S32 = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(29), U(32)


class Memory(NamedTuple):
    """What a search keeps while it goes deeper; a row a ply.

    Attributes:
        table: positions met.
        moves, merits: ``int32[MAX_PLY, MAX_MOVES]``, moves and how promising they are.
        own, other: ``uint64[MAX_PLY]``, the boards.
        line: ``uint64[MAX_PLY + history]``, fingerprints of the game so far and of the line looked at.
        keys: ``uint64[MAX_PLY, 8]``, key of the board under each symmetry.
        frame: ``int64[MAX_PLY, 8]``, see the constants ``COUNT`` … ``ZERO_WINDOW``.
        killers: ``int32[MAX_PLY, 2]``, moves that refuted a sister position.
        history: ``int64[2, 64]``, how often a place was good for a side.
        spent: ``int64[2]``, nodes so far, and 1 if the search was cut off.
        halt: ``int64[1]``, 1 to cut it off from outside.
    """

    table: Table
    moves: np.ndarray
    merits: np.ndarray
    own: np.ndarray
    other: np.ndarray
    line: np.ndarray
    keys: np.ndarray
    frame: np.ndarray
    killers: np.ndarray
    history: np.ndarray
    spent: np.ndarray
    halt: np.ndarray


ALPHA, BETA, DEPTH, BEST, MOVE, COUNT, NEXT, FLOOR = range(8)
"""Columns of a frame: window, depth left, best score and move so far, moves, the one looked at, alpha at entry."""


def memory(entries_log2: int = ENTRIES_LOG2, history: int = 512) -> Memory:
    """Room for a search; 20 bytes an entry of the table, and a megabyte."""
    return Memory(
        table=empty(entries_log2),
        moves=np.zeros((MAX_PLY, MAX_MOVES), dtype=np.int32),
        merits=np.zeros((MAX_PLY, MAX_MOVES), dtype=np.int32),
        own=np.zeros(MAX_PLY, dtype=np.uint64),
        other=np.zeros(MAX_PLY, dtype=np.uint64),
        line=np.zeros(MAX_PLY + history, dtype=np.uint64),
        keys=np.zeros((MAX_PLY, SYMMETRIES), dtype=np.uint64),
        frame=np.zeros((MAX_PLY, 8), dtype=np.int64),
        killers=np.zeros((MAX_PLY, 2), dtype=np.int32),
        history=np.zeros((2, 64), dtype=np.int64),
        spent=np.zeros(2, dtype=np.int64),
        halt=np.zeros(1, dtype=np.int64),
    )


@kernel
def _spread(key, salt):
    """A key and whatever else tells positions apart as the two halves that the table wants."""
    key = key ^ U(salt) * MIX2
    key = (key ^ (key >> S32)) * MIX1
    key = key ^ (key >> S29)
    return key, (key ^ (key >> S32)) * MIX2


@kernel
def _from_table(score, ply):
    """A stored score, wins counted from its own position, as one counted from the root."""
    if score > DECIDED:
        return score - ply
    return score + ply if score < -DECIDED else score


@kernel
def _to_table(score, ply):
    if score > DECIDED:
        return score + ply
    return score - ply if score < -DECIDED else score


@kernel
def search(own, other, seat, rules, depth, alpha, beta, root_ply, past, nodes, room):
    """Score of a position for ``seat``, to move, at a depth; exact within the window, else a bound.

    Args:
        own, other: balls of the side to move, and of the other.
        rules: ``(size, variant, loses, may)``.
        depth: plies to look ahead.
        alpha, beta: the window.
        root_ply: plies from the position that wins are counted from.
        past: how many of ``room.line`` are positions of the game so far, this one not among them.
        nodes: at how many ``room.spent[0]`` to give up; then ``room.spent[1]`` is 1 and the score means nothing.
    """
    size, variant, loses, may = rules
    # what is known under other rules must not be met
    salt = size | variant << 3 | loses << 5 | may << 6
    frame = room.frame
    room.own[0], room.other[0] = own, other
    if seat == 0:
        write_keys(own, other, room.keys[0])
    else:
        write_keys(other, own, room.keys[0])
    frame[0, ALPHA], frame[0, BETA], frame[0, DEPTH] = alpha, beta, depth
    ply, score, entering = 0, 0, True
    while True:
        f = frame[ply]
        mover = (seat + ply) & 1
        mine, theirs = room.own[ply], room.other[ply]
        returns = False
        if entering:
            room.spent[0] += 1
            if room.spent[0] >= nodes or room.halt[0] != 0:
                room.spent[1] = 1
                return 0
            reserve = RESERVES[size, mover] - popcount(mine)
            key = packed(mine, theirs, 0) if mover == 0 else packed(theirs, mine, 1)
            room.line[past + ply] = key
            repeated = False
            for i in range(past + ply - 2, -1, -2):
                if room.line[i] == key:
                    repeated = True
                    break
            if repeated:
                score, returns = 0, True
            elif is_stuck(mine, theirs, reserve, size, loses):
                score, returns = -(WIN - root_ply - ply), True
            elif f[DEPTH] <= 0 or ply == MAX_PLY - 1:
                score = judge(mine, theirs, reserve, RESERVES[size, 1 - mover] - popcount(theirs), size, variant)
                returns = True
            else:
                symmetry = canonical(room.keys[ply])
                where, check = _spread(room.keys[ply, symmetry], salt | mover << 7)
                kept = probe(room.table, where, check)
                hashed = -1
                if kept != ZERO:
                    hashed = turned_move(I64(kept >> U(32) & U(0xFFFFFF)), BACK[symmetry])
                    if I64(kept & U(0xFF)) >= f[DEPTH]:
                        found = _from_table(I64(kept >> U(8) & U(0xFFFF)) - 32768, root_ply + ply)
                        bound = I64(kept >> U(24) & U(3))
                        if (
                            bound == EXACT
                            or (bound == AT_LEAST and found >= f[BETA])
                            or (bound == AT_MOST and found <= f[ALPHA])
                        ):
                            score, returns = found, True
                if not returns:
                    moves, merits = room.moves[ply], room.merits[ply]
                    count = write_moves(mine, theirs, reserve, size, variant, may, moves)
                    for i in range(count):
                        move = I64(moves[i])
                        merit = 1_000_000 * gain(move) + min(room.history[mover, target_of(move)], 900_000)
                        if move == hashed or target_of(move) == APEX_CELL:
                            merit = 2_000_000_000
                        elif move == room.killers[ply, 0] or move == room.killers[ply, 1]:
                            merit += 950_000
                        merits[i] = merit
                    f[COUNT], f[NEXT], f[BEST], f[MOVE], f[FLOOR] = count, 0, -WIN, -1, f[ALPHA]
                    entering = False
        else:
            value = -score
            move = I64(room.moves[ply, f[NEXT]])
            if f[NEXT] > 0 and f[ALPHA] < value < f[BETA] and frame[ply + 1, BETA] - frame[ply + 1, ALPHA] == 1:
                # the null window said it is better: look again with the whole one
                frame[ply + 1, ALPHA], frame[ply + 1, BETA] = -f[BETA], -f[ALPHA]
                frame[ply + 1, DEPTH] = f[DEPTH] - 1
                ply, entering = ply + 1, True
                continue
            if value > f[BEST]:
                f[BEST], f[MOVE] = value, move
            f[ALPHA] = max(f[ALPHA], value)
            f[NEXT] += 1
            if f[ALPHA] >= f[BETA]:
                room.history[mover, target_of(move)] += f[DEPTH] * f[DEPTH]
                if room.killers[ply, 0] != move:
                    room.killers[ply, 1] = room.killers[ply, 0]
                    room.killers[ply, 0] = move
        if not returns and not entering:
            if f[NEXT] < f[COUNT] and f[ALPHA] < f[BETA]:
                move = pick(room.moves[ply], room.merits[ply], f[NEXT], f[COUNT])
                if target_of(move) == APEX_CELL:
                    score = -(WIN - root_ply - ply - 1)
                    frame[ply + 1, ALPHA], frame[ply + 1, BETA] = -WIN, WIN
                    continue
                room.own[ply + 1], room.other[ply + 1] = theirs, after(mine, move)
                if f[DEPTH] > 1:
                    write_keys_after(room.keys[ply], mover, move, room.keys[ply + 1])
                whole = f[NEXT] == 0
                frame[ply + 1, ALPHA] = -f[BETA] if whole else -f[ALPHA] - 1
                frame[ply + 1, BETA] = -f[ALPHA]
                frame[ply + 1, DEPTH] = f[DEPTH] - 1
                ply, entering = ply + 1, True
                continue
            score, returns = f[BEST], True
            bound = AT_LEAST if score >= f[BETA] else EXACT if score > f[FLOOR] else AT_MOST
            symmetry = canonical(room.keys[ply])
            where, check = _spread(room.keys[ply, symmetry], salt | mover << 7)
            best = turned_move(max(f[MOVE], 0), TURNED[symmetry])
            entry = (
                U(max(f[DEPTH], 0))
                | U(_to_table(score, root_ply + ply) + 32768) << U(8)
                | U(bound) << U(24)
                | U(best) << U(32)
            )
            store(room.table, where, check, entry, f[DEPTH] + 1)
        if ply == 0:
            return score
        ply, entering = ply - 1, False


class Found(NamedTuple):
    """What a search found out.

    Attributes:
        scores: of every legal move, in their order, for the side to move: exact for the best, else an upper bound
            unless ``every`` was asked for.
        best: place of the best move; another may have the same score as its bound.
        depth: plies looked ahead in the last finished iteration.
        nodes: positions looked at.
    """

    scores: tuple[int, ...]
    best: int
    depth: int
    nodes: int


def _history(state: Any, room: Memory) -> int:
    """Write the positions of the game so far into the memory; how many there are."""
    past = int(state.plies)
    room.line[:past] = state.seen[:past]
    room.line[past] = fingerprint(state)
    return past + 1


def look_ahead(
    view: Position | Observation,
    *,
    depth: int = MAX_PLY - 2,
    nodes: int | None = None,
    seconds: float | None = None,
    every: bool = False,
    room: Memory | None = None,
    among: Sequence[int] | None = None,
    watch: Watch | None = None,
    tell: Callable[[Found], None] | None = None,
) -> Found:
    """Search deeper and deeper until the depth, the nodes or the time is used up, or the game is decided.

    Args:
        view: a game of Pylos that is not over.
        depth, nodes, seconds: the budget; whatever ends first.
        every: score every move exactly, not just the best.
        room: memory, used again from move to move; a fresh one if None.
        among: places of the legal moves to look at; all if None. The others score 0.
        watch: may stop the search, and says how often to ``tell``.
        tell: takes what was found so far, after a finished iteration.
    """
    watch = watch or Watch()
    room = (room or memory())._replace(halt=watch.halt)
    state, seat = view.state, view.to_act
    rules = (int(state.side), int(state.variant), bool(state.loses), bool(state.may))
    own, other = state.balls[seat], state.balls[1 - seat]
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    reserve = int(RESERVES[rules[0], seat]) - int(popcount(own))
    codes = moves[: write_moves(own, other, reserve, *rules[:2], rules[3], moves)].tolist()
    past = _history(state, room)
    room.spent[:] = 0
    room.killers[:] = 0
    room.history[:] = 0
    began = time.perf_counter()
    scores, reached = [0] * len(codes), 0
    order = list(range(len(codes)) if among is None else among)
    leader, due = order[0], began + watch.every
    for look in range(1, depth + 1):
        fresh = list(scores)
        best, ahead = -WIN, order[0]
        for i in order:
            limit = _limit(nodes, seconds, began, int(room.spent[0]))
            if target_of(codes[i]) == APEX_CELL:
                fresh[i] = WIN - 1
            else:
                child = (other, after(own, codes[i]), 1 - seat, rules, look - 1)
                floor = -WIN if every else best
                fresh[i] = -int(search(*child, -WIN, -floor, 1, past, limit, room))
            if room.spent[1]:
                break
            if fresh[i] > best:
                best, ahead = fresh[i], i
        if room.spent[1]:
            if look == 1:
                scores, leader = fresh, ahead
            break
        scores, leader, reached = fresh, ahead, look
        order.sort(key=lambda i: (i != leader, -scores[i]))
        if tell and time.perf_counter() >= due:
            due = time.perf_counter() + watch.every
            tell(Found(tuple(scores), leader, reached, int(room.spent[0])))
        # what the table knew already may be a longer way than there is within this depth or the next
        if all(WIN - abs(scores[i]) <= look for i in (order if every else (leader,))):
            break
    return Found(tuple(scores), leader, reached, int(room.spent[0]))


def _limit(nodes: int | None, seconds: float | None, began: float, spent: int) -> int:
    """At how many nodes to give up: the budget, or where the time will be over at the pace so far."""
    limit = 1 << 60 if nodes is None else nodes
    if seconds is not None:
        gone = time.perf_counter() - began
        pace = spent / gone if spent > FIRST_NODES else 2e6
        limit = min(limit, spent + max(CHECK_NODES, int(pace * (seconds - gone))))
    return limit


def chance_of(score: int) -> float:
    """A score as a share of the win: certain where it is proven, else a guess."""
    if abs(score) > DECIDED:
        return float(score > 0)
    return 1.0 / (1.0 + math.exp(-score / SCALE))


def told(score: int, depth: int) -> str:
    """What a search of some depth says of a move, in a sentence.

    Beyond that depth it only knows what it happened to remember, and there may be a shorter way.
    """
    if abs(score) > DECIDED:
        plies = WIN - abs(score)
        return f"Proven: {'wins' if score > 0 else 'loses'} in {'' if plies <= depth else 'at most '}{plies}."
    return f"Nothing proven {depth} plies ahead; worth {score / BALL:+.1f} balls."
