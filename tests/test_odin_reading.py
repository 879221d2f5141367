"""Positions, observations and deals of Odin as text: round trips, and errors that name the field."""

import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mess.solver.errors import InputError
from mess.solver.odin import unknown_fields
from mess.solver.position import Observation, Position, read
from mess.solver.rng import stream
from reference import hands, odin
from spoiling import garbage, nodes, parent, spoilt

# Positions to spoil


def first(rules, choose, wanted) -> odin.State:
    """A position of some game."""
    return next(state for seed in range(200) for state in hands.game(rules, choose, seed) if wanted(state))


def is_played(state: odin.State) -> bool:
    return len(state.discard) > 5 and state.to_act == state.turn


TWO_RULES = odin.Rules(2, 20, True, ("K", "P"))
DEALT = hands.dealt(odin.Rules(3, 15, True), 1)
LEAD = first(odin.Rules(4, 10), hands.anything, lambda s: is_played(s) and not s.table and sum(map(bool, s.known)) > 1)
BEAT = first(
    odin.Rules(3, 15, True),
    hands.anything,
    lambda s: is_played(s) and len(s.table) == 2 and s.opener == 1 and "X0" in s.hands[1],
)
TWO = first(TWO_RULES, hands.trading, lambda s: is_played(s) and s.table and len(s.known[0]) > 1 and any(s.scores))
SIX = first(odin.Rules(6), hands.shedding, lambda s: is_played(s) and len(s.table) > 2)
BETWEEN = first(odin.Rules(3, 20, True), hands.anything, lambda s: s.to_act == odin.CHANCE and s.opener == 1)
GOAT_LEFT = odin.play(hands.table("B9", "K8 K7", "G3 X0", "O2 O1", goat=True), "B9")
OVER = first(odin.Rules(4, 10, True), hands.shedding, lambda s: s.winner is not None and s.opener > 0)
SHARED = first(odin.Rules(3, 10), hands.shedding, lambda s: s.winner is not None and len(s.winner) > 1)
ONE_HAND = first(odin.Rules(5, "one-hand"), hands.shedding, lambda s: s.winner is not None)
AT_ONCE = odin.play(
    odin.start(
        odin.Rules(2, 15, False, ("R", "P")),
        (tuple(f"B{rank}" for rank in range(9, 0, -1)), tuple(f"K{rank}" for rank in range(9, 0, -1))),
    ),
    "B9,B8,B7,B6,B5,B4,B3,B2,B1",
)
STATES = {
    "dealt": DEALT,
    "lead": LEAD,
    "beat": BEAT,
    "two": TWO,
    "six": SIX,
    "between": BETWEEN,
    "goat left": GOAT_LEFT,
    "over": OVER,
    "shared": SHARED,
    "one hand": ONE_HAND,
    "at once": AT_ONCE,
}
WHOLE = {name: odin.to_json(state) for name, state in STATES.items()}
SEEN = {
    f"{name} seen by {seat}": odin.observe(state, seat)
    for name, state in STATES.items()
    for seat in (0, state.rules.players - 1)
}
GOOD = WHOLE | SEEN


def test_good_positions_are_good():
    for data in GOOD.values():
        assert read(data).to_dict() == data
        assert isinstance(read(data), Observation if "seat" in data else Position)
        assert str(read(data)) == json.dumps(read(data).to_dict())


def test_a_hand_may_be_told_in_any_order():
    data = copy.deepcopy(WHOLE["beat"])
    for cards in (*data["hands"], *data["known"], data["table"], data["discard"], data["undealt"]):
        random.Random(1).shuffle(cards)
    assert read(data).to_dict() == WHOLE["beat"]


def test_rules_have_defaults():
    data = odin.to_json(hands.dealt(odin.Rules(2, 15, False, ("K", "B")), 1))
    assert read(data | {"rules": {"removed": ["K", "B"]}}).to_dict() == data


# Wrong fields


def changed(data: dict, *path_and_value):
    """A copy with the value at a path replaced."""
    *path, last, value = path_and_value
    data = at = copy.deepcopy(data)
    for key in path:
        at = at[key]
    at[last] = value
    return data


def without(data: dict, field: str) -> dict:
    return {key: value for key, value in data.items() if key != field}


def spoilt_state(state: odin.State, **fields) -> dict:
    return odin.to_json(state._replace(**fields))


