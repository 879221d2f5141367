"""Random numbers: known answers, uniformity, unrelated streams."""

import numpy as np
import pytest
from mess.solver import rng
from scipy import stats

KNOWN = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
"""The first draws of SplitMix64 from the seed 1234567, as its reference implementation gives them."""

UNLIKELY = 1e-4


@pytest.mark.small
def test_known_answers():
    state = np.array([1234567], dtype=np.uint64)
    assert [int(rng.draw(state)) for _ in KNOWN] == KNOWN


@pytest.mark.small
@pytest.mark.parametrize("n", [1, 2, 6, 45, 2**31 - 1])
def test_below_stays_in_its_range(n):
    state = rng.stream(1, "range", n)
    drawn = [int(rng.below(state, n)) for _ in range(200)]
    assert min(drawn) >= 0
    assert max(drawn) < n
    assert n < 50 or max(drawn) > n // 2


@pytest.mark.parametrize("n", [2, 3, 6, 45, 64])
def test_below_is_uniform(n):
    state = rng.stream(2, "uniform", n)
    counts = np.bincount([rng.below(state, n) for _ in range(400 * n)], minlength=n)
    assert stats.chisquare(counts).pvalue > UNLIKELY


def test_consecutive_draws_are_independent():
    state = rng.stream(3, "pairs")
    pairs = np.zeros((8, 8))
    for _ in range(20_000):
        pairs[rng.below(state, 8), rng.below(state, 8)] += 1
    assert stats.chi2_contingency(pairs).pvalue > UNLIKELY


def test_unit_is_uniform():
    state = rng.stream(4, "unit")
    drawn = np.array([rng.unit(state) for _ in range(20_000)])
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert stats.kstest(drawn, "uniform").pvalue > UNLIKELY


@pytest.mark.small
def test_a_stream_is_fixed_by_seed_and_purpose():
    purposes = [(), ("deal",), ("chance",), ("bot", 0), ("bot", 1), ("bot", "0"), ("deal", 7), (7, "deal"), ("bot0",)]
    streams = {(seed, p): rng.stream(seed, *p) for seed in (-1, 0, 1, 2**70) for p in purposes}
    assert len({int(state[0]) for state in streams.values()}) == len(streams)
    for (seed, purpose), state in streams.items():
        assert state.dtype == np.uint64
        assert state.shape == (1,)
        assert rng.stream(seed, *purpose)[0] == state[0]
        assert rng.stream(np.int64(seed) if seed < 2**63 else seed, *purpose)[0] == state[0]


def test_streams_of_one_seed_are_unrelated():
    deal, chance = rng.stream(5, "deal"), rng.stream(5, "chance")
    pairs = np.zeros((6, 6))
    for _ in range(10_000):
        pairs[rng.below(deal, 6), rng.below(chance, 6)] += 1
    assert stats.chi2_contingency(pairs).pvalue > UNLIKELY


@pytest.mark.small
def test_streams_are_changed_by_drawing_alone():
    state = rng.stream(6)
    before = state.copy()
    again = rng.stream(6)
    rng.draw(state)
    assert (again == before).all()
    assert (state != before).all()
