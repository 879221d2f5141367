"""Odin as the rules tell it: no speed, no sharing with the product, one function a clause."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

Cards = tuple[str, ...]
Hands = tuple[Cards, ...]
Points = tuple[int, ...]
Position = dict[str, Any]

COLOURS = "BRPGKO"
GOAT = "X0"
# Highest rank first, then by colour, the goat last.
ORDER = (*(f"{colour}{rank}" for rank in range(9, 0, -1) for colour in COLOURS), GOAT)

HAND = 9
GOAT_POINTS = 5
LIMITS = (10, 15, 20, "one-hand")
# What is to act where no seat is: chance deals the next hand, or the game is over.
CHANCE, NOBODY = -1, None


@dataclass(frozen=True)
class Rules:
    """The options of the game, and with two players the colours that were drawn to be left out of it."""

    players: int
    limit: int | str = 15
    goat: bool = False
    removed: Cards = ()

    def __post_init__(self) -> None:
        if self.players not in range(2, 7):
            raise ValueError(f"players: {self.players}")
        if self.limit not in LIMITS:
            raise ValueError(f"limit: {self.limit}")
        if not may_be_removed(self.removed) if self.players == 2 else self.removed:
            raise ValueError(f"removed: {self.removed}")


class State(NamedTuple):
    """The whole truth, field by field as it is written; all cards in canonical order."""

    rules: Rules
    hands: Hands
    known: Hands
    table: Cards
    owner: int | None
    discard: Cards
    undealt: Cards
    scores: Points
    opener: int
    turn: int
    to_act: int | None
    winner: tuple[int, ...] | None


# Cards and sets


def cards(goat: bool, removed: Iterable[str] = ()) -> Cards:
    """All cards of a game, without the colours removed."""
    return tuple(card for card in ORDER if card[0] not in removed and (goat or card != GOAT))


def may_be_removed(colours: Cards) -> bool:
    """Two colours, one of them red or black."""
    return len(colours) == len(set(colours)) == 2 and set(colours) <= set(COLOURS) and bool(set(colours) & {"R", "K"})


def ordered(cards: Iterable[str]) -> Cards:
    return tuple(sorted(cards, key=ORDER.index))


def without(cards: Cards, gone: Iterable[str]) -> Cards:
    return tuple(card for card in cards if card not in gone)


def rank(card: str) -> int:
    return int(card[1])


def is_set(cards: Cards) -> bool:
    """All of one colour, which the goat fits whatever it is, or all of one rank, of which the goat has its own."""
    colours = {card[0] for card in cards if card != GOAT}
    ranks = {rank(card) for card in cards}
    return bool(cards) and (len(colours) <= 1 or len(ranks) == 1)


def value(cards: Cards) -> int:
    """The digits written in descending order: 5, 2, 8 is 852."""
    digits = sorted((card[1] for card in cards), reverse=True)
    return int("".join(digits))


@cache
def sets(hand: Cards) -> tuple[Cards, ...]:
    """Every set in a hand, each in canonical order and once."""
    chosen = (cards for count in range(1, len(hand) + 1) for cards in combinations(ordered(hand), count))
    return tuple(cards for cards in chosen if is_set(cards))


# The deal


def draw_removed(rng: random.Random) -> Cards:
    """One of red and black, then one of the other five."""
    first = rng.choice("RK")
    second = rng.choice([colour for colour in COLOURS if colour != first])
    return first, second


def deal(rules: Rules, rng: random.Random) -> Hands:
    """The goat is always dealt to somebody; all else is drawn alike."""
    plain = list(cards(False, rules.removed))
    rng.shuffle(plain)
    goat = [GOAT] if rules.goat else []
    dealt = plain[: rules.players * HAND - len(goat)] + goat
    rng.shuffle(dealt)
    return tuple(ordered(dealt[seat * HAND : (seat + 1) * HAND]) for seat in range(rules.players))


def written_deal(hands: Hands) -> str:
    return "deal " + ";".join(",".join(hand) for hand in hands)


def read_deal(rules: Rules, move: str) -> Hands:
    hands = tuple(tuple(hand.split(",")) for hand in move.removeprefix("deal ").split(";"))
    together = [card for hand in hands for card in hand]
    fair = (
        len(hands) == rules.players
        and all(len(hand) == HAND for hand in hands)
        and set(together) <= set(cards(rules.goat, rules.removed))
        and len(set(together)) == len(together)
        and (GOAT in together or not rules.goat)
    )
    if not fair or move != written_deal(tuple(ordered(hand) for hand in hands)):
        raise ValueError(f"not a deal: {move!r}")
    return hands


def start(rules: Rules, hands: Hands) -> State:
    """A game in which these hands, of any size, have just been dealt."""
    return opened(rules, hands, (0,) * rules.players, 0)


def opened(rules: Rules, hands: Hands, scores: Points, opener: int) -> State:
    dealt = [card for hand in hands for card in hand]
    return State(
        rules=rules,
        hands=tuple(ordered(hand) for hand in hands),
        known=((),) * rules.players,
        table=(),
        owner=None,
        discard=(),
        undealt=without(cards(rules.goat, rules.removed), dealt),
        scores=scores,
        opener=opener,
        turn=opener,
        to_act=opener,
        winner=None,
    )


# Moves


def leads(hand: Cards) -> set[Cards]:
    """One card, or the whole hand if it is one set."""
    singles: set[Cards] = {(card,) for card in hand}
    return singles | {hand} if is_set(hand) else singles


def beats(cards: Cards, table: Cards) -> bool:
    """As many cards or exactly one more, and a strictly greater value."""
    return len(cards) in (len(table), len(table) + 1) and value(cards) > value(table)


def legal(state: State) -> list[str]:
    """Sorted as strings; nothing for chance, since there are too many deals to list."""
    if state.to_act in (CHANCE, NOBODY):
        return []
    hand = state.hands[state.turn]
    if not state.table:
        return sorted(",".join(cards) for cards in leads(hand))
    moves = ["pass"]
    for cards in sets(hand):
        if beats(cards, state.table):
            moves += [",".join(cards) + taking for taking in takings(hand, cards, state.table)]
    return sorted(moves)


def takings(hand: Cards, cards: Cards, table: Cards) -> list[str]:
    """One card of the beaten set, own choice; none when the hand is now empty."""
    return [f">{taken}" for taken in table] if without(hand, cards) else [""]


def play(state: State, move: str) -> State:
    if state.to_act == CHANCE:
        return next_hand(state, read_deal(state.rules, move))
    if move not in legal(state):
        raise ValueError(f"illegal move {move!r}; legal: {' '.join(legal(state))}")
    return after(state, move)


def after(state: State, move: str) -> State:
    """The state after a seat's move that is known to be legal."""
    if move == "pass":
        return next_turn(state)
    played, _, taken = move.partition(">")
    return put_down(state, tuple(played.split(",")), (taken,) if taken else ())


