"""Sequential tests: play until the question is decided, and no longer.

The generalized sequential probability ratio test of Wald, on the scores of deal blocks: nothing is assumed of how they
are spread but their mean. The most likely distribution on the scores that were seen, once with the mean of either
hypothesis, gives the likelihood ratio (M. Van den Bergh, *A Practical Introduction to the GSPRT*, 2019).
"""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from ..solver.errors import InputError
from .stats import share_of_elo

ERROR = 0.05
"""Probability of either error, unless told otherwise."""
PRIOR = 1e-3
"""How often every possible score counts as seen beforehand, so that no ratio is infinite."""
ENDS = (0.0, 1.0)
FEWEST = 8
"""Blocks before which nothing is decided: of fewer the spread is not known."""
MOST_ELO = 2000.0


class Hypotheses(NamedTuple):
    """Two mean scores to decide between, and how often to be wrong.

    Attributes:
        low, high: what was asked: of two players Elo, of more points of the win share above an equal one, in percent.
        players: number of seats.
        alpha: probability of deciding for ``high`` where ``low`` is true, and
        beta: of the other error.
    """

    low: float
    high: float
    players: int
    alpha: float = ERROR
    beta: float = ERROR

    @property
    def unit(self) -> str:
        """What ``low`` and ``high`` are counted in."""
        return "Elo" if self.players == 2 else "points of win share above an equal one"

    @property
    def means(self) -> tuple[float, float]:
        """Both as win shares, in (0, 1)."""
        if self.players == 2:
            return share_of_elo(self.low), share_of_elo(self.high)
        return 1 / self.players + self.low / 100, 1 / self.players + self.high / 100

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which ``low`` and ``high`` are accepted (Wald's approximation)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


class Verdict(NamedTuple):
    """Where a test stands.

    Attributes:
        ratio: log-likelihood ratio of ``high`` to ``low``.
        accepted: ``"low"``, ``"high"``, or None while it is open.
        blocks: after how many blocks it was decided, or how many there are.
    """

    ratio: float
    accepted: str | None
    blocks: int


def read_hypotheses(text: str, players: int, alpha: float = ERROR, beta: float = ERROR) -> Hypotheses:
    """The hypotheses in a text such as ``0,10``.

    Raises:
        InputError: no two numbers, the first not below the second, or beyond what a win share can be; an error
            probability that is not above 0 and below a half.
    """
    number = r"[+-]?\d{1,6}(?:\.\d{1,6})?"
    found = re.fullmatch(rf"\s*({number})\s*,\s*({number})\s*", text, re.ASCII)
    if not found or not float(found[1]) < float(found[2]):
        raise InputError("sprt", f"expected two numbers, the smaller first, such as 0,10; got {text!r}")
    for field, value in (("alpha", alpha), ("beta", beta)):
        if not 0 < value < 0.5:
            raise InputError(field, f"expected a probability above 0 and below 0.5, got {value:g}")
    asked = Hypotheses(float(found[1]), float(found[2]), players, alpha, beta)
    if players == 2 and max(abs(asked.low), abs(asked.high)) > MOST_ELO:
        raise InputError("sprt", f"expected at most {MOST_ELO:g} Elo, got {text!r}")
    if not all(0 < mean < 1 for mean in asked.means):
        least, most = -100 / players, 100 - 100 / players
        raise InputError(
            "sprt", f"expected points of win share above {least:.1f} and below {most:.1f}, which is all; got {text!r}"
        )
    return asked


def log_likelihood(values: np.ndarray, counts: np.ndarray, mean: float) -> float:
    """The highest log-likelihood that a distribution on ``values`` with this mean gives to what was counted.

    It weighs each value by ``count / total / (1 + t * (value - mean))`` for the one ``t`` that makes the mean right.

    Args:
        values: ``float64[k]``, some below the mean and some above.
        counts: ``float64[k]``, all above 0.
        mean: of the distribution.
    """
    away = values - mean
    shares = counts / counts.sum()

    def slope(t: float) -> float:
        return float((shares * away / (1 + t * away)).sum())

    inside = 1 - 1e-12
    t = brentq(slope, -inside / away.max(), -inside / away.min(), xtol=1e-14)
    return float((counts * np.log(shares / (1 + t * away))).sum())


def log_likelihood_ratio(values: np.ndarray, counts: np.ndarray, low: float, high: float) -> float:
    """How much more likely what was counted is with a mean of ``high`` than with one of ``low``, as a logarithm.

    Args:
        values: ``float64[k]``, distinct scores in [0, 1].
        counts: ``float64[k]``, how many blocks scored so, at least 0.
        low, high: means in (0, 1).
    """
    missing = [end for end in ENDS if end not in values]
    values = np.concatenate([values, missing])
    counts = np.concatenate([counts, np.zeros(len(missing))]) + PRIOR
    return log_likelihood(values, counts, high) - log_likelihood(values, counts, low)


class Test:
    """A test as its blocks come in, in their order.

    Attributes:
        asked: the hypotheses.
        verdict: where it stands; once decided, it stays.
    """

    __test__ = False  # it is none of pytest's

    def __init__(self, asked: Hypotheses) -> None:
        self.asked = asked
        self.verdict = Verdict(0.0, None, 0)
        self._counts: dict[float, int] = {}

    def add(self, scores: Sequence[float]) -> Verdict:
        """Take the scores of further blocks, until one decides; the others are not looked at."""
        for score in scores:
            if self.verdict.accepted:
                break
            key = round(float(score), 9)
            self._counts[key] = self._counts.get(key, 0) + 1
            self.verdict = self._judge(self.verdict.blocks + 1)
        return self.verdict

    def _judge(self, blocks: int) -> Verdict:
        values, counts = np.array(list(self._counts)), np.array(list(self._counts.values()), dtype=float)
        ratio = log_likelihood_ratio(values, counts, *self.asked.means)
        low, high = self.asked.bounds
        accepted = None if blocks < FEWEST or low < ratio < high else "high" if ratio >= high else "low"
        return Verdict(ratio, accepted, blocks)


def told(asked: Hypotheses, verdict: Verdict) -> str:
    """What a test says, in a sentence."""
    low, high = asked.bounds
    numbers = f"log-likelihood ratio {verdict.ratio:+.2f} ({low:.2f} … {high:+.2f}) after {verdict.blocks} deals"
    if verdict.accepted is None:
        more = "the same command with more --deals goes on where there is a file"
        return f"undecided between {asked.low:+g} and {asked.high:+g} {asked.unit}: {numbers}; {more}"
    kept, left = (asked.high, asked.low) if verdict.accepted == "high" else (asked.low, asked.high)
    error = asked.alpha if verdict.accepted == "high" else asked.beta
    risk = f"wrong at most {100 * error:g} % of the time"
    return f"decided for {kept:+g} and against {left:+g} {asked.unit}, {risk}: {numbers}"
