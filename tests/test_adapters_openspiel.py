"""The games for OpenSpiel, and its search on them."""

import copy
import json
import subprocess
import sys

import numpy as np
import pytest
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.position import read

pyspiel = pytest.importorskip("pyspiel")

from mess.search.adapters.openspiel import game_of  # noqa: E402

GAMES = [
    "python_mess_flaming(deals=20)",
    "python_mess_flaming(players=3,preset=german,curse=True,special_fire=True,deals=20)",
    "python_mess_odin(deals=20)",
    "python_mess_odin(players=4,limit=0,goat=True,deals=20)",
    "python_mess_pylos",
    "python_mess_pylos(variant=expert,size=3,take_back=may)",
    "python_mess_meeples(seconds=40)",
    "python_mess_meeples(players=3,shared_mat=True,seconds=20)",
]
HIDING = [spec for spec in GAMES if "flaming" in spec or "odin" in spec]


def states(spec, most=60, seed=0):
    """States of a random game, from the first in which a player is to act."""
    draws, state = np.random.RandomState(seed), pyspiel.load_game(spec).new_initial_state()
    for _ in range(most):
        if state.is_terminal():
            break
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(draws.choice(actions, p=chances))
            continue
        yield state
        state.apply_action(draws.choice(state.legal_actions()))


@pytest.mark.parametrize("spec", GAMES)
def test_the_librarys_own_tests_pass(spec, capfd):
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    game = pyspiel.load_game(spec)
    GamesSimTest("sim_game").sim_game(game)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert "error" not in capfd.readouterr().err.lower()


@pytest.mark.parametrize("spec", HIDING)
def test_information_states_show_what_is_seen_and_nothing_else(spec):
    others = 0
    for i, state in enumerate(states(spec)):
        for player in range(state.num_players()):
            world = state.resample_from_infostate(player, np.random.RandomState(i).uniform)
            assert world.information_state_string(player) == state.information_state_string(player)
            assert world.observation_string(player) == state.observation_string(player)
            assert world.information_state_tensor(player) == state.information_state_tensor(player)
            assert world.current_player() == state.current_player()
            assert world.move_number() == state.move_number()
            others += str(world) != str(state)
    assert others > 20


@pytest.mark.parametrize("spec", HIDING)
def test_a_resampled_state_holds_nothing_of_the_truth(spec):
    """But for what its player has seen: two deals that look alike give the same worlds, history and all."""
    state = next(states(spec))
    other = state.get_game().new_initial_state()
    other.apply_action((state.history()[0] + 1) % 20)
    other.known = state.known.world(0, 12345)
    assert str(other) != str(state) and other.history() != state.history()
    worlds = [one.resample_from_infostate(0, lambda: 0.625) for one in (state, other)]
    assert worlds[0].serialize() == worlds[1].serialize()
    assert worlds[0].history() == [0]
    for player in range(state.num_players()):
        assert worlds[0].information_state_string(player) == worlds[1].information_state_string(player)


@pytest.mark.parametrize("spec", HIDING)
def test_a_resampled_state_plays_on(spec):
    *_, state = states(spec, most=10)
    world = state.resample_from_infostate(state.current_player(), lambda: 0.25)
    assert world.history()[1:] == state.history()[1:]
    assert world.legal_actions() == state.legal_actions()
    action = world.legal_actions()[0]
    world.apply_action(action)
    assert world.history()[-1] == action
    assert state.history()[-1] != action or len(state.history()) < len(world.history())


def test_an_information_state_remembers_in_which_order_tiles_were_drawn():
    """Two games with the same moves, after which one sees the same, having drawn two tiles in another order."""
    game = game_of("flaming", {"players": 2})
    start = deal("flaming", 0, players=2).to_dict()
    one, two, *rest = start["piles"][0]

    def end(first, second):
        told = copy.deepcopy(start)
        told["piles"][0] = [first, second, *rest]
        state = game.state_of(read(told))
        while not {one, two} <= set(read(json.loads(str(state))).to_dict()["hands"][0]):
            moves = {state.action_to_string(state.current_player(), action): action for action in state.legal_actions()}
            state.apply_action(next(moves[move] for move in moves if not move.startswith((f"{one}@", f"{two}@"))))
        return state

    states = end(one, two), end(two, one)
    assert states[0].history() == states[1].history()
    assert str(states[0]) == str(states[1])
    assert states[0].observation_string(0) == states[1].observation_string(0)
    assert states[0].information_state_string(0) != states[1].information_state_string(0)
    assert states[0].information_state_string(1) == states[1].information_state_string(1)


def test_where_all_is_seen_nothing_is_resampled():
    state = next(states("python_mess_pylos"))
    assert str(state.resample_from_infostate(0, lambda: 0.5)) == str(state)


def test_a_deal_is_that_of_a_block_of_a_match():
    from mess.benchmarks.blocks import Setup
    from mess.solver.fields import check_rules
    from mess.solver.game import load

    state = pyspiel.load_game("python_mess_odin(players=3,seed=5)").new_initial_state()
    assert state.is_chance_node() and len(state.chance_outcomes()) == 10_000
    assert state.action_to_string(-1, 7) == "deal 7"
    state.apply_action(7)
    rules = check_rules(load("odin").OPTIONS, {"players": 3})
    assert str(state) == str(Setup("odin", rules, (), 3, 5).deal(7))


def test_chance_shows_its_outcomes():
    state = pyspiel.load_game("python_mess_meeples(builder=beginner)").new_initial_state()
    while not state.is_chance_node() or len(state.chance_outcomes()) == 1:
        state.apply_action(state.legal_actions()[-1] if not state.is_chance_node() else 0)
    outcomes = state.chance_outcomes()
    assert {state.action_to_string(-1, action) for action, _ in outcomes} >= {"ok", "slip2"}
    assert sum(chance for _, chance in outcomes) == pytest.approx(1.0)


def test_rules_are_parameters():
    assert str(game_of("odin", {"players": 4, "limit": "one-hand", "goat": True})).startswith(
        "python_mess_odin(deals=10000,goat=True,limit=0,players=4"
    )
    assert pyspiel.load_game("python_mess_meeples").space.rules["seconds"] == 120
    assert pyspiel.load_game("python_mess_meeples(mode=higher)").space.rules["seconds"] == 45
    with pytest.raises(InputError, match=r"rules\.players: expected one of 2, 3, 4, 5, 6, got 7"):
        pyspiel.load_game("python_mess_odin(players=7)")
    with pytest.raises(InputError, match="deals: expected a whole number from 1 to 1000000, got 0"):
        pyspiel.load_game("python_mess_odin(deals=0)")


def test_only_what_one_player_sees_can_be_observed():
    game = pyspiel.load_game("python_mess_odin")
    hidden = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(InputError, match="observer: expected one for what a single player sees"):
        game.make_py_observer(hidden)


def test_a_program_that_used_it_ends_in_peace():
    """OpenSpiel keeps what was registered until after Python has gone: what is freed only then aborts the program."""
    used = "import pyspiel; import mess.search.adapters.openspiel; pyspiel.load_game('python_mess_odin')"
    assert subprocess.run([sys.executable, "-c", used], check=False).returncode == 0


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "mess.search.adapters.openspiel")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(InputError, match=r"openspiel: .*pip install 'smallest-mess\[openspiel\]'"):
        import mess.search.adapters.openspiel  # noqa: F401
