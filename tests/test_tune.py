"""Tuning: what is tried, the race, and the test of its winner."""

import json

import pytest
from mess.benchmarks import match as match_module
from mess.benchmarks import tune
from mess.benchmarks.blocks import Block, Game, seating
from mess.benchmarks.tune import Range, Tuning, Words, candidates, read_vary
from mess.benchmarks.tuning_tables import print_tuning, render_tuning
from mess.solver.errors import InputError
from mess.solver.rng import stream, unit
from mess_command import bench


def tuning(vary="exploration=0.2:2.0", bot="mcts@5", **options):
    told = {"candidates": 8, "deals": 4, "sprt": "0,60", "most": 300} | options
    return Tuning("odin", bot, read_vary(vary), rules={"limit": "one-hand"}, **told)


@pytest.fixture
def made_up(monkeypatch):
    """Games in which the nearer ``exploration`` is to 1.4, the more a bot wins; nothing is played."""

    def play(setup, deal):
        strengths = []
        for spec in setup.specs:
            told = spec.partition("exploration=")[2].partition(",")[0]
            strengths.append(3 ** -abs(float(told) - 1.4) if told else 0.35)
        chance = strengths[0] / (strengths[0] + strengths[1])
        rng = stream(setup.seed, deal)
        games = []
        for rotation in range(2):
            seats = seating(2, 2, rotation)
            won = float(unit(rng) < chance)
            games.append(Game(seats, tuple(won if bot == 0 else 1 - won for bot in seats), 9, (0.0, 0.0), None))
        return Block(deal, tuple(games))

    monkeypatch.setattr(match_module, "play_block", play)
    monkeypatch.setattr(match_module, "warm_up", lambda setup, bots: None)


def test_what_to_try():
    assert read_vary("exploration=0.2:2, cutoff=5:50,playout=random|greedy") == (
        Range("exploration", 0.2, 2.0, False),
        Range("cutoff", 5.0, 50.0, True),
        Words("playout", ("random", "greedy")),
    )
    assert [Range("x", 0.0, 1.0, False).at(place) for place in (0, 1 / 3, 1)] == ["0", "0.333", "1"]
    assert [Range("x", 0.1, 10.0, False).at(place) for place in (0, 0.5, 1)] == ["0.1", "1", "10"]
    assert [Range("x", 1.0, 5.0, True).at(place) for place in (0, 0.6, 1)] == ["1", "3", "5"]
    assert [Words("x", ("a", "b")).at(place) for place in (0, 0.49, 0.5, 1)] == ["a", "a", "b", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exploration", "vary: expected option=LOW:HIGH or option=A|B|C, got 'exploration'"),
        ("exploration=2:1", "expected option=LOW:HIGH"),
        ("cutoff=1.2:1.9", "vary: expected whole numbers for cutoff, got '1.2:1.9'"),
        ("exploration=a:b", "expected option=LOW:HIGH"),
        ("playout=|greedy", "expected option=LOW:HIGH"),
        ("cutoff=1:9,cutoff=2:8", "vary: expected each option once, got cutoff more often"),
    ],
)
def test_what_cannot_be_tried(text, message):
    with pytest.raises(InputError) as error:
        read_vary(text)
    assert message in str(error.value)


