"""The rules of Odin on records."""

import numpy as np

from ..bits import ZERO, U, bit, lowest, popcount, select, without_lowest
from ..game import CHANCE, NO_ONE
from ..jit import kernel
from ..rng import below, draw
from .cards import GOAT, NO_SET, cards_of, next_set, set_of, single, value_of
from .state import (
    DEAL,
    DEAL_MOVE,
    GAME,
    GOAT_POINTS,
    HAND,
    NOBODY,
    NOTHING,
    ONE_HAND,
    OVER,
    PASS,
    PLAY,
    POINTS,
    SEED_MASK,
    TAKEN_SHIFT,
)
from .worlds import deal_hands

I64 = np.int64
SET_MASK = (1 << TAKEN_SHIFT) - 1
MOST_POINTS = HAND - 1 + GOAT_POINTS
"""Points of a hand that nobody has played from and that holds the goat."""
POINTS_A_HAND, SPREAD, LEAST_HANDS = 4.0, 5.6, 0.6
"""Of the seat with the most points, how far hands scatter, and how many are always to come; fitted to 2,500 games each
of ``greedy`` and ``keep-sets`` with 2, 3, 4 and 6 players (least log loss; the tests hold it against other spreads)."""


@kernel
def to_act(s):
    """Seat to decide, ``CHANCE`` when the next hand is to be dealt, ``NO_ONE`` when the game is over."""
    if s.phase == PLAY:
        return I64(s.turn)
    return CHANCE if s.phase == DEAL else NO_ONE


@kernel
def leads(hand, moves):
    """Write the moves that lead a round: each card alone, and the whole hand if it is a set; their number."""
    count = 0
    rest = hand
    while rest != ZERO:
        moves[count] = single(lowest(rest)) | PASS
        count += 1
        rest = without_lowest(rest)
    if count > 1 and set_of(hand) != NO_SET:
        moves[count] = set_of(hand) | PASS
        count += 1
    return count


@kernel
def write_moves(hand, table, value, moves):
    """Write the moves of a hand on a table worth so much into ``moves`` (``int32[MAX_MOVES]``); their number."""
    if table == ZERO:
        return leads(hand, moves)
    moves[0] = PASS
    count, size = 1, popcount(table)
    played = next_set(hand, size, value, NO_SET)
    while played != NO_SET:
        if cards_of(played) == hand:
            moves[count] = played | PASS
            count += 1
        else:
            rest = table
            while rest != ZERO:
                moves[count] = played | lowest(rest) << TAKEN_SHIFT
                count += 1
                rest = without_lowest(rest)
        played = next_set(hand, size, value, played)
    return count


@kernel
def legal(s, moves):
    """Write all moves of the seat to act; their number, 0 for chance: there are too many deals."""
    if s.phase != PLAY:
        return 0
    return write_moves(s.hand[s.turn], s.table, I64(s.value), moves)


@kernel
def set_in(move):
    """The set that a move plays, ``NO_SET`` for a pass."""
    return I64(move) & SET_MASK


@kernel
def taken_by(move):
    """The card that a move takes, as a set of cards."""
    card = I64(move) >> TAKEN_SHIFT
    return ZERO if card == NOTHING else bit(card)


@kernel
def random_move(s, rng):
    """A uniform legal move; at chance, a deal."""
    if s.phase == DEAL:
        return DEAL_MOVE | I64(draw(rng) & U(SEED_MASK))
    hand = s.hand[s.turn]
    if s.table == ZERO:
        whole = set_of(hand) if popcount(hand) > 1 else NO_SET
        n = popcount(hand)
        place = below(rng, n + (1 if whole != NO_SET else 0))
        return (whole if place == n else single(select(hand, place))) | PASS
    size = popcount(s.table)
    # to pass is one way; a set counts for as many as there are cards to take
    chosen, total = NO_SET, 1
    played = next_set(hand, size, I64(s.value), NO_SET)
    while played != NO_SET:
        ways = 1 if cards_of(played) == hand else size
        total += ways
        if below(rng, total) < ways:
            chosen = played
        played = next_set(hand, size, I64(s.value), played)
    if chosen == NO_SET or cards_of(chosen) == hand:
        return chosen | PASS
    return chosen | select(s.table, below(rng, size)) << TAKEN_SHIFT