def put_down(state: State, cards: Cards, taken: Cards) -> State:
    seat = state.turn
    hand = without(state.hands[seat], cards) + taken
    # All saw these cards go, and see the one taken until it is played.
    known = without(state.known[seat], cards) + taken
    now = state._replace(
        hands=changed(state.hands, seat, hand),
        known=changed(state.known, seat, known),
        table=cards,
        owner=seat,
        discard=ordered(state.discard + without(state.table, taken)),
    )
    return next_turn(now) if hand else end_hand(now)


def changed(hands: Hands, seat: int, hand: Cards) -> Hands:
    return tuple(ordered(hand) if owner == seat else other for owner, other in enumerate(hands))


def clockwise(state: State, seat: int) -> int:
    return (seat + 1) % state.rules.players


def next_turn(state: State) -> State:
    """The round ends when the turn comes back to the owner of the set on the table."""
    seat = clockwise(state, state.turn)
    now = state._replace(turn=seat, to_act=seat)
    return end_round(now) if seat == state.owner else now


def end_round(state: State) -> State:
    return state._replace(table=(), owner=None, discard=ordered(state.discard + state.table))


# The end of a hand and of the game


def points(hand: Cards) -> int:
    """One for each card left; the goat costs more in all, not on top of it."""
    return sum(GOAT_POINTS if card == GOAT else 1 for card in hand)


def result(state: State) -> Points:
    """What the cards left in the hands cost."""
    return tuple(points(hand) for hand in state.hands)


def hand_over(state: State) -> bool:
    return not all(state.hands)


def winner(state: State) -> tuple[int, ...] | None:
    """All with the fewest points, as soon as a hand is over and somebody has reached the limit."""
    limit = state.rules.limit
    if not hand_over(state) or (limit != "one-hand" and max(state.scores) < int(limit)):
        return None
    return tuple(seat for seat, score in enumerate(state.scores) if score == min(state.scores))