def scored(state: odin.State, **scores: int) -> dict:
    """With other points for some seats, as ``s0=3``."""
    told = [scores.get(f"s{seat}", score) for seat, score in enumerate(state.scores)]
    return spoilt_state(state, scores=tuple(told))


def by_hand(*cards: str, **fields) -> dict:
    return odin.to_json(hands.table(*cards, **fields))


def moved(data: dict, card: str, *to) -> dict:
    """With a card in another list, at its end."""
    data = copy.deepcopy(data)
    for cards in (*data["hands"], data["table"], data["discard"], data["undealt"]):
        if card in cards:
            cards.remove(card)
    at = data
    for key in to:
        at = at[key]
    at.append(card)
    return data


START, LEADING, BEATING, TWO_SEATS = (WHOLE[name] for name in ("dealt", "lead", "beat", "two"))
BREAK, END, ONLY = (WHOLE[name] for name in ("between", "over", "one hand"))
SEEN_BEAT = odin.observe(BEAT, 0)
SEEN_LEFT = odin.observe(GOAT_LEFT, 0)
GOAT_KNOWN = hands.table("B9", "K8 X0", goat=True, known=((), ("K8", "X0")))
CARDS = "hands, table, discard, undealt"
NINE = "B9 B8 B7 B6 B5 B4 B3 B2 B1"

