"""The slow engine of Odin against recorded games, random games and positions made by hand."""

import json
import random
from collections import Counter
from itertools import chain, islice, product
from math import factorial, prod
from pathlib import Path

import pytest
from reference import odin
from reference.odin import Rules

CASES = Path(__file__).parent / "data" / "cases"
RECORDS = [
    pytest.param(json.loads(line), id=f"{name}-{index}")
    for name in ("odin", "odin_every")
    for index, line in enumerate((CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
]
LIMITS = (10, 15, 20, "one-hand")


def table(*hands, on="", owner=None, limit=15, goat=False, **fields):
    """A position of little, seat 0 to act: hands and a set as text, all other cards discarded.

    Who owns the set is the last seat, if not said. Two players have all colours but R and P.
    """
    rules = Rules(len(hands), limit, goat, ("R", "P") if len(hands) == 2 else ())
    state = odin.start(rules, tuple(tuple(hand.split()) for hand in hands))
    last = len(hands) - 1 if on else None
    lying = odin.ordered(on.split())
    discard = odin.without(state.undealt, lying)
    owner = last if owner is None else owner
    return state._replace(table=lying, owner=owner, discard=discard, undealt=())._replace(**fields)


def played(state, *moves):
    for move in moves:
        state = odin.play(state, move)
    return state


def cards_of(state):
    return list(chain(*state.hands, state.table, state.discard, state.undealt))


def held(state, seat):
    return " ".join(state.hands[seat])


def colours(*left):
    """All sets of these colours, with the goat or without it last."""
    *left, goat = left
    deck = odin.cards(goat, [colour for colour in odin.COLOURS if colour not in left])
    of_colour = [[card for card in deck if card[0] in (colour, "X")] for colour in left]
    of_rank = [[card for card in deck if odin.rank(card) == rank] for rank in range(10)]
    return set(chain.from_iterable(odin.sets(tuple(group)) for group in of_colour + of_rank))


# Recorded games


@pytest.mark.parametrize("record", RECORDS)
def test_record_replays_field_by_field(record):
    state = odin.from_json(record["start"])
    assert odin.to_json(state) == record["start"]
    for index, move in enumerate(record["moves"]):
        moves = odin.legal(state)
        assert move in moves
        if "legal" in record:
            assert moves == record["legal"][index]
        state = odin.play(state, move)
        if "every" in record:
            assert odin.to_json(state) == record["every"][index]
    assert odin.to_json(state) == record["end"]
    assert list(odin.to_json(state)) == list(record["end"])
    assert odin.legal(state) == []


@pytest.mark.parametrize("record", RECORDS)
def test_recorded_hands_are_a_deal(record):
    state = odin.from_json(record["start"])
    hands = odin.read_deal(state.rules, odin.written_deal(state.hands))
    assert odin.start(state.rules, hands) == state


# Random games


def check(state):
    everything = odin.cards(state.rules.goat, state.rules.removed)
    assert Counter(cards_of(state)) == Counter(everything)
    for cards in (*state.hands, *state.known, state.table, state.discard, state.undealt):
        assert cards == odin.ordered(cards)
    for hand, known in zip(state.hands, state.known, strict=True):
        assert len(hand) <= odin.HAND
        assert set(known) <= set(hand)
    assert len(state.undealt) == len(everything) - odin.HAND * state.rules.players
    assert not state.table or odin.is_set(state.table)
    assert (state.owner is None) == (not state.table)
    assert state.to_act in ((odin.CHANCE, odin.NOBODY) if odin.hand_over(state) else (state.turn,))
    assert (state.to_act is odin.NOBODY) == (state.winner is not None)
    assert state.winner == odin.winner(state)
    assert odin.from_json(json.loads(json.dumps(odin.to_json(state)))) == state


def check_observations(state):
    for seat in range(state.rules.players):
        observation = odin.observe(state, seat)
        whole = odin.to_json(state)
        assert observation.pop("seat") == seat
        assert {field for field in whole if observation[field] != whole[field]} <= {"hands", "undealt"}
        assert observation["hands"][seat] == whole["hands"][seat]
        assert set(observation["undealt"]) <= {"?"} and len(observation["undealt"]) == len(whole["undealt"])
        for other in set(range(state.rules.players)) - {seat}:
            hidden = len(state.hands[other]) - len(state.known[other])
            assert observation["hands"][other] == [*state.known[other], *["?"] * hidden]


def random_move(state, rng):
    if state.to_act == odin.CHANCE:
        return odin.written_deal(odin.deal(state.rules, rng))
    return rng.choice(odin.legal(state))


@pytest.mark.parametrize(("players", "goat", "limit"), list(product(range(2, 7), (False, True), LIMITS)))
def test_random_game_keeps_the_invariants(players, goat, limit):
    rng = random.Random(f"{players} {goat} {limit}")
    rules = Rules(players, limit, goat, odin.draw_removed(rng) if players == 2 else ())
    state = odin.start(rules, odin.deal(rules, rng))
    openers, rounds = [0], 1
    while state.to_act is not odin.NOBODY:
        check(state)
        check_observations(state)
        moves = odin.legal(state)
        assert moves == sorted(set(moves))
        before, state = state, odin.play(state, random_move(state, rng))
        # The rules promise an end of every hand.
        rounds = 1 if before.to_act == odin.CHANCE else rounds + (not state.table)
        assert rounds <= odin.HAND * players
        if before.to_act == odin.CHANCE:
            openers.append(state.opener)
            assert state.scores == before.scores
        elif odin.hand_over(state):
            assert (state.turn, state.owner, state.opener) == (before.turn, before.turn, openers[-1])
            assert [now - then for now, then in zip(state.scores, before.scores, strict=True)] == [
                sum(5 if card == "X0" else 1 for card in hand) for hand in state.hands
            ]
    check(state)
    check_observations(state)
    assert openers == [hand % players for hand in range(len(openers))]
    assert limit == "one-hand" or max(state.scores) >= limit
    assert limit != "one-hand" or len(openers) == 1


# Cards and sets


def test_the_cards():
    assert odin.cards(False)[:7] == ("B9", "R9", "P9", "G9", "K9", "O9", "B8")
    assert odin.cards(True) == (*odin.cards(False), "X0")
    assert (len(odin.cards(False)), len(odin.cards(True))) == (54, 55)
    four = odin.cards(True, ("K", "R"))
    assert len(four) == 37
    assert {card[0] for card in four} == set("BPGOX")


@pytest.mark.parametrize(
    ("text", "is_set"),
    [
        ("", False),
        ("B9", True),
        ("B9 B5 B1", True),
        ("B5 R5 O5", True),
        ("B9 R8", False),
        ("B9 R9 B8", False),
        ("X0", True),
        ("B9 X0", True),
        ("B9 B5 B1 X0", True),
        ("B5 R5 X0", False),
        ("B9 R8 X0", False),
    ],
)
def test_a_set_is_of_one_colour_or_of_one_rank(text, is_set):
    assert odin.is_set(tuple(text.split())) is is_set


@pytest.mark.parametrize(
    ("text", "value"),
    [("K7", 7), ("B5 B2 B8", 852), ("R3 O3", 33), ("X0", 0), ("K7 X0", 70), ("X0 K1 K2", 210)],
)
def test_the_value_is_the_digits_in_descending_order(text, value):
    assert odin.value(tuple(text.split())) == value


def test_how_many_sets_there_are():
    # Of a colour any cards, of a rank two or more; the goat joins any of a colour, or none.
    assert len(colours(*"BRPGKO", False)) == 6 * (2**9 - 1) + 9 * (2**6 - 1 - 6) == 3579
    assert len(colours(*"BGKO", False)) == 4 * (2**9 - 1) + 9 * (2**4 - 1 - 4) == 2143
    assert len(colours(*"BRPGKO", True)) == 3579 + 6 * (2**9 - 1) + 1
    assert len(colours(*"BGKO", True)) == 2143 + 4 * (2**9 - 1) + 1


@pytest.mark.parametrize("seed", range(8))
def test_sets_in_a_hand_are_those_of_all_its_cards(seed):
    hand = odin.deal(Rules(6, goat=True), random.Random(seed))[0]
    found = odin.sets(hand)
    assert len(set(found)) == len(found)
    assert set(found) == {cards for cards in colours(*"BRPGKO", True) if set(cards) <= set(hand)}


# The deal


@pytest.mark.parametrize(("players", "goat"), list(product(range(2, 7), (False, True))))
def test_a_deal_is_nine_cards_a_hand_and_the_goat_is_always_dealt(players, goat):
    rules = Rules(players, goat=goat, removed=("K", "O") if players == 2 else ())
    goats = set()
    for seed in range(60):
        state = odin.start(rules, odin.deal(rules, random.Random(seed)))
        check(state)
        assert all(len(hand) == 9 for hand in state.hands)
        goats |= {seat for seat, hand in enumerate(state.hands) if "X0" in hand}
        assert "X0" not in state.undealt
        assert (state.opener, state.turn, state.to_act, state.scores) == (0, 0, 0, (0,) * players)
    assert goats == (set(range(players)) if goat else set())


def test_two_players_do_without_two_colours():
    rng = random.Random(0)
    drawn = Counter(odin.draw_removed(rng) for _ in range(2000))
    assert set(drawn) == {(first, second) for first in "RK" for second in set("BRPGKO") - {first}}
    assert all(140 < count < 260 for count in drawn.values())
    assert all(Rules(2, removed=removed) for removed in drawn)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"players": 1}, "players"),
        ({"players": 7}, "players"),
        ({"players": 3, "limit": 12}, "limit"),
        ({"players": 2}, "removed"),
        ({"players": 2, "removed": ("B", "P")}, "removed"),
        ({"players": 2, "removed": ("R", "R")}, "removed"),
        ({"players": 2, "removed": ("R", "X")}, "removed"),
        ({"players": 2, "removed": ("R", "K", "B")}, "removed"),
        ({"players": 3, "removed": ("R", "K")}, "removed"),
    ],
)
def test_other_rules_are_refused(options, field):
    with pytest.raises(ValueError, match=field):
        Rules(**options)


