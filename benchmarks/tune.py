"""Good options for a search: many are tried on few deals, the better half on more, and the winner is put to a test.

The race is successive halving (K. Jamieson, A. Talwalkar, *Non-stochastic Best Arm Identification*, 2016), on the same
deals for all. What wins a race was lucky in it, too; so a sequential test on fresh deals has the last word.
"""

import hashlib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..search.bot import make
from ..search.settings import SETTINGS
from ..solver.errors import InputError
from ..solver.fields import shown
from .blocks import MOST_DEALS
from .crew import check_count
from .files import make_folder
from .match import PACKAGE, match
from .result import MatchResult
from .sprt import read_hypotheses

MOST_CANDIDATES, MOST_PLAYERS = 1024, 6
LOGARITHMIC = 10.0
"""A range whose ends differ by such a factor is tried on a logarithmic scale."""
DIGITS = 3
FRESH = 1
"""Added to the seed for deals that the race did not see."""


class Range(NamedTuple):
    """Numbers an option is tried with, both ends included."""

    name: str
    low: float
    high: float
    whole: bool

    def at(self, place: float) -> str:
        """The value at a place in [0, 1]."""
        if self.low > 0 and self.high / self.low >= LOGARITHMIC:
            value = self.low * (self.high / self.low) ** place
        else:
            value = self.low + (self.high - self.low) * place
        if self.whole:
            return str(round(value))
        return f"{min(self.high, max(self.low, float(f'{value:.{DIGITS}g}'))):g}"


class Words(NamedTuple):
    """Words an option is tried with."""

    name: str
    values: tuple[str, ...]

    def at(self, place: float) -> str:
        """The word at a place in [0, 1]."""
        return self.values[min(len(self.values) - 1, int(place * len(self.values)))]


@dataclass(frozen=True)
class Tuning:
    """What is to be tuned.

    Attributes:
        game, rules, players: what is played; a candidate has one seat, the bot all others.
        bot: as text; what the candidates start from, and play against.
        vary: options, and what to try.
        candidates: how many; each round keeps the better half.
        deals: of each in the first round; each round doubles them.
        sprt: hypotheses of the last test, and
        most: its deals at most.
        seed: of candidates and deals.
    """

    game: str
    bot: str
    vary: tuple[Range | Words, ...]
    candidates: int
    deals: int
    sprt: str
    most: int
    players: int = 2
    rules: dict[str, Any] | None = None
    seed: int = 0


def read_vary(text: str) -> tuple[Range | Words, ...]:
    """What to try, from a text such as ``exploration=0.2:2.0,playout=random|smallest-mess``.

    Raises:
        InputError: not such a text, or an option twice.
    """
    found: list[Range | Words] = []
    for part in text.split(","):
        name, equals, values = part.strip().partition("=")
        ends = re.fullmatch(r"(-?\d{1,9}(?:\.\d{1,9})?):(-?\d{1,9}(?:\.\d{1,9})?)", values, re.ASCII)
        if equals and ends and float(ends[1]) < float(ends[2]):
            whole = name in SETTINGS and SETTINGS[name].kind is int
            if whole and not all(float(end).is_integer() for end in ends.groups()):
                raise InputError("vary", f"expected whole numbers for {name}, got {shown(values)}")
            found.append(Range(name, float(ends[1]), float(ends[2]), whole))
        elif equals and "|" in values and all(values.split("|")):
            found.append(Words(name, tuple(values.split("|"))))
        else:
            raise InputError("vary", f"expected option=LOW:HIGH or option=A|B|C, got {shown(part)}")
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError("vary", f"expected each option once, got {name} more often")
    return tuple(found)


def candidates(tuning: Tuning) -> list[str]:
    """Bots to try, spread evenly over all that is varied (a Latin hypercube); fewer where values are few.

    Raises:
        InputError: the bot has no such option, or a value is out of range.
    """
    from scipy.stats.qmc import LatinHypercube

    for end in (0.0, 1.0):
        make(_with(tuning, [end] * len(tuning.vary)), tuning.game)
    places = LatinHypercube(len(tuning.vary), rng=np.random.default_rng(tuning.seed)).random(tuning.candidates)
    return list(dict.fromkeys(_with(tuning, row) for row in places))