BAD = {
    # not a position at all
    "empty": ({}, "game"),
    "game a list": (changed(LEADING, "game", ["odin"]), "game"),
    # rules
    "no rules": (without(LEADING, "rules"), "rules"),
    "rules a list": (changed(LEADING, "rules", []), "rules"),
    "one player": (changed(LEADING, "rules", "players", 1), "rules.players"),
    "seven players": (changed(LEADING, "rules", "players", 7), "rules.players"),
    "players a float": (changed(LEADING, "rules", "players", 4.0), "rules.players"),
    "players true": (changed(LEADING, "rules", "players", True), "rules.players"),
    "wrong number of players": (changed(LEADING, "rules", "players", 5), "hands"),
    "unknown limit": (changed(LEADING, "rules", "limit", 12), "rules.limit"),
    "limit a text": (changed(LEADING, "rules", "limit", "10"), "rules.limit"),
    "limit a float": (changed(LEADING, "rules", "limit", 10.0), "rules.limit"),
    "limit null": (changed(LEADING, "rules", "limit", None), "rules.limit"),
    "goat a number": (changed(LEADING, "rules", "goat", 0), "rules.goat"),
    "unknown rule": (changed(LEADING, "rules", "curse", False), "rules.curse"),
    "removed with four": (changed(LEADING, "rules", "removed", ["R", "K"]), "rules.removed"),
    "removed with four, none": (changed(LEADING, "rules", "removed", []), "rules.removed"),
    "two without removed": (changed(TWO_SEATS, "rules", without(TWO_SEATS["rules"], "removed")), "rules.removed"),
    "removed null": (changed(TWO_SEATS, "rules", "removed", None), "rules.removed"),
    "removed a text": (changed(TWO_SEATS, "rules", "removed", "KP"), "rules.removed"),
    "removed one": (changed(TWO_SEATS, "rules", "removed", ["K"]), "rules.removed"),
    "removed three": (changed(TWO_SEATS, "rules", "removed", ["K", "P", "R"]), "rules.removed"),
    "removed twice the same": (changed(TWO_SEATS, "rules", "removed", ["K", "K"]), "rules.removed"),
    "removed neither red nor black": (changed(TWO_SEATS, "rules", "removed", ["B", "P"]), "rules.removed"),
    "removed the goat": (changed(TWO_SEATS, "rules", "removed", ["K", "X"]), "rules.removed"),
    "removed a small letter": (changed(TWO_SEATS, "rules", "removed", ["K", "p"]), "rules.removed"),
    "removed nothing named": (changed(TWO_SEATS, "rules", "removed", ["K", ""]), "rules.removed"),
    "removed two at once": (changed(TWO_SEATS, "rules", "removed", ["K", "PG"]), "rules.removed"),
    "removed a number": (changed(TWO_SEATS, "rules", "removed", ["K", 2]), "rules.removed"),
    "removed a list": (changed(TWO_SEATS, "rules", "removed", ["K", ["P"]]), "rules.removed"),
    # seats
    "seat too high": (changed(SEEN_BEAT, "seat", 3), "seat"),
    "seat negative": (changed(SEEN_BEAT, "seat", -1), "seat"),
    "seat a text": (changed(SEEN_BEAT, "seat", "0"), "seat"),
    "seat false": (changed(SEEN_BEAT, "seat", False), "seat"),
    # cards
    "unknown card": (changed(LEADING, "hands", 0, 0, "B0"), "hands[0][0]"),
    "rank of ten": (changed(LEADING, "hands", 0, 0, "B10"), "hands[0][0]"),
    "unknown colour": (changed(LEADING, "hands", 0, 0, "Y5"), "hands[0][0]"),
    "card in small letters": (changed(LEADING, "table", ["b9"]), "table[0]"),
    "card with a blank": (changed(LEADING, "table", ["B9 "]), "table[0]"),
    "goat of another rank": (changed(BEATING, "hands", 0, 0, "X1"), "hands[0][0]"),
    "card a number": (changed(LEADING, "hands", 0, 0, 9), "hands[0][0]"),
    "card null": (changed(LEADING, "hands", 0, 0, None), "hands[0][0]"),
    "card a list": (changed(LEADING, "hands", 0, 0, ["B9"]), "hands[0][0]"),
    "discard a number": (changed(LEADING, "discard", 0, 3), "discard[0]"),
    "undealt null": (changed(LEADING, "undealt", 0, None), "undealt[0]"),
    "card twice in a hand": (changed(LEADING, "hands", 1, 1, LEADING["hands"][1][0]), "hands[1][1]"),
    "card in two hands": (changed(LEADING, "hands", 2, 0, LEADING["hands"][1][0]), "hands[2][0]"),
    "card in hand and on the table": (changed(BEATING, "table", 1, BEATING["hands"][1][0]), "table[1]"),
    "card on the table and gone": (changed(BEATING, "discard", 0, BEATING["table"][0]), "discard[0]"),
    "card gone and undealt": (changed(BEATING, "undealt", 0, BEATING["discard"][0]), "undealt[0]"),
    "card of a removed colour in hand": (changed(TWO_SEATS, "hands", 0, 0, "K5"), "hands[0][0]"),
    "card of a removed colour undealt": (changed(TWO_SEATS, "undealt", 0, "P5"), "undealt[0]"),
    "card of a removed colour gone, seen": (changed(odin.observe(TWO, 0), "discard", 0, "P5"), "discard[0]"),
    "goat without the option": (changed(LEADING, "hands", 0, 0, "X0"), "hands[0][0]"),
    "goat turned on": (changed(LEADING, "rules", "goat", True), CARDS),
    "goat turned off": (changed(BEATING, "rules", "goat", False), f"hands[1][{len(BEATING['hands'][1]) - 1}]"),
    "goat undealt": (
        moved(moved(BEATING, "X0", "undealt"), BEATING["undealt"][0], "hands", 1), "undealt"),
    "goat nowhere": (changed(BEATING, "hands", 1, BEATING["hands"][1][:-1]), CARDS),
    "card missing": (changed(LEADING, "discard", LEADING["discard"][1:]), CARDS),
    # hands
    "no hands": (without(LEADING, "hands"), "hands"),
    "hands an object": (changed(LEADING, "hands", {}), "hands"),
    "a hand too few": (changed(LEADING, "hands", LEADING["hands"][:-1]), "hands"),
    "a hand too many": (changed(LEADING, "hands", [*LEADING["hands"], []]), "hands"),
    "a hand a text": (changed(LEADING, "hands", 1, "B9"), "hands[1]"),
    "hand of ten": (moved(START, START["undealt"][0], "hands", 0), "hands[0]"),
    "hand of eight dealt": (moved(START, START["hands"][1][0], "undealt"), "undealt"),
    "a card too few dealt": (moved(LEADING, LEADING["discard"][0], "undealt"), "undealt"),
    "a card too many dealt": (moved(LEADING, LEADING["undealt"][0], "discard"), "undealt"),
    "two empty hands": (
        by_hand("", "", "K1 K2", on="B1", owner=0, scores=(0, 0, 2), to_act=-1), "hands"),
    "opener with nine cards": (by_hand(NINE, "K1 K2", "G3", on="O5"), "hands[0]"),
    "opener with nine cards at the end": (
        by_hand(NINE, "K1 K2", "", on="O5", scores=(9, 2, 0), turn=2, to_act=-1), "hands[0]"),
    "nine cards after a set of two": (
        by_hand("K9", NINE, on="O5 O4", known=((), ("B1",))), "hands[1]"),
    "three cards after a set of eight": (by_hand("K9", "G9 G8 G7", on="B9 B8 B7 B6 B5 B4 B3 B2"), "hands[1]"),
    "nothing left but what was taken": (by_hand("K9", "G9", on="O5 O4"), "hands[1]"),
    # known
    "no known": (without(LEADING, "known"), "known"),
    "known too few": (changed(LEADING, "known", LEADING["known"][:-1]), "known"),
    "known a text": (changed(LEADING, "known", 0, "B9"), "known[0]"),
    "known of another hand": (changed(LEADING, "known", 0, [LEADING["hands"][1][0]]), "known[0][0]"),
    "known on the table": (changed(BEATING, "known", 0, [BEATING["table"][0]]), "known[0][0]"),
    "known twice": (changed(LEADING, "known", 0, [LEADING["hands"][0][0]] * 2), "known[0][1]"),
    "known hidden": (changed(SEEN_BEAT, "known", 1, ["?"]), "known[1][0]"),
    "known a number": (changed(LEADING, "known", 0, [9]), "known[0][0]"),
    "known a list": (changed(LEADING, "known", 0, [["B9"]]), "known[0][0]"),
    "known before anything is played": (changed(START, "known", 0, [START["hands"][0][0]]), "hands"),
    "nothing taken for a set of two": (by_hand("K9", "B9 B8", on="O5 O4", known=((), ())), "known[1]"),
    "nothing taken, but nine cards": (by_hand("K9", NINE, on="O5"), "known[1]"),
    # table, discard, undealt
    "no table": (without(LEADING, "table"), "table"),
    "table null": (changed(LEADING, "table", None), "table"),
    "table of two colours and ranks": (by_hand("K9", "B9", on="O5 G4"), "table"),
    "table of a rank and the goat": (by_hand("K9", "B9", on="O5 G5 X0", goat=True), "table"),
    "table of a rank and a card": (by_hand("K9", "B9", on="O5 G5 O4"), "table"),
    "table of ten": (by_hand("K9", "G9", on=f"{NINE} X0", goat=True), "table"),
    "a whole hand on the table": (by_hand("K9", "G9", on=NINE), "table"),
    "table hidden": (changed(SEEN_BEAT, "table", 0, "?"), "table[0]"),
    "no discard": (without(LEADING, "discard"), "discard"),
    "discard a text": (changed(LEADING, "discard", "B9"), "discard"),
    "discard hidden": (changed(SEEN_BEAT, "discard", 0, "?"), "discard[0]"),
    "too little discarded for a set of four": (
        by_hand("K9 K8 K7 K6 K5 K4 K3", "G5 G4 G3 G2 G1", on="B9 B8 B7 B6"), "discard"),
    "no undealt": (without(LEADING, "undealt"), "undealt"),
    "undealt an object": (changed(LEADING, "undealt", {}), "undealt"),
    "undealt hidden in a full position": (changed(LEADING, "undealt", 0, "?"), "undealt[0]"),
    "undealt seen": (changed(SEEN_BEAT, "undealt", BEATING["undealt"]), "undealt"),
    "one undealt card seen": (changed(SEEN_BEAT, "undealt", 0, BEATING["undealt"][0]), "undealt"),
    # hidden cards
    "hidden in a full position": (changed(LEADING, "hands", 1, 0, "?"), "hands[1][0]"),
    "hidden in the own hand": (changed(SEEN_BEAT, "hands", 0, 0, "?"), "hands[0][0]"),
    "seen card in another hand": (changed(SEEN_BEAT, "hands", 1, BEATING["hands"][1]), "hands[1]"),
    "known card hidden": (
        changed(odin.observe(LEAD, 0), "hands", s := next(i for i in (1, 2, 3) if LEAD.known[i]),
                ["?"] * len(LEAD.hands[s])), f"known[{s}][0]"),
    "one hidden card too few": (changed(SEEN_BEAT, "hands", 1, SEEN_BEAT["hands"][1][:-1]), CARDS),
    "one undealt card too few": (changed(SEEN_BEAT, "undealt", SEEN_BEAT["undealt"][:-1]), CARDS),
    "a hidden card that was undealt": (
        changed(SEEN_BEAT, "undealt", SEEN_BEAT["undealt"][:-1])
        | {"hands": [SEEN_BEAT["hands"][0], [*SEEN_BEAT["hands"][1], "?"], SEEN_BEAT["hands"][2]]}, "undealt"),
    "goat hidden where nothing is": (
        odin.observe(GOAT_KNOWN, 0)
        | {"hands": [["B9"], ["K8", GOAT_KNOWN.undealt[0]]], "known": [[], ["K8", GOAT_KNOWN.undealt[0]]]}, "hands"),
    # owner
    "no owner": (without(BEATING, "owner"), "owner"),
    "owner null": (changed(BEATING, "owner", None), "owner"),
    "owner without a set": (changed(LEADING, "owner", 0), "owner"),
    "owner too high": (changed(BEATING, "owner", 3), "owner"),
    "owner negative": (changed(BEATING, "owner", -1), "owner"),
    "owner a text": (changed(BEATING, "owner", "0"), "owner"),
    "owner true": (changed(BEATING, "owner", True), "owner"),
    "owner of none": (changed(BEATING, "owner", 255), "owner"),
    "owner to act": (changed(BEATING, "owner", BEATING["turn"]), "turn"),
    "owner not who ended the hand": (changed(BREAK, "owner", (BREAK["turn"] + 1) % 3), "owner"),
    "nobody's last cards": (
        BREAK | {"discard": [*BREAK["discard"], *BREAK["table"]], "table": [], "owner": None}, "owner"),
    # scores
    "no scores": (without(LEADING, "scores"), "scores"),
    "a score too few": (changed(LEADING, "scores", LEADING["scores"][:-1]), "scores"),
    "scores null": (changed(LEADING, "scores", None), "scores"),
    "score negative": (scored(LEAD, s1=-1), "scores[1]"),
    "score a float": (scored(LEAD, s1=1.0), "scores[1]"),
    "score true": (scored(LEAD, s1=True), "scores[1]"),
    "score huge": (scored(LEAD, s1=10**30), "scores[1]"),
    "score of the limit while playing": (scored(LEAD, s2=10), "scores[2]"),
    "points before the only hand": (
        changed(by_hand("B9", "K1", limit="one-hand"), "scores", 1, 1), "scores[1]"),
    "more points than of the only hand": (scored(ONE_HAND, s0=ONE_HAND.scores[0] + 1), "scores[0]"),
    "fewer points than of the hand": (
        changed(BREAK, "scores", s := (BREAK["turn"] + 1) % 3, odin.points(BETWEEN.hands[s]) - 1), f"scores[{s}]"),
    "the limit reached before the last hand": (
        changed(END, "scores", s := (END["turn"] + 1) % 4, odin.points(OVER.hands[s]) + 10), f"scores[{s}]"),
    "points of who ended the hand at the limit": (
        changed(BREAK, "scores", BREAK["turn"], 20), f"scores[{BREAK['turn']}]"),
    "fewer points than hidden cards": (
        changed(SEEN_LEFT, "scores", 2, len(GOAT_LEFT.hands[2]) - 1), "scores[2]"),
    "no points of the hidden goat": (
        odin.observe(odin.play(hands.table("B9", "K8 X0", "G1", limit="one-hand", goat=True), "B9"), 0)
        | {"scores": [0, 2, 1]}, "scores"),
    "points of two hidden goats": (
        odin.observe(odin.play(hands.table("B9", "K8 X0", "G1", limit="one-hand", goat=True), "B9"), 0)
        | {"scores": [0, 6, 5]}, "scores"),
    # opener
    "no opener": (without(LEADING, "opener"), "opener"),
    "opener too high": (changed(LEADING, "opener", 4), "opener"),
    "opener null": (changed(LEADING, "opener", None), "opener"),
    "opener true": (changed(LEADING, "opener", True), "opener"),
    "another opener in the first hand": (by_hand("B9", "K1", "G1", opener=1), "opener"),
    "another opener of the only hand": (spoilt_state(ONE_HAND, opener=1), "opener"),
    "the first opener in the second hand": (by_hand("B9", "K1", "G1", scores=(0, 1, 1)), "opener"),
    "two seats without a point after a hand": (by_hand("B9", "K1", "G1", scores=(0, 0, 4), opener=1), "opener"),
    "too many points for a hand": (by_hand("B9", "K1", "G1", scores=(0, 10, 1), opener=1), "opener"),
    "all with points after a hand": (by_hand("B9", "K1", "G1", scores=(1, 1, 1), opener=1), "opener"),
    "a hand more than points": (by_hand("B9", "K1", scores=(0, 1)), "opener"),
    # turn and who acts
    "no turn": (without(LEADING, "turn"), "turn"),
    "turn too high": (changed(LEADING, "turn", 4), "turn"),
    "turn a float": (changed(LEADING, "turn", 0.0), "turn"),
    "turn false": (changed(LEADING, "turn", False), "turn"),
    "turn of another before anything is played": (START | {"turn": 1, "to_act": 1}, "turn"),
    "turn not of who ended the hand": (changed(BREAK, "turn", (BREAK["turn"] + 1) % 3), "turn"),
    "no to_act": (without(LEADING, "to_act"), "to_act"),
    "to_act of another": (changed(LEADING, "to_act", (LEADING["turn"] + 1) % 4), "to_act"),
    "to_act chance": (changed(LEADING, "to_act", -1), "to_act"),
    "to_act null": (changed(LEADING, "to_act", None), "to_act"),
    "to_act a float": (changed(LEADING, "to_act", float(LEADING["turn"])), "to_act"),
    "to_act false": (changed(START, "to_act", False), "to_act"),
    "to_act between hands": (changed(BREAK, "to_act", BREAK["turn"]), "to_act"),
    "to_act null between hands": (changed(BREAK, "to_act", None), "to_act"),
    "to_act chance when over": (changed(END, "to_act", -1), "to_act"),
    "to_act a seat when over": (changed(ONLY, "to_act", ONLY["turn"]), "to_act"),
    # winner
    "no winner": (without(LEADING, "winner"), "winner"),
    "winner while playing": (changed(LEADING, "winner", [0]), "winner"),
    "winner between hands": (changed(BREAK, "winner", [BREAK["turn"]]), "winner"),
    "no winner when over": (changed(END, "winner", None), "winner"),
    "nobody wins": (changed(END, "winner", []), "winner"),
    "another wins": (changed(END, "winner", [(END["winner"][0] + 1) % 4]), "winner"),
    "one of two winners": (changed(WHOLE["shared"], "winner", WHOLE["shared"]["winner"][:1]), "winner"),
    "winners in disorder": (changed(WHOLE["shared"], "winner", WHOLE["shared"]["winner"][::-1]), "winner"),
    "winner a number": (changed(END, "winner", END["winner"][0]), "winner"),
    "winner a float": (changed(END, "winner", [float(END["winner"][0])]), "winner"),
    "winner a truth": (
        changed(odin.to_json(odin.play(hands.table("B9", "K1", limit="one-hand"), "B9")), "winner", [False]), "winner"),
}  # fmt: skip