# Leading


def test_the_leader_plays_one_card():
    assert odin.legal(table("B9 B5 R5", "K1")) == ["B5", "B9", "R5"]
    led = odin.play(table("B9 B5 R5", "K1"), "B5")
    assert (led.table, led.owner, led.turn, held(led, 0)) == (("B5",), 0, 1, "B9 R5")


@pytest.mark.parametrize(
    ("hand", "whole"), [("B9 B5 B1", "B9,B5,B1"), ("B5 R5 O5", "B5,R5,O5"), ("B9 B5 X0", "B9,B5,X0")]
)
def test_the_leader_may_play_a_whole_hand_that_is_one_set(hand, whole):
    state = table(hand, "K1 K2", "G4", goat=True)
    assert odin.legal(state) == sorted([whole, *hand.split()])
    over = odin.play(state, whole)
    assert (odin.hand_over(over), over.turn, over.to_act, over.scores) == (True, 0, odin.CHANCE, (0, 2, 1))


def test_a_last_card_is_one_lead():
    assert odin.legal(table("B9", "K1")) == ["B9"]


# Beating


def stems(state):
    """What may be played, whatever is taken, without the passes."""
    return sorted({move.split(">")[0] for move in odin.legal(state)} - {"pass"})


def test_as_many_cards_or_exactly_one_more():
    hand = "B9 B8 B7 B6 R1"
    twos = ["B7,B6", "B8,B6", "B8,B7", "B9,B6", "B9,B7", "B9,B8"]
    threes = ["B8,B7,B6", "B9,B7,B6", "B9,B8,B6", "B9,B8,B7"]
    assert stems(table(hand, "K1", on="G5")) == sorted(["B6", "B7", "B8", "B9", *twos])
    assert stems(table(hand, "K1", on="G5 G4")) == sorted([*twos, *threes])
    assert stems(table(hand, "K1", on="G3 G2 G1")) == sorted([*threes, "B9,B8,B7,B6"])


