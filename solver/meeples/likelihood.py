"""Maximum likelihood with 95 % intervals from the profile, for parameters that have bounds.

The profile of a parameter is the highest likelihood that the others allow at each of its values. An interval holds the
values whose profile is near the maximum: it stays within the bounds, is one-sided where the maximum is on one of
them, and reaches to a bound where the data do not speak against it.
"""

import math
from collections.abc import Callable, Collection, Sequence

import numpy as np
from scipy import optimize

LogLikelihood = Callable[[np.ndarray], tuple[float, np.ndarray]]
"""From a point, ``float64[parameters]``, the log-likelihood and its gradient."""
LEVEL = 0.95
DROP = 1.9207294
"""How far below the maximum the profile may be: half of the 95 % quantile of chi square with one degree."""
DROP_OF_NONE = math.log(1 / (1 - LEVEL))
"""The same where something never or always happened: beyond it, such data have a chance below 5 %."""
RANK_TOLERANCE = 1e-9
AT_BOUND = 1e-9
NEAR = 1e-4
"""How exact the ends of an interval are, absolutely or relative to them, whichever is more."""


def determined(design: np.ndarray) -> list[bool]:
    """Of each parameter of a linear model, whether observations without noise would tell its value.

    Args:
        design: ``float64[observations, parameters]``.
    """
    _, sizes, directions = np.linalg.svd(design)
    rank = int(np.sum(sizes > RANK_TOLERANCE * max(1.0, sizes.max(initial=0.0))))
    return [bool(np.all(np.abs(directions[rank:, i]) < RANK_TOLERANCE)) for i in range(design.shape[1])]


def to_assume(design: np.ndarray, order: Sequence[int]) -> list[int]:
    """Parameters of a linear model which, once assumed, leave the others determined; the first of ``order`` if any."""
    assumed: list[int] = []
    for i in order:
        rest = [j for j in range(design.shape[1]) if j not in assumed]
        if not determined(design[:, rest])[rest.index(i)]:
            assumed.append(i)
    return assumed


def maximise(
    f: LogLikelihood, start: np.ndarray, bounds: np.ndarray, fixed: Collection[int] = ()
) -> tuple[np.ndarray, float]:
    """The point where ``f`` is highest, and how high.

    Args:
        f: log-likelihood, with no local maximum but the global one.
        start: ``float64[parameters]``, within the bounds.
        bounds: ``float64[parameters, 2]``, the lowest and highest value of each.
        fixed: parameters that stay as they start.
    """
    free = [i for i in range(len(start)) if i not in fixed]
    if not free:
        return start, f(start)[0]

    def at(x: np.ndarray) -> np.ndarray:
        point = start.copy()
        point[free] = x
        return point

    def loss(x: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = f(at(x))
        return -value, -slope[free]

    found = optimize.minimize(
        loss,
        start[free],
        jac=True,
        bounds=bounds[free],
        # L-BFGS-B takes ten times as long where other processes are busy: its tiny matrices go to many threads
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 1000},
    )
    # on a bound, not next to it
    low, high = bounds[free].T
    x = np.where(found.x - low < AT_BOUND, low, np.where(high - found.x < AT_BOUND, high, found.x))
    return at(x), -float(found.fun)


def interval(
    profile: Callable[[float], float], estimate: float, top: float, bounds: np.ndarray, step: float, drop: float = DROP
) -> tuple[float, float]:
    """The values around ``estimate`` whose profile is less than ``drop`` below the maximum ``top``.

    Args:
        profile: the highest log-likelihood at a value of the parameter; falls to both sides of the estimate.
        estimate: where the profile is ``top``.
        top: the maximum.
        bounds: ``float64[2]``, the lowest and highest value.
        step: how far to look first; the distance doubles until an end is found.
        drop: how far below the maximum the ends are; infinity for all values.
    """

    def above(value: float) -> float:
        return profile(value) - top + drop

    def end(limit: float) -> float:
        inside, stride = estimate, step
        while inside != limit:
            outside = max(inside - stride, limit) if limit < inside else min(inside + stride, limit)
            if above(outside) < 0.0:
                return float(optimize.brentq(above, inside, outside, xtol=NEAR, rtol=NEAR))
            inside, stride = outside, 2 * stride
        return limit

    return end(float(bounds[0])), end(float(bounds[1]))


def profile_of(f: LogLikelihood, best: np.ndarray, bounds: np.ndarray, i: int) -> Callable[[float], float]:
    """The profile of parameter ``i`` of a log-likelihood that is highest at ``best``."""

    def profile(value: float) -> float:
        start = best.copy()
        start[i] = value
        return maximise(f, start, bounds, (i,))[1]

    return profile
