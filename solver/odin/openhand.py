"""A hand of Odin with all cards open: what a seat can force against all others together, by alpha-beta.

What a seat wants is the *lead*: the points of all others less its own, once for each of them; with two players, the
difference. All others play as one side against it (the paranoid assumption of Sturtevant and Korf 2000), so with more
than two players the lead is what the seat is sure of, whatever they do.

A hand never grows, and whoever does not want to need not take a card: so the lead lies between what it would be if the
seat kept all its cards and the others none, and the other way round. Where a side can only lose by going on, ending the
hand at once is best.
"""

from typing import NamedTuple

import numpy as np

from ..bits import ZERO, U, lowest, popcount
from ..errors import InputError
from ..exact.ordering import pick
from ..exact.solution import Solution
from ..exact.table import AT_LEAST, AT_MOST, EXACT, Table, empty, probe, store
from ..jit import kernel
from ..position import Observation, Position
from .cards import NO_SET, cards_of, value_of
from .knowledge import whole_truth
from .plays import fewest_plays
from .rules import points, set_in, taken_by, write_moves
from .state import GOAT_POINTS, HAND, MAX_MOVES, ONE_HAND, SEATS

I64 = np.int64
PLIES = 400
"""More than any hand has had; a search that goes deeper gives up."""
ENTRIES_LOG2, LEAST_LOG2 = 21, 10
SOLVE_NODES = 20_000_000
"""Enough for most deals of nine cards between two, or of six among three."""
MOST = (SEATS - 1) * (HAND + GOAT_POINTS)
"""More than any lead."""
M1, M2, S29, S32 = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(29), U(32)
TURN, OWNER, WORTH, ALPHA, BETA, BEST, MOVE, COUNT, NEXT, FLOOR, CEILING = range(11)
"""Columns of a frame: seat to play, owner and value of the set on the table; window, best lead and move so far, moves
and the one looked at, and the window at entry."""


class Room(NamedTuple):
    """What a search works in; a row a ply.

    Attributes:
        table: positions met.
        moves, merits: ``int32[PLIES, MAX_MOVES]``, moves and how promising they are.
        hands: ``uint64[PLIES, SEATS]``.
        lying: ``uint64[PLIES]``, cards on the table.
        frame: ``int64[PLIES, 11]``, see ``TURN`` … ``CEILING``.
        spent: ``int64[2]``, nodes so far, and 1 if the search gave up.
    """

    table: Table
    moves: np.ndarray
    merits: np.ndarray
    hands: np.ndarray
    lying: np.ndarray
    frame: np.ndarray
    spent: np.ndarray


def room(entries_log2: int = ENTRIES_LOG2) -> Room:
    """Room for a search; 20 bytes an entry of the table, and 7 MB."""
    return Room(
        table=empty(entries_log2),
        moves=np.zeros((PLIES, MAX_MOVES), dtype=np.int32),
        merits=np.zeros((PLIES, MAX_MOVES), dtype=np.int32),
        hands=np.zeros((PLIES, SEATS), dtype=np.uint64),
        lying=np.zeros(PLIES, dtype=np.uint64),
        frame=np.zeros((PLIES, 11), dtype=np.int64),
        spent=np.zeros(2, dtype=np.int64),
    )


@kernel
def _lead(hands, players, seat):
    """The lead of a seat if the hand ended now."""
    lead = 0
    for other in range(players):
        lead += points(hands[other])
    return lead - players * points(hands[seat])


@kernel
def _key(room, ply, players, seat):
    """The position as two halves that the table wants; ``seat`` is whose lead it is about."""
    turn, owner = room.frame[ply, TURN], room.frame[ply, OWNER]
    key = (room.lying[ply] ^ U(turn) << U(56) ^ U(owner + 1) << U(59)) * M1 ^ U(seat | players << 3)
    for other in range(players):
        key = (key ^ key >> S32) * M2 + room.hands[ply, other]
        key = (key ^ key >> S29) * M1
    return key ^ key >> S32, (key ^ key >> S29) * M2


@kernel
def _rate(hand, move):
    """How promising a move is: few plays needed to empty what is left, then few cards, then low ones gone."""
    number = set_in(move)
    left = hand if number == NO_SET else hand & ~cards_of(number) | taken_by(move)
    if left == ZERO:
        return 1_000_000
    return lowest(cards_of(number)) - 1_000 * popcount(left) - 10_000 * fewest_plays(left)


