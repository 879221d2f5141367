"""Measuring speed: what is counted, and what is held against what."""

import types

import pytest
from mess.benchmarks import speed
from mess.benchmarks.playouts import random_games
from mess.benchmarks.speed import Row, rate, ratios, row
from mess.solver import game as kernels
from mess.solver.game import deal
from mess.solver.rng import stream


def test_random_games_counts_the_decisions_of_seats():
    starts = speed._records([deal("flaming", seed, players=3, special_fire=True) for seed in (0, 1)])
    decisions = random_games(starts, starts[:1].copy(), stream(0, "games"), 3)
    rng, expected, rolls = stream(0, "games"), 0, 0
    for seed in (0, 1, 0):
        position = deal("flaming", seed, players=3, special_fire=True)
        while not position.is_over:
            rolled = position.to_act < 0
            move = kernels.random_move(position.state, rng)
            position = position.play(position.game.move_text(position.state, int(move)))
            expected += not rolled
            rolls += rolled
    assert rolls > 0
    assert decisions == expected


def test_a_row_is_the_median_and_the_range():
    assert row("x", "s", [3.0, 1.0, 2.0, 9.0, 2.5]) == Row("x", 2.5, "s", 1.0, 9.0, 5)


def test_a_rate_is_work_over_time_without_the_first_run(monkeypatch):
    clock = iter([0.0, 2.0, 10.0, 14.0, 20.0, 21.0])
    calls = []
    monkeypatch.setattr(speed.time, "perf_counter", lambda: next(clock))
    measured = rate("x", "things/s", lambda: calls.append(None) or 8.0, 3)
    assert len(calls) == 4
    assert measured == Row("x", 4.0, "things/s", 2.0, 8.0, 3)


def test_peers_are_held_against_search_to_the_end(monkeypatch):
    asked = []

    def advise(view, *, iterations, options, seed):
        asked.append(options)
        return types.SimpleNamespace(iterations=iterations)

    monkeypatch.setattr(speed, "advise", advise)
    names = [measured.name for measured in speed.searches(1, 10)]
    assert names.index(speed.WHOLE_GAMES) == 0
    assert asked[0] == {"playout": "random", "cutoff": 0}
    peers = {"playouts/s": 50.0, "decisions/s in playouts": 4000.0, "search iterations/s": 25.0}
    measured = [row(f"OpenSpiel hearts, {what}", "", [value]) for what, value in peers.items()]
    measured += [row("random play, 2 players", "", [30_000.0]), row(speed.WHOLE_GAMES, "", [75.0])]
    measured += [row("mcts, random playouts cut off as by default, 2 players", "", [900.0])]
    found = {ratio["name"]: ratio["value"] for ratio in ratios(measured, 300.0)}
    assert found == {
        "playouts/s to those of OpenSpiel hearts": 2.0,
        "decisions/s in playouts to those of OpenSpiel hearts": 7.5,
        "search iterations/s to those of OpenSpiel hearts": 3.0,
    }


def test_facts_of_the_machine_do_not_name_it():
    assert set(speed.machine()) == {"cpu", "cores", "system", "python", "numba", "numpy", "package"}
    assert speed.platform.node() not in map(str, speed.machine().values())


def test_redeals_run_on_what_a_seat_sees():
    concealed = speed._records([deal("flaming", 0)], seat=0)
    assert concealed[0]["unseen"] != 0
    assert speed.redeals(concealed, concealed[:1].copy(), stream(0, "redeal"), 5) == 0


def test_a_failed_command_is_an_error():
    with pytest.raises(RuntimeError, match="ended with 3"):
        speed._run(["raise SystemExit(3)", "some", "arguments"])
    seconds, memory, text = speed._run(["print('out')"])
    assert seconds > 0 and 1 < memory < 100 and text == "out\n"