@pytest.mark.small
@pytest.mark.parametrize(("data", "field"), [pytest.param(*bad, id=name) for name, bad in BAD.items()])
def test_error_names_the_field(data, field):
    with pytest.raises(InputError) as error:
        read(data)
    assert error.value.field == field
    assert str(error.value) == f"{field}: {error.value.expected}"
    assert "expected" in error.value.expected or "no such rule" in error.value.expected
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 400


@pytest.mark.small
@pytest.mark.parametrize("value", ["x\ny" * 500, [[[[[[[[[[[[7]]]]]]]]]]]] * 50, {"a": {"b": "\ud800"}}, 10**40])
def test_error_is_one_short_line_whatever_was_there(value):
    paths = [("hands", 0, 0), ("known", 0), ("table",), ("discard", 0), ("undealt", 0), ("scores", 1), ("owner",)]
    paths += [(field,) for field in ("opener", "turn", "to_act", "winner", "seat", "game")]
    paths += [("rules", name) for name in ("players", "limit", "removed", str(value))]
    for path in paths:
        with pytest.raises(InputError) as error:
            read(changed(TWO_SEATS, *path, value))
        assert str(error.value).isprintable()
        assert len(str(error.value)) < 400


@pytest.mark.small
def test_fields_nobody_knows_are_ignored_and_can_be_listed():
    data = LEADING | {"comment": "from the club evening", "deck": 3}
    assert read(data).to_dict() == LEADING
    assert unknown_fields(data) == ["comment", "deck"]
    assert [unknown_fields(good) for good in GOOD.values()] == [[] for _ in GOOD]
    assert unknown_fields(None) == unknown_fields([1]) == unknown_fields("rules") == []