def end_hand(state: State) -> State:
    """The cards left stay where they are until the next deal, and the turn with whoever ended the hand."""
    scores = tuple(score + more for score, more in zip(state.scores, result(state), strict=True))
    now = state._replace(scores=scores)
    won = winner(now)
    return now._replace(winner=won, to_act=CHANCE if won is None else NOBODY)


def next_hand(state: State, hands: Hands) -> State:
    """Opened by the next seat from the previous opener, whoever ended the hand."""
    return opened(state.rules, hands, state.scores, clockwise(state, state.opener))


# Text


def to_json(state: State) -> Position:
    rules: Position = {"players": state.rules.players, "limit": state.rules.limit, "goat": state.rules.goat}
    if state.rules.players == 2:
        rules["removed"] = list(state.rules.removed)
    return {
        "game": "odin",
        "rules": rules,
        "hands": [list(hand) for hand in state.hands],
        "known": [list(hand) for hand in state.known],
        "table": list(state.table),
        "owner": state.owner,
        "discard": list(state.discard),
        "undealt": list(state.undealt),
        "scores": list(state.scores),
        "opener": state.opener,
        "turn": state.turn,
        "to_act": state.to_act,
        "winner": None if state.winner is None else list(state.winner),
    }


def from_json(position: Position) -> State:
    rules = position["rules"]
    return State(
        rules=Rules(rules["players"], rules["limit"], rules["goat"], tuple(rules.get("removed", ()))),
        hands=tuple(map(tuple, position["hands"])),
        known=tuple(map(tuple, position["known"])),
        table=tuple(position["table"]),
        owner=position["owner"],
        discard=tuple(position["discard"]),
        undealt=tuple(position["undealt"]),
        scores=tuple(position["scores"]),
        opener=position["opener"],
        turn=position["turn"],
        to_act=position["to_act"],
        winner=None if position["winner"] is None else tuple(position["winner"]),
    )


# Knowledge


def observe(state: State, seat: int) -> Position:
    """Hidden are the undealt cards and what other hands hold beyond the known, at the end of a hand too."""
    hands = [
        list(hand) if owner == seat else [*known, *["?"] * (len(hand) - len(known))]
        for owner, (hand, known) in enumerate(zip(state.hands, state.known, strict=True))
    ]
    return to_json(state) | {"hands": hands, "undealt": ["?"] * len(state.undealt), "seat": seat}


def worlds(observation: Position) -> Iterator[State]:
    """Every arrangement of the unseen cards over the unknown places of the hands and the undealt, each once."""
    partial = from_json(observation)
    seen = [card for hand in partial.hands for card in hand] + list(partial.table + partial.discard)
    return arrangements(partial, without(cards(partial.rules.goat, partial.rules.removed), seen))


def arrangements(partial: State, unseen: Cards) -> Iterator[State]:
    for owner, hand in enumerate(partial.hands):
        if missing := hand.count("?"):
            for dealt in combinations(unseen, missing):
                full = without(hand, "?") + dealt
                filled = partial._replace(hands=changed(partial.hands, owner, full))
                yield from arrangements(filled, without(unseen, dealt))
            return
    # The goat is always dealt to somebody.
    if GOAT not in unseen:
        yield partial._replace(undealt=unseen)


# Open hands


def lead(points: Points, seat: int) -> int:
    """What a seat wants most of: for two the difference, for more how far all others together are behind it."""
    return sum(theirs - points[seat] for theirs in points)


def solve_hand(state: State) -> tuple[Points, tuple[str, ...]]:
    """The points that the rest of the hand costs each seat when all see all cards, and the moves that lead there.

    Every seat takes the greatest lead that it can have in this hand, whatever the scores before it: minimax for two
    players, max-n for more. Among its best moves it keeps the first in the order of `legal`.
    """
    found: dict[tuple[Hands, Cards, int | None, int], tuple[Points, tuple[str, ...]]] = {}

    def solved(state: State) -> tuple[Points, tuple[str, ...]]:
        if hand_over(state):
            return result(state), ()
        # Nothing else changes the moves or the points of this hand.
        key = state.hands, state.table, state.owner, state.turn
        if key not in found:
            best: tuple[Points, tuple[str, ...]] | None = None
            for move in legal(state):
                costs, line = solved(after(state, move))
                if best is None or lead(costs, state.turn) > lead(best[0], state.turn):
                    best = costs, (move, *line)
            assert best is not None, "who leads can play a card, all others can pass"
            found[key] = best
        return found[key]

    # Neither do the cards out of play, and to carry them along takes time.
    return solved(state._replace(discard=(), undealt=()))
