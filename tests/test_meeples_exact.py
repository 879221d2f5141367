"""Exact solutions of meeple stacking: against brute force, simulation, and a puzzle with a known answer."""

import random
from dataclasses import replace
from itertools import pairwise

import numba
import numpy as np
import pytest
from mess.solver import game as kernels
from mess.solver.game import CHANCE, NO_ONE, deal
from mess.solver.meeples.best import best_move, outcomes, solve
from mess.solver.meeples.builder import NAMES, builtin, read_builder
from mess.solver.meeples.contest import Side, finishing_chances, race, solve_contest, solve_turn
from mess.solver.meeples.contest import _decided as decided
from mess.solver.meeples.dynamic import Solution
from mess.solver.meeples.notation import action_text
from mess.solver.meeples.state import SUPPORTS, WIDEST
from mess.solver.meeples.wall import takes
from mess.solver.meeples.walls import additions, best_wall, walls
from mess.solver.rng import stream
from reference import builds
from reference import meeples as naive

BUILDS = 1_000_000
# 99.9 % of a normal distribution lie within
Z999 = 3.2905


def naive_rules(name, support, seconds, **rules):
    return naive.rules_of(builder=builds.BUILDERS[name], support=support, seconds=seconds, **rules)


CASES = [
    (name, support, seconds)
    for name, seconds in (("default", 15), ("sure", 12), ("slippery", 15), ("hasty", 3), ("heavy", 14))
    for support in SUPPORTS
]


