"""How a search is asked for: its options, its method and its budget, read and checked."""

import math
from typing import Any, NamedTuple

from ..solver.errors import InputError
from ..solver.fields import shown
from . import mcts
from .options import TWO_SIDED
from .policies import policies

METHODS = ("mcts", "pimc", "alphabeta")
MAX_ITERATIONS = 100_000_000
MAX_SECONDS = 24 * 3600.0
PIMC_WORLDS = 40


class Setting(NamedTuple):
    """One search option: its type, range and default."""

    kind: type
    low: float
    high: float
    default: float


SETTINGS = {
    "exploration": Setting(float, 0.0, 100.0, 0.7),
    "first_play": Setting(float, 0.0, 1e9, 1e9),
    "epsilon": Setting(float, 0.0, 1.0, 0.1),
    "effort": Setting(int, 1, 1000, 1),
    "cutoff": Setting(int, -1, 100_000, 20),
    "worlds": Setting(int, 1, 100_000, PIMC_WORLDS),
    "points": Setting(int, 0, 1, 0),
    "belief": Setting(float, 0.0, 1.0, 0.0),
}
WITH_POINTS = ("odin",)
"""Games in which a search may play for points instead of the win."""


class Choice(NamedTuple):
    """How a search was asked to go about it.

    Attributes:
        tree: options of the tree search.
        worlds: how many ``pimc`` looks at.
        points: whether it plays for points instead of the win.
    """

    tree: mcts.Options
    worlds: int
    points: bool


class Budget(NamedTuple):
    """Iterations or seconds, whichever is not None."""

    iterations: int | None
    seconds: float | None


def read_options(game: str, given: dict[str, Any]) -> Choice:
    """Search options, defaults filled in.

    Raises:
        InputError: an unknown option or a value out of range.
    """
    names = policies(game).NAMES
    values: dict[str, Any] = {name: setting.default for name, setting in SETTINGS.items()}
    values |= policies(game).DEFAULTS
    for name, value in given.items():
        if name == "playout":
            if value not in names:
                raise InputError("playout", f"expected one of {', '.join(names)}, got {shown(value)}")
            values[name] = value
            continue
        if name not in SETTINGS:
            raise InputError(shown(name)[1:-1], f"no such option, expected one of playout, {', '.join(SETTINGS)}")
        setting = SETTINGS[name]
        try:
            number = setting.kind(value)
        except (TypeError, ValueError):
            number = math.nan
        if not setting.low <= number <= setting.high:
            kind = "whole number" if setting.kind is int else "number"
            raise InputError(name, f"expected a {kind} from {setting.low:g} to {setting.high:g}, got {shown(value)}")
        values[name] = number
    if values["points"] and game not in WITH_POINTS:
        raise InputError("points", f"expected a game with points, one of {', '.join(WITH_POINTS)}, got {game}")
    options = mcts.Options(
        exploration=values["exploration"],
        first_play=values["first_play"],
        policy=names.index(values["playout"]),
        epsilon=values["epsilon"],
        effort=values["effort"],
        cutoff=values["cutoff"],
        belief=values["belief"],
    )
    return Choice(options, values["worlds"], bool(values["points"]))


def check_method(method: str, game: str) -> None:
    """Check that a game can be searched in a way; ``InputError`` lists those it can be."""
    known = [name for name in METHODS if name != "alphabeta" or game in TWO_SIDED]
    if method not in known:
        raise InputError("method", f"expected one of {', '.join(known)}, got {method!r}")


def check_budget(iterations: int | None, seconds: float | None) -> Budget:
    """The budget, one second if none is given; ``InputError`` when it is not positive or given twice."""
    if iterations is not None and seconds is not None:
        raise InputError("iterations", "expected iterations or seconds, not both")
    if iterations is None:
        seconds = 1.0 if seconds is None else seconds
        if not 0.0 < seconds <= MAX_SECONDS:
            raise InputError("seconds", f"expected a time above 0 and up to {MAX_SECONDS:g} seconds, got {seconds!r}")
    elif not 1 <= iterations <= MAX_ITERATIONS:
        raise InputError("iterations", f"expected a whole number from 1 to {MAX_ITERATIONS}, got {iterations!r}")
    return Budget(iterations, seconds)