@pytest.mark.small
def test_a_seat_of_null_is_the_whole_truth():
    assert isinstance(read(LEADING | {"seat": None}), Position)


@pytest.mark.small
@pytest.mark.parametrize(
    ("scores", "opener"),
    [
        ((0, 0, 0), 0),
        ((0, 9, 1), 1),
        ((3, 0, 2), 1),
        ((0, 2, 2), 2),
        ((1, 2, 3), 0),
        ((0, 14, 4), 1),
        ((14, 14, 14), 2),
    ],
)
def test_points_that_hands_can_lead_to(scores, opener):
    data = by_hand("B9", "K1", "G1", scores=scores, opener=opener)
    assert read(data).to_dict() == data


@pytest.mark.small
def test_the_goat_makes_more_points_possible():
    fields = {"scores": (0, 13, 1), "opener": 1}
    assert read(by_hand("B9", "K1", "G1", goat=True, **fields)).to_dict()["opener"] == 1
    with pytest.raises(InputError, match=r"^opener: "):
        read(by_hand("B9", "K1", "G1", **fields))


# Positions of games


@pytest.mark.parametrize("rules", [pytest.param(rules, id=hands.name(rules)) for rules in hands.RULES[1::5]])
def test_what_play_leads_to_can_be_read(rules):
    """And so can what a seat sees of it: nothing that play reaches is taken for impossible."""
    for choose in (hands.shedding, hands.trading):
        for ply, state in list(enumerate(hands.game(rules, choose, "read")))[::2]:
            for data in (odin.to_json(state), odin.observe(state, ply % rules.players)):
                assert read(data).to_dict() == data


