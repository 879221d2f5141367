"""Bots: what plays a seat, and how a bot is named in text."""

import re
from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias

import numpy as np

from ..solver.errors import InputError
from ..solver.position import Observation, Position
from .options import duration

SEARCHES = {
    "mcts": "tree search, one tree over all worlds; mcts@2000 with so many iterations a move, mcts@0.5s with a time",
    "pimc": "tree search, a tree for each of some worlds; the budget as for mcts",
}
"""Bots that search, and what they do."""
EXACT = {
    "pylos": {
        "alphabeta": "looks ahead by alpha-beta; alphabeta@100000 with so many positions, alphabeta@1s with a time",
        "perfect": "plays by the solution that mess solve has written",
    },
    "meeples": {
        "optimal": "the most points to be expected of a turn, or the best chance to finish a base, by exact solution",
    },
}
"""Bots for games in which nothing is hidden, by game."""
DEFAULT_ITERATIONS = 1000
DEFAULT_NODES = 100_000
View: TypeAlias = Observation | Position


class Bot(Protocol):
    """What plays a seat.

    Attributes:
        name: how it was named, for tables.
        open: whether it must be shown the full position; honest bots get an observation.
    """

    name: str
    open: bool

    def choose(self, view: View, rng: np.ndarray) -> str:
        """A legal move for the seat to act; all randomness comes from ``rng`` (``uint64[1]``)."""


class PolicyBot:
    """A policy that plays for itself, looking through its choices to the end of the turn."""

    open = False

    def __init__(self, game: str, name: str) -> None:
        from .policies import policies

        self.name = name
        self._policy, self._effort = policies(game).NAMES.index(name), policies(game).FULL_EFFORT

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The policy's move, in a world that fits the view: what a policy looks at is the same in all of them."""
        from ..solver import game as kernels

        states = view.states()
        if isinstance(view, Observation):
            kernels.redeal(states[0], rng)
        move = kernels.policy_move(states[0], self._policy, self._effort, rng)
        return view.game.move_text(states[0], int(move))


class SearchBot:
    """A tree search with a fixed budget a move."""

    def __init__(self, game: str, name: str, method: str, budget: tuple[int | None, float | None], given: dict) -> None:
        from .settings import check_budget, read_options

        given = dict(given)
        self.open = _flag("open", given.pop("open", "0"))
        self.name = name
        self._method = method
        self._budget = check_budget(*budget)
        self._choice = read_options(game, given)

    @property
    def is_repeatable(self) -> bool:
        """Whether the same seed gives the same moves: with a time budget it does not."""
        return self._budget.iterations is not None

    @property
    def iterations(self) -> int | None:
        """Iterations a move; None where a time rules."""
        return self._budget.iterations

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The move that the search visited most."""
        from .search import best_move

        return best_move(view, self._method, self._budget, self._choice, rng)


class AlphaBetaBot:
    """Looks ahead by alpha-beta, afresh for every move, so that a game can be repeated."""

    open = False

    def __init__(self, name: str, budget: tuple[int | None, float | None]) -> None:
        from .settings import check_budget

        self.name = name
        self._budget = check_budget(*budget)

    @property
    def is_repeatable(self) -> bool:
        """Whether the same game gives the same moves: with a time budget it does not."""
        return self._budget.iterations is not None

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The best move it found."""
        from .alphabeta import look_ahead

        found = look_ahead(view, nodes=self._budget.iterations, seconds=self._budget.seconds)
        return view.moves()[found.best]


class PerfectBot:
    """Plays by the solution of the game: wins as soon, loses as late as it can, and sets traps where it is a draw."""

    name = "perfect"
    open = False

    def __init__(self, game: str) -> None:
        self.game = game

    def require(self, rules: dict[str, Any], whole: bool) -> None:
        """Check that there is a solution of some rules; the opening of one is enough unless ``whole``."""
        from ..solver.game import load

        if not load(self.game).is_solved(rules, whole):
            raise InputError("bot", self._missing(rules))

    def _missing(self, rules: dict[str, Any]) -> str:
        asked = "".join(f" --{name.replace('_', '-')} {value}" for name, value in rules.items())
        return f"expected a solution for perfect; mess solve {self.game}{asked} makes one"

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The best move; among equals a random one.

        Raises:
            InputError: nobody has solved these rules here.
        """
        from ..solver.rng import below

        outcomes = view.game.outcomes(view)
        if outcomes is None:
            raise InputError("bot", self._missing(view.to_dict()["rules"]))
        best = max(outcome.liking for outcome in outcomes)
        chosen = [move for move, outcome in zip(view.moves(), outcomes, strict=True) if outcome.liking == best]
        return chosen[int(below(rng, len(chosen)))]


class OptimalBot:
    """Builds by the exact solution, which it makes for its first move and keeps; others' walls it does not look at."""

    name = "optimal"
    open = False

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The best placement, or to stop."""
        return view.game.move_text(view.state, view.game.best_move(view))


def check_ready(bots: Iterable[Bot], rules: dict[str, Any], whole: bool) -> None:
    """Check that bots which play by a solution have one of these rules, or unless ``whole`` its opening.

    Raises:
        InputError: says how to make it.
    """
    for bot in bots:
        if isinstance(bot, PerfectBot):
            bot.require(rules, whole)


def prose(game: str) -> dict[str, str]:
    """Names of the bots for a game, and what they do in a few words."""
    from .policies import policies

    return policies(game).PROSE | SEARCHES | EXACT.get(game, {})


def names(game: str) -> list[str]:
    """Names of the bots for a game."""
    return list(prose(game))


def make(spec: str, game: str) -> Bot:
    """The bot that a text names: ``NAME``, ``NAME@BUDGET`` or ``NAME@BUDGET:option=value,…``.

    ``BUDGET`` is a number of iterations a move (for alpha-beta, of positions), or a time such as ``0.5s`` or
    ``500ms``; only searches take one. Options are those of ``settings.SETTINGS``, ``playout``, and ``open=1`` to be
    shown the hidden cards.

    Raises:
        InputError: no such bot or option, or a value out of range.
    """
    head, colon, tail = spec.partition(":")
    name, at, budget = head.partition("@")
    if name not in names(game):
        raise InputError("bot", f"expected one of {', '.join(names(game))}, got {spec!r}")
    given: dict[str, str] = {}
    for part in tail.split(",") if colon else ():
        key, value = _pair(part)
        if key in given:
            raise InputError("bot", f"expected each option once, got {spec!r}")
        given[key] = value
    if name == "alphabeta" and not given:
        return AlphaBetaBot(spec, _read_budget(budget) if at else (DEFAULT_NODES, None))
    if name in SEARCHES:
        return SearchBot(game, spec, name, _read_budget(budget) if at else (DEFAULT_ITERATIONS, None), given)
    if at or given:
        raise InputError("bot", f"expected no budget and no options for {name}, got {spec!r}")
    if name == "perfect":
        return PerfectBot(game)
    if name == "optimal":
        return OptimalBot()
    return PolicyBot(game, name)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise InputError("bot", f"expected option=value, got {text!r}")
    return key, value


def _flag(field: str, text: str) -> bool:
    if text not in ("0", "1"):
        raise InputError(field, f"expected 0 or 1, got {text!r}")
    return text == "1"


def _read_budget(text: str) -> tuple[int | None, float | None]:
    if re.fullmatch("[0-9]+", text):
        return int(text), None
    if re.fullmatch("[0-9.]+m?s", text):
        return None, duration(text, "bot")
    raise InputError("bot", f"expected iterations or a time like 0.5s after @, got {text!r}")
