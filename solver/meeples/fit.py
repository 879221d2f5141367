"""The builder whose hands explain a log of attempts best, and how sure that is.

Three likelihoods that share no parameter. Whether a meeple slips: ``log a + b log(row - 1)`` is the complementary
log-log of the chance, so the log-likelihood is concave in ``(log a, b)``. From which row all falls: a multinomial
whose categories merge in low rows. The seconds: lognormal around the time of the model, which is their median.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize, special

from .attempts import Log, fall_rows
from .builder import FALLS, LONGEST_SECONDS, MOST_POWER, MOST_SLIP, PACES, TICKS, Builder
from .likelihood import (
    DROP,
    DROP_OF_NONE,
    LEVEL,
    determined,
    interval,
    maximise,
    profile_of,
    to_assume,
)

LEAST_SLIP = 1e-12
"""Stands for 0 where its logarithm is needed."""
USUAL_POWER = 1.5
"""Where the search for the power begins."""
LEAST_SHARE = 1e-300
LOGIT = 60.0
"""Bound of logits; farther out shares are 0 or 1 for every purpose."""
LEAST_SECONDS = 1e-3
CLOCK = 1e-3
"""Spread of the seconds below which nobody can measure, so that times without any spread have a likelihood."""
SLIP_BOUNDS = np.array([[math.log(LEAST_SLIP), math.log(MOST_SLIP)]] * 2 + [[0.0, MOST_POWER]])
TIME_BOUNDS = np.array([[LEAST_SECONDS, LONGEST_SECONDS]] * 2 + [[0.0, LONGEST_SECONDS]] * 2)
SHARE_BOUNDS = np.array([0.0, 1.0])
SHARE_DIGITS, SLIP_DIGITS = 4, 6


class Parameter(NamedTuple):
    """What a log says of one number of a builder.

    Attributes:
        name: as the formats write it, ``"slip.quick"``.
        estimate: the most likely value, or None where the log does not determine it.
        low: lower end of the 95 % interval; where nothing speaks against it the least possible value.
        high: upper end, or None where nothing speaks against any large value.
        used: what the builder has, before rounding: the estimate, or what was assumed.
    """

    name: str
    estimate: float | None
    low: float
    high: float | None
    used: float


class Fit(NamedTuple):
    """A builder fitted to a log.

    Attributes:
        parameters: every number of the builder.
        attempts: how many the log has.
        slips: how many of them slipped.
        spread: standard deviation of the logarithm of the seconds around the builder's, or None where no attempt is
            left over to tell.
        log_likelihood: of outcomes, falls and seconds together, at the estimates; in nats.
        builder: the estimates, times rounded to ticks.
    """

    parameters: tuple[Parameter, ...]
    attempts: int
    slips: int
    spread: float | None
    log_likelihood: float
    builder: Builder

    def to_dict(self) -> dict[str, Any]:
        """The fit as JSON."""
        fields = {part.name: {name: getattr(part, name) for name in Parameter._fields[1:]} for part in self.parameters}
        return self._asdict() | {"parameters": fields, "builder": self.builder.to_dict()}


def _cells(*keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different combinations of some keys, ``int64[cells, keys]``, and the cell of every attempt."""
    cells, of = np.unique(np.stack(keys, axis=1), axis=0, return_inverse=True)
    return cells, of.reshape(-1)


# slips


def _slip_likelihood(
    theta: np.ndarray, pace: np.ndarray, x: np.ndarray, slips: np.ndarray, stands: np.ndarray
) -> tuple[float, np.ndarray]:
    """Log-likelihood and gradient at ``(log a quick, log a careful, b)``, given counts by pace and ``log(row - 1)``."""
    hazard = np.exp(theta[pace] + theta[2] * x)
    value = np.sum(slips * np.log(-np.expm1(-hazard))) - np.sum(stands * hazard)
    # hazard / (exp(hazard) - 1) without an exponential that would be infinite
    slope = slips * hazard * np.exp(-hazard) / -np.expm1(-hazard) - stands * hazard
    return float(value), np.array([slope[pace == 0].sum(), slope[pace == 1].sum(), (slope * x).sum()])


