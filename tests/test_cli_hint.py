"""``hint`` and ``solve``: what the search is asked and shown, and how its answer is printed."""

import json

import pytest
from mess.search.waiting import COMPILING
from mess.solver import flaming
from mess.solver.flaming import endgame
from mess.solver.game import deal
from mess.solver.position import Observation, Position, read
from mess_command import CASES, mess, use_made_up

START = deal("flaming", 5)


@pytest.fixture
def calls(monkeypatch):
    return use_made_up(monkeypatch)


def test_search_sees_what_the_seat_to_decide_sees(calls):
    assert mess("hint", "-", stdin=str(START)).code == 0
    assert mess("hint", "-", "--seat", 0, stdin=str(START.observe(0))).code == 0
    assert [type(call["view"]) for call in calls] == [Observation, Observation]
    assert calls[0]["view"] == calls[1]["view"] == START.observe(0)


def test_open_cards_are_shown_and_called_cheating(calls):
    result = mess("hint", "-", "--open", stdin=str(START))
    assert isinstance(calls[0]["view"], Position)
    assert result.out.startswith("CHEATING")
    assert "CHEATING" not in mess("hint", "-", stdin=str(START)).out


def test_budget(calls):
    for options in ([], ["--time", "500ms"], ["--time", "1.5"], ["--time", "2m"], ["--iterations", "30"]):
        mess("hint", "-", *options, "--workers", 2, "--seed", -4, stdin=str(START))
    assert [(call["seconds"], call["iterations"]) for call in calls] == [
        (2.0, None),
        (0.5, None),
        (1.5, None),
        (120.0, None),
        (None, 30),
    ]
    assert all(call["workers"] == 2 and call["seed"] == -4 for call in calls)


def test_json_is_the_advice(calls):
    result = mess("hint", "-", "--json", "--iterations", 9, stdin=str(START))
    advice = json.loads(result.out)
    assert list(advice) == ["game", "seat", "moves", "best", "iterations", "worlds", "seconds", "seed", "method"]
    assert list(advice["moves"][0]) == ["move", "win", "low", "high", "visits", "score", "mess", "why", "points"]
    assert [move["move"] for move in advice["moves"]] == START.moves()


def test_table_ranks_moves(calls):
    result = mess("hint", "-", "--iterations", 9, stdin=str(START))
    assert result.lines[0] == "flaming, seat 0 to decide: mcts, 9 iterations, 3 worlds, 0.5 s, seed 0"
    assert result.lines[1].split() == ["move", "win", "%", "95", "%", "interval", "visits", "mess", "why"]
    assert result.lines[2].split() == ["1", START.moves()[0], "50.0", "40.0", "to", "62.5", "10", "1.2", "it", "fits"]


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Nothing is left to compile, whatever was run before."""
    from mess.solver import jit

    monkeypatch.setattr(jit, "JIT", False)


def test_compiling_is_told_once(calls, monkeypatch, tmp_path):
    from mess.solver import jit

    monkeypatch.setattr(jit, "FOLDER", tmp_path)
    monkeypatch.setattr(jit, "JIT", True)
    first = mess("hint", "-", stdin=str(START))
    assert [call["iterations"] for call in calls] == [1, None]
    assert first.err == f"mess: {COMPILING}\n"
    assert mess("hint", "-", stdin=str(START)).err == ""
    assert "compiling" in mess("hint", "-", "--method", "pimc", stdin=str(START)).err


@pytest.fixture
def solver(monkeypatch):
    """A made-up endgame solver; sets what it answers."""
    answers = {}

    def solve(position, nodes):
        answers["asked"] = (position, nodes)
        outcome, turns, line = answers["is"]
        return endgame.Solution(1, outcome, turns, line, 99, {})

    monkeypatch.setattr(flaming, "solve", solve)
    return answers


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        (("win", 3, ("R60@1,0", "L")), ["seat 1 wins in 3 turns", "R60@1,0 L"]),
        (("win", 1, ("L",)), ["seat 1 wins in 1 turn", "L"]),
        (("loss", 4, ()), ["seat 1 loses in 4 turns"]),
        (("draw", None, ()), ["a draw"]),
        (("unknown", None, ()), ["not proven either way within 99 positions"]),
    ],
)
def test_solution_in_words(solver, answer, lines):
    solver["is"] = answer
    assert mess("solve", "-", "--nodes", 500, stdin=str(START)).lines == lines
    assert solver["asked"] == (START, 500)


def test_solution_as_json(solver):
    solver["is"] = ("win", 1, ("L",))
    assert json.loads(mess("solve", "-", "--json", stdin=str(START)).out) == {
        "game": "flaming",
        "seat": 1,
        "outcome": "win",
        "turns": 1,
        "line": ["L"],
        "nodes": 99,
        "moves": {},
    }


def test_observation_that_hides_nothing_can_be_solved(solver):
    solver["is"] = ("draw", None, ())
    for line in (CASES / "flaming_every.jsonl").read_text(encoding="utf-8").splitlines():
        for data in json.loads(line)["every"]:
            position = read(data)
            if position.players == 2 and "?" not in str(position.observe(0)) and not position.is_over:
                assert mess("solve", "-", stdin=str(position.observe(0))).code == 0
                assert solver["asked"][0] == position
                return
    pytest.fail("no record has a position where nothing is hidden")