def _with(tuning: Tuning, places: Sequence[float]) -> str:
    """The bot with other values of what is varied."""
    name, _, told = tuning.bot.partition(":")
    varied = {one.name for one in tuning.vary}
    kept = [option for option in told.split(",") if option and option.partition("=")[0] not in varied]
    fresh = [f"{one.name}={one.at(place)}" for one, place in zip(tuning.vary, places, strict=True)]
    return f"{name}:{','.join([*kept, *fresh])}"


def _rounds(candidates: int) -> int:
    """How many rounds it takes until one is left."""
    return max(1, math.ceil(math.log2(candidates)))


def check(tuning: Tuning) -> None:
    """Check the numbers of a tuning; ``InputError`` names the first that is wrong."""
    check_count("candidates", tuning.candidates, MOST_CANDIDATES)
    check_count("deals", tuning.deals, MOST_DEALS)
    check_count("most", tuning.most, MOST_DEALS)
    check_count("players", tuning.players, MOST_PLAYERS)
    if tuning.players < 2:
        raise InputError("players", f"expected at least 2, got {tuning.players}")
    if tuning.deals << _rounds(tuning.candidates) - 1 > MOST_DEALS:
        raise InputError("deals", f"expected at most {MOST_DEALS} in the last round, each doubles them")
    if tuning.candidates < 2:
        raise InputError("candidates", f"expected at least 2, got {tuning.candidates}")
    read_hypotheses(tuning.sprt, tuning.players)


def tune(
    tuning: Tuning,
    *,
    folder: Path | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    progress: bool = True,
    tell: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Race and test.

    Args:
        tuning: what.
        folder: for the match files; a run that was interrupted goes on with them.
        workers, cluster: as for ``match``.
        progress: show bars on a terminal.
        tell: told in a line what comes next.

    Returns:
        Document of kind ``"tuning"``: rounds, the winner and the test.

    Raises:
        InputError: as for ``match``; or nothing such as is to be varied.
        KeyboardInterrupt: interrupted; nothing that was played is lost where there is a folder.
    """
    check(tuning)
    field = candidates(tuning)
    if len(field) < 2:
        raise InputError("vary", "expected at least two different candidates, there is one")
    options: dict[str, Any] = {"workers": workers, "cluster": cluster, "progress": progress}
    if folder is not None:
        make_folder(folder)

    def play(bot: str, seed: int, deals: int, sprt: str | None = None) -> MatchResult:
        name = hashlib.sha256(repr((bot, seed)).encode()).hexdigest()[:12]
        result = match(
            tuning.game,
            [bot] + [tuning.bot] * (tuning.players - 1),
            deals=deals,
            seed=seed,
            rules={**(tuning.rules or {}), "players": tuning.players} if tuning.players > 2 else tuning.rules,
            out=None if folder is None else folder / f"{name}.jsonl",
            sprt=sprt,
            **options,
        )
        if not result.is_finished:
            raise KeyboardInterrupt
        return result

    rounds: list[dict[str, Any]] = []
    deals, last = tuning.deals, _rounds(len(field))
    while len(field) > 1:
        tell(f"round {len(rounds) + 1} of {last}: {len(field)} candidates, {deals} deals each")
        results = [play(bot, tuning.seed, deals) for bot in field]
        rows = [{"bot": bot} | _told(result) for bot, result in zip(field, results, strict=True)]
        rows.sort(key=lambda row: -row["share"])
        rounds.append({"deals": deals, "rows": rows})
        field, deals = [row["bot"] for row in rows[: math.ceil(len(rows) / 2)]], 2 * deals
    tell(f"the winner, {field[0]}, on fresh deals")
    last_test = play(field[0], tuning.seed + FRESH, tuning.most, tuning.sprt)
    assert last_test.test is not None
    return {
        "kind": "tuning",
        "game": tuning.game,
        "rules": last_test.rules,
        "players": tuning.players,
        "bot": tuning.bot,
        "varied": [one.name for one in tuning.vary],
        "seed": tuning.seed,
        "package": version(PACKAGE),
        "rounds": rounds,
        "winner": field[0],
        "test": {"bot": field[0], "deals": len(last_test.blocks)}
        | _told(last_test)
        | {"sprt": last_test.test.asked._asdict() | last_test.test.verdict._asdict()},
    }


def _told(result: MatchResult) -> dict[str, Any]:
    row = result.standings()[0]
    return {"share": row.share, "low": row.low, "high": row.high, "expected": row.expected, "differs": row.differs}