def _fit_slips(log: Log, base: Builder) -> tuple[list[Parameter], float]:
    """The parameters of the chance to slip, and the log-likelihood."""
    above = log.row > 1
    cells, of = _cells(log.pace[above], log.row[above])
    pace, x = cells[:, 0], np.log(cells[:, 1] - 1.0)
    count = np.bincount(of, minlength=len(cells))
    slips = np.bincount(of, weights=log.fallen_to[above] > 0, minlength=len(cells))
    stands = count - slips
    f = partial(_slip_likelihood, pace=pace, x=x, slips=slips, stands=stands)
    # a pace that never slips, or always, has its ``a`` at a bound, and tells nothing of the power
    at_bound = {}
    for p in range(len(PACES)):
        if count[pace == p].sum() and not (slips[pace == p].sum() and stands[pace == p].sum()):
            at_bound[p] = SLIP_BOUNDS[p, 0 if stands[pace == p].sum() else 1]
    mixed = np.array([p not in at_bound for p in pace], bool)
    design = np.stack([pace == 0, pace == 1, x], axis=1)[mixed].astype(float)
    known, assumed = determined(design), to_assume(design, (2, 0, 1))
    start = np.array([*np.log(np.maximum(base.slip, LEAST_SLIP)), base.power if 2 in assumed else USUAL_POWER])
    for p in range(len(PACES)):
        if p in at_bound:
            start[p] = at_bound[p]
        elif p not in assumed:
            weight = np.sum((count * np.exp(start[2] * x))[pace == p])
            start[p] = np.log(slips[pace == p].sum() / weight)
    start, _ = maximise(f, start, SLIP_BOUNDS, {*assumed, *at_bound})
    # nothing assumed: this is another point only where the assumptions do not fit the log
    best, top = maximise(f, start, SLIP_BOUNDS, tuple(at_bound))
    found = []
    for i, name in enumerate((*PACES, "power")):
        drop = DROP_OF_NONE if i in at_bound else DROP
        low, high = interval(profile_of(f, best, SLIP_BOUNDS, i), best[i], top, SLIP_BOUNDS[i], 0.25, drop)
        is_open = high == SLIP_BOUNDS[i, 1]
        used = float(best[i])
        if name != "power":
            used, low, high = (_slip_of(value) for value in (used, low, high))
        estimate = used if known[i] or i in at_bound else None
        found.append(Parameter(f"slip.{name}", estimate, low, None if is_open else high, used))
    return found, top


def _slip_of(log_a: float) -> float:
    """``a`` from its logarithm; 0 and the most possible from the bounds."""
    bounds = SLIP_BOUNDS[0]
    return 0.0 if log_a <= bounds[0] else MOST_SLIP if log_a >= bounds[1] else math.exp(log_a)


# falls


def _fall_groups(log: Log) -> tuple[np.ndarray, np.ndarray]:
    """Which of ``FALLS`` a fall may have been, ``float64[groups, 4]``, and how often that was so, ``float64[groups]``.

    From row 3 all but "same" look alike, from row 4 "two" and "floor"; from row 2 all, which says nothing.
    """
    counts: dict[tuple[bool, ...], int] = {}
    for row, to in zip(log.row.tolist(), log.fallen_to.tolist(), strict=True):
        if to and row > 2:
            group = tuple(start == to for start in fall_rows(row))
            counts[group] = counts.get(group, 0) + 1
    return np.array([*counts], float).reshape(-1, len(FALLS)), np.array([*counts.values()], float)


def _fall_likelihood(shares: np.ndarray, groups: np.ndarray, counts: np.ndarray) -> tuple[float, np.ndarray]:
    """Log-likelihood of the four shares, and its gradient."""
    chances = np.maximum(groups @ shares, LEAST_SHARE)
    return float(counts @ np.log(chances)), groups.T @ (counts / chances)