def test_all_may_pass_but_the_leader():
    assert odin.legal(table("B1 R2", "K1", on="G9 G8")) == ["pass"]
    assert "pass" in odin.legal(table("B9", "K1", on="G1"))
    with pytest.raises(ValueError, match="illegal move 'pass'"):
        odin.play(table("B1 R2", "K1"), "pass")


def test_a_strictly_greater_value():
    assert stems(table("B6 R5 K5 O1", "K1", "G1", on="G5")) == ["B6", "R5,K5"]
    assert stems(table("B9 B1 R4 K2", "K1", "G1", on="G9 G1")) == []
    assert stems(table("B9 B2 R4 K3", "K1", "G1", on="G9 G1")) == ["B9,B2"]
    assert stems(table("B1 R1 K9 O2", "K1", "G1", on="G9")) == ["B1,R1"]


def test_the_goat_alone_is_the_lowest_lead_and_beats_nothing():
    lowest = odin.play(table("X0 B1 R2", "K1 O2", "G5", goat=True), "X0")
    assert stems(lowest) == ["K1", "O2"]
    assert stems(table("X0 B1", "K1", "G5", on="G1", goat=True)) == ["B1,X0"]
    assert stems(table("X0 B3 R3", "K1", "G5", on="G3 G2", goat=True)) == ["B3,R3"]


