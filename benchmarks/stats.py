"""Intervals and tests on block scores and counts; pure functions.

The games of one deal block depend on each other, blocks do not: so the block is the unit of every interval.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

LEVEL = 0.95
ROUNDING = 1e-12


class Interval(NamedTuple):
    """An estimate and the ends of its interval."""

    value: float
    low: float
    high: float


def wilson(successes: int, trials: int, level: float = LEVEL) -> Interval:
    """Wilson's score interval of a proportion."""
    from scipy.stats import binomtest  # takes a while to import, and few need it

    low, high = binomtest(successes, trials).proportion_ci(level, "wilson")
    return Interval(successes / trials, float(low), float(high))


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
    return float(stdtrit(len(values) - 1, (1 + level) / 2)) * error


def t_interval(values: np.ndarray, level: float = LEVEL) -> tuple[float, float | None, float | None]:
    """Mean of block values of any size with its t interval, whose ends are None for a single block."""
    mean = float(np.mean(values))
    if len(values) == 1:
        return mean, None, None
    half = _half(values, level)
    return mean, mean - half, mean + half


def elo(share: float) -> float:
    """Rating difference that explains a share of the win between two players; infinite at 0 and 1."""
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def share_of_elo(difference: float) -> float:
    """The share of the win between two players that a rating difference explains."""
    return 1 / (1 + 10 ** (-difference / 400))


def elo_interval(share: float, low: float, high: float) -> dict[str, float | None]:
    """Rating difference with its interval; None stands for infinite, which JSON cannot say."""
    ends = {"value": elo(share), "low": elo(low), "high": elo(high)}
    return {name: value if math.isfinite(value) else None for name, value in ends.items()}
