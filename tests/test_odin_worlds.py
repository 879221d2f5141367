"""The worlds that fit what a seat sees, and advice that depends on nothing else."""

import json
import random
from collections import Counter
from functools import cache
from math import comb, factorial

import pytest
from mess.search.bot import make
from mess.search.policies import policies
from mess.search.search import advise
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.position import Observation, Position, read
from mess.solver.rng import stream
from reference import hands, odin
from scipy import stats

UNLIKELY = 1e-4
BY_RULES = pytest.mark.parametrize("rules", [pytest.param(rules, id=hands.name(rules)) for rules in hands.RULES[::3]])


def frozen(data: dict) -> str:
    return json.dumps(data, sort_keys=True)


def cards_of(state: odin.State) -> Counter:
    return Counter(card for cards in (*state.hands, state.table, state.discard, state.undealt) for card in cards)


def some_states(rules: odin.Rules, seed: object, count: int) -> list[odin.State]:
    """Positions of a game, with some of those in which much is known."""
    states = [
        state
        for choose in hands.CHOICES.values()
        for state in hands.game(rules, choose, seed)
        if state.to_act not in (odin.CHANCE, odin.NOBODY)
    ]
    return random.Random(str(seed)).sample(states, count)


# Worlds


@pytest.mark.small
@BY_RULES
def test_a_world_looks_like_the_observation_it_came_from(rules):
    for i, state in enumerate(some_states(rules, "worlds", 6)):
        truth = read(odin.to_json(state))
        for seat in range(rules.players):
            observation = truth.observe(seat)
            before = observation.state.tobytes()
            world = observation.world(stream(i, "world"))
            assert observation.state.tobytes() == before, "an observation is not used up"
            assert world == observation.world(stream(i, "world"))
            slow = odin.from_json(world.to_dict())
            assert odin.observe(slow, seat) == odin.observe(state, seat)
            assert cards_of(slow) == cards_of(state)
            assert "X0" not in slow.undealt
            assert world.observe(seat).state.tobytes() == before
            assert read(world.to_dict()).state.tobytes() == world.state.tobytes()
            assert sorted(world.moves()) == odin.legal(slow)
            read_back = read(observation.to_dict())
            assert isinstance(read_back, Observation)
            assert read_back.world(stream(i, "world")) == world


@pytest.mark.small
def test_nothing_hidden_is_left_in_a_concealed_record():
    for state in some_states(odin.Rules(4, 15, True), "hidden", 12):
        for seat in range(4):
            record, seen = read(odin.to_json(state)).observe(seat).state, odin.observe(state, seat)
            hidden = sum(hand.count("?") for hand in [*seen["hands"], seen["undealt"]])
            for field in ("hand", "known", "dealt"):
                assert not any(int(cards) & int(record.unseen) for cards in record[field])
            assert int(record.unseen).bit_count() == hidden == int(record.hidden.sum()) + int(record.hidden_undealt)
            assert not record.undealt


@pytest.mark.small
@pytest.mark.parametrize("seat", [-1, 3, 255, 10**9])
def test_a_seat_out_of_range_sees_nothing(seat):
    with pytest.raises(InputError) as error:
        deal("odin", 1, players=3).observe(seat)
    assert error.value.field == "seat"


@pytest.mark.small
def test_other_worlds_come_of_other_streams_only():
    observation = deal("odin", 3, players=3).observe(0)
    assert observation.world(stream(1)) == observation.world(stream(1)) != observation.world(stream(2))


# Worlds are uniform


def known(*cards: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(hand.split()) for hand in cards)