def test_one_card_of_the_beaten_set_is_taken_and_the_rest_discarded():
    state = table("B9 B8 R1", "K1 K2", "G4", on="P5 O5", discard=("R9",))
    assert odin.legal(state) == ["B9,B8>O5", "B9,B8>P5", "pass"]
    after = odin.play(state, "B9,B8>O5")
    assert (held(after, 0), after.known[0], after.discard) == ("O5 R1", ("O5",), ("R9", "P5"))
    assert (after.table, after.owner, after.turn, after.to_act) == (("B9", "B8"), 0, 1, 1)


def test_something_must_be_taken():
    with pytest.raises(ValueError, match="illegal move 'B9,B8'"):
        odin.play(table("B9 B8 R1", "K1", "G4", on="P5 O5"), "B9,B8")


def test_who_empties_the_hand_takes_nothing():
    state = table("B9 B8", "K1 K2", "G4", on="P5 O5")
    assert odin.legal(state) == ["B9,B8", "pass"]
    over = odin.play(state, "B9,B8")
    assert (over.hands[0], over.known[0], over.table, over.owner) == ((), (), ("B9", "B8"), 0)
    assert {"P5", "O5"} <= set(over.discard)


def test_moves_are_written_in_canonical_order():
    # O before P in letters, P before O in cards.
    assert odin.legal(table("O5 P5 K1", "K3", "G4", on="G4 G3")) == ["P5,O5>G3", "P5,O5>G4", "pass"]
    assert odin.legal(table("X0 O5 O7", "K3", "G4", on="G8", goat=True)) == [
        *("O5,X0>G8", "O7,O5>G8", "O7,X0>G8", "pass"),
    ]
    for wrong in ("O5,P5>G3", "P5,O5>G5", "P5,O5", "P5>G3", "G4>G3", "", "deal K1;K2;K3"):
        with pytest.raises(ValueError, match="illegal move"):
            odin.play(table("O5 P5 K1", "K3", "G4", on="G4 G3"), wrong)


# Passing and rounds


def test_a_pass_locks_nobody_out_of_the_round():
    state = played(table("B1 B2 B9", "R3 R8", "P5 P4"), "B1", "pass", "P5>B1")
    again = played(state, "pass")
    assert (again.turn, again.owner, again.table) == (1, 2, ("P5",))
    assert odin.legal(again) == ["R8,R3", "R8>P5", "pass"]
    assert played(again, "R8>P5", "pass").turn == 0


def test_the_round_ends_when_the_turn_comes_back_to_the_owner():
    state = played(table("B1 B2 R9", "R3 R8", "P5 P4"), "B1", "R3>B1", "pass")
    assert (state.table, state.owner, state.turn) == (("R3",), 1, 0)
    state = played(state, "pass")
    assert (state.table, state.owner, state.turn, state.to_act) == ((), None, 1, 1)
    assert "R3" in state.discard
    assert odin.legal(state) == ["B1", "R8"]


def test_who_led_in_vain_leads_again():
    state = played(table("B1 B2 R9", "R3 R8"), "R9", "pass")
    assert (state.turn, state.table, odin.legal(state)) == (0, (), ["B1", "B2", "B2,B1"])


# The end of a hand


