"""Who wins when nothing is hidden any more: every move judged by proofs, and the line that the proof plays.

A claim is a certainty: *win* means that the seat to act can force to win whatever all others and the dice do, before
the turn limit; *loss* that one other seat can; *draw* that both players can force at least a draw, or that no seat
can shed its tiles before the turn limit. Everything else is *unknown*, and most positions are: a player with many
tiles can nearly always bring the pyramid down over the last tile of another.
"""

import numpy as np

from ..bits import popcount
from ..errors import InputError
from ..exact.solution import Solution
from ..game import CHANCE
from ..jit import kernel
from ..position import Observation, Position, one_world
from ..rng import stream
from .proof import BOTH, LONGEST, NO_ONE_YET, OPEN, PROVEN, REFUTED, ROOT, Room, ask, make_room, turns_needed
from .rules import legal, play, to_act
from .state import DRAWN, MAX_MOVES, OVER, TURN_LIMIT

I64 = np.int64

EXHAUSTED, WITH_LUCK = 2, 3
"""Further verdicts: not within the longest horizon, and not by force alone; ``REFUTED``: not before the turn limit."""
FIRST_SLICE, GROWTH = 256, 4
LINE_NODES = 1_000_000
"""Nodes for each question about a line: its answers are mostly in the table."""
SOLVE_NODES = 1_000_000
LEAST_TABLE, LARGEST_TABLE = 12, 20


@kernel
def _go_on(asked, budget, room):
    """Go on with a question about ``room.states[ROOT]``, from horizon to horizon.

    Fills in the verdict and the horizon it holds for: of a proof the shortest, if none before it was skipped. When
    force is ruled out up to a near turn limit, the question becomes whether luck with the dice would do.
    """
    s = room.states[ROOT]
    target, step, limit = I64(asked.target), I64(s.players), TURN_LIMIT - I64(s.turns)
    last = room.answer[1] + budget
    verdict = OPEN
    while verdict == OPEN and room.answer[1] < last:
        asked.horizon = min(I64(asked.horizon), limit)
        found = ask(target, I64(asked.helped), I64(asked.horizon), last - room.answer[1], room)
        turns = room.answer[0]
        if found == PROVEN:
            verdict = WITH_LUCK if asked.helped else PROVEN
            asked.horizon = turns
        elif found == REFUTED and turns < limit:
            while asked.horizon <= turns:
                asked.horizon += step
            if min(I64(asked.horizon), limit) > LONGEST:
                verdict = EXHAUSTED
        elif found == REFUTED and s.special_fire and not asked.helped:
            if limit > LONGEST:
                verdict = EXHAUSTED
            asked.helped = 1
            asked.horizon = turns_needed(s, target)
        elif found == REFUTED:
            verdict = REFUTED
    asked.verdict = verdict


@kernel
def _cannot_end(s):
    """Whether it is a draw for want of turns: no seat has enough of them to shed its tiles before the limit."""
    ends = s.phase == OVER and s.winner != DRAWN
    for seat in range(s.players):
        ends = ends or turns_needed(s, seat) <= TURN_LIMIT - I64(s.turns)
    return not ends


@kernel
def _decide(i, seat, room, outcomes):
    """Write down what the questions about move ``i`` have proven; ``after`` ends with the root."""
    s = room.after[i]
    drawn = s.players == 2
    for target in range(s.players):
        asked = room.questions[i, target]
        if asked.verdict == PROVEN:
            room.forced[i] = target
            room.lasts[i] = asked.horizon
            outcomes[i] = 1 if target == seat else -1
        drawn = drawn and asked.verdict == REFUTED
    if drawn or _cannot_end(s):
        room.forced[i] = BOTH
        room.lasts[i] = TURN_LIMIT - I64(s.turns)


