"""Strategies of others: a function of an observation and its legal moves, or a class with one, out of a file."""

import inspect
import random
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from ...solver.errors import InputError
from ...solver.fields import shown
from ...solver.game import NAMES as GAMES
from ...solver.rng import draw
from ..files import one_line, read_bytes
from .files import fingerprint
from .kinds import View

CODE = re.compile(r"(?P<path>.+\.py)(?::(?P<name>\w+))?", re.DOTALL)
FUNCTION = "choose"
PARAMETERS = "expected (observation, moves), or (observation, moves, rng)"


class StrategyError(InputError):
    """A strategy failed; ``field`` is its file and line, ``expected`` what happened, both on one line."""


class IllegalMoveError(StrategyError):
    """A strategy chose what is no legal move."""


def _raised(error: BaseException, path: str, known: int) -> StrategyError:
    """What to say of something that a strategy raised: the last line of its own that ran, or ``known``."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return StrategyError(f"{path}, line {error.lineno or 1}", f"{type(error).__name__}: {one_line(error.msg)}")
    frames = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    line = frames[-1] if frames else known
    told = one_line(f"{type(error).__name__}: {error}").removesuffix(":")
    return StrategyError(f"{path}, line {line or 1}", told)


class StrategyBot:
    """Plays what a strategy chooses: it is given the observation as a dict, the legal moves, and if it likes chance.

    Attributes:
        source: a hash of the code.
        game: the game it says it is for, or None.
        remembers: whether it is a class, which may keep what it saw earlier in the game.
    """

    open = False

    def __init__(self, found: Any, name: str, path: str, source: str, game: str | None) -> None:
        """
        Args:
            found: a function, or a class that is constructed without arguments and has a method ``choose``.
            name: how it is called.
            path: file that errors name.
            source: a hash of the code.
            game: what it is for.

        Raises:
            StrategyError: the class cannot be constructed, or there is nothing that takes the right arguments.
        """
        self.name, self.source, self.game = name, source, game
        self._path, self._line = path, 1
        self.remembers = inspect.isclass(found)
        if not callable(found):
            raise self._wrong(f"expected a function or a class, got {_safely_shown(found)}")
        if inspect.isclass(found):
            self._line = _line_of(found.__dict__.get(FUNCTION)) or _line_of(found.__init__) or 1
            found = self._guarded(found)
            if not callable(getattr(found, FUNCTION, None)):
                raise self._wrong(f"expected a method {FUNCTION}(observation, moves) of {type(found).__name__}")
            found = getattr(found, FUNCTION)
        self._choose: Callable[..., Any] = found
        self._line = _line_of(found) or self._line
        self._chance = self._takes_chance()

    @property
    def _where(self) -> str:
        return f"{self._path}, line {self._line}"

    def _wrong(self, text: str) -> StrategyError:
        return StrategyError(self._where, text)

    def _guarded(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """What the strategy's code returns; all that it raises names its line, and what it prints is no result."""
        try:
            with redirect_stdout(sys.stderr):
                return call(*arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise _raised(error, self._path, self._line) from None

    def _takes_chance(self) -> bool:
        """Whether it wants a third argument."""
        try:
            signature = inspect.signature(self._choose)
        except (TypeError, ValueError):
            return False
        for count in (3, 2):
            try:
                signature.bind(*range(count))
            except TypeError:
                continue
            return count == 3
        raise self._wrong(f"{PARAMETERS}, got {signature}")

    def choose(self, view: View, rng: np.ndarray) -> str:
        """The move it chooses.

        Raises:
            StrategyError: it raised something, or chose what is no legal move.
        """
        moves = view.moves()
        chance = [random.Random(int(draw(rng)))] if self._chance else []
        move = self._guarded(self._choose, view.to_dict(), list(moves), *chance)
        if not isinstance(move, str):
            raise IllegalMoveError(self._where, f"expected one of the moves, a string; chose {_safely_shown(move)}")
        if move not in moves:
            raise IllegalMoveError(self._where, f"expected a legal move, chose {shown(str(move))}")
        return str(move)


def _safely_shown(value: Any) -> str:
    try:
        return one_line(shown(value))
    except Exception:
        return f"a {type(value).__name__}"


def _line_of(function: Any) -> int | None:
    code = getattr(function, "__code__", None)
    return code.co_firstlineno if isinstance(code, CodeType) else None


def _own(module: ModuleType, path: str) -> list[str]:
    """The functions that a file defines itself, but those that begin with an underscore."""
    return [
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__code__.co_filename == path and not name.startswith("_")
    ]


def _pick(module: ModuleType, path: str, name: str | None) -> Any:
    """The function or class that plays; without a name the one called ``choose``, or the only function there is."""
    where = f"{path}, line 1"
    if name is not None:
        found = getattr(module, name, None)
        if not callable(found):
            raise StrategyError(where, f"expected a function or class {name} in it")
        return found
    own = _own(module, path)
    name = FUNCTION if FUNCTION in own else own[0] if len(own) == 1 else None
    if name is None:
        many = f"one of {', '.join(own)} to be named as {path}:{own[0]}" if own else "a function in it"
        raise StrategyError(where, f"expected {FUNCTION}(observation, moves), or {many}")
    return getattr(module, name)


def _game_of(where: str, told: Any) -> str | None:
    if told is not None and told not in GAMES:
        raise StrategyError(where, f"GAME: expected one of {', '.join(GAMES)}, got {_safely_shown(told)}")
    return told


def check_game(bot: StrategyBot, game: str | None) -> StrategyBot:
    """The bot, if it is for this game."""
    if game is not None and bot.game not in (None, game):
        raise InputError("bot", f"{bot.name} is for {bot.game}, expected one for {game}")
    return bot


def load(spec: str, game: str | None, content: bytes | None = None) -> StrategyBot:
    """The strategy that ``path.py`` or ``path.py:Name`` names, its file run afresh.

    Args:
        spec: where it is.
        game: the game it has to play; None for whatever it says.
        content: what is in the file; None to read it.

    Raises:
        InputError: the file cannot be read, fails, has no strategy, or is for another game.
    """
    match = CODE.fullmatch(spec)
    if match is None:
        raise InputError("bot", f"expected path.py or path.py:Name, got {spec!r}")
    path = match["path"]
    content = read_bytes(path, "Python") if content is None else content
    source = fingerprint(content)
    module = ModuleType(f"mess_strategy_{source}")
    module.__file__ = path
    # dataclasses and others look a class's module up there
    sys.modules[module.__name__] = module
    try:
        with redirect_stdout(sys.stderr):
            exec(compile(content, path, "exec", dont_inherit=True), vars(module))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _raised(error, path, 1) from None
    told = _game_of(f"{path}, line 1", getattr(module, "GAME", None))
    return check_game(StrategyBot(_pick(module, path, match["name"]), spec, path, source, told), game)