def test_the_hand_ends_at_once():
    over = played(table("B1", "R3 R8", "P5"), "B1")
    assert (over.turn, over.to_act, over.winner, over.scores) == (0, odin.CHANCE, None, (0, 2, 1))
    assert (held(over, 1), held(over, 2)) == ("R8 R3", "P5")
    assert odin.legal(over) == []


def test_the_goat_left_costs_five_in_all():
    assert [odin.points(tuple(hand.split())) for hand in ("", "B9", "X0", "B9 B8 X0")] == [0, 1, 5, 7]
    over = played(table("B1", "R3 X0", "X0", goat=True), "B1")
    assert over.scores == (0, 6, 5)


def test_points_are_added_to_those_before():
    over = played(table("B1", "R3 R8", "P5", scores=(3, 4, 5)), "B1")
    assert (over.scores, odin.result(over)) == ((3, 6, 6), (0, 2, 1))


# The game


@pytest.mark.parametrize(
    ("limit", "scores", "winner"),
    [
        (10, (0, 7, 0), None),
        (10, (0, 8, 0), (0,)),
        (15, (0, 12, 13), None),
        (15, (0, 13, 0), (0,)),
        (15, (14, 0, 14), (1,)),
        (15, (15, 0, 3), (1,)),
        (20, (7, 17, 18), None),
        (20, (7, 20, 18), (0,)),
        (15, (3, 1, 14), (0, 1)),
        (15, (15, 13, 14), (0, 1, 2)),
        ("one-hand", (0, 0, 0), (0,)),
    ],
)
def test_the_game_ends_at_the_limit_and_fewest_points_win(limit, scores, winner):
    # The hand costs 0, 2 and 1.
    over = odin.play(table("B1", "R3 R8", "P5", limit=limit, scores=scores), "B1")
    assert over.winner == odin.winner(over) == winner
    assert over.to_act == (odin.CHANCE if winner is None else odin.NOBODY)
    assert (over.turn, odin.legal(over)) == (0, [])
    assert odin.to_json(over)["winner"] == (None if winner is None else list(winner))


def test_a_limit_reached_before_counts_when_the_hand_is_over():
    state = table("B1 B2", "R3 R8", "P5 P6", scores=(0, 15, 0))
    assert (odin.winner(state), odin.winner(odin.play(state, "B1"))) == (None, None)


def test_the_next_hand_is_opened_by_the_next_seat_from_the_opener():
    over = played(table("B1 K9", "R3 R8", "P5 P4", opener=1, scores=(1, 2, 3)), "K9", "pass", "pass", "B1")
    assert (over.turn, over.opener) == (0, 1)
    hands = odin.deal(over.rules, random.Random(3))
    after = odin.play(over, odin.written_deal(hands))
    check(after)
    assert (after.opener, after.turn, after.to_act) == (2, 2, 2)
    assert (after.hands, after.scores) == (hands, (1, 4, 5))
    assert (after.known, after.table, after.owner, after.discard) == (((), (), ()), (), None, ())
    last = over._replace(opener=2)
    assert odin.play(last, odin.written_deal(hands)).opener == 0


def test_the_deal_in_writing():
    hands = (odin.ORDER[:9], odin.ORDER[9:18], odin.ORDER[18:27])
    move = "deal B9,R9,P9,G9,K9,O9,B8,R8,P8;G8,K8,O8,B7,R7,P7,G7,K7,O7;B6,R6,P6,G6,K6,O6,B5,R5,P5"
    assert odin.written_deal(hands) == move
    assert odin.read_deal(Rules(3), move) == hands


@pytest.mark.parametrize(
    "change",
    [
        lambda move: move.removeprefix("deal "),
        lambda move: move.replace("B9,R9", "R9,B9"),
        lambda move: move.replace("B9,R9", "B9"),
        lambda move: move.replace("B9", "B8"),
        lambda move: move.replace("R9", "R10"),
        lambda move: move.replace(",R9", ",R9,R9"),
        lambda move: move.replace("P8", "X0"),
        lambda move: move.replace(";", ",", 1),
        lambda move: move + ";",
        lambda move: move + ";B4,R4,P4,G4,K4,O4,B3,R3,P3",
        lambda move: "pass",
    ],
)
def test_no_other_deal_is_played(change):
    over = odin.play(table("B1", "R3 R8", "P5"), "B1")
    move = odin.written_deal((odin.ORDER[:9], odin.ORDER[9:18], odin.ORDER[18:27]))
    odin.play(over, move)
    with pytest.raises(ValueError, match="not a deal"):
        odin.play(over, change(move))