# Moves and deals


@pytest.mark.small
@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize(
    "move", ["", "B0", "X0>", ">B9", "b9", "Pass", "pass ", "B9;B8", "deal", "deal ", "L", None, 3, ["pass"], {}, True]
)
def test_illegal_moves_are_refused_with_a_list_of_the_legal_ones(name, move):
    position = read(WHOLE[name])
    with pytest.raises(InputError) as error:
        position.play(move)
    assert error.value.field == "move"
    moves = " ".join(position.moves())
    expected = f"one of {moves}" if moves else "no move" if position.is_over else "deal and "
    assert error.value.expected.startswith(f"expected {expected}")
    assert str(error.value).isprintable()


@pytest.mark.small
def test_what_is_nearly_a_move_is_none():
    position = read(by_hand("B9 B8 R1", "K1", "G4 G1", on="P5 O5"))
    assert sorted(position.moves()) == ["B9,B8>O5", "B9,B8>P5", "pass"]
    for wrong in ("B8,B9>P5", "B9,B8", "B9,B8>G4", "B9,B8>P5,O5", "B9,B8>R1", "B9, B8>P5", "B9,B8 >P5", "B9", "R1>P5"):
        with pytest.raises(InputError, match=r"^move: expected one of pass "):
            position.play(wrong)


