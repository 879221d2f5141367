"""OpenSpiel's search against ours on the same games."""

import json

import pytest
from mess.benchmarks import openspiel
from mess.benchmarks.openspiel import Duel, IsmctsBot
from mess.benchmarks.report import RENDER
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.position import read
from mess.solver.rng import stream
from mess_command import bench as mess

pytest.importorskip("pyspiel")

ODIN = {"players": 2, "limit": "one-hand"}


def bench(*arguments):
    return mess("bench", *arguments, env={"COLUMNS": "120"})


@pytest.mark.parametrize("name", ["flaming", "odin"])
def test_the_librarys_search_plays_our_game_as_a_bot(name):
    bot = IsmctsBot(name, {"players": 2}, simulations=6)
    position = deal(name, 3, players=2)
    for _ in range(2):
        view = position.observe(position.to_act)
        move = bot.choose(view, stream(1, "bot"))
        assert move in view.moves()
        assert move == bot.choose(view, stream(1, "bot"))
        position = position.play(move)
    assert bot.name == "OpenSpiel IS-MCTS@6" and not bot.open
    assert (bot.searches, bot.done) == (4, 24)


def test_it_stops_when_its_time_is_up_but_not_before_it_has_looked(monkeypatch):
    view = deal("odin", 3, players=2).observe(0)
    for least in (2, 5):
        monkeypatch.setattr(openspiel, "LEAST_SIMULATIONS", least)
        bot = IsmctsBot("odin", ODIN, seconds=1e-9)
        assert bot.choose(view, stream(1, "bot")) in view.moves()
        assert bot.done == least
    assert bot.name == "OpenSpiel IS-MCTS@1e-09s" and not bot.is_repeatable


def test_it_does_not_choose_the_one_move_that_may_lose():
    """Two cards of a colour against a nine that may beat the eight, not the nine, and not both at once."""
    told = deal("odin", 0, players=2, limit="one-hand").to_dict()
    cards = [*told["hands"][0], *told["hands"][1], *told["undealt"]]
    nine, other = [card for card in cards if card[1] == "9"][:2]
    hand = [nine, f"{nine[0]}8"]
    rest = [card for card in cards if card not in (*hand, other)]
    told |= {"hands": [hand, [other]], "known": [[], [other]], "discard": rest[:15], "undealt": rest[15:]}
    bot, view = IsmctsBot("odin", ODIN, simulations=80), read(told).observe(0)
    assert len(view.moves()) == 3
    for seed in range(3):
        assert bot.choose(view, stream(seed, "bot")) != hand[1]


def test_both_are_measured_and_reported(monkeypatch, tmp_path):
    duels = (Duel("odin", ODIN, 9, seconds=0.005), Duel("odin", ODIN, 9, simulations=7))
    monkeypatch.setattr(openspiel, "DUELS", duels)
    monkeypatch.setattr(openspiel, "RATED", (("odin", ODIN), ("odin", ODIN | {"players": 3})))
    monkeypatch.setattr(openspiel, "STARTS", 1)
    out = tmp_path / "openspiel.json"
    result = bench("--openspiel", "--quick", "--quiet", "--out", out)
    assert result.exit_code == 0, result.output
    assert "odin: mcts@0.005s" in result.stdout and "against OpenSpiel IS-MCTS@0.005s" in result.stdout
    document = json.loads(out.read_text())
    assert document["command"] == f"mess bench --quick --openspiel --out {out}"
    values = [row["value"] for row in document["rows"]]
    assert len(values) == 6 and min(values) > 0
    assert [ratio["value"] for ratio in document["ratios"]] == [values[1] / values[0], values[4] / values[3]]
    assert [played["games"] for played in document["matches"]] == [2, 2]
    assert [played["forfeits"] for played in document["matches"]] == [[], []]
    assert document["matches"][1]["peer_simulations"] == 7
    text = RENDER[document["kind"]](document)
    assert "| odin, players 2, limit one-hand | 0.005 s |" in text
    assert "| odin, players 2, limit one-hand | 7 simulations | 7 |" in text
    assert "| odin, 3 players: simulations/s |" in text


@pytest.mark.parametrize("other", ["peers", "serving"])
def test_one_thing_is_measured_at_a_time(other):
    result = bench("--openspiel", f"--{other}")
    assert isinstance(result.exception, InputError)
    assert str(result.exception) == f"{other}: expected one of --{other}, --openspiel, not more"
