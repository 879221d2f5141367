"""The games as PettingZoo environments."""

import pickle
import sys
import warnings

import numpy as np
import pytest
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.rng import stream

pytest.importorskip("pettingzoo")

from mess.search.adapters.pettingzoo import RawEnv, env
from pettingzoo.test import api_test, seed_test

RULES = [
    ("flaming", {}),
    ("flaming", {"players": 3, "special_fire": True}),
    ("odin", {"players": 2, "limit": "one-hand"}),
    ("odin", {"players": 4, "goat": True}),
    ("pylos", {}),
    ("meeples", {}),
    ("meeples", {"players": 3, "shared_mat": True}),
]
WARNINGS = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""What the library says of every environment with an action mask that is none of its own."""


@pytest.mark.parametrize(("game", "rules"), RULES)
def test_the_librarys_own_tests_pass(game, rules):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(env(game, **rules), num_cycles=100)
    assert [str(warning.message) for warning in told if not str(warning.message).startswith(WARNINGS)] == []
    seed_test(lambda: env(game, **rules), num_cycles=30)


@pytest.mark.parametrize(("game", "rules"), RULES)
def test_a_game_goes_to_its_end(game, rules):
    played = env(game, **rules)
    played.reset(seed=5)
    draws, totals = np.random.default_rng(0), dict.fromkeys(played.agents, 0.0)
    for agent in played.agent_iter():
        observation, reward, termination, truncation, _ = played.last()
        totals[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        played.step(None if termination or truncation else draws.choice(legal))
    end = played.unwrapped.moment
    assert end.is_over and not truncation
    assert list(totals.values()) == end.rewards()


def test_the_same_seed_deals_the_same_and_others_do_not():
    first, again = RawEnv("flaming", players=3), RawEnv("flaming", players=3)
    first.reset(seed=3)
    again.reset(seed=3)
    assert first.moment.position == again.moment.position == deal("flaming", 3, players=3)
    again.reset(seed=4)
    assert first.moment.position != again.moment.position
    first.reset()
    again.reset()
    assert first.moment.position != again.moment.position


@pytest.mark.parametrize("game", ["flaming", "odin"])
def test_an_agent_sees_nothing_of_what_is_hidden(game):
    played = RawEnv(game, players=3)
    played.reset(seed=1)
    agent = played.agent_selection
    seen, truth = played.observe(agent), played.moment
    played.moment = truth.world(0, stream(9, "world"))
    assert played.moment.position != truth.position
    other = played.observe(agent)
    np.testing.assert_array_equal(seen["observation"], other["observation"])
    np.testing.assert_array_equal(seen["action_mask"], other["action_mask"])
    assert seen["action_mask"].sum() == len(truth.position.moves())
    assert not played.observe("player_1")["action_mask"].any()


def test_an_illegal_action_loses():
    played = env("pylos")
    played.reset(seed=0)
    observation = played.last()[0]
    played.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    assert played.terminations == {"player_0": True, "player_1": True}
    assert played.last()[1] == -1.0
    raw = RawEnv("pylos")
    raw.reset()
    with pytest.raises(InputError, match="action: expected one with a 1 in the action mask, got 140000"):
        raw.step(140_000)


def test_it_is_drawn_as_text():
    drawn = env("odin", render_mode="ansi", players=2)
    drawn.reset(seed=1)
    assert "seat 1" in drawn.render()
    silent = RawEnv("odin", players=2)
    silent.reset(seed=1)
    assert silent.render() is None
    with pytest.raises(InputError, match="render_mode: expected ansi or None, got 'human'"):
        env("odin", render_mode="human")


def test_environments_can_be_pickled():
    again = pickle.loads(pickle.dumps(RawEnv("odin", players=4)))
    again.reset(seed=2)
    assert again.moment.position == deal("odin", 2, players=4)


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "mess.search.adapters.pettingzoo")
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(InputError, match=r"pettingzoo: .*pip install 'smallest-mess\[pettingzoo\]'"):
        import mess.search.adapters.pettingzoo  # noqa: F401