@kernel
def _first_questions(root, seat, moves, count, room):
    """A move's questions are whether each seat wins by force after it.

    But whether the seat to act wins is first asked of the root, in row ``count``, where the search finds the most
    promising move on its own.
    """
    for i in range(count + 1):
        after = room.after[i]
        room.after[i] = root
        if i < count:
            play(after, I64(moves[i]))
            room.forced[i] = NO_ONE_YET
        for target in range(root.players):
            asked = room.questions[i, target]
            asked.target = target
            asked.helped = 0
            asked.horizon = turns_needed(after, target)
            asked.verdict = OPEN if i < count or target == seat else EXHAUSTED


@kernel
def _start_at(horizon, seat, count, room):
    """When a shortest win takes ``horizon`` turns, no move has a shorter one."""
    turns = I64(room.after[count].turns)
    for i in range(count):
        room.questions[i, seat].horizon = horizon - (I64(room.after[i].turns) - turns)


@kernel
def prove_moves(root, moves, count, node_budget, every, room, outcomes):
    """Prove for the seat to act (at a die: the seat whose turn it is) what its moves lead to.

    The budget is divided among the questions in slices that grow, so that easy ones are answered first.
    Deterministic, given what the table of ``room`` holds; it may be kept from position to position and from game to
    game.

    Args:
        root: the record; nothing may be hidden in it, and the game must go on.
        moves: ``int32[count]`` or longer, what ``legal`` wrote.
        count: number of moves.
        node_budget: moves to play in search, about half a microsecond each.
        every: whether to go on with the other moves when one that wins is known.
        room: memory, see ``make_room``; ``room.forced`` and ``room.lasts`` are set, too.
        outcomes: ``int8[count]`` or longer: set to +1 for a proven win, -1 for a proven loss, else 0.

    Returns:
        Nodes used.
    """
    seat = I64(root.turn) if to_act(root) == CHANCE else I64(to_act(root))
    outcomes[:count] = 0
    room.answer[1] = 0
    _first_questions(root, seat, moves, count, room)
    whole = room.questions[count, seat]
    share = FIRST_SLICE
    undecided = 1
    while undecided > 0:
        undecided = 0
        for i in range(count, -1, -1):
            for target in range(root.players):
                asked = room.questions[i, target]
                settled = i < count and room.forced[i] != NO_ONE_YET
                waits = i < count and target == seat and whole.verdict == OPEN
                if asked.verdict != OPEN or settled or waits:
                    continue
                if room.answer[1] >= node_budget:
                    return room.answer[1]
                room.states[ROOT] = room.after[i]
                _go_on(asked, min(share * count if i == count else share, node_budget - room.answer[1]), room)
                if i == count and asked.verdict == PROVEN:
                    _start_at(I64(asked.horizon), seat, count, room)
                elif i < count:
                    _decide(i, seat, room, outcomes)
                    undecided += asked.verdict == OPEN and room.forced[i] == NO_ONE_YET
                    if outcomes[i] > 0 and not every:
                        return room.answer[1]
        if undecided == 0 and whole.verdict == OPEN:
            for i in range(count):
                undecided += room.forced[i] == NO_ONE_YET
        share *= GROWTH
    return room.answer[1]


def known_to_all(view: Position | Observation) -> bool:
    """Whether nothing is hidden from anybody: every seat can infer the place of every tile."""
    state, seats = view.state, range(view.players)
    dealt = sum(int(state.unknown[seat]) for seat in seats)
    own = [popcount(state.hand[seat] & ~state.known[seat]) + int(state.hidden[seat]) for seat in seats]
    return all(one_world(dealt, [own[other] for other in seats if other != seat]) for seat in seats)


def whole_truth(view: Position | Observation) -> Position:
    """The only position that a view can be; ``InputError`` when there are several."""
    if isinstance(view, Position):
        return view
    if not known_to_all(view):
        for seat in range(view.players):
            if dealt := int(view.state.unknown[seat]):
                raise InputError(
                    f"unknown[{seat}]", f"expected 0, the whole truth is needed: {dealt} tiles of the pile are hidden"
                )
        raise InputError("hands", "expected tiles that everybody knows, the whole truth is needed")
    return view.world(stream(0, "the only one"))


