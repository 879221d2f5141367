"""Reading positions of Odin: every check names the field and what was expected."""

from typing import Any

import numpy as np

from ..errors import InputError
from ..fields import check_rules, integer, list_of, member, obj, optional, require, shown, strangers
from ..game import CHANCE
from .cards import COLOURS, GOAT_CARD, INDEX, NO_SET, set_of, value_of
from .notation import HIDDEN, OPTIONS, blank, codes, winners
from .rules import MOST_POINTS, is_decided, points
from .state import DEAL, GOAT_POINTS, HAND, NOBODY, ONE_HAND, OVER, PLAY
from .worlds import cards_in_play

FIELDS = (
    *("game", "rules", "seat", "hands", "known", "table", "owner", "discard", "undealt", "scores", "opener", "turn"),
    *("to_act", "winner"),
)
ALWAYS_OUT = "RK"
"""One of these colours is removed with two players."""


def read_rules(data: Any) -> tuple[dict[str, Any], list[int]]:
    """Checked rules, and the colours removed; ``InputError`` names what is wrong."""
    given = dict(obj(data, "rules"))
    removed = given.pop("removed", None)
    rules = check_rules(OPTIONS, given)
    if rules["players"] != 2:
        if removed is not None:
            raise InputError("rules.removed", f"expected colours removed only with 2 players, got {shown(removed)}")
        return rules, []
    fits = (
        isinstance(removed, list)
        and len(removed) == 2
        and all(isinstance(colour, str) and colour in tuple(COLOURS) for colour in removed)
        and removed[0] != removed[1]
        and any(colour in ALWAYS_OUT for colour in removed)
    )
    if not fits:
        raise InputError("rules.removed", f'expected two colours, one of them "R" or "K", got {shown(removed)}')
    return rules, [COLOURS.index(colour) for colour in removed]