@kernel
def _follow(room, ply, players, move):
    """Write the position after a move into the row below; whether it ends the hand."""
    turn, owner = room.frame[ply, TURN], room.frame[ply, OWNER]
    below, f = room.frame[ply + 1], room.frame[ply]
    for other in range(players):
        room.hands[ply + 1, other] = room.hands[ply, other]
    room.lying[ply + 1], below[OWNER], below[WORTH] = room.lying[ply], owner, f[WORTH]
    number = set_in(move)
    if number != NO_SET:
        cards = cards_of(number)
        room.hands[ply + 1, turn] = room.hands[ply, turn] & ~cards | taken_by(move)
        room.lying[ply + 1], below[OWNER], below[WORTH] = cards, turn, value_of(number)
        if room.hands[ply + 1, turn] == ZERO:
            return True
    following = (turn + 1) % players
    below[TURN] = following
    if following == below[OWNER]:
        room.lying[ply + 1], below[OWNER], below[WORTH] = ZERO, -1, 0
    return False


@kernel
def _remembered(room, players, seat):
    """The move that the table keeps for the position in row 0, or 0."""
    where, check = _key(room, 0, players, seat)
    return I64(probe(room.table, where, check) >> U(32))


@kernel
def search(players, seat, alpha, beta, nodes, room):
    """The lead that ``seat`` can force from the position in row 0: exact within the window, else a bound.

    Args:
        players: number of seats.
        seat: whose lead.
        alpha, beta: the window.
        nodes: at how many ``room.spent[0]`` to give up; then ``room.spent[1]`` is 1 and the lead means nothing.
    """
    frame = room.frame
    frame[0, ALPHA], frame[0, BETA] = alpha, beta
    ply, lead, entering = 0, 0, True
    while True:
        f = frame[ply]
        own = f[TURN] == seat
        returns = False
        if entering:
            room.spent[0] += 1
            if room.spent[0] >= nodes or ply + 2 >= PLIES:
                room.spent[1] = 1
                return 0
            hands = room.hands[ply]
            least = -(players - 1) * points(hands[seat])
            most = 0
            for other in range(players):
                most += points(hands[other])
            most -= points(hands[seat])
            if most <= f[ALPHA]:
                lead, returns = most, True
            elif least >= f[BETA]:
                lead, returns = least, True
            else:
                where, check = _key(room, ply, players, seat)
                kept = probe(room.table, where, check)
                hashed = -1
                if kept != ZERO:
                    hashed = I64(kept >> U(32))
                    found, bound = I64(kept & U(0xFFFF)) - MOST, I64(kept >> U(16) & U(3))
                    if (
                        bound == EXACT
                        or (bound == AT_LEAST and found >= f[BETA])
                        or (bound == AT_MOST and found <= f[ALPHA])
                    ):
                        lead, returns = found, True
                if not returns:
                    moves, merits = room.moves[ply], room.merits[ply]
                    hand = hands[f[TURN]]
                    count = write_moves(hand, room.lying[ply], f[WORTH], moves)
                    for i in range(count):
                        merits[i] = 2_000_000 if I64(moves[i]) == hashed else _rate(hand, moves[i])
                    f[COUNT], f[NEXT], f[MOVE] = count, 0, -1
                    f[BEST] = -MOST if own else MOST
                    f[FLOOR], f[CEILING] = f[ALPHA], f[BETA]
                    entering = False
        else:
            move = I64(room.moves[ply, f[NEXT]])
            if (lead > f[BEST]) if own else (lead < f[BEST]):
                f[BEST], f[MOVE] = lead, move
            if own:
                f[ALPHA] = max(f[ALPHA], lead)
            else:
                f[BETA] = min(f[BETA], lead)
            f[NEXT] += 1
        if not returns and not entering:
            if f[NEXT] < f[COUNT] and f[ALPHA] < f[BETA]:
                move = pick(room.moves[ply], room.merits[ply], f[NEXT], f[COUNT])
                if _follow(room, ply, players, move):
                    lead = _lead(room.hands[ply + 1], players, seat)
                    if own or players == 2:
                        # no other move can be better
                        f[ALPHA], f[BETA], f[NEXT] = lead, lead, f[COUNT] - 1
                        room.moves[ply, f[NEXT]] = move
                    continue
                frame[ply + 1, ALPHA], frame[ply + 1, BETA] = f[ALPHA], f[BETA]
                ply, entering = ply + 1, True
                continue
            lead, returns = f[BEST], True
            bound = AT_MOST if lead <= f[FLOOR] else AT_LEAST if lead >= f[CEILING] else EXACT
            where, check = _key(room, ply, players, seat)
            entry = U(lead + MOST) | U(bound) << U(16) | U(max(f[MOVE], 0)) << U(32)
            store(room.table, where, check, entry, f[COUNT])
        if ply == 0:
            return lead
        ply, entering = ply - 1, False


def _place(position: Position, work: Room) -> None:
    """Write a position into row 0."""
    s = position.state
    work.hands[0] = s.hand
    work.lying[0] = s.table
    work.frame[0, TURN], work.frame[0, WORTH] = s.turn, s.value
    work.frame[0, OWNER] = s.owner if s.table else -1


