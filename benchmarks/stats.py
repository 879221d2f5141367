"""Intervals and tests on block scores and counts; pure functions.

The games of one deal block depend on each other, blocks do not: so the block is the unit of every interval.
"""

import math
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

LEVEL = 0.95
ROUNDING = 1e-12


class Interval(NamedTuple):
    """An estimate and the ends of its interval."""

    value: float
    low: float
    high: float


def t_cdf(t: float, freedom: int) -> float:
    """P(T <= t) of Student's t with a whole number of degrees of freedom, at least 1; the exact finite series."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine = math.cos(angle)
    total, term = 0.0, 1.0
    odd = freedom % 2
    for k in range(1 + odd, freedom, 2):
        total += term * (cosine if odd else 1.0)
        term *= cosine**2 * k / (k + 1)
    inside = math.sin(angle) * total
    if odd:
        inside = 2 / math.pi * (angle + inside)
    return 0.5 + inside / 2


@lru_cache(maxsize=1024)
def t_quantile(probability: float, freedom: int) -> float:
    """The value that Student's t stays below with a probability in (0, 1)."""
    low, high = -1.0, 1.0
    while t_cdf(low, freedom) > probability:
        low *= 2
    while t_cdf(high, freedom) < probability:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if t_cdf(middle, freedom) < probability else (low, middle)
    return (low + high) / 2


def wilson(successes: float, trials: int, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a proportion."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def mean_interval(scores: np.ndarray, level: float = LEVEL) -> Interval:
    """Mean of block scores in [0, 1] with the t interval of their variance.

    When every block was won, or every block lost, the variance says nothing; then Wilson's interval over blocks is
    given. One block alone says nothing but its own score: the interval is [0, 1].

    Args:
        scores: ``float64[blocks]``, at least one.
        level: probability that the interval holds the true mean.
    """
    blocks = len(scores)
    mean = float(np.mean(scores))
    if blocks > 1 and (mean <= ROUNDING or mean >= 1 - ROUNDING):
        return wilson(round(mean) * blocks, blocks, level)
    if blocks == 1:
        return Interval(mean, 0.0, 1.0)
    half = _half(scores, level)
    return Interval(mean, max(0.0, mean - half), min(1.0, mean + half))


def _half(values: np.ndarray, level: float) -> float:
    """Half of the t interval of a mean of at least two values."""
    error = float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return t_quantile((1 + level) / 2, len(values) - 1) * error


def t_interval(values: np.ndarray, level: float = LEVEL) -> tuple[float, float | None, float | None]:
    """Mean of block values of any size with its t interval, whose ends are None for a single block."""
    mean = float(np.mean(values))
    if len(values) == 1:
        return mean, None, None
    half = _half(values, level)
    return mean, mean - half, mean + half


def bootstrap_interval(
    scores: np.ndarray, rng: np.random.Generator, resamples: int = 10_000, level: float = LEVEL
) -> Interval:
    """Mean of block scores with the percentile interval of whole blocks drawn with replacement."""
    blocks = len(scores)
    counts = rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=resamples)
    low, high = np.quantile(counts @ scores / blocks, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(np.mean(scores)), float(low), float(high))


def elo(share: float) -> float:
    """Rating difference that explains a share of the win between two players; infinite at 0 and 1."""
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def elo_interval(share: float, low: float, high: float) -> dict[str, float | None]:
    """Rating difference with its interval; None stands for infinite, which JSON cannot say."""
    ends = {"value": elo(share), "low": elo(low), "high": elo(high)}
    return {name: value if math.isfinite(value) else None for name, value in ends.items()}


def sign_test(ones: np.ndarray, others: np.ndarray) -> tuple[int, int, float]:
    """Blocks that one bot scored higher in, blocks the other did, and the exact two-sided p-value of that split."""
    difference = np.asarray(ones) - np.asarray(others)
    more, less = int((difference > ROUNDING).sum()), int((difference < -ROUNDING).sum())
    decided = more + less
    tail = sum(math.comb(decided, k) for k in range(min(more, less) + 1))
    return more, less, min(1.0, 2 * tail / 2**decided)


def paired_test(ones: np.ndarray, others: np.ndarray, level: float = LEVEL) -> tuple[Interval, float]:
    """Mean difference of two bots' block scores with its t interval, and the two-sided p-value of no difference."""
    difference = np.asarray(ones, dtype=float) - np.asarray(others, dtype=float)
    blocks = len(difference)
    mean = float(difference.mean())
    error = float(difference.std(ddof=1)) / math.sqrt(blocks) if blocks > 1 else math.inf
    if error <= ROUNDING:
        return Interval(mean, mean, mean), 1.0 if abs(mean) <= ROUNDING else 0.0
    if math.isinf(error):
        return Interval(mean, -1.0, 1.0), 1.0
    half = t_quantile((1 + level) / 2, blocks - 1) * error
    return Interval(mean, mean - half, mean + half), 2 * t_cdf(-abs(mean / error), blocks - 1)
