"""Levels and blunders: what plays, and that results say what it is worth."""

import json
from pathlib import Path

import pytest
from mess.search.bot import make, names
from mess.search.bots import levels
from mess.search.bots.kinds import Blundering, Solved
from mess.search.bots.strengths import measured
from mess.solver.errors import InputError
from mess.solver.game import NAMES, deal
from mess.solver.rng import stream
from mess_command import FirstMove

RESULTS = Path(__file__).parent.parent / "results"


@pytest.mark.parametrize("game", NAMES)
def test_every_game_has_ten_levels_that_play(game):
    assert [name for name in names(game) if name.startswith("level")] == [f"level{n}" for n in range(1, 11)]
    settings = [levels.settings(game, level) for level in levels.LEVELS]
    assert len(set(settings)) == 10
    view = deal(game, 1).observe(0)
    for level in (1, 2, 3):
        bot = make(f"level{level}", game)
        assert (bot.name, bot.open) == (f"level{level}", False)
        assert bot.choose(view, stream(1)) in view.moves()
        assert bot.choose(view, stream(1)) == make(settings[level - 1], game).choose(view, stream(1))


@pytest.mark.parametrize("spec", ["level0", "level11", "level01", "level"])
def test_no_such_level(spec):
    with pytest.raises(InputError, match="bot: expected one of random"):
        make(spec, "flaming")


@pytest.mark.parametrize("spec", ["level3@50", "level3:cutoff=1", "arsonist@50", "random:cutoff=1", "random@3"])
def test_what_takes_no_options(spec):
    with pytest.raises(InputError, match="bot: expected no budget and no options for "):
        make(spec, "flaming")


@pytest.mark.parametrize("value", ["1.1", "-0.1", "nan", "", ".", "1e-1", "0.1.2"])
def test_blunder_is_a_probability(value):
    with pytest.raises(InputError, match="blunder: expected a number from 0 to 1"):
        make(f"random:blunder={value}", "flaming")


def test_blunders_are_as_frequent_as_told_and_any_move():
    view = deal("flaming", 3).observe(0)
    moves, rng = view.moves(), stream(5)
    bot = Blundering(FirstMove("first"), 0.3, "x")
    drawn = [bot.choose(view, rng) for _ in range(4000)]
    others = 4000 - drawn.count(moves[0])
    assert 0.27 < others / 4000 * len(moves) / (len(moves) - 1) < 0.33
    assert set(drawn) == set(moves)
    assert {Blundering(FirstMove("first"), 0.0, "x").choose(view, rng) for _ in range(50)} == {moves[0]}


def test_blundering_asks_what_the_bot_asks():
    with pytest.raises(InputError, match="expected a solution for perfect"):
        make("perfect:blunder=0.1", "pylos").require(deal("pylos", 0).to_dict()["rules"] | {"take_back": "may"}, True)
    assert make("mcts@0.1s:blunder=0.1", "flaming").is_repeatable is False
    assert make("mcts@10:open=1,blunder=0.1", "flaming").open is True


@pytest.mark.parametrize("solved", [True, False])
def test_the_highest_level_plays_by_a_solution_where_there_is_one(monkeypatch, solved):
    from mess.solver import pylos

    bot = make("level10", "pylos")
    assert isinstance(bot, Solved)
    monkeypatch.setattr(pylos, "is_solved", lambda rules, whole: solved)
    monkeypatch.setattr(bot, "_perfect", FirstMove("perfect"))
    monkeypatch.setattr(bot, "bot", FirstMove("other"))
    bot.choose(deal("pylos", 0).observe(0), stream(0))
    assert (len(bot._perfect.shown), len(bot.bot.shown)) == (solved, not solved)


@pytest.mark.parametrize("game", NAMES)
def test_every_level_was_measured_as_it_is_to_beat_the_one_below(game):
    document = json.loads((RESULTS / f"{game}-levels.json").read_text(encoding="utf-8"))
    assert [tuple(match["specs"]) for match in document["matches"]] == [levels.pair(game, n) for n in levels.LEVELS]
    for match in document["matches"]:
        assert match["finished"] == match["deals"]
        assert match["bots"][0]["low"] > 0.5, match["specs"]
    assert all(len(measured(game, f"level{n}")) == 1 for n in levels.LEVELS)


@pytest.mark.parametrize("level", [1, 10])
def test_levels_play_turns_that_are_too_long_to_be_solved(level):
    position = deal("meeples", 0, seconds=600)
    with pytest.raises(InputError):
        make("optimal", "meeples").choose(position.observe(0), stream(1))
    assert make(f"level{level}", "meeples").choose(position.observe(0), stream(1)) in position.moves()
