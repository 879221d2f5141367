"""Intervals and tests: known values, and coverage by simulation."""

import math

import numpy as np
import pytest
from mess.benchmarks.stats import (
    elo,
    elo_interval,
    mean_interval,
    wilson,
)

pytestmark = pytest.mark.small


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
    games = (scores * 2).sum(axis=1).astype(int)
    assert coverage((wilson(wins, 100) for wins in games), 0.6) < 0.93, "the block must matter in this simulation"


def test_wilson_covers_the_truth():
    wins = np.random.default_rng(2).binomial(200, 0.3, 4000)
    assert 0.93 < coverage((wilson(count, 200) for count in wins), 0.3) < 0.97


def test_elo_on_known_shares():
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.7) == pytest.approx(147.19, abs=0.01) == -elo(0.3)
    assert elo(0) == -math.inf and elo(1) == math.inf
    assert elo_interval(0.75, 0.5, 1) == {"value": pytest.approx(190.85, abs=0.01), "low": 0.0, "high": None}