def may_open(opener: int, scores: list[int], goat: bool) -> bool:
    """Whether so many hands can have led to these points that it is a seat's turn to open.

    Every hand gives points to all seats but one: to each at least one, and at most those of a whole hand.
    """
    losers, total, most = len(scores) - 1, sum(scores), MOST_POINTS if goat else HAND
    return any(
        sum(-(-score // most) for score in scores) <= losers * hands <= sum(min(score, hands) for score in scores)
        for hands in range(opener, total // losers + 1, len(scores))
    )


class _Reader:
    """Reads one position."""

    def __init__(self, data: dict[str, Any], rules: dict[str, Any], removed: list[int], seat: int | None) -> None:
        self.data, self.seat = data, seat
        self.seats = range(rules["players"])
        self.states = blank(rules)
        self.state = self.states[0]
        self.state.removed[: len(removed)] = removed
        self.in_play = int(cards_in_play(self.state))
        self.where: dict[int, str] = {}

    def card(self, field: str, code: Any) -> int:
        """The card called ``code``, seen for the first time."""
        card = INDEX.get(code) if isinstance(code, str) else None
        if card is None:
            raise InputError(field, f"expected a card such as B9 or K1, got {shown(code)}")
        if not self.in_play >> card & 1:
            reason = "there is no goat in this game" if card == GOAT_CARD else f"colour {code[0]} is removed"
            raise InputError(field, f"expected a card of this game, {reason}; got {code}")
        if card in self.where:
            raise InputError(field, f"{code} is already in {self.where[card]}, expected each card once")
        self.where[card] = field
        return card

    def cards(self, field: str, values: list[Any], may_hide: bool) -> tuple[int, int]:
        """The cards of a list, and how many are hidden."""
        cards = hidden = 0
        for i, code in enumerate(values):
            place = f"{field}[{i}]"
            if code != HIDDEN:
                cards |= 1 << self.card(place, code)
            elif self.seat is None:
                raise InputError(place, 'expected every card: "?" needs a "seat", and is not the whole truth')
            elif not may_hide:
                raise InputError(place, 'expected a card, "?" only stands for what the seat does not know')
            else:
                hidden += 1
        return cards, hidden

    def hands(self) -> None:
        for seat, values in enumerate(list_of(self.data, "hands", list, len(self.seats))):
            if len(values) > HAND:
                raise InputError(f"hands[{seat}]", f"expected at most {HAND} cards, got {len(values)}")
            cards, hidden = self.cards(f"hands[{seat}]", values, seat != self.seat)
            self.state.hand[seat], self.state.hidden[seat] = np.uint64(cards), hidden

    def known(self) -> None:
        for seat, values in enumerate(list_of(self.data, "known", list, len(self.seats))):
            for i, code in enumerate(values):
                card = INDEX.get(code, -1) if isinstance(code, str) else -1
                field = f"known[{seat}][{i}]"
                if card < 0 or not int(self.state.hand[seat]) >> card & 1:
                    raise InputError(field, f"expected a card of hands[{seat}], got {shown(code)}")
                if int(self.state.known[seat]) >> card & 1:
                    raise InputError(field, f"expected each card once, {code} is there twice")
                self.state.known[seat] |= np.uint64(1 << card)
            if self.seat not in (None, seat) and self.state.known[seat] != self.state.hand[seat]:
                raise InputError(f"hands[{seat}]", f'expected the cards of known[{seat}], then "?"')

    def piles(self) -> None:
        """Table, discard and what was not dealt."""
        s = self.state
        table, _ = self.cards("table", list_of(self.data, "table", str), False)
        if table.bit_count() > HAND:
            raise InputError("table", f"expected at most {HAND} cards, no hand has more; got {table.bit_count()}")
        number = set_of(np.uint64(table))
        if table and number == NO_SET:
            raise InputError("table", f"expected one colour or one rank, got {' '.join(codes(table))}")
        s.table, s.value = np.uint64(table), value_of(number)
        s.discard = np.uint64(self.cards("discard", list_of(self.data, "discard", str), False)[0])
        undealt, hidden = self.cards("undealt", list_of(self.data, "undealt", str), self.seat is not None)
        if self.seat is not None and undealt:
            raise InputError("undealt", 'expected "?" for each, nobody knows what was not dealt')
        if undealt >> GOAT_CARD & 1:
            raise InputError("undealt", "expected X0 elsewhere, the goat is always dealt")
        s.undealt, s.hidden_undealt = np.uint64(undealt), hidden

    def all_cards(self) -> None:
        s = self.state
        unseen = self.in_play & ~sum(1 << card for card in self.where)
        absent = int(s.hidden.sum()) + int(s.hidden_undealt)
        if unseen.bit_count() != absent:
            missing = " ".join(codes(unseen)) or "none"
            raise InputError(
                "hands, table, discard, undealt",
                f'expected all {self.in_play.bit_count()} cards, {absent} of them as "?"; not found: {missing}',
            )
        left = self.in_play.bit_count() - HAND * len(self.seats)
        if len(self.data["undealt"]) != left:
            raise InputError("undealt", f"expected {left} cards, got {len(self.data['undealt'])}")
        if unseen >> GOAT_CARD & 1 and not s.hidden.any():
            raise InputError("hands", "expected X0 in one of them, the goat is always dealt")
        s.unseen = np.uint64(unseen)

    def clock(self) -> None:
        s, n = self.state, len(self.seats)
        s.opener = integer(self.data, "opener", 0, n - 1)
        s.turn = integer(self.data, "turn", 0, n - 1)
        owner = optional(self.data, "owner", int)
        if (owner is None) != (not s.table):
            raise InputError("owner", "expected a seat when a set is on the table, else null")
        s.owner = NOBODY if owner is None else integer(self.data, "owner", 0, n - 1)
        scores = list_of(self.data, "scores", int, n)
        for seat, score in enumerate(scores):
            if not 0 <= score < 1000:
                raise InputError(f"scores[{seat}]", f"expected points from 0 to 999, got {score}")
        s.scores[:n] = scores

    def phase(self) -> None:
        """Whether the hand goes on, and if not whether the game does."""
        s = self.state
        sizes = [len(hand) for hand in self.data["hands"]]
        if all(sizes):
            self.playing(sizes)
        else:
            self.ended(sizes)
        decider = require(self.data, "to_act")
        expected = {PLAY: int(s.turn), DEAL: CHANCE}.get(int(s.phase))
        if type(decider) is not type(expected) or decider != expected:
            raise InputError("to_act", f"expected {'null' if expected is None else expected}, got {shown(decider)}")
        winner, told = optional(self.data, "winner", list), winners(s)
        if winner != told or any(type(seat) is not int for seat in winner or ()):
            raise InputError("winner", f"expected {'null' if told is None else told}, got {shown(winner)}")

    def playing(self, sizes: list[int]) -> None:
        s = self.state
        s.phase = PLAY
        self.tally([0] * len(sizes), [])
        if s.owner == s.turn:
            raise InputError("turn", "expected another seat than the owner of the set on the table: its round is over")
        if not s.table and not s.discard:
            if any(size != HAND for size in sizes) or any(self.data["known"]):
                raise InputError("hands", f"expected {HAND} cards each that nobody knows before anything is played")
            if s.turn != s.opener:
                raise InputError("turn", f"expected the opener, {s.opener}, before anything is played")
        else:
            self.opened(sizes)
        if s.table:
            self.lying(sizes)

    def opened(self, sizes: list[int]) -> None:
        """The opener has played first, and no play leaves more cards in a hand than there were."""
        opener = int(self.state.opener)
        if sizes[opener] == HAND:
            raise InputError(f"hands[{opener}]", f"expected at most {HAND - 1} cards, the opener has led one")

    def lying(self, sizes: list[int]) -> None:
        """The set on the table: how it came there."""
        s, owner, size = self.state, int(self.state.owner), len(self.data["table"])
        if size == HAND:
            raise InputError("table", f"expected at most {HAND - 1} cards: {HAND} are a whole hand, and end it")
        # who leads plays one card; else a set was beaten and a card of it taken, to one at least that was left
        has_beaten = size > 1 or sizes[owner] == HAND
        low, high = 1 + has_beaten, HAND + 1 - size
        if not low <= sizes[owner] <= high:
            raise InputError(f"hands[{owner}]", f"expected {low} to {high} cards after a set of {size}")
        if has_beaten and not s.known[owner]:
            raise InputError(f"known[{owner}]", "expected the card taken when the set on the table was played")
        # sets grow by a card at most, and all but a card of a beaten one is discarded
        gone = (size - 1) * (size - 2) // 2
        if len(self.data["discard"]) < gone:
            raise InputError("discard", f"expected at least {gone} cards, of the sets beaten before one of {size}")

    def ended(self, sizes: list[int]) -> None:
        s = self.state
        if sizes.count(0) != 1:
            raise InputError("hands", "expected at most one empty hand: the first ends the hand")
        last = sizes.index(0)
        if s.turn != last:
            raise InputError("turn", f"expected {last}, who ended the hand, got {s.turn}")
        if s.owner != last:
            raise InputError("owner", f"expected {last}, whose last cards lie on the table")
        self.opened(sizes)
        costs = [int(points(s.hand[seat])) + int(s.hidden[seat]) for seat in self.seats]
        self.tally(costs, [seat for seat in self.seats if s.hidden[seat] and int(s.unseen) >> GOAT_CARD & 1])
        s.phase = OVER if is_decided(s) else DEAL

    def tally(self, costs: list[int], holders: list[int]) -> None:
        """The points, so many of them from the cards of this hand; the rest of X0's are those of one of the holders."""
        s, rest = self.state, GOAT_POINTS - 1
        most = 0 if s.limit == ONE_HAND else int(s.limit) - 1
        for seat, cost in enumerate(costs):
            top = cost + most + rest * (seat in holders)
            if not cost <= s.scores[seat] <= top:
                expected = f"a number from {cost} to {top}, {cost} of this hand" if cost else f"at most {top}"
                raise InputError(f"scores[{seat}]", f"expected {expected}; got {s.scores[seat]}")
        before = [int(score) - cost for score, cost in zip(s.scores, costs, strict=False)]
        possible = [[score - rest * (seat == holder) for seat, score in enumerate(before)] for holder in holders]
        fitting = [scores for scores in possible or [before] if all(0 <= score <= most for score in scores)]
        if not fitting:
            raise InputError("scores", "expected the points of X0 in those of one seat with hidden cards")
        if not any(may_open(int(s.opener), scores, bool(s.goat)) for scores in fitting):
            raise InputError("opener", f"expected whose turn it is after the hands before this one, got {s.opener}")

    def counts(self) -> None:
        cards = sum(map(len, self.data["hands"])) + len(self.data["discard"]) + len(self.data["table"])
        if cards != HAND * len(self.seats):
            expected = HAND * len(self.seats)
            raise InputError("hands, table, discard", f"expected {expected} cards together, all that were dealt")


def parse(data: Any) -> tuple[np.ndarray, int | None]:
    """Record (array of one) and observer of a JSON object; the observer is None when it is the whole truth.

    Raises:
        InputError: the first field that is wrong, and what was expected.
    """
    data = obj(data, "")
    member(data, "game", ("odin",))
    rules, removed = read_rules(require(data, "rules"))
    seat = None if data.get("seat") is None else integer(data, "seat", 0, rules["players"] - 1)
    reader = _Reader(data, rules, removed, seat)
    reader.hands()
    reader.known()
    reader.piles()
    reader.all_cards()
    reader.counts()
    reader.clock()
    reader.phase()
    return reader.states, seat


def unknown_fields(data: Any) -> list[str]:
    """Fields of a JSON object that a position has not: they are ignored, which a tool may want to say."""
    return strangers(data, FIELDS)
