"""The engine of meeple stacking in lockstep with the naive one: positions, moves, chances and payoffs."""

import json

import numpy as np
import pytest
from mess.solver import game as kernels
from mess.solver.errors import InputError
from mess.solver.game import CHANCE, OUTCOMES, deal
from mess.solver.meeples.builder import read_builder
from mess.solver.meeples.rules import random_move
from mess.solver.position import read, replay
from mess.solver.rng import stream
from reference import builds
from reference import meeples as naive

BY_RULES = pytest.mark.parametrize("rules", builds.RULES, ids=builds.name)
DRAWS = 20_000
# four standard deviations of a share of 20,000 draws, at most
SPREAD = 4 * (0.25 / DRAWS) ** 0.5


def told(position):
    """The naive position as the engine writes it, which calls a builder of the package by name."""
    builder = read_builder(position["rules"]["builder"])
    return position | {"rules": position["rules"] | {"builder": builder.name() or builder.to_dict()}}


def chances(position):
    moves, weights = np.empty(OUTCOMES, dtype=np.int32), np.empty(OUTCOMES)
    count = kernels.chances(position.state, moves, weights)
    return {position.game.move_text(position.state, int(moves[i])): weights[i] for i in range(count)}


@pytest.mark.small
@BY_RULES
@pytest.mark.parametrize("seed", range(3))
def test_random_games(rules, seed):
    position = deal("meeples", 0, **rules)
    for ply, (expected, move) in enumerate(builds.games(rules, seed)):
        assert position.to_dict() == told(expected)
        assert position.moves() == naive.legal(expected)
        if ply % 7 == 0:
            back = read(json.loads(json.dumps(expected)))
            assert back == position
            assert back.moves() == position.moves()
        if position.to_act == CHANCE:
            assert chances(position) == pytest.approx(naive.chances(expected), abs=1e-12)
        if move is None:
            winner = expected["winner"]
            if rules["players"] > 1:
                share = [float(seat in winner) / len(winner) for seat in range(rules["players"])]
                assert position.payoff() == pytest.approx(share)
            else:
                assert position.payoff() == (float(expected["scores"][0]),)
            assert position.is_over
            return
        position = position.play(move)


@pytest.mark.parametrize("rules", [builds.RULES[1], builds.RULES[9], builds.RULES[3]], ids=builds.name)
def test_hands_do_what_the_chances_say(rules):
    rng, seen = stream(7, "hands"), set()
    for expected, _ in builds.games(rules, 5):
        if expected["phase"] != "hands" or len(expected_chances := naive.chances(expected)) in seen:
            continue
        seen.add(len(expected_chances))
        position = read(expected)
        drawn = [position.roll(rng) for _ in range(DRAWS)]
        for outcome, chance in expected_chances.items():
            assert abs(drawn.count(outcome) / DRAWS - chance) < SPREAD
        assert set(drawn) <= set(expected_chances)
    assert len(seen) > 1


@pytest.mark.parametrize("rules", [builds.RULES[0], builds.RULES[13]], ids=builds.name)
def test_random_moves_are_uniform(rules):
    rng = stream(11, "moves")
    expected = next(position for position, _ in builds.games(rules, 2) if len(naive.legal(position)) > 5)
    position, moves = read(expected), naive.legal(expected)
    drawn = [position.game.move_text(position.state, int(random_move(position.state, rng))) for _ in range(DRAWS)]
    assert set(drawn) == set(moves)
    for move in moves:
        assert abs(drawn.count(move) / DRAWS - 1 / len(moves)) < SPREAD


def test_a_wrong_move_is_named_by_its_index():
    start = deal("meeples", 0)
    with pytest.raises(InputError) as error:
        replay(start, ["1q", "ok", "2q"])
    assert error.value.field == "moves[2]"
    assert error.value.expected == "expected one of 1q 1c stop; got '2q'"


def test_too_little_time_to_build_is_the_end():
    for rules in ({"seconds": 1, "players": 3, "turns": 2}, {"seconds": 1, "players": 2, "mode": "higher"}):
        assert deal("meeples", 0, **rules).to_dict() == told(naive.deal(**naive.rules_of(**rules)))
