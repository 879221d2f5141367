"""Levels: how strong a bot should be, from 1 to 10, in every game."""

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "levels.toml"
LEVELS = range(1, 11)
BELOW_FIRST = "random"
"""What level 1 is measured against."""


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def name_of(level: int) -> str:
    """The name of the bot that plays at a level."""
    return f"level{level}"


def level_of(name: str) -> int | None:
    """The level that a name stands for, if any."""
    match = re.fullmatch("level([1-9]|10)", name)
    return int(match[1]) if match else None


def settings(game: str, level: int) -> str:
    """What plays at a level, as a bot is named in text."""
    return _table()[game]["levels"][level - 1]


def pair(game: str, level: int) -> tuple[str, str]:
    """What plays at a level, and what it is measured against: the level below, under the first any move."""
    return settings(game, level), settings(game, level - 1) if level > LEVELS[0] else BELOW_FIRST


def is_solved(game: str, level: int) -> bool:
    """Whether a level plays by the solution of its game where there is one."""
    return _table()[game].get("solved") == level


def otherwise(game: str, level: int) -> str | None:
    """What plays at a level where its own bot cannot, if anything does."""
    for bot, other in _table()[game].get("otherwise", {}).items():
        if settings(game, level).partition(":")[0] == bot:
            return settings(game, level).replace(bot, other, 1)
    return None


def prose(game: str) -> dict[str, str]:
    """Names of the levels, and what each is."""
    told = {}
    for level in LEVELS:
        better = "perfect where that is solved, else " * is_solved(game, level)
        told[name_of(level)] = f"level {level} of {len(LEVELS)}: {better}{settings(game, level)}"
    return told
