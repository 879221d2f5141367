"""What plays a seat: the protocol of a bot, and the kinds that are built in."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from ...solver.errors import InputError
from ...solver.position import Observation, Position
from ...solver.rng import below, unit
from ..watch import Watch

View: TypeAlias = Observation | Position
LARGEST_TABLE, TABLE_ROOM = 20, 4
"""Entries of the table of alpha-beta as a power of two: at most, and how much above the positions it looks at."""


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

    def __init__(self, game: str, policy: str, name: str) -> None:
        from ..policies import policies

        self.name = name
        self._policy, self._effort = policies(game).NAMES.index(policy), policies(game).FULL_EFFORT

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The policy's move, in a world that fits the view: what a policy looks at is the same in all of them."""
        from ...solver import game as kernels

        states = view.states()
        if isinstance(view, Observation):
            kernels.redeal(states[0], rng)
        move = kernels.policy_move(states[0], self._policy, self._effort, rng)
        return view.game.move_text(states[0], int(move))


class SearchBot:
    """A tree search with a fixed budget a move."""

    def __init__(
        self, game: str, name: str, method: str, budget: tuple[int | None, float | None], given: dict[str, Any]
    ) -> None:
        from ..settings import check_budget, read_options

        given = dict(given)
        self.open = given.pop("open", False)
        self.name = name
        self.budget = check_budget(*budget)
        self.watch: Watch | None = None
        self._method = method
        self._choice = read_options(game, given)

    @property
    def is_repeatable(self) -> bool:
        """Whether the same seed gives the same moves: with a time budget it does not."""
        return self.budget.iterations is not None

    @property
    def iterations(self) -> int | None:
        """Iterations a move; None where a time rules."""
        return self.budget.iterations

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The move that the search visited most."""
        from ..search import best_move

        return best_move(view, self._method, self.budget, self._choice, rng, self.watch)


class AlphaBetaBot:
    """Looks ahead by alpha-beta, afresh for every move, so that a game can be repeated."""

    open = False

    def __init__(self, name: str, budget: tuple[int | None, float | None]) -> None:
        from ..settings import check_budget

        self.name = name
        self.budget = check_budget(*budget)
        self.watch: Watch | None = None

    @property
    def is_repeatable(self) -> bool:
        """Whether the same game gives the same moves: with a time budget it does not."""
        return self.budget.iterations is not None

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The best move it found."""
        from ..alphabeta import look_ahead, memory

        nodes, seconds = self.budget
        # to clear the whole table would take longer than a short search
        room = None if nodes is None else memory(min(LARGEST_TABLE, nodes.bit_length() + TABLE_ROOM))
        found = look_ahead(view, nodes=nodes, seconds=seconds, room=room, watch=self.watch)
        return view.moves()[found.best]


class PerfectBot:
    """Plays by the solution of the game: wins as soon, loses as late as it can, and sets traps where it is a draw."""

    open = False

    def __init__(self, game: str, name: str = "perfect") -> None:
        self.game, self.name = game, name

    def require(self, rules: dict[str, Any], whole: bool) -> None:
        """Check that there is a solution of some rules; the opening of one is enough unless ``whole``."""
        from ...solver.game import load

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
        outcomes = view.game.outcomes(view)
        if outcomes is None:
            raise InputError("bot", self._missing(view.to_dict()["rules"]))
        return _most_liked(view, outcomes, rng)


def _most_liked(view: View, outcomes: Sequence[Any], rng: np.ndarray) -> str:
    """The move that the best comes of; among equals a random one."""
    best = max(outcome.liking for outcome in outcomes)
    chosen = [move for move, outcome in zip(view.moves(), outcomes, strict=True) if outcome.liking == best]
    return chosen[int(below(rng, len(chosen)))]


class OptimalBot:
    """Builds by the exact solution, which it makes for its first move and keeps; others' walls it does not look at."""

    open = False

    def __init__(self, name: str = "optimal") -> None:
        self.name = name

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The best placement, or to stop."""
        return view.game.move_text(view.state, view.game.best_move(view))


class Within:
    """A bot that leaves most of its moves to another."""

    def __init__(self, bot: Bot, name: str) -> None:
        self.name, self.open = name, bot.open
        self.bot = bot

    @property
    def is_repeatable(self) -> bool:
        """Whether the same seed gives the same moves."""
        return getattr(self.bot, "is_repeatable", True)


class ByTheBook(Within):
    """Plays the first plies of Pylos by the opening book that comes with the package, then as another bot does."""

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The best move, or beyond the book the other bot's."""
        from ...solver.pylos.perfect import opening

        outcomes = opening(view)
        return self.bot.choose(view, rng) if outcomes is None else _most_liked(view, outcomes, rng)


class Blundering(Within):
    """Another bot that now and then makes any legal move instead."""

    def __init__(self, bot: Bot, blunder: float, name: str) -> None:
        """
        Args:
            bot: what plays otherwise.
            blunder: probability in [0, 1] that a move is drawn from all legal ones, each as likely.
            name: how it is called.
        """
        super().__init__(bot, name)
        self._blunder = blunder

    def require(self, rules: dict[str, Any], whole: bool) -> None:
        """Check that the other bot can play these rules."""
        check_ready([self.bot], rules, whole)

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The other bot's move, or any."""
        if unit(rng) >= self._blunder:
            return self.bot.choose(view, rng)
        moves = view.moves()
        return moves[int(below(rng, len(moves)))]


class Solved(Within):
    """Plays by the solution of the rules at hand where there is one here, else as another bot does."""

    def __init__(self, game: str, bot: Bot, name: str) -> None:
        super().__init__(bot, name)
        self._perfect = PerfectBot(game)

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The best move, or the other bot's."""
        solved = view.game.is_solved(view.to_dict()["rules"], True)
        return (self._perfect if solved else self.bot).choose(view, rng)


class OrElse(Within):
    """Plays as one bot where that can, else as another."""

    def __init__(self, bot: Bot, other: Bot, name: str) -> None:
        super().__init__(bot, name)
        self._other = other

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The move of the first, or where it says that it has none, of the other."""
        try:
            return self.bot.choose(view, rng)
        except InputError:
            return self._other.choose(view, rng)


def innermost(bot: Bot) -> Bot:
    """What plays most of a bot's moves in the end."""
    while isinstance(bot, Within):
        bot = bot.bot
    return bot


def plays_solved(bot: Bot) -> bool:
    """Whether a bot plays by a solution, should there be one of the rules at hand."""
    while isinstance(bot, Within) and not isinstance(bot, Solved):
        bot = bot.bot
    return isinstance(bot, PerfectBot | Solved)


def check_ready(bots: Iterable[Bot], rules: dict[str, Any], whole: bool) -> None:
    """Check that bots which play by a solution have one of these rules, or unless ``whole`` its opening.

    Raises:
        InputError: says how to make it.
    """
    for bot in bots:
        require = getattr(bot, "require", None)
        if require is not None:
            require(rules, whole)