DEALS = {
    3: "deal B9,R9,P9,G9,K9,O9,B8,R8,P8;G8,K8,O8,B7,R7,P7,G7,K7,O7;B6,R6,P6,G6,K6,O6,B5,R5,P5",
    2: "deal B9,G9,K9,O9,B8,G8,K8,O8,B7;G7,K7,O7,B6,G6,K6,O6,B5,G5",
}


@pytest.mark.small
@pytest.mark.parametrize(
    "change",
    [
        lambda move: "",
        lambda move: "pass",
        lambda move: "deal",
        lambda move: move.removeprefix("deal "),
        lambda move: move.replace("deal ", "deal  "),
        lambda move: move.replace("deal", "Deal"),
        lambda move: f"deal {move}",
        lambda move: move.replace("B9,", "", 1),
        lambda move: move.replace("B9,G9", "G9,B9").replace("B9,R9", "R9,B9"),
        lambda move: move.replace("B9", "B8"),
        lambda move: move.replace("G8", "B9"),
        lambda move: move.replace("B9", "B10"),
        lambda move: move.replace("B9", "b9"),
        lambda move: move.replace("B9,", "B9, "),
        lambda move: move.replace("B9,", "B9,,"),
        lambda move: move.replace("B9,", "B9,B9,"),
        lambda move: move.replace(";", ",", 1),
        lambda move: move.replace(",", ";", 1),
        lambda move: f"{move};",
        lambda move: f"{move};B4,G4,K4,O4,B3,G3,K3,O3,B2",
        lambda move: move.rpartition(";")[0],
        lambda move: f"{move[:-2]}X0",
        lambda move: f"{move[:-2]}",
        lambda move: move.replace("B9,G9,K9", "B9,R9,K9").replace("B9,R9,P9", "B9,R9,X0"),
        lambda move: [move],
        lambda move: None,
    ],
)
@pytest.mark.parametrize("players", DEALS)
def test_no_other_deal_is_played(players, change):
    position = read(odin.to_json(odin.play(hands.table("B1", *["O3 O8"] if players == 2 else ("R3 R8", "P5")), "B1")))
    dealt = position.play(DEALS[players])
    assert read(dealt.to_dict()) == dealt
    with pytest.raises(InputError) as error:
        position.play(change(DEALS[players]))
    assert error.value.field == "move"
    assert error.value.expected.startswith(
        f"expected deal and {players} hands of 9 different cards in order, as deal B9,"
    )
    assert "X0" not in error.value.expected.split("; got")[0]
    assert position.to_act == -1


