"""The games as numbers and vectors: what an action stands for, and what a vector shows."""

import pickle

import numpy as np
import pytest
from mess.search.adapters.moments import HIDING, Space
from mess.solver.errors import InputError
from mess.solver.fields import check_rules
from mess.solver.game import load
from mess.solver.odin.cards import CODES
from mess.solver.rng import stream

RULES = {
    "flaming": ({}, {"players": 3, "preset": "german", "curse": True, "special_fire": True}),
    "odin": ({"players": 2, "limit": "one-hand"}, {"players": 4, "goat": True, "limit": 10}),
    "pylos": ({}, {"variant": "expert", "take_back": "may", "size": 3}, {"variant": "beginner", "size": 2}),
    "meeples": ({"seconds": 30}, {"players": 3, "shared_mat": True, "seconds": 20}, {"players": 2, "mode": "higher"}),
}
CASES = [pytest.param(name, rules, id=f"{name}-{i}") for name, all in RULES.items() for i, rules in enumerate(all)]


def moments(space, games=2, most=150):
    """Moments of random games in which a seat is to act, and how each game ended, if it did by then."""
    for seed in range(games):
        chance, choices = stream(seed, "chance"), np.random.default_rng(seed)
        moment = space.deal(seed).settled(chance)
        for _ in range(most):
            yield moment
            if moment.is_over:
                break
            moment = moment.after(int(choices.choice(moment.actions()))).settled(chance)


@pytest.mark.parametrize(("name", "rules"), CASES)
def test_every_action_is_a_move_and_every_move_an_action(name, rules):
    space, count = Space(name, **rules), 0
    for moment in moments(space):
        actions, position = moment.actions(), moment.position
        assert actions == sorted(set(actions))
        assert all(0 <= action < space.actions for action in actions)
        assert sorted(map(moment.text, actions)) == sorted(position.moves())
        for action in actions[:: max(1, len(actions) // 5)]:
            assert moment.after(action).position == position.play(moment.text(action))
            count += 1
    assert count > 5


@pytest.mark.parametrize(("name", "rules"), CASES)
def test_an_action_means_the_same_in_every_position(name, rules):
    told: dict[int, str] = {}
    for moment in moments(Space(name, **rules), games=4):
        for action in moment.actions():
            # which card is taken is counted along the set on the table
            text = moment.text(action).partition(">")[0] if name == "odin" else moment.text(action)
            assert told.setdefault(action, text) == text
    assert len(told) >= 5


def test_an_action_of_odin_counts_the_cards_of_the_table():
    found = 0
    for moment in moments(Space("odin", players=4, limit="one-hand"), games=6):
        table = moment.position.to_dict()["table"] if not moment.is_over else []
        for action in moment.actions():
            played, _, taken = moment.text(action).partition(">")
            if taken:
                first = next(other for other in moment.actions() if moment.text(other).startswith(f"{played}>"))
                assert action - first == table.index(taken)
                found += len(table) > 1
    assert found > 5
    assert all(code in CODES for code in table)


@pytest.mark.parametrize(("name", "rules"), CASES)
def test_vectors_show_what_a_seat_sees_and_nothing_else(name, rules):
    space = Space(name, **rules)
    seen: dict[bytes, str] = {}
    others = 0
    for i, moment in enumerate(moments(space, most=60)):
        for seat in range(space.players):
            vector = moment.vector(seat)
            assert vector.shape == (space.length,) and vector.dtype == np.float32
            assert vector.min() >= 0.0 and vector.max() <= 1.0
            world = moment.world(seat, stream(i, "world", seat))
            np.testing.assert_array_equal(world.vector(seat), vector)
            others += world.position != moment.position
            text = str(moment.observe(seat).to_dict() | {"seat": None if name not in HIDING else seat})
            if not moment.is_over:
                assert seen.setdefault(vector.tobytes() + bytes([seat]), text) == text, "two observations, one vector"
    assert (others > 10) == (name in HIDING)
    assert len(set(seen.values())) > 3


@pytest.mark.parametrize(("name", "rules"), CASES)
def test_rewards_come_at_the_end_and_add_up_to_nothing(name, rules):
    space, ends = Space(name, **rules), 0
    for moment in moments(space, most=3000):
        rewards = moment.rewards()
        assert len(rewards) == space.players
        if not moment.is_over:
            assert rewards == [0.0] * space.players
        elif space.players > 1:
            ends += 1
            assert sum(rewards) == pytest.approx(0.0)
            for reward, share in zip(rewards, moment.position.payoff(), strict=True):
                assert reward == pytest.approx(share - (1 - share) / (space.players - 1))
        else:
            ends += 1
            assert rewards == moment.position.to_dict()["scores"]
    assert ends == 2


def test_chance_is_listed_where_it_can_be():
    chance = stream(1, "chance")
    builds = Space("meeples", players=2, shared_mat=True, builder="beginner")
    moment = builds.deal(0)
    for action in (2, 2, 4):
        while moment.to_act < 0:
            moment = moment.after(0)
        moment = moment.after(action)
    outcomes = dict(moment.outcomes())
    assert sum(outcomes.values()) == pytest.approx(1.0) and len(outcomes) > 1
    assert {moment.text(outcome) for outcome in outcomes} == set(moment.position.moves())

    dice = Space("flaming", special_fire=True, preset="german")
    for seed in range(20):
        moment = dice.deal(seed)
        while moment.to_act >= 0:
            moment = moment.after(moment.actions()[seed % len(moment.actions())])
        if not moment.is_over:
            break
    assert moment.outcomes() == [(face, pytest.approx(1 / 6)) for face in range(6)]
    assert [moment.text(face) for face in range(6)] == [f"d{face + 1}" for face in range(6)]

    hands = Space("odin", players=2)
    moment = hands.deal(0)
    while moment.to_act >= 0:
        moment = moment.after(moment.actions()[-1])
    assert not moment.is_over and moment.outcomes() == []
    assert moment.rolled(chance).position.to_dict()["opener"] == 1


def test_moments_can_be_kept_and_copied():
    moment = Space("odin", players=3).deal(4)
    again = pickle.loads(pickle.dumps(moment))
    assert again.position == moment.position
    assert again.after(again.actions()[0]).position == moment.after(moment.actions()[0]).position


def test_a_deal_is_that_of_a_seed():
    from mess.solver.game import deal

    assert Space("flaming", players=4).deal(3).position == deal("flaming", 3, players=4)


@pytest.mark.parametrize(("name", "rules"), CASES)
def test_rules_are_complete_and_checked(name, rules):
    assert Space(name, **rules).rules == check_rules(load(name).OPTIONS, rules)
    with pytest.raises(InputError, match=r"rules\.colour: no such rule"):
        Space(name, colour="red")
