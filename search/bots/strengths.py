"""How strong bots were measured to be: a small table that ``mess report`` makes from results/."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "strengths.json"
LEVELS_RESULT = "-levels"
"""Ending of the results in which every level met the one below."""


@dataclass(frozen=True)
class Strength:
    """One measured match against one kind of opponent.

    Attributes:
        game: what was played.
        bot: the bot as it is named in text; of a level what plays at it.
        against: the bot in all other seats, in the same way; of a level what plays at the level below.
        share: its share of the win, in [0, 1], ``low`` and ``high`` the 95 % interval.
        players: number of seats; an equal share would be 1 / players.
        deals: duplicate deals, each played in every rotation of the seats.
        rules: rules that differ from the defaults.
        result: the file in results/ that says so, without its ending.
    """

    game: str
    bot: str
    against: str
    share: float
    low: float
    high: float
    players: int
    deals: int
    rules: dict[str, Any]
    result: str

    @property
    def text(self) -> str:
        """All of it in one line."""
        rules = "".join(f", {name} {str(value).lower()}" for name, value in self.rules.items())
        return (
            f"{100 * self.share:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f}) against {self.against}, "
            f"{self.players} players, {self.deals} deals{rules}"
        )


@lru_cache(maxsize=1)
def strengths() -> tuple[Strength, ...]:
    """All that was measured."""
    return tuple(Strength(**row) for row in json.loads(FILE.read_text(encoding="utf-8")))


def dumps(rows: list[dict[str, Any]]) -> str:
    """The text of the file: one measurement a line."""
    return "[\n" + ",\n".join(f" {json.dumps(row, ensure_ascii=False)}" for row in rows) + "\n]\n"


def is_yardstick(game: str, name: str) -> bool:
    """Whether others were measured against a bot."""
    return any(row.game == game and row.against == name for row in strengths())


def measured(game: str, name: str) -> list[Strength]:
    """What was measured of a bot, in every setting it was measured with, each in the fewest seats.

    Of a level, that against the level below, if it was measured with what plays at both of them now.
    """
    from . import levels

    level = levels.level_of(name)
    pair = None if level is None else levels.pair(game, level)
    found: dict[str, Strength] = {}
    for row in strengths():
        if row.game != game:
            continue
        if pair is None:
            is_meant = row.bot == name or row.bot.startswith((f"{name}@", f"{name}:"))
            is_meant &= not row.result.endswith(LEVELS_RESULT)
        else:
            is_meant = row.result.endswith(LEVELS_RESULT) and (row.bot, row.against) == pair
        if is_meant and (row.bot not in found or row.players < found[row.bot].players):
            found[row.bot] = row
    return list(found.values())