def test_the_goat_must_be_dealt_and_removed_colours_must_not():
    hands = (odin.ORDER[:9], odin.ORDER[9:18], odin.ORDER[18:27])
    with pytest.raises(ValueError, match="not a deal"):
        odin.read_deal(Rules(3, goat=True), odin.written_deal(hands))
    with_goat = (*hands[:2], (*hands[2][:8], "X0"))
    assert odin.read_deal(Rules(3, goat=True), odin.written_deal(with_goat)) == with_goat
    with pytest.raises(ValueError, match="not a deal"):
        odin.read_deal(Rules(2, removed=("R", "P")), odin.written_deal(hands[:2]))


def test_after_the_game_nothing_is_dealt():
    over = odin.play(table("B1", "R3", "P5", limit="one-hand"), "B1")
    with pytest.raises(ValueError, match="illegal move"):
        odin.play(over, odin.written_deal(odin.deal(over.rules, random.Random(0))))


# Knowledge


def test_a_card_taken_is_known_until_it_is_played():
    state = played(table("B1 B2 R9", "R3 R8 G1", "P5 P4 K1"), "B2", "R3>B2")
    assert state.known == ((), ("B2",), ())
    for seat in (0, 2):
        assert odin.observe(state, seat)["hands"][1] == ["B2", "?", "?"]
    assert odin.observe(state, 1)["hands"] == [["?", "?"], ["R8", "B2", "G1"], ["?", "?", "?"]]
    state = played(state, "pass", "pass")
    assert state.known == ((), ("B2",), ())
    state = played(state, "B2")
    assert state.known == ((), (), ())
    assert odin.observe(state, 0)["hands"][1] == ["?", "?"]


def test_known_cards_come_in_canonical_order():
    state = table("B9 R8 G1", "R3", "P5", on="O2", known=(("G1",), (), ()))
    assert odin.play(state, "B9>O2").known[0] == ("O2", "G1")


def test_hands_stay_hidden_when_they_are_over():
    over = played(table("B1", "R3 R8", "P5", known=((), ("R3",), ())), "B1")
    assert odin.observe(over, 0)["hands"] == [[], ["R3", "?"], ["?"]]


def little(rng, players, goat):
    """A few cards a hand, two undealt, some known."""
    rules = Rules(players, goat=goat, removed=("R", "P") if players == 2 else ())
    whole = odin.start(rules, odin.deal(rules, rng))
    size = 3 if players == 2 else 2
    goat_of = next((seat for seat, hand in enumerate(whole.hands) if "X0" in hand), None)
    # The goat stays, as last of its hand.
    hands = tuple(hand[-size:] if seat == goat_of else hand[:size] for seat, hand in enumerate(whole.hands))
    undealt = tuple(rng.sample([card for card in odin.cards(False, rules.removed) if card not in sum(hands, ())], 2))
    discard = odin.without(odin.cards(goat, rules.removed), sum(hands, undealt))
    known = tuple(tuple(card for card in hand if rng.random() < 0.3) for hand in hands)
    return whole._replace(hands=hands, undealt=odin.ordered(undealt), discard=discard, known=known)


@pytest.mark.parametrize(("players", "goat", "seed"), list(product((2, 3), (False, True), range(5))))
def test_worlds_are_all_arrangements(players, goat, seed):
    state = little(random.Random(seed), players, goat)
    for seat in range(players):
        observation = odin.observe(state, seat)
        found = list(odin.worlds(observation))
        assert len(set(found)) == len(found)
        assert state in found
        for world in found:
            assert odin.observe(world, seat) == observation
            assert Counter(cards_of(world)) == Counter(cards_of(state))
            assert "X0" not in world.undealt
        missing = [hand.count("?") for hand in observation["hands"]]
        hidden = sum(missing)
        arrangements = factorial(hidden + 2) // prod(map(factorial, [*missing, 2]))
        if goat and "X0" not in chain(*observation["hands"]):
            # An unseen goat lies in each place alike, and those of the undealt do not count.
            arrangements = arrangements * hidden // (hidden + 2)
        assert len(found) == arrangements