def _fall_estimate(groups: np.ndarray, counts: np.ndarray, base: Builder) -> tuple[np.ndarray, list[bool]]:
    """The most likely shares, and which of them the log determines.

    Whether only the own row falls, if not whether one more, and if not whether two: three chances, each seen in the
    rows that are high enough to tell, and the likelihood is the product of theirs.
    """
    first, is_sure = groups.argmax(axis=1), groups.sum(axis=1) == 1
    shares, known = np.zeros(len(FALLS)), []
    rest, is_rest_known = 1.0, True
    for i in range(len(FALLS) - 1):
        yes, no = counts[is_sure & (first == i)].sum(), counts[first > i].sum()
        is_seen = bool(yes + no > 0)
        assumed = base.fall[i] / sum(base.fall[i:]) if sum(base.fall[i:]) else 1.0
        shares[i] = rest * (yes / (yes + no) if is_seen else assumed)
        is_rest_known = is_rest_known and (is_seen or rest == 0.0)
        known.append(is_rest_known)
        rest -= shares[i]
    shares[-1] = rest
    return shares, [*known, is_rest_known]


def _fall_profile(i: int, value: float, best: np.ndarray, groups: np.ndarray, counts: np.ndarray) -> float:
    """The highest log-likelihood where share ``i`` has a value: over the proportions of the others, by logits."""
    others = [j for j in range(len(FALLS)) if j != i]
    # not from the edge, where the gradient of a logit is 0
    start = best[others] + 0.1

    def at(logits: np.ndarray) -> tuple[float, np.ndarray]:
        weights = np.exp(logits - logits.max())
        weights /= weights.sum()
        shares = np.insert((1.0 - value) * weights, i, value)
        found, slope = _fall_likelihood(shares, groups, counts)
        inner = (1.0 - value) * slope[others]
        return found, weights * (inner - weights @ inner)

    return maximise(at, np.log(start / start.sum()), np.array([[-LOGIT, LOGIT]] * len(others)))[1]


def _fit_falls(log: Log, base: Builder) -> tuple[list[Parameter], float]:
    """The shares of the falls, and the log-likelihood."""
    groups, counts = _fall_groups(log)
    shares, known = _fall_estimate(groups, counts, base)
    top = _fall_likelihood(shares, groups, counts)[0]
    found = []
    for i, name in enumerate(FALLS):
        share = float(shares[i])
        profile = partial(_fall_profile, i, best=shares, groups=groups, counts=counts)
        drop = DROP_OF_NONE if known[i] and share in SHARE_BOUNDS else DROP
        low, high = interval(profile, share, top, SHARE_BOUNDS, 0.02, drop)
        found.append(Parameter(f"fall.{name}", share if known[i] else None, low, high, share))
    return found, top


# seconds


def _time_likelihood(
    theta: np.ndarray, design: np.ndarray, count: np.ndarray, mean: np.ndarray, within: float
) -> tuple[float, np.ndarray]:
    """Log-likelihood of the logarithms of the seconds at the best spread, but for a constant; and its gradient.

    Args:
        theta: seconds to place quick, careful, for every row above the first, and to clear.
        design: ``float64[cells, 4]``, how often each of them goes into the time of a cell.
        count: ``float64[cells]``, attempts.
        mean: ``float64[cells]``, mean logarithm of the seconds.
        within: sum of the squared distances of all logarithms from the mean of their cell.
    """
    n, time = count.sum(), design @ theta
    off = mean - np.log(time)
    spread = (within + count @ off**2) / n + CLOCK**2
    return float(-n / 2 * np.log(spread)), design.T @ (count * off / time) / spread


