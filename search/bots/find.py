"""Bots as the command line names them: built in, in a file, in code, or of an installed package."""

import inspect
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ...solver.errors import InputError
from ...solver.fields import shown
from ...solver.game import NAMES
from ..bot import Bot, head, make, names
from ..files import read_bytes
from . import files, strategy

GROUP = "mess.bots"
"""Entry points whose names are bots: each a function or class as a strategy file holds one."""


def plugins() -> dict[str, EntryPoint]:
    """Bots of installed packages by name; none of them is imported."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def find(spec: str, game: str | None, content: bytes | None = None) -> Bot:
    """The bot that a person names: as for ``bot.make``, or ``FILE.toml``, ``PATH.py``, ``PATH.py:NAME``, or a plug-in.

    A file is read, and code is run, whenever one is named: so a bot remembers nothing of others made of the same.

    Args:
        spec: the bot.
        game: what it has to play; None for whatever a file or a strategy says it is for, see ``game_of``.
        content: what is in the file that ``spec`` names, see ``content_of``; None to read it.

    Raises:
        InputError: there is no such bot, or it is for another game; of code that fails, its file and line.
    """
    if game is not None and head(spec) in names(game):
        return make(spec, game)
    if spec.endswith(files.ENDING):
        return files.load(spec, game, content)
    if strategy.CODE.fullmatch(spec):
        return strategy.load(spec, game, content)
    installed = plugins()
    if spec in installed:
        return _plugin(installed[spec], game)
    known = ", ".join([*(names(game) if game else ()), *installed])
    raise InputError("bot", f"expected one of {known}, a bot file *.toml, or code *.py or *.py:NAME; got {shown(spec)}")


def content_of(spec: str, game: str) -> bytes | None:
    """What is in the file that ``spec`` names, for where that file is not; None for what is no file.

    Raises:
        InputError: the file cannot be read.
    """
    code = strategy.CODE.fullmatch(spec)
    if head(spec) in names(game) or not (code or spec.endswith(files.ENDING)):
        return None
    return read_bytes(code["path"], "Python") if code else read_bytes(spec, "TOML")


def game_of(spec: str) -> str | None:
    """The game that a file or a strategy says it is for; None when it says nothing, or is built in."""
    return None if any(head(spec) in names(game) for game in NAMES) else getattr(find(spec, None), "game", None)


def source_of(bot: Bot) -> str | None:
    """What tells that the code or the file of a bot has changed; None for what is built in."""
    return getattr(bot, "source", None)


def _plugin(entry: EntryPoint, game: str | None) -> Bot:
    """The bot of an installed package; its ``source`` is the package and its version."""
    try:
        found: Any = entry.load()
        path = inspect.getsourcefile(found) or entry.value
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError("bot", f"expected the plug-in {entry.name} to load, {entry.value}; {told}") from None
    source = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
    game_told = getattr(found, "GAME", None) or getattr(inspect.getmodule(found), "GAME", None)
    return strategy.check_game(strategy.StrategyBot(found, entry.name, path, source, game_told), game)