def test_worlds_of_a_position_by_hand():
    state = table("B9", "K8 K7", on="G5", known=((), ("K7",)))._replace(undealt=("O1",))
    state = state._replace(discard=odin.without(state.discard, ("O1",)))
    found = list(odin.worlds(odin.observe(state, 0)))
    assert [(world.hands, world.undealt) for world in found] == [
        ((("B9",), ("K8", "K7")), ("O1",)),
        ((("B9",), ("K7", "O1")), ("K8",)),
    ]


def test_the_goat_is_in_no_world_undealt():
    state = table("B9", "K8 X0", goat=True, undealt=("O1",))
    state = state._replace(discard=odin.without(state.discard, ("O1",)))
    assert [world.hands[1] for world in odin.worlds(odin.observe(state, 0))] == [("K8", "X0"), ("O1", "X0")]


@pytest.mark.parametrize("record", [param for param in RECORDS if "every" in param.values[0]])
def test_the_only_world_of_who_sees_everything(record):
    state = odin.from_json(record["every"][-1])
    seen = state._replace(known=state.hands, discard=odin.ordered(state.discard + state.undealt), undealt=())
    assert list(odin.worlds(odin.observe(seen, 0))) == [seen]


# Open hands


@pytest.mark.parametrize(
    ("hands", "on", "points", "line"),
    [
        (("B9", "K1"), "", (0, 1), ("B9",)),
        # A whole hand in one.
        (("B9 B5 B1", "K1 K2"), "", (0, 2), ("B9,B5,B1",)),
        # The 1 first would do as well, for the 9 beats what beats it.
        (("B9 K1", "K8 O6"), "", (0, 2), ("B9", "pass", "K1")),
        # Whatever is led, the last card beats it.
        (("B5 K4", "G9"), "", (1, 0), ("B5", "G9")),
        (("K8 B7", "O4"), "G5", (0, 1), ("B7>G5", "pass", "G5", "pass", "K8")),
    ],
)
def test_open_hands_by_hand(hands, on, points, line):
    state = table(*hands, on=on)
    assert odin.solve_hand(state) == (points, line)
    over = played(state, *line)
    assert odin.hand_over(over) and odin.result(over) == points


def test_a_hand_that_is_over_has_nothing_to_solve():
    assert odin.solve_hand(odin.play(table("B9", "K1 K2"), "B9")) == ((0, 2), ())


def some_hands(seed, *sizes):
    cards = iter(random.Random(seed).sample(odin.cards(False, ("R", "P")), sum(sizes)))
    return table(*(" ".join(islice(cards, size)) for size in sizes))


def difference(state):
    """What seat 1 has more than seat 0 in the end, told again without memo, line or leads."""
    if not all(state.hands):
        return len(state.hands[1]) - len(state.hands[0])
    best = max if state.to_act == 0 else min
    return best(difference(odin.after(state, move)) for move in odin.legal(state))


@pytest.mark.parametrize("seed", range(16))
def test_minimax_of_the_difference(seed):
    state = some_hands(seed, 3, 3)
    points, line = odin.solve_hand(state)
    assert points[1] - points[0] == difference(state)
    assert odin.result(played(state, *line)) == points


@pytest.mark.parametrize(("sizes", "seed"), list(product([(3, 3), (2, 2, 2), (3, 2, 2), (2, 2, 2, 2)], range(6))))
def test_every_seat_takes_the_first_of_its_best_moves(sizes, seed):
    state = some_hands(seed, *sizes)
    points, line = odin.solve_hand(state)
    for move in line:
        options = [odin.solve_hand(odin.play(state, option))[0] for option in odin.legal(state)]
        leads = [sum(costs) - len(sizes) * costs[state.turn] for costs in options]
        assert odin.legal(state).index(move) == leads.index(max(leads))
        assert options[leads.index(max(leads))] == points
        state = odin.play(state, move)
    assert odin.result(state) == points


def test_a_lead_is_what_all_others_are_behind():
    assert [odin.lead((0, 4), seat) for seat in range(2)] == [4, -4]
    assert [odin.lead((1, 2, 0), seat) for seat in range(3)] == [0, -3, 3]