def _fit_times(log: Log, base: Builder) -> tuple[list[Parameter], float, float | None]:
    """The times, the log-likelihood and the spread."""
    cells, of = _cells(log.pace, log.row, (log.fallen_to > 0).astype(np.int64))
    pace, row, slipped = cells.T
    design = np.stack([pace == 0, pace == 1, row - 1, slipped], axis=1).astype(float)
    logs, n = np.log(log.seconds), len(log.row)
    count = np.bincount(of).astype(float)
    mean = np.bincount(of, weights=logs) / count
    within = float(np.sum((logs - mean[of]) ** 2))
    f = partial(_time_likelihood, design=design, count=count, mean=mean, within=within)
    known = determined(design)
    assumed = to_assume(design, (2, 3, 0, 1))
    start = np.array([*base.place, base.row, base.clear]) / TICKS
    # from the least squares of relative errors, so near the top that there is no other near
    free = [i for i in range(len(start)) if i not in assumed]
    scale = np.sqrt(count) / np.exp(np.maximum(mean, math.log(LEAST_SECONDS)))
    left = (np.exp(mean) - design[:, assumed] @ start[assumed]) * scale
    start[free] = optimize.nnls(design[:, free] * scale[:, None], left)[0]
    start, _ = maximise(f, np.clip(start, *TIME_BOUNDS.T), TIME_BOUNDS, assumed)
    # nothing assumed: this is another point only where the assumptions do not fit the log
    best, top = maximise(f, start, TIME_BOUNDS)
    freedom = n - int(np.linalg.matrix_rank(design))
    drop = math.inf
    if freedom:
        drop = n / 2 * math.log1p(float(special.stdtrit(freedom, (1 + LEVEL) / 2)) ** 2 / freedom)
    found = []
    for i, name in enumerate((*(f"place_seconds.{pace}" for pace in PACES), "row_seconds", "clear_seconds")):
        bounds = TIME_BOUNDS[i]
        low, high = interval(profile_of(f, best, TIME_BOUNDS, i), best[i], top, bounds, 0.05, drop)
        used = float(best[i])
        ends = 0.0 if low == bounds[0] else low, None if high == bounds[1] else high
        found.append(Parameter(name, used if known[i] else None, *ends, used))
    squares = math.exp(-2 * top / n) - CLOCK**2
    constant = n / 2 * math.log(2 * math.pi) + n / 2 * squares / (squares + CLOCK**2) + float(logs.sum())
    return found, top - constant, math.sqrt(max(squares, 0.0) * n / freedom) if freedom else None


def _whole_shares(shares: list[float]) -> tuple[float, float, float, float]:
    """Shares with few digits that still add up to 1; the largest takes what rounding leaves."""
    rounded = [round(share, SHARE_DIGITS) for share in shares]
    largest = rounded.index(max(rounded))
    rounded[largest] = round(1.0 - sum(rounded[:largest] + rounded[largest + 1 :]), SHARE_DIGITS)
    return rounded[0], rounded[1], rounded[2], rounded[3]


def fit(log: Log, base: Builder) -> Fit:
    """The most likely builder, with 95 % intervals.

    Args:
        log: attempts, at least one.
        base: what the log does not determine is taken from this builder; where the log only ties two numbers
            together, one of them is, if the log allows it, and the other is what is then most likely.
    """
    times, of_times, spread = _fit_times(log, base)
    slips, of_slips = _fit_slips(log, base)
    falls, of_falls = _fit_falls(log, base)
    hit = Parameter("hit", None, 0.0, 1.0, base.hit)
    ticks = [round(part.used * TICKS) for part in times]
    a = [float(f"{part.used:.{SLIP_DIGITS}g}") for part in slips]
    builder = Builder(
        place=(max(ticks[0], 1), max(ticks[1], 1)),
        row=ticks[2],
        clear=ticks[3],
        slip=(a[0], a[1]),
        power=a[2],
        fall=_whole_shares([part.used for part in falls]),
        hit=base.hit,
    )
    return Fit(
        parameters=(*times, *slips, *falls, hit),
        attempts=len(log.row),
        slips=int(np.sum(log.fallen_to > 0)),
        spread=spread,
        log_likelihood=of_times + of_slips + of_falls,
        builder=builder,
    )
