"""The engine of Odin in lockstep with the naive one: every position of random and of recorded games."""

import json
import random

import pytest
from mess.solver import game as kernels
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.position import Observation, Position, read, replay
from mess.solver.rng import stream
from mess_command import CASES
from reference import hands, odin

RECORDS = [
    pytest.param(json.loads(line), id=f"{name}-{index}")
    for name in ("odin", "odin_every")
    for index, line in enumerate((CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
]
EVERY = [record for record in RECORDS if "every" in record.values[0]]
BY_RULES = pytest.mark.parametrize("rules", [pytest.param(rules, id=hands.name(rules)) for rules in hands.RULES])
ONE_CHOICE = pytest.mark.parametrize(
    ("rules", "choose"),
    [
        pytest.param(rules, choose, id=f"{choose.__name__}-{hands.name(rules)}")
        for i, rules in enumerate(hands.RULES)
        for j, choose in enumerate(hands.CHOICES.values())
        if (i + i // 2) % 3 == j
    ],
)
"""Every choice with every option, but not every choice with every rules."""


def same(fast: Position, expected: dict) -> None:
    """Equal in every field, and the fields in the same order."""
    assert fast.to_dict() == expected
    assert list(fast.to_dict()) == list(expected)


def check_moves(fast: Position, slow: odin.State) -> None:
    """The legal moves; one is read and written again."""
    texts = fast.moves()
    assert sorted(texts) == odin.legal(slow)
    if texts:
        assert fast.game.move_text(fast.state, fast.game.read_move(fast.state, texts[-1])) == texts[-1]


def check_end(fast: Position, slow: odin.State) -> None:
    won = odin.winner(slow)
    assert fast.is_over == (won is not None)
    if won is None:
        with pytest.raises(InputError, match=r"^phase: "):
            fast.payoff()
    else:
        assert fast.payoff() == tuple((seat in won) / len(won) for seat in range(slow.rules.players))


def check_observation(fast: Position, slow: odin.State, seat: int) -> None:
    seen, expected = fast.observe(seat), odin.observe(slow, seat)
    assert seen.to_dict() == expected
    assert (seen.to_act, seen.players, seen.seat) == (fast.to_act, slow.rules.players, seat)
    assert seen.moves() == (fast.moves() if fast.to_act == seat else [])


def check_reading(fast: Position, slow: odin.State, seat: int) -> None:
    """What is read of a text is the very record, byte for byte."""
    assert read(odin.to_json(slow)).state.tobytes() == fast.state.tobytes()
    back = read(odin.observe(slow, seat))
    assert isinstance(back, Observation)
    assert back.state.tobytes() == fast.observe(seat).state.tobytes()


def lockstep(rules: odin.Rules, choose: hands.Choose, seed: int, read_every: int = 12) -> int:
    """Play a game in both engines, the hands drawn by either in turn; how many hands it had."""
    fast = deal("odin", seed, **hands.options(rules))
    slow = odin.from_json(fast.to_dict())
    assert slow == odin.start(slow.rules, odin.read_deal(slow.rules, odin.written_deal(slow.hands)))
    rng, draws, ply, count = random.Random(seed), stream(seed, "chance"), 0, 1
    while True:
        same(fast, odin.to_json(slow))
        assert fast.to_act == (kernels.NO_ONE if slow.to_act is odin.NOBODY else slow.to_act)
        check_moves(fast, slow)
        check_end(fast, slow)
        is_between = slow.to_act in (odin.CHANCE, odin.NOBODY)
        for seat in range(rules.players):
            if is_between or (ply + seat) % (2 * rules.players) == 0:
                check_observation(fast, slow, seat)
        if is_between or ply % read_every == 0:
            check_reading(fast, slow, ply // read_every % rules.players)
        if slow.to_act is odin.NOBODY:
            return count
        is_deal = slow.to_act == odin.CHANCE
        move = fast.roll(draws) if is_deal and count % 2 else hands.move(slow, choose, rng)
        count += is_deal
        fast, slow, ply = fast.play(move), odin.play(slow, move), ply + 1


@pytest.mark.small
@ONE_CHOICE
def test_games(rules, choose):
    count = lockstep(rules, choose, 1)
    # nobody gets more than 13 points in a hand
    assert (count > 1) == (rules.limit != "one-hand") or rules.limit == 10


@pytest.mark.slow
@pytest.mark.parametrize("choose", hands.CHOICES.values(), ids=hands.CHOICES)
@BY_RULES
def test_many_games(rules, choose):
    for seed in range(2, 6):
        lockstep(rules, choose, seed, 2)


# Positions made by hand

NINE = "B9 B8 B7 B6 B5 B4 B3 B2 B1"
TO_SEAT_1 = {"turn": 1, "to_act": 1}
BY_HAND = {
    "a whole hand of one colour": odin.start(
        odin.Rules(2, 15, False, ("R", "P")), (tuple(NINE.split()), tuple(NINE.replace("B", "K").split()))
    ),
    "nine cards over eight": hands.table("R9", NINE, "P9", "G9", "K1 G8", on="K9 K8 K7 K6 K5 K4 K3 K2", **TO_SEAT_1),
    "eight and the goat over seven": hands.table(
        "R9", f"{NINE[:-3]} X0", "P9", "K1 G8", on="K9 K8 K7 K6 K5 K4 K3", goat=True, **TO_SEAT_1
    ),
    "a rank over a rank": hands.table("B5 R5 P5 G5 K5 O5 B6 R6", "O9", "O2 O3", on="P4 G4 K4", goat=True),
    "a last set": hands.table("B9 B5 X0", "O9 O8", "P4 G4", on="K9 K8", goat=True, scores=(0, 13, 9), opener=0),
    "a last set that ends the game": hands.table(
        "B9 B5 X0", "O9 O8", "P4 G4", on="K9 K8", goat=True, limit=10, scores=(3, 9, 1)
    ),
    "the goat led": hands.table("X0 B5", "O9 O8", "P4 G4", goat=True),
    "the goat as a last card": hands.table("X0", "O9 O8", "P4 G4", goat=True),
    "the goat alone to beat": hands.table("B5 R1", "O9 O8", "P4 G4", on="X0", goat=True),
    "the goat to take": hands.table("B5 B4 R1", "O9 O8", "P4 G4", on="K9 X0", goat=True),
    "one card and one": hands.table("B5", "O9"),
}


@pytest.mark.small
@pytest.mark.parametrize("name", BY_HAND)
def test_every_move_of_a_position_made_by_hand(name):
    slow = BY_HAND[name]
    fast = read(odin.to_json(slow))
    check_moves(fast, slow)
    for move in odin.legal(slow):
        after = odin.play(slow, move)
        same(fast.play(move), odin.to_json(after))
        check_moves(fast.play(move), after)
        check_end(fast.play(move), after)
    same(fast, odin.to_json(slow))


# Records


@pytest.mark.parametrize("record", RECORDS)
def test_record_replays_field_by_field(record):
    start = read(record["start"])
    same(start, record["start"])
    positions = replay(start, record["moves"])
    same(positions[-1], record["end"])
    assert positions[-1].is_over


@pytest.mark.parametrize("record", EVERY)
def test_every_position_and_every_list_of_moves_of_a_record(record):
    positions = replay(read(record["start"]), record["moves"])
    for position, expected in zip(positions, record["every"], strict=True):
        same(position, expected)
        assert read(expected).state.tobytes() == position.state.tobytes()
    for position, legal in zip([read(record["start"]), *positions], record["legal"], strict=False):
        assert sorted(position.moves()) == legal


@pytest.mark.parametrize("record", EVERY[::3])
def test_a_wrong_move_is_named_by_its_index(record):
    moves = [*record["moves"][:7], "B9,R8", *record["moves"][7:]]
    with pytest.raises(InputError) as error:
        replay(read(record["start"]), moves)
    assert error.value.field == "moves[7]"
    said, got = error.value.expected.split("; got ")
    assert sorted(said.removeprefix("expected one of ").split()) == record["legal"][7]
    assert got == "'B9,R8'"


# Deals


def test_a_deal_is_drawn_by_its_stream():
    over = read(odin.to_json(odin.play(hands.table("B1", "R3 R8", "P5"), "B1")))
    drawn = over.roll(stream(1))
    assert drawn == over.roll(stream(1)) != over.roll(stream(2))
    assert over.moves() == []
    assert over.to_act == kernels.CHANCE
    with pytest.raises(InputError, match=r"^to_act: "):
        over.play(drawn).roll(stream(1))


@pytest.mark.small
@BY_RULES
def test_the_same_seed_is_the_same_game(rules):
    asked = hands.options(rules)
    assert deal("odin", 5, **asked) == deal("odin", 5, **asked) != deal("odin", 6, **asked)