def lead_of(position: Position, seat: int, nodes: int, work: Room, low: int = -MOST, high: int = MOST) -> int | None:
    """The lead that ``seat`` can force, found by halving what it may be; None when the nodes are used up.

    Args:
        position: a hand that goes on.
        seat: whose lead.
        nodes: at how many of ``work.spent[0]`` to give up.
        work: memory, which may be used again for the same hand.
        low, high: what is known of the lead already; for one below ``low`` or above ``high``, a bound is given.
    """
    players = position.players
    hands = [int(points(hand)) for hand in position.state.hand[:players]]
    least, most = -(players - 1) * hands[seat], sum(hands) - hands[seat]
    low, high = max(low, least), min(high, most)
    while low < high:
        middle = (low + high + 1) // 2
        _place(position, work)
        found = int(search(players, seat, middle - 1, middle, nodes, work))
        if work.spent[1]:
            return None
        if found >= middle:
            low = found
        else:
            high = found
    return low


def proofs(view: Position | Observation, nodes: int) -> np.ndarray:
    """What is proven of each legal move, ``int8[moves]``: +1 it wins by force, -1 it loses to best play, else 0.

    Only of a game of one hand between two is that the same as to lead in the hand; of others nothing is said.
    """
    truth = whole_truth(view)
    moves = truth.moves()
    proven = np.zeros(len(moves), dtype=np.int8)
    if truth.state.limit != ONE_HAND or truth.players != 2 or len(moves) == 0:
        return proven
    seat, work = truth.to_act, room(min(max(nodes.bit_length(), LEAST_LOG2), ENTRIES_LOG2))
    for i, move in enumerate(moves):
        after = truth.play(move)
        lead = _ended(after, seat) if _is_over(after) else lead_of(after, seat, nodes, work, -1, 1)
        if lead is None:
            break
        proven[i] = np.sign(lead)
    return proven


def solve(view: Position | Observation, nodes: int = SOLVE_NODES) -> Solution:
    """What the seat to play can force in a hand with all cards open, and a line in which all play for it.

    The outcome is a win where its lead is above nothing, and a loss where it is below; ``leads`` tells it for every
    move, as far as it was found.

    Raises:
        InputError: hands are hidden, or no seat is to play.
    """
    position = whole_truth(view)
    if position.to_act < 0:
        raise InputError("to_act", "expected a position in which a seat is to play")
    seat, work = position.to_act, room()
    lead = lead_of(position, seat, nodes, work)
    if lead is None:
        return Solution(seat, "unknown", None, (), int(work.spent[0]), dict.fromkeys(position.moves(), "unknown"))
    line, end = _line(position, seat, lead, nodes, work)
    leads = {}
    for move in position.moves():
        after = position.play(move)
        reached = _ended(after, seat) if _is_over(after) else lead_of(after, seat, nodes, work, high=lead)
        if reached is not None:
            leads[move] = reached
    judged = {move: _name(leads[move]) if move in leads else "unknown" for move in position.moves()}
    turns = None if end is None else len(line)
    costs = None if end is None else tuple(int(points(hand)) for hand in end.state.hand[: position.players])
    return Solution(seat, _name(lead), turns, tuple(line), int(work.spent[0]), judged, costs, leads)


def _name(lead: int) -> str:
    return "win" if lead > 0 else "loss" if lead < 0 else "draw"


def _is_over(position: Position) -> bool:
    return position.to_act < 0


def _ended(position: Position, seat: int) -> int:
    return int(_lead(position.state.hand, position.players, seat))


def _kept(position: Position, seat: int, lead: int, nodes: int, work: Room) -> str | None:
    """A move that keeps the lead which ``seat`` can force; None when the nodes are used up before it is found."""
    _place(position, work)
    window = (lead - 1, lead) if position.to_act == seat else (lead, lead + 1)
    search(position.players, seat, *window, nodes, work)
    if work.spent[1]:
        return None
    kept = int(_remembered(work, position.players, seat))
    if kept:
        return position.game.move_text(position.state, kept)
    # any move will do as far as bounds tell, but not all of them need
    for move in position.moves():
        after = position.play(move)
        reached = _ended(after, seat) if _is_over(after) else lead_of(after, seat, nodes, work, lead - 1, lead + 1)
        if reached == lead:
            return move
    return None


def _line(position: Position, seat: int, lead: int, nodes: int, work: Room) -> tuple[list[str], Position | None]:
    """A line in which ``seat`` gets the lead that it can force and no more, and where it ends, if it was found."""
    line: list[str] = []
    while not _is_over(position):
        move = _kept(position, seat, lead, nodes, work)
        if move is None:
            return line, None
        line.append(move)
        position = position.play(move)
    return line, position