@pytest.mark.small
def test_the_goat_must_be_dealt():
    position = read(odin.to_json(odin.play(hands.table("B1", "R3 X0", "P5", goat=True), "B1")))
    with pytest.raises(InputError, match="X0 among them"):
        position.play(DEALS[3])
    with_goat = f"{DEALS[3][:-2]}X0"
    assert position.play(with_goat).to_dict()["hands"][2][-1] == "X0"
    for wrong in (DEALS[3].replace("B9,", "X0,"), with_goat.replace("P8", "X0"), f"{DEALS[3][:-5]}X0,P5"):
        with pytest.raises(InputError, match=r"^move: expected deal "):
            position.play(wrong)


# Positions spoilt at random

GARBAGE = garbage(
    st.integers(-3, 22) | st.sampled_from([255, 256, 999, 1000, 2**31, 2**63, -(2**64), 10**30]),
    [*odin.ORDER, *odin.COLOURS, "?", "X", "one-hand", "odin", "pass"],
)
# most of them leave a position one, as two cards swapped
SPOILT = spoilt(GOOD, GARBAGE, ["delete", "replace", "near", "swap", "swap anywhere", "move", "duplicate"])


def read_or_refused(data) -> Position | Observation | InputError:
    try:
        return read(data)
    except InputError as error:
        return error


def refused_or_good(data) -> bool:
    """A spoilt position is an error, or good in every way; whether it is good."""
    view = read_or_refused(data)
    if isinstance(view, InputError):
        assert view.field
        assert str(view).isprintable()
        return False
    written = view.to_dict()
    assert read(json.loads(json.dumps(written))) == view
    if isinstance(view, Observation):
        world = view.world(stream(1, "spoilt"))
        assert world.observe(view.seat) == view
        view = world
    slow, rng = odin.from_json(view.to_dict()), random.Random(1)
    for _ in range(4):
        assert view.to_dict() == odin.to_json(slow)
        moves = view.moves()
        assert sorted(moves) == odin.legal(slow)
        assert view.is_over == (slow.to_act is odin.NOBODY)
        if view.is_over:
            break
        move = hands.move(slow, hands.anything, rng)
        view, slow = view.play(move), odin.play(slow, move)
    return True


@pytest.mark.small
@settings(max_examples=200)
@given(SPOILT)
def test_spoilt_positions_are_refused_or_good(data):
    refused_or_good(data)


@pytest.mark.slow
@settings(max_examples=5000)
@given(SPOILT)
def test_many_spoilt_positions_are_refused_or_good(data):
    refused_or_good(data)


@pytest.mark.small
def test_cards_that_change_places_are_refused_or_good():
    """Two cards of a position swapped: where each is alone in a place of the same kind, it is another position."""
    rng, good = random.Random(1), 0
    for _ in range(150):
        data = copy.deepcopy(WHOLE[rng.choice(sorted(WHOLE))])
        places = [path for path in nodes(data) if path[0] in ("hands", "table", "discard", "undealt")]
        one, other = rng.sample([path for path in places if isinstance(parent(data, path)[path[-1]], str)], 2)
        first, second = parent(data, one), parent(data, other)
        first[one[-1]], second[other[-1]] = second[other[-1]], first[one[-1]]
        good += refused_or_good(data)
    assert 50 < good < 140


@pytest.mark.small
@settings(max_examples=100)
@given(GARBAGE)
def test_garbage_is_refused(data):
    with pytest.raises(InputError):
        read(data)
    with pytest.raises(InputError):
        read({"game": "odin", "rules": data})
