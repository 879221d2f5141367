"""Intervals and tests: known values, and coverage by simulation."""

import math

import numpy as np
import pytest
from mess.benchmarks.stats import (
    bootstrap_interval,
    elo,
    elo_interval,
    mean_interval,
    paired_test,
    sign_test,
    t_cdf,
    t_quantile,
    wilson,
)
from scipy import stats as reference

pytestmark = pytest.mark.small


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 9, 10, 49, 200, 1001])
def test_student_t_is_exact(freedom):
    for t in (-3, -0.5, 0, 0.7, 2.5, 40):
        assert t_cdf(t, freedom) == pytest.approx(reference.t.cdf(t, freedom), abs=1e-12)
    for probability in (0.025, 0.5, 0.9, 0.975, 0.9995):
        assert t_quantile(probability, freedom) == pytest.approx(reference.t.ppf(probability, freedom), rel=1e-8)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662), (10, 10, 0.7225, 1.0)],
)
def test_wilson_on_known_counts(successes, trials, low, high):
    assert wilson(successes, trials) == pytest.approx((successes / trials, low, high), abs=1e-4)


def test_mean_interval_on_known_blocks():
    # Mean 0.7, standard deviation 0.2739, standard error 0.12247, t(0.975, 4) = 2.7764.
    assert mean_interval(np.array([1, 0.5, 0.5, 1, 0.5])) == pytest.approx((0.7, 0.35996, 1.0), abs=1e-5)
    assert mean_interval(np.full(9, 0.5)) == (0.5, 0.5, 0.5)
    assert mean_interval(np.ones(10)) == pytest.approx((1, 0.7225, 1), abs=1e-4)
    assert mean_interval(np.zeros(10)) == pytest.approx((0, 0, 0.2775), abs=1e-4)
    assert mean_interval(np.array([0.5])) == (0.5, 0.0, 1.0)


def simulated(blocks, trials, rng):
    """Block scores of two games on one deal: how good the deal is differs, and so the games of a block agree."""
    strength = rng.beta(3, 2, size=(trials, blocks))
    return (rng.random((trials, blocks)) < strength) * 0.5 + (rng.random((trials, blocks)) < strength) * 0.5


def coverage(intervals, truth):
    return np.mean([low <= truth <= high for _, low, high in intervals])


def test_block_intervals_cover_the_truth():
    rng = np.random.default_rng(1)
    scores = simulated(50, 3000, rng)
    assert 0.93 < coverage(map(mean_interval, scores), 0.6) < 0.97
    assert 0.93 < coverage((bootstrap_interval(row, rng, 400) for row in scores[:1000]), 0.6) < 0.97
    games = (scores * 2).sum(axis=1)
    assert coverage((wilson(wins, 100) for wins in games), 0.6) < 0.93, "the block must matter in this simulation"


def test_wilson_covers_the_truth():
    wins = np.random.default_rng(2).binomial(200, 0.3, 4000)
    assert 0.93 < coverage((wilson(count, 200) for count in wins), 0.3) < 0.97


def test_bootstrap_and_variance_agree():
    rng = np.random.default_rng(3)
    scores = simulated(200, 1, rng)[0]
    assert bootstrap_interval(scores, rng) == pytest.approx(mean_interval(scores), abs=0.01)


def test_elo_on_known_shares():
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.7) == pytest.approx(147.19, abs=0.01) == -elo(0.3)
    assert elo(0) == -math.inf and elo(1) == math.inf
    assert elo_interval(0.75, 0.5, 1) == {"value": pytest.approx(190.85, abs=0.01), "low": 0.0, "high": None}


def test_sign_test_on_known_counts():
    ones, others = np.array([1] * 8 + [0, 0.5, 0.5]), np.array([0] * 8 + [1, 0.5, 0.5])
    assert sign_test(ones, others) == (8, 1, pytest.approx(20 / 512))
    assert sign_test(ones, ones) == (0, 0, 1.0)
    assert sign_test(ones[:1], others[:1]) == (1, 0, 1.0)


def test_paired_test_agrees_with_the_reference():
    rng = np.random.default_rng(4)
    ones, others = rng.random(20), rng.random(20) - 0.2
    interval, p = paired_test(ones, others)
    expected = reference.ttest_rel(ones, others)
    assert p == pytest.approx(expected.pvalue)
    assert interval[1:] == pytest.approx(tuple(expected.confidence_interval()))
    assert paired_test(ones, ones) == ((0, 0, 0), 1.0)
    assert paired_test(ones + 1, ones)[1] == 0.0
    assert paired_test(ones[:1], others[:1])[1] == 1.0