SIX = ("B9 R5", "K8 K7 O2", "P4 P3", "G1", "O7", "O9")
FEW = {
    "two hands and the undealt": hands.table("B9 B1", "K8 K7", known=known("", "K7")),
    "two cards and the undealt": hands.table("B9 B1", "K8 K7 G2", known=known("B1", "K7")),
    "nothing but hands": hands.table(*SIX, known=known("R5", "", "P3", "", "O7", "")),
    "hands and a set": hands.table(*SIX, on="G8 G5", owner=1, known=known("", "K8 K7 O2", "", "", "", "O9")),
    "five seats": hands.table("B9 R5", "K8 K7", "P4", "G1", "O7", known=known("", "K7", "P4", "G1", "")),
    "the goat in a hand of some": hands.table("B9 B1", "K8 X0", "G1 G2", goat=True, known=known("B9 B1", "K8", "G1")),
    "the goat in a hand of two": hands.table("B9 B1", "K8 X0", goat=True, known=known("", "")),
    "the goat among six": hands.table(*SIX[:5], "O9 X0", goat=True, known=known("R5", "K8 K7", "P3", "", "O7", "")),
    "the goat of who looks": hands.table("B9 X0", "K8 K7", goat=True, known=known("", "K7")),
    "the goat known": hands.table("B9", "K8 X0", goat=True, known=known("", "X0")),
    "the goat gone": hands.table("B9", "K8 K7", goat=True, known=known("", "K7")),
    "the goat on the table": hands.table("B9", "K8 K7", on="X0", goat=True, known=known("", "K8")),
}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", FEW)
def test_worlds_are_uniform_over_exactly_those_possible(name, seat):
    """An unseen goat is in a hidden place of some hand, each of these places as likely as the others."""
    observation = read(odin.to_json(FEW[name])).observe(seat)
    possible = [frozen(odin.to_json(world)) for world in odin.worlds(odin.observe(FEW[name], seat))]
    assert len(set(possible)) == len(possible) < 1500
    rng = stream(1, name, seat)
    counts = Counter(frozen(observation.world(rng).to_dict()) for _ in range(6 * len(possible) + 100))
    assert set(counts) <= set(possible)
    assert len(possible) == 1 or stats.chisquare([counts[world] for world in possible]).pvalue > UNLIKELY


@pytest.mark.small
def test_those_possible_are_counted_as_one_would_by_hand():
    """Two seats leave 18 cards undealt, 19 with the goat; five leave 9, six none, but one with the goat."""
    counts = {
        name: tuple(sum(1 for _ in odin.worlds(odin.observe(few, seat))) for seat in (0, 1))
        for name, few in FEW.items()
    }
    assert counts == {
        "two hands and the undealt": (19, comb(20, 2)),
        "two cards and the undealt": (comb(20, 2), 19),
        "nothing but hands": (factorial(5), factorial(4)),
        "hands and a set": (factorial(4) // 2, factorial(6) // (2 * 2)),
        "five seats": (11 * 10, 12 * 11 * 10 // 2),
        "the goat in a hand of some": (2 * 29, 29),
        "the goat in a hand of two": (20, comb(21, 2)),
        "the goat among six": (5 * factorial(5) // 2, 5 * factorial(5) // 2),
        "the goat of who looks": (20, 20),
        "the goat known": (20, 20),
        "the goat gone": (20, 20),
        "the goat on the table": (20, 20),
    }


# Advice


@cache
def alike(rules: odin.Rules, seed: int) -> tuple[Position, Position]:
    """Two positions that look the same to the seat to act, and nothing is the same in that they hide."""
    state = next(state for state in some_states(rules, seed, 30) if 3 < len(odin.legal(state)) < 60)
    truth = read(odin.to_json(state))
    other = truth.observe(truth.to_act).world(stream(seed, "another world"))
    assert other != truth
    return truth, other


SOME_RULES = pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules, id=hands.name(rules))
        for rules in (odin.Rules(2, 15, False, ("R", "P")), odin.Rules(4, 10, True), odin.Rules(6, "one-hand", True))
    ],
)


@SOME_RULES
@pytest.mark.parametrize("spec", [*policies("odin").NAMES, "mcts@60", "mcts@60:points=1", "pimc@60"])
def test_equal_observations_get_equal_moves_whatever_is_hidden(spec, rules):
    for seed in range(4):
        truth, other = alike(rules, seed)
        seat = truth.to_act
        views = [truth.observe(seat), other.observe(seat), read(truth.observe(seat).to_dict())]
        moves = {make(spec, "odin").choose(view, stream(seed, "bot")) for view in views}
        assert len(moves) == 1


@SOME_RULES
@pytest.mark.parametrize("method", ["mcts", "pimc"])
def test_equal_observations_get_equal_advice(method, rules):
    truth, other = alike(rules, 1)
    first, second = (advise(p, iterations=150, method=method).to_dict() | {"seconds": 0} for p in (truth, other))
    assert first == second


def test_an_open_search_does_depend_on_the_hidden_cards():
    truth, other = alike(odin.Rules(3), 2)
    first, second = (advise(p, iterations=400, open=True) for p in (truth, other))
    assert [move.visits for move in first.moves] != [move.visits for move in second.moves]
