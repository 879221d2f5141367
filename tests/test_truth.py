"""Bots in positions whose worth is known: what is counted, and that perfect play does what the solution promises."""

import json

import numpy as np
import pytest
from mess.benchmarks import measure, plans, report, truth
from mess.solver.errors import InputError
from mess.solver.fields import check_rules
from mess.solver.pylos import OPTIONS, perfect, solution


def rules_of(**rules):
    return check_rules(OPTIONS, {"size": 3, **rules})


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A folder with the solutions of the small pyramid."""
    folder = tmp_path_factory.mktemp("tables")
    for variant in OPTIONS["variant"]:
        solution.solve(rules_of(variant=variant), 2, solution.Watcher(), folder)
    return folder


@pytest.fixture(autouse=True)
def known(monkeypatch, tables):
    monkeypatch.setenv("MESS_TABLES", str(tables))


def test_boards_are_spread_over_the_numbers_of_balls():
    boards = list(truth.boards(rules_of(), 1, 6, lambda position: True))
    counts = np.bincount([sum(int(own).bit_count() for own in board.state.balls) for board in boards])
    assert counts.tolist() == [6] * 14
    assert not any(board.is_over for board in boards)
    assert boards == list(truth.boards(rules_of(), 1, 6, lambda position: True))
    assert boards != list(truth.boards(rules_of(), 2, 6, lambda position: True))


def test_what_nobody_wants_is_not_looked_for_for_ever():
    assert list(truth.boards(rules_of(), 1, 1, lambda position: False)) == []


@pytest.mark.parametrize("variant", OPTIONS["variant"])
def test_perfect_play_always_keeps_the_value(variant):
    document = truth.keeping(rules_of(variant=variant), ("perfect", "random"), 6, 1, 1, False)
    perfectly, randomly = document["rows"]
    assert perfectly["all"]["value"] == perfectly["choice"]["value"] == 1.0
    assert randomly["choice"]["value"] < 0.8 < 1.0 > randomly["all"]["value"] > randomly["choice"]["value"]
    assert 0 < document["choices"] < document["positions"]
    assert document == truth.keeping(rules_of(variant=variant), ("perfect", "random"), 6, 1, 2, False)
    table = report.render_keeping(document)
    assert "| `perfect` | 100.0 % |" in table and f"{document['positions']} random positions" in table
    # no position of the small pyramid has so many balls
    assert perfectly["bands"][2] is None and table.splitlines()[2].endswith("| – |")


@pytest.mark.parametrize("variant", OPTIONS["variant"])
def test_perfect_play_wins_what_is_won_in_time(variant):
    bots = ("random", "greedy", "alphabeta@500", "perfect")
    document = truth.converting(rules_of(variant=variant), bots, 8, 1, 1, False)
    for row in document["rows"]:
        assert row["won"] == row["games"] > 50
        assert row["late"] == 0 < row["plies"]
    assert document == truth.converting(rules_of(variant=variant), bots, 8, 1, 2, False)
    assert "| `alphabeta@500` |" in report.render_converting(document)


def test_a_loser_is_counted_as_one(monkeypatch):
    monkeypatch.setattr(truth, "_ends", lambda spec, seed, task: [(False, 99)] * len(task))
    row = truth.converting(rules_of(), ("random",), 2, 1, 1, False)["rows"][0]
    assert (row["won"], row["late"], row["plies"]) == (0, row["games"], 99)


def test_a_plan_writes_what_was_found(monkeypatch, tmp_path):
    rules = {"size": 3, "variant": "beginner"}
    monkeypatch.setitem(plans.PLANS["pylos"], "tiny", plans.TruthPlan("Tiny", truth.keeping, ("greedy",), 2, rules))
    assert measure.run("pylos", "tiny", tmp_path, workers=1, progress=False, deals=1)
    document = json.loads((tmp_path / "pylos-tiny.json").read_text())
    assert (document["kind"], document["title"]) == ("keeping", "Tiny")
    assert document["command"] == "mess measure pylos --plan tiny --deals 1"
    assert document["positions"] == 14

    def interrupted(*asked):
        raise KeyboardInterrupt

    monkeypatch.setitem(plans.PLANS["pylos"], "tiny", plans.TruthPlan("Tiny", interrupted, ("greedy",), 2, rules))
    assert not measure.run("pylos", "tiny", tmp_path, workers=1, progress=False)


def test_what_is_not_solved_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setenv("MESS_TABLES", str(tmp_path))
    assert perfect.solution_of(rules_of()) is None
    with pytest.raises(InputError, match="mess solve pylos"):
        truth.keeping(rules_of(), ("random",), 1, 1, 1, False)
