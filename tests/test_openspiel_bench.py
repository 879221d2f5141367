"""OpenSpiel's search against ours on the same games."""

import json

import pytest
import typer
from mess.benchmarks import cli, openspiel
from mess.benchmarks.openspiel import Duel, IsmctsBot
from mess.benchmarks.report import RENDER
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.position import read
from mess.solver.rng import stream
from typer.testing import CliRunner

pytest.importorskip("pyspiel")

ODIN = Duel("odin", {"players": 2, "limit": "one-hand"}, 1, 0.005)


def bench(*arguments):
    app = typer.Typer()
    cli.commands(app)
    return CliRunner().invoke(app, ["bench", *map(str, arguments)], env={"COLUMNS": "120"})


@pytest.mark.parametrize("name", ["flaming", "odin"])
def test_the_librarys_search_plays_our_game_as_a_bot(name):
    bot = IsmctsBot(Duel(name, {"players": 2}, 0, 0.1), simulations=6)
    position = deal(name, 3, players=2)
    for _ in range(2):
        view = position.observe(position.to_act)
        move = bot.choose(view, stream(1, "bot"))
        assert move in view.moves()
        assert move == bot.choose(view, stream(1, "bot"))
        position = position.play(move)
    assert bot.name == "OpenSpiel IS-MCTS" and not bot.open


def test_it_stops_when_its_time_is_up_but_not_before_it_has_looked(monkeypatch):
    from open_spiel.python.algorithms import ismcts

    done = []
    run = ismcts.ISMCTSBot.run_simulation
    monkeypatch.setattr(ismcts.ISMCTSBot, "run_simulation", lambda bot, state: done.append(0) or run(bot, state))
    monkeypatch.setattr(openspiel, "LEAST_SIMULATIONS", 3)
    view = deal("odin", 3, players=2).observe(0)
    bot = IsmctsBot(ODIN, seconds=1e-9)
    assert bot.choose(view, stream(1, "bot")) in view.moves()
    assert bot.name == "OpenSpiel IS-MCTS@1e-09s" and not bot.is_repeatable
    # a simulation goes on by calling itself, so count those that began at the root
    monkeypatch.setattr(openspiel, "LEAST_SIMULATIONS", 9)
    fewer = len(done)
    bot.choose(view, stream(1, "bot"))
    assert len(done) - fewer > fewer


def test_it_does_not_choose_the_one_move_that_may_lose():
    """Two cards of a colour against a nine that may beat the eight, not the nine, and not both at once."""
    told = deal("odin", 0, players=2, limit="one-hand").to_dict()
    cards = [*told["hands"][0], *told["hands"][1], *told["undealt"]]
    nine, other = [card for card in cards if card[1] == "9"][:2]
    hand = [nine, f"{nine[0]}8"]
    rest = [card for card in cards if card not in (*hand, other)]
    told |= {"hands": [hand, [other]], "known": [[], [other]], "discard": rest[:15], "undealt": rest[15:]}
    bot, view = IsmctsBot(ODIN, simulations=80), read(told).observe(0)
    assert len(view.moves()) == 3
    for seed in range(3):
        assert bot.choose(view, stream(seed, "bot")) != hand[1]


def test_both_are_measured_and_reported(monkeypatch, tmp_path):
    monkeypatch.setattr(openspiel, "DUELS", (ODIN, ODIN._replace(rules={"players": 3, "limit": "one-hand"}, deals=0)))
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
    (played,) = document["matches"]
    assert played["games"] == 2 and played["forfeits"] == [] and not played["repeatable"]
    text = RENDER[document["kind"]](document)
    assert "| odin, players 2, limit one-hand | 0.005 s |" in text
    assert "| odin, 3 players: simulations/s |" in text


@pytest.mark.parametrize("other", ["peers", "serving"])
def test_one_thing_is_measured_at_a_time(other):
    result = bench("--openspiel", f"--{other}")
    assert isinstance(result.exception, InputError)
    assert str(result.exception) == f"{other}: expected one of --peers, --serving and --openspiel"