def test_candidates_are_spread_over_all_that_is_varied():
    found = candidates(tuning("exploration=0:1,playout=random|greedy", candidates=10))
    assert found == candidates(tuning("exploration=0:1,playout=random|greedy", candidates=10))
    assert found != candidates(tuning("exploration=0:1,playout=random|greedy", candidates=10, seed=1))
    places = sorted(float(bot.partition("exploration=")[2].partition(",")[0]) for bot in found)
    assert [int(10 * place) for place in places] == list(range(10))
    assert sum("playout=random" in bot for bot in found) == 5
    assert candidates(tuning("cutoff=1:2", "mcts@5:epsilon=0.2", candidates=50)) in (
        ["mcts@5:epsilon=0.2,cutoff=1", "mcts@5:epsilon=0.2,cutoff=2"],
        ["mcts@5:epsilon=0.2,cutoff=2", "mcts@5:epsilon=0.2,cutoff=1"],
    )
    assert candidates(tuning("cutoff=1:2", "mcts@5:cutoff=9,epsilon=0.2", candidates=9))[0].startswith(
        "mcts@5:epsilon=0.2,cutoff="
    )
    for vary in ("exploration=0:200", "depth=1:2", "playout=random|none"):
        with pytest.raises(InputError, match=f"^{vary.partition('=')[0]}: "):
            candidates(tuning(vary))
    with pytest.raises(InputError, match=r"^bot: expected no budget and no options for greedy"):
        candidates(tuning(bot="greedy"))


def test_the_race_finds_what_wins(made_up, tmp_path):
    lines = []
    document = tune.tune(tuning(candidates=16, deals=20), folder=tmp_path, workers=1, progress=False, tell=lines.append)
    assert [(round_["deals"], len(round_["rows"])) for round_ in document["rounds"]] == [
        (20, 16),
        (40, 8),
        (80, 4),
        (160, 2),
    ]
    assert abs(float(document["winner"].partition("=")[2]) - 1.4) < 0.25
    assert document["test"]["sprt"]["accepted"] == "high"
    assert document["test"]["low"] <= document["test"]["share"] <= document["test"]["high"] <= 1
    assert lines[0] == "round 1 of 4: 16 candidates, 20 deals each" and lines[-1].startswith("the winner, mcts@5:")
    for earlier, later in zip(document["rounds"], document["rounds"][1:], strict=False):
        assert {row["bot"] for row in later["rows"]} == {row["bot"] for row in earlier["rows"][: len(later["rows"])]}
    again = tune.tune(tuning(candidates=16, deals=20), folder=tmp_path, workers=1, progress=False)
    assert again == document
    assert f"`{document['winner']}`" in render_tuning(document)
    print_tuning(document)


def test_an_interrupted_race_goes_on(made_up, tmp_path, monkeypatch):
    play, blocks = match_module.play_block, 0

    def interrupted(setup, deal):
        nonlocal blocks
        blocks += 1
        if blocks == 50:
            raise KeyboardInterrupt
        return play(setup, deal)

    monkeypatch.setattr(match_module, "play_block", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tune.tune(tuning(), folder=tmp_path / "cut", workers=1, progress=False)
    monkeypatch.setattr(match_module, "play_block", play)
    whole = tune.tune(tuning(), folder=tmp_path / "whole", workers=1, progress=False)
    assert tune.tune(tuning(), folder=tmp_path / "cut", workers=1, progress=False) == whole
    assert {path.name: path.read_bytes() for path in (tmp_path / "cut").iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"candidates": 1}, "candidates: expected at least 2, got 1"),
        ({"deals": 0}, "deals: "),
        ({"most": 0}, "most: "),
        ({"sprt": "5"}, "sprt: "),
        ({"players": 0}, "players: "),
        ({"deals": 600_000}, "deals: expected at most 1000000 in the last round"),
    ],
)
def test_wrong_numbers(options, message):
    with pytest.raises(InputError, match=f"^{message}"):
        tune.check(tuning(**options))


def test_on_the_command_line(made_up, tmp_path):
    arguments = ["tune", "odin", "mcts@5", "--vary", "exploration=0.2:2.0", "--candidates", "4", "--deals", "4"]
    arguments += ["--limit", "one-hand", "--most", "20", "--workers", "1"]
    run = bench(*arguments)
    assert run.exit_code == 0, run.output
    assert "round 1 of 2: 4 candidates, 4 deals each" in run.stderr
    assert "On fresh deals mcts@5:exploration=" in run.stdout
    document = json.loads(bench(*arguments, "--json", "--quiet").stdout)
    assert document["test"]["deals"] <= 20 and document["rules"]["limit"] == "one-hand"
