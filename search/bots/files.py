"""Bot files: a bot of one's own as TOML, made of what is built in."""

import hashlib
import json
import os
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...solver.errors import InputError
from ...solver.fields import integer, number, obj, only, value_of
from ...solver.game import NAMES as GAMES
from . import levels, taste
from .kinds import Blundering, Bot

ENDING = ".toml"
FIELDS = ("name", "game", "prose", "level", "bot", "blunder", "slack", "taste")
LONGEST_NAME = 60
MOST_WEIGHT = 1000.0
FOLDER = Path(__file__).parent / "personalities"


@dataclass(frozen=True)
class BotFile:
    """What a bot file says.

    Attributes:
        name: what the bot is called.
        game: the game it plays.
        bot: what it is made of, a built-in bot as it is named in text; of a level its name.
        blunder: probability in [0, 1] that a move is any legal one, besides what ``bot`` does of that.
        slack: win probability that its taste may cost.
        taste: weights of ``taste.FEATURES``; empty for none.
        prose: what it does, in a few words.
    """

    name: str
    game: str
    bot: str
    blunder: float = 0.0
    slack: float = taste.DEFAULT_SLACK
    taste: dict[str, float] = field(default_factory=dict)
    prose: str = ""

    def to_toml(self) -> str:
        """The text of the file."""
        rows: dict[str, Any] = {"name": self.name, "game": self.game}
        if self.prose:
            rows["prose"] = self.prose
        level = levels.level_of(self.bot)
        rows |= {"bot": self.bot} if level is None else {"level": level}
        if self.blunder:
            rows["blunder"] = self.blunder
        if self.taste:
            rows["slack"] = self.slack
        text = "".join(f"{name} = {_toml(value)}\n" for name, value in rows.items())
        return text + "".join(["\n[taste]\n"] * bool(self.taste) + [f"{k} = {v!r}\n" for k, v in self.taste.items()])

    def make(self, name: str) -> Bot:
        """The bot, called ``name``.

        Raises:
            InputError: no such bot, or one that cannot have a taste.
        """
        from ..bot import make_named

        bot = make_named(self.bot, self.game, name, self.taste, self.slack)
        return Blundering(bot, self.blunder, name) if self.blunder else bot


def _toml(value: Any) -> str:
    """A string or number as TOML writes it; of strings, JSON's way is one of TOML's."""
    return json.dumps(value).replace("\x7f", "\\u007f")


def read(data: Any) -> BotFile:
    """The bot that an object describes.

    Raises:
        InputError: the first field that is wrong.
    """
    only(obj(data, "bot file"), FIELDS)
    name = value_of(data, "name", str)
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable() or name != name.strip():
        raise InputError("name", f"expected 1 to {LONGEST_NAME} printable characters, got {name[:LONGEST_NAME]!r}")
    game = value_of(data, "game", str)
    if game not in GAMES:
        raise InputError("game", f"expected one of {', '.join(GAMES)}, got {game!r}")
    if ("level" in data) == ("bot" in data):
        raise InputError("level", "expected a level or a bot, one of the two")
    if "level" in data:
        bot = levels.name_of(integer(data, "level", levels.LEVELS[0], levels.LEVELS[-1]))
    else:
        bot = value_of(data, "bot", str)
    blunder = number(data, "blunder", 0.0, 1.0) if "blunder" in data else 0.0
    slack = number(data, "slack", 0.0, 1.0) if "slack" in data else taste.DEFAULT_SLACK
    liked = obj(data.get("taste", {}), "taste")
    only(liked, list(taste.FEATURES), "taste.")
    weights = {one: number(liked, one, -MOST_WEIGHT, MOST_WEIGHT, "taste.") for one in liked}
    if "slack" in data and not weights:
        raise InputError("slack", "expected a taste that it is for")
    prose = value_of(data, "prose", str) if "prose" in data else ""
    return BotFile(name, game, bot, blunder, slack, weights, prose)


def parse(content: bytes, title: str) -> BotFile:
    """The bot that the content of a file describes; ``title`` is how errors call it.

    Raises:
        InputError: it is no TOML, or a field of it is wrong.
    """
    try:
        data = tomllib.loads(content.decode("utf-8-sig"))
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
        raise InputError(title, f"expected TOML; {reason[:1].lower()}{reason[1:]}") from None
    except UnicodeDecodeError:
        raise InputError(title, "expected UTF-8 text") from None
    except RecursionError:
        raise InputError(title, "expected TOML that is less deeply nested") from None
    except ValueError as error:
        raise InputError(title, f"expected TOML; {str(error).split(';')[0].lower()}") from None
    try:
        return read(data)
    except InputError as error:
        raise InputError(f"{title}: {error.field}", error.expected) from None


def load(path: str, game: str | None, content: bytes | None = None) -> Bot:
    """The bot in a file; its ``source`` is a hash of the file's content.

    Args:
        path: the file.
        game: the game it has to play; None for whatever it says.
        content: what is in the file; None to read it.

    Raises:
        InputError: the file cannot be read, or is wrong, or is of another game.
    """
    from ..files import read_bytes, title

    content = read_bytes(path, "TOML") if content is None else content
    found = parse(content, title(path))
    if game not in (None, found.game):
        raise InputError("bot", f"{title(path)} is for {found.game}, expected one for {game}")
    try:
        bot: Any = found.make(found.name)
    except InputError as error:
        raise InputError(f"{title(path)}: {error.field}", error.expected) from None
    bot.source, bot.game = fingerprint(content), found.game
    return bot


def fingerprint(content: bytes) -> str:
    """What tells that a file has changed."""
    return hashlib.sha256(content).hexdigest()[:16]


def save(bot: BotFile, path: str, force: bool) -> None:
    """Write a bot file, whole or not at all.

    Raises:
        InputError: there is such a file already, unless ``force``; or it cannot be written.
    """
    target = Path(path)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        draft.write_text(bot.to_toml(), encoding="utf-8")
        try:
            if force:
                os.replace(draft, target)
            else:
                # a link fails where the file is, even if it came to be this moment
                os.link(draft, target)
        finally:
            draft.unlink(missing_ok=True)
    except FileExistsError:
        raise InputError("out", f"expected a new file, {path} exists; --force replaces it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("out", f"expected a file that can be written, {path}: {reason.lower()}") from None


@lru_cache(maxsize=1)
def personalities() -> dict[str, BotFile]:
    """The bots with a taste that come with the package, by name."""
    found = [parse(path.read_bytes(), path.name) for path in sorted(FOLDER.glob(f"*{ENDING}"))]
    return {bot.name: bot for bot in found}
