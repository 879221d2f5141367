"""Who may play for clients: bots that are built in, and those that the server was started with."""

from collections.abc import Sequence
from typing import Any

from ...solver.errors import InputError
from ...solver.game import NAMES
from ..bot import Bot, make, prose
from ..bots.find import find
from ..bots.kinds import check_ready, innermost
from .limits import Limits


class Roster:
    """Bots by name.

    Only whoever starts the server names files and code; a client names what is in the roster.
    """

    def __init__(self, limits: Limits, own: Sequence[str] = ()) -> None:
        """
        Args:
            limits: bound the budgets of bots.
            own: bots as the command line names them, files and code among them.

        Raises:
            InputError: there is no such bot, or two have one name.
        """
        self._limits = limits
        self._own: dict[tuple[str, str], str] = {}
        for spec in own:
            bot = find(spec, None)
            for game in NAMES if getattr(bot, "game", None) is None else (bot.game,):  # type: ignore[attr-defined]
                if (game, bot.name) in self._own or bot.name in prose(game):
                    raise InputError("bot", f"expected different names, {bot.name} is taken")
                self._check(bot)
                self._own[game, bot.name] = spec

    def prose(self, game: str) -> dict[str, str]:
        """Names of the bots for a game, and what they do."""
        return prose(game) | {name: "of this server" for of, name in self._own if of == game}

    def call(self, name: str, game: str, rules: dict[str, Any]) -> dict[str, Any]:
        """What tells a worker which bot it is.

        Raises:
            InputError: there is none, it may not play here, or its solution is missing.
        """
        own = self._own.get((game, name))
        if own is None:
            bot = make(name, game)
            self._check(bot)
            check_ready([bot], rules, whole=False)
        return {"spec": own or name, "is_own": own is not None}

    def _check(self, bot: Bot) -> None:
        """Bots play by what they see, and within the limits."""
        if bot.open:
            raise InputError("bot", "expected one that plays by what it sees, not with open=1")
        iterations, seconds = getattr(innermost(bot), "budget", (None, None))
        if (iterations or 0) > self._limits.iterations:
            raise InputError("bot", f"expected at most {self._limits.iterations} iterations a move, got {iterations}")
        if (seconds or 0.0) > self._limits.seconds:
            raise InputError("bot", f"expected at most {self._limits.seconds:g} s a move, got {seconds:g} s")