@pytest.mark.parametrize(("name", "support", "seconds"), CASES)
def test_every_action_is_worth_what_brute_force_says(name, support, seconds):
    rules, builder = naive_rules(name, support, seconds), read_builder(builds.BUILDERS[name])
    solution = solve(builder, 4 * seconds, SUPPORTS.index(support), keep=True).solve()
    rng = random.Random(f"{name} {support}")
    for rows in rng.sample(solution.walls.rows, min(8, len(solution.walls.rows))):
        most = 4 * seconds - int(solution.walls.ticks[solution.walls.number[rows]])
        left = rng.randint(most // 2, most)
        expected = naive.action_values(rules, list(rows), left)
        assert solution.value(rows, left) == pytest.approx(max(expected.values()), abs=1e-9)
        for action in range(2, 2 * len(rows) + 4):
            if action_text(action) in expected:
                value = solution.action_value(rows, action, left)
                assert value == pytest.approx(expected[action_text(action)], abs=1e-9)


@pytest.mark.parametrize("support", SUPPORTS)
def test_any_utility_is_maximised(support):
    rules, builder = naive_rules("slippery", support, 12), read_builder(builds.SLIPPERY)
    graph = walls(builder, 48, SUPPORTS.index(support))
    worth = np.column_stack([graph.points >= 8, np.sqrt(graph.points), -graph.points]).astype(float)
    solution = Solution(graph, builder, 48, worth).solve()
    wanted = [lambda points: float(points >= 8), lambda points: points**0.5, lambda points: -float(points)]
    for aim, utility in enumerate(wanted):
        assert solution.value((), 48, aim) == pytest.approx(naive.best_utility(rules, [], 48, utility), abs=1e-9)


@pytest.mark.parametrize(("name", "seconds"), [("default", 12), ("slippery", 20), ("hasty", 4), ("heavy", 30)])
@pytest.mark.parametrize("support", SUPPORTS)
def test_chances_to_finish(name, seconds, support):
    rules = naive_rules(name, support, seconds, mode="higher")
    chances = finishing_chances(read_builder(builds.BUILDERS[name]), 4 * seconds, SUPPORTS.index(support))
    expected = [naive.finish_chance(rules, base, [], 4 * seconds) for base in (3, 4)]
    assert chances[:2] == pytest.approx(expected, abs=1e-9)
    assert all(after <= before + 1e-12 for before, after in pairwise(chances))


def test_values_of_an_independent_programme():
    builder = builtin("steady")
    for seconds, value in ((20, 18.395335), (60, 58.130508)):
        assert solve(builder, 4 * seconds, 0).solve().value((), 4 * seconds) == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("support", SUPPORTS)
def test_the_ends_of_a_policy_have_its_value(name, support):
    solution = solve(builtin(name), 120, SUPPORTS.index(support), policy=True).solve(workers=2)
    ends = solution.ends()
    assert ends.sum() == pytest.approx(1.0)
    assert ends @ solution.walls.points == pytest.approx(solution.value((), 120), abs=1e-9)


def test_threads_change_nothing():
    one, two = (solve(builtin("steady"), 320, 0).solve(workers) for workers in (1, 2))
    assert (one.values == two.values).all()


@numba.njit
def _play_out(root, scratch, policy, numbers, rng, builds):
    """Sum and sum of squares of the points of so many builds by a policy; walls are told apart by sets of widths."""
    total, squares = 0.0, 0.0
    for _ in range(builds):
        scratch[0] = root[0]
        s = scratch[0]
        while True:
            who = kernels.to_act(s)
            if who == NO_ONE:
                break
            if who == CHANCE:
                kernels.play(s, kernels.random_move(s, rng))
                continue
            widths = 0
            for k in range(s.height[0]):
                widths |= 1 << (s.rows[0, k] - 1)
            kernels.play(s, np.int64(policy[s.ticks[0], numbers[widths], 0]))
        total += s.scores[0]
        squares += np.float64(s.scores[0]) ** 2
    return total, squares


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_million_builds_have_the_exact_mean(name):
    seconds = 30
    solution = solve(builtin(name), 4 * seconds, 0, policy=True).solve()
    numbers = np.zeros(1 << WIDEST, dtype=np.int64)
    for rows, number in solution.walls.number.items():
        numbers[sum(1 << (width - 1) for width in rows)] = number
    start = deal("meeples", 0, builder=name, seconds=seconds)
    total, squares = _play_out(start.states(), start.states(), solution.policy, numbers, stream(3, "builds"), BUILDS)
    mean = total / BUILDS
    error = ((squares / BUILDS - mean**2) / BUILDS) ** 0.5
    assert abs(mean - solution.value((), 4 * seconds)) < Z999 * error


def _riddler_hazards(rows, towers, rng):
    """How likely a block falls, or makes others fall, that is put on a tower of so many that stands.

    The centre of each block lies at a uniform place along the block below; a tower falls when the centre of mass of all
    above some block is beyond its edge.
    """
    centres = np.zeros((towers, 1))
    hazards = []
    for _ in range(rows):
        top = centres[:, -1:] + rng.uniform(-0.5, 0.5, (len(centres), 1))
        centres = np.hstack([centres, top])
        means = np.cumsum(centres[:, ::-1], axis=1) / np.arange(1, centres.shape[1] + 1)
        fell = (np.abs(means[:, :-1] - centres[:, -2::-1]) > 0.5).any(axis=1)
        hazards.append(fell.mean())
        centres = centres[~fell]
        if not len(centres):
            break
    return hazards


def test_a_tower_of_random_offsets_falls_at_the_seventh_block():
    """7.11 blocks: FiveThirtyEight, "Can You Win Riddler Jenga?", 19 February 2021."""
    hazards = [0.0, *_riddler_hazards(40, 400_000, np.random.default_rng(7))]
    lasting = replace(builtin("steady"), place=(1, 1), row=0, clear=10_000, slip=(0.0, 0.0), fall=(1.0, 0.0, 0.0, 0.0))
    solution = Solution(
        graph := walls(lasting, len(hazards), 1), lasting, len(hazards), graph.ticks.astype(float)[:, None]
    )
    slip = np.repeat(np.array([*hazards, 1.0])[: len(solution.clock.slip) // 2], 2)
    solution.clock = replace(solution.clock, slip=slip)
    standing = solution.solve().value((), len(hazards))
    assert standing + 1 == pytest.approx(7.11, abs=0.02)


# Walls


@pytest.mark.parametrize("support", SUPPORTS)
def test_additions_are_what_the_engine_allows(support):
    number = SUPPORTS.index(support)
    for base in (5, 0) if support == "bridge" else (5,):
        graph = walls(builtin("expert"), 160, number, base)
        for rows in graph.rows[:: max(1, len(graph.rows) // 200)]:
            array = np.array([*rows, 0], dtype=np.uint8)
            expected = [row for row in range(1, len(rows) + 2) if takes(array, row, sum(rows), number, base)]
            assert [row for row, _ in additions(rows, number, base)] == expected


@pytest.mark.parametrize("support", SUPPORTS)
def test_best_walls(support):
    for count in range(1, 24):
        points, rows = best_wall(count, SUPPORTS.index(support))
        assert points == naive.best_wall(count, support)[0] == naive.points(list(rows), support)
        assert sum(rows) <= count


def test_known_walls():
    assert [best_wall(count, 0)[0] for count in (12, 23, 91, 99)] == [23, 59, 455, 491]


# Contests


def test_a_best_answer_is_that_of_brute_force():
    rules, builder = naive_rules("slippery", "bridge", 10), read_builder(builds.SLIPPERY)
    side = Side(builder, 40, 0, 1)
    worth = np.random.default_rng(1).random(side.most + 1)
    values, ends = side.best(worth[None])
    assert values[0] == pytest.approx(naive.best_utility(rules, [], 40, lambda points: worth[points]), abs=1e-9)
    assert ends[0] @ worth == pytest.approx(values[0], abs=1e-9)


def test_equals_share_a_contest():
    for turn in solve_contest((builtin("steady"), builtin("steady")), 60, 0, 2):
        assert turn.has_converged
        middle = (turn.low + turn.high) / 2
        assert middle + middle[::-1] == pytest.approx(1.0, abs=2e-3)
        assert (np.diff(middle) >= -2e-3).all()


def test_nobody_does_better_than_the_bounds():
    """Against the mixture found, an answer to plain points cannot win more than the upper bound."""
    sides = tuple(Side(builtin(name), 80, 0, 1) for name in ("steady", "beginner"))
    turn = solve_turn(sides, [0], decided)
    plain = [side.best(np.arange(side.most + 1.0)[None])[1][0] for side in sides]
    gaps = np.arange(sides[0].most + 1)[:, None] - np.arange(sides[1].most + 1)[None, :]
    both_plain = plain[0] @ decided(gaps) @ plain[1]
    assert turn.low[0] <= turn.high[0] <= turn.low[0] + 1e-3
    assert abs(both_plain - turn.high[0]) < 0.2
    assert turn.high[0] > 0.5


def test_shares_of_a_race():
    assert race([[0.5] * 11] * 4) == pytest.approx([0.25] * 4)
    assert race([[1.0, 0.0], [1.0, 1.0]]) == pytest.approx([0.0, 1.0])
    # both pass or both fail: shared or on to the next base, where nobody passes
    assert race([[0.3, 0.0], [0.6, 0.0]]) == pytest.approx([0.3 * 0.4 + 0.46 / 2, 0.7 * 0.6 + 0.46 / 2])


# Advice


def test_outcomes_are_ordered_like_the_moves():
    position = deal("meeples", 0, seconds=20)
    found = outcomes(position)
    assert [outcome.points for outcome in found] == pytest.approx([18.395335, 17.618, 0.0], abs=0.2)
    assert best_move(position) == 2
    assert outcomes(deal("meeples", 0, players=2)) is None


def test_a_race_is_judged_by_what_everybody_can_still_do():
    start = deal("meeples", 0, mode="higher", players=2)
    chances = finishing_chances(builtin("steady"), 180, 0)
    assert max(outcome.win for outcome in outcomes(start)) == pytest.approx(race([chances, chances])[0])
    stopped = next(outcome for move, outcome in zip(start.moves(), outcomes(start), strict=True) if move == "stop")
    # out after this round, unless the other fails, too
    assert stopped.win == pytest.approx((1 - chances[0]) / 2)
    second = start.play("stop")
    assert second.to_act == 1
    assert max(outcome.win for outcome in outcomes(second)) == pytest.approx((1 + chances[0]) / 2)


def test_later_turns_and_bases_are_counted():
    one, three = (outcomes(deal("meeples", 0, seconds=20, turns=turns))[0].points for turns in (1, 3))
    assert three == pytest.approx(3 * one)
    chances = finishing_chances(builtin("steady"), 180, 0)
    passed = sum(np.prod(chances[: i + 1]) for i in range(len(chances)))
    assert outcomes(deal("meeples", 0, mode="higher"))[0].points == pytest.approx(passed)