def solve(position: Position | Observation, nodes: int = SOLVE_NODES) -> Solution:
    """Prove what can be proven of a position with at most ``nodes`` nodes; the line, if there is one, takes more.

    Raises:
        InputError: something is hidden, the game is over, or ``nodes`` is not a positive whole number.
    """
    if type(nodes) is not int or nodes < 1:
        raise InputError("nodes", f"expected a positive whole number, got {nodes!r}")
    truth = whole_truth(position)
    if truth.is_over:
        raise InputError("phase", "expected a game that is not over")
    room = make_room(min(max(nodes.bit_length(), LEAST_TABLE), LARGEST_TABLE))
    moves, outcomes = np.empty(MAX_MOVES, dtype=np.int32), np.empty(MAX_MOVES, dtype=np.int8)
    count = legal(truth.state, moves)
    used = int(prove_moves(truth.state, moves, count, nodes, True, room, outcomes))
    texts = truth.moves()
    forced = room.forced[:count].tolist()
    ends = room.after[:count].turns - truth.state.turns
    lasts = (room.lasts[:count] + ends.astype(np.int64)).tolist()
    chance = truth.to_act == CHANCE
    seat = int(truth.state.turn) if chance else truth.to_act
    names = {seat: "win", BOTH: "draw", NO_ONE_YET: "unknown"}
    judged = {text: names.get(winner, "loss") for text, winner in zip(texts, forced, strict=True)}
    winner = _value(seat, forced, chance)
    if winner == NO_ONE_YET:
        return Solution(seat, "unknown", None, (), used, judged)
    lengths = {text: last for text, last, end in zip(texts, lasts, forced, strict=True) if end == winner}
    first = (min if winner == seat and not chance else max)(lengths, key=lambda text: lengths[text])
    turns = lengths[first]
    if winner == BOTH:
        return Solution(seat, "draw", turns, (), used, judged)
    after = truth.play(first)
    rest = _line(after, winner, turns - int(after.state.turns) + int(truth.state.turns), room)
    return Solution(seat, names.get(winner, "loss"), turns, (first, *rest), used, judged)


def proofs(view: Position | Observation, nodes: int) -> np.ndarray:
    """What is proven of each legal move, ``int8[moves]``: +1 it wins by force, -1 it loses to best play, else 0.

    A fresh table each time, so that the answer depends on the position alone.
    """
    truth = whole_truth(view)
    moves, outcomes = np.empty(MAX_MOVES, dtype=np.int32), np.zeros(MAX_MOVES, dtype=np.int8)
    count = legal(truth.state, moves)
    room = make_room(min(max(nodes.bit_length(), LEAST_TABLE), LARGEST_TABLE))
    prove_moves(truth.state, moves, count, nodes, False, room, outcomes)
    return outcomes[:count]


def _value(seat: int, forced: list[int], chance: bool) -> int:
    """Who wins by force, given who does after each move: ``seat`` chooses, unless it is a die."""
    ends = set(forced)
    if len(ends) == 1:
        return forced[0]
    if chance:
        return NO_ONE_YET
    if seat in ends:
        return seat
    # with three or more, two others may each win somewhere: then neither does by force
    return BOTH if BOTH in ends and NO_ONE_YET not in ends else NO_ONE_YET


def _line(position: Position, winner: int, turns: int, room: Room) -> tuple[str, ...]:
    """The game in which ``winner`` takes the shortest way and everything else holds out longest."""
    line: list[str] = []
    asked = room.questions[0, 0]
    while not position.is_over:
        chosen, longest = None, -1
        for text in position.moves():
            after = position.play(text)
            ends = int(after.state.turns) - int(position.state.turns)
            room.states[ROOT] = after.state
            asked.target, asked.helped = winner, 0
            asked.horizon = turns - ends if position.to_act == winner else turns_needed(after.state, winner)
            _go_on(asked, LINE_NODES, room)
            if asked.verdict == PROVEN and longest < ends + asked.horizon <= turns:
                chosen, longest, then = text, ends + int(asked.horizon), after
            if longest == turns:
                break
        if chosen is None:
            break
        line.append(chosen)
        turns = longest - (int(then.state.turns) - int(position.state.turns))
        position = then
    return tuple(line)