@kernel
def points(hand):
    """What the cards left in a hand cost: one each, the goat five in all."""
    return popcount(hand) + (GOAT_POINTS - 1 if hand & GOAT != ZERO else 0)


@kernel
def play(s, move):
    """Play a move, or deal the next hand, in place."""
    move = I64(move)
    if s.phase == DEAL:
        s.opener = (s.opener + 1) % s.players
        deal_hands(s, move)
        return
    number = set_in(move)
    seat = I64(s.turn)
    if number != NO_SET:
        cards, taken = cards_of(number), taken_by(move)
        s.hand[seat] = s.hand[seat] & ~cards | taken
        s.known[seat] = s.known[seat] & ~cards | taken
        s.discard |= s.table & ~taken
        s.table, s.value, s.owner = cards, value_of(number), seat
        if s.hand[seat] == ZERO and s.hidden[seat] == 0:
            _end_hand(s)
            return
    s.turn = (seat + 1) % s.players
    if s.turn == s.owner:
        s.discard |= s.table
        s.table, s.value, s.owner = ZERO, 0, NOBODY


@kernel
def _end_hand(s):
    """Add up the points; the game is over when somebody has reached the limit."""
    for seat in range(s.players):
        s.scores[seat] += points(s.hand[seat])
    s.phase = OVER if s.horizon != GAME or is_decided(s) else DEAL


@kernel
def is_decided(s):
    """Whether the scores after a hand end the game."""
    if s.limit == ONE_HAND:
        return True
    for seat in range(s.players):
        if s.scores[seat] >= s.limit:
            return True
    return False


@kernel
def is_winner(s, seat):
    """Whether nobody has fewer points than a seat."""
    for other in range(s.players):
        if s.scores[other] < s.scores[seat]:
            return False
    return True


@kernel
def payoff(s, out):
    """Every seat's share of the win, shared by all with the fewest points.

    Where a search stops at the end of the hand it is the share that the scores promise; where it plays for points, what
    the others have left in hand on average beyond what the seat has, as a part of the most there can be.
    """
    if s.horizon == POINTS:
        lead(s, out)
    elif is_decided(s):
        winners = 0
        for seat in range(s.players):
            if is_winner(s, seat):
                winners += 1
        for seat in range(s.players):
            out[seat] = 1.0 / winners if is_winner(s, seat) else 0.0
    else:
        for seat in range(s.players):
            out[seat] = np.float64(s.scores[seat])
        race(out, I64(s.players), I64(s.limit))


@kernel
def lead(s, out):
    """What the others hold on average beyond what a seat holds, in points: as shares, 0.5 where it is nothing."""
    total = 0
    for seat in range(s.players):
        total += points(s.hand[seat])
    for seat in range(s.players):
        own = points(s.hand[seat])
        out[seat] = 0.5 + ((total - own) / (s.players - 1) - own) / (2 * MOST_POINTS)


@kernel
def race(out, players, limit):
    """Turn points in ``out`` (``float64[seats]``) into a guess of every seat's share of the win of the game.

    The further away the limit, the less a lead counts: its error grows with the root of the hands to come. With more
    players it counts more, since all of them have to be ahead.
    """
    most = 0.0
    for seat in range(players):
        most = max(most, out[seat])
    hands = max(LEAST_HANDS, (limit - most) / POINTS_A_HAND)
    least = out[:players].min()
    total = 0.0
    for seat in range(players):
        out[seat] = np.exp((least - out[seat]) / (SPREAD * np.sqrt(hands / players)))
        total += out[seat]
    for seat in range(players):
        out[seat] /= total
