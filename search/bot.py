"""Bots by name: those that are built in. Nothing here looks at files or runs other code; see ``bots.find`` for that."""

import re
from typing import Any, NamedTuple

from ..solver.errors import InputError
from .bots import levels
from .bots.files import personalities
from .bots.kinds import (
    AlphaBetaBot,
    Blundering,
    Bot,
    ByTheBook,
    OptimalBot,
    OrElse,
    PerfectBot,
    PolicyBot,
    SearchBot,
    Solved,
    View,
    check_ready,
)
from .bots.taste import TasteBot
from .options import duration

SEARCHES = {
    "mcts": "tree search, one tree over all worlds; mcts@2000 with so many iterations a move, mcts@0.5s with a time",
    "pimc": "tree search, a tree for each of some worlds; the budget as for mcts",
}
"""Bots that search, and what they do."""
EXACT = {
    "pylos": {
        "alphabeta": "opening book, then alpha-beta; alphabeta@100000 looks at so many positions, alphabeta@1s so long",
        "perfect": "plays by the solution that mess solve has written",
    },
    "meeples": {
        "optimal": "the most points to be expected of a turn, or the best chance to finish a base, by exact solution",
    },
}
"""Bots for games in which nothing is hidden, by game."""
DEFAULT_ITERATIONS = 1000
DEFAULT_NODES = 100_000

__all__ = ["Bot", "View", "check_ready", "make", "make_named", "names", "prose"]


def prose(game: str) -> dict[str, str]:
    """Names of the bots for a game, and what they do in a few words."""
    from .policies import policies

    characters = {name: f"{bot.prose}; {bot.bot}" for name, bot in personalities().items() if bot.game == game}
    return policies(game).PROSE | SEARCHES | EXACT.get(game, {}) | characters | levels.prose(game)


def names(game: str) -> list[str]:
    """Names of the bots for a game."""
    return list(prose(game))


class Spec(NamedTuple):
    """A bot's text, taken apart.

    Attributes:
        name: up to the first ``@`` or ``:``.
        budget: iterations and seconds, one of them None; None where none is told.
        given: the options.
    """

    name: str
    budget: tuple[int | None, float | None] | None
    given: dict[str, str]


def head(text: str) -> str:
    """The name in a bot's text, without budget and options."""
    return re.split("[@:]", text, maxsplit=1)[0]


def _read(text: str, game: str) -> Spec:
    front, colon, tail = text.partition(":")
    name, at, budget = front.partition("@")
    if name not in names(game):
        raise InputError("bot", f"expected one of {', '.join(names(game))}, got {text!r}")
    given: dict[str, str] = {}
    for part in tail.split(",") if colon else ():
        key, value = _pair(part)
        if key in given:
            raise InputError("bot", f"expected each option once, got {text!r}")
        given[key] = value
    return Spec(name, _read_budget(budget) if at else None, given)


def make(spec: str, game: str) -> Bot:
    """The bot that a text names: ``NAME``, ``NAME@BUDGET`` or ``NAME@BUDGET:option=value,…``.

    ``BUDGET`` is a number of iterations a move (for alpha-beta, of positions), or a time such as ``0.5s`` or
    ``500ms``; only searches take one. Options are those of ``settings.SETTINGS``, ``playout``, ``open=1`` to be shown
    the hidden cards, for alpha-beta ``book=0`` to go without the opening book, and for all bots ``blunder``, the
    probability that a move is any legal one.

    Raises:
        InputError: no such bot or option, or a value out of range.
    """
    return make_named(spec, game, spec)


def make_named(text: str, game: str, name: str, taste: dict[str, float] | None = None, slack: float = 0.0) -> Bot:
    """As ``make``, but the bot is called ``name``, and may have a taste; see ``bots.taste``.

    Raises:
        InputError: as ``make``; or a taste for a bot that is no tree search.
    """
    spec = _read(text, game)
    given: dict[str, Any] = dict(spec.given)
    if "blunder" in given:
        blunder = _share(given.pop("blunder"))
        return Blundering(_built_in(spec._replace(given=given), text, game, name, taste, slack), blunder, name)
    return _built_in(spec, text, game, name, taste, slack)


def _built_in(spec: Spec, text: str, game: str, name: str, taste: dict[str, float] | None, slack: float) -> Bot:
    level, given = levels.level_of(spec.name), dict[str, Any](spec.given)
    if spec.name in SEARCHES:
        if "open" in given:
            given["open"] = _flag("open", given["open"])
        budget = spec.budget or (DEFAULT_ITERATIONS, None)
        if taste:
            return TasteBot(game, name, spec.name, budget, given, taste, slack)
        return SearchBot(game, name, spec.name, budget, given)
    if level is not None and spec.budget is None and not given:
        bot = make_named(levels.settings(game, level), game, name, taste, slack)
        if (other := levels.otherwise(game, level)) is not None:
            bot = OrElse(bot, make_named(other, game, name, taste, slack), name)
        return Solved(game, bot, name) if levels.is_solved(game, level) else bot
    if taste:
        raise InputError("taste", f"expected a bot that searches, one of {', '.join(SEARCHES)}; got {text!r}")
    if spec.name == "alphabeta":
        book = _flag("book", given.pop("book", "1"))
        if given:
            raise InputError("bot", f"expected no options but book and blunder for alphabeta, got {text!r}")
        bot = AlphaBetaBot(name, spec.budget or (DEFAULT_NODES, None))
        return ByTheBook(bot, name) if book else bot
    if spec.budget is not None or given:
        raise InputError("bot", f"expected no budget and no options for {spec.name}, got {text!r}")
    if spec.name in personalities():
        return personalities()[spec.name].make(name)
    if spec.name == "perfect":
        return PerfectBot(game, name)
    if spec.name == "optimal":
        return OptimalBot(name)
    return PolicyBot(game, spec.name, name)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise InputError("bot", f"expected option=value, got {text!r}")
    return key, value


def _flag(field: str, text: str) -> bool:
    if text not in ("0", "1"):
        raise InputError(field, f"expected 0 or 1, got {text!r}")
    return text == "1"


def _share(text: str) -> float:
    if not re.fullmatch(r"[0-9]{0,9}\.?[0-9]{0,9}", text) or not any(map(str.isdigit, text)) or float(text) > 1:
        raise InputError("blunder", f"expected a number from 0 to 1, got {text!r}")
    return float(text)


def _read_budget(text: str) -> tuple[int | None, float | None]:
    if re.fullmatch("[0-9]+", text):
        return int(text), None
    if re.fullmatch("[0-9.]+m?s", text):
        return None, duration(text, "bot")
    raise InputError("bot", f"expected iterations or a time like 0.5s after @, got {text!r}")
