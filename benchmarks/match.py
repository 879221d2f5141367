"""Matches on duplicate deals: which bot wins how often, and how sure that is."""

import os
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from ..search.bot import Bot
from ..solver.errors import InputError
from ..solver.fields import check_rules
from ..solver.game import load as load_game
from . import log, stats
from .blocks import Block, Forfeit, Setup, play_block
from .workers import ordered

PACKAGE = "smallest-mess"


class Standing(NamedTuple):
    """How one bot did.

    Attributes:
        bot: its name.
        share: its mean share of the win, a game and seat, in [0, 1].
        low, high: 95 % interval of ``share``; the deal block is the unit.
        expected: the share of a bot that is as good as the others.
        differs: whether ``expected`` lies outside of the interval.
        mess: mean tiles taken, a game and seat; None in games without mess.
        forfeits: games it lost by an error or an illegal move.
    """

    bot: str
    share: float
    low: float
    high: float
    expected: float
    differs: bool
    mess: float | None
    forfeits: int


@dataclass(frozen=True)
class MatchResult:
    """A match, finished or not.

    Attributes:
        game, rules, bots, seed: what was played; ``bots`` are names.
        deals: deal blocks planned; ``len(blocks)`` are finished.
        package: version of this package that played it.
        repeatable: whether the same match always gives the same games; not so when a bot minds the clock.
        blocks: the finished blocks.
        seconds: wall time of this run, and
        fresh: how many games it played; the others came from the file of an earlier one.
    """

    game: str
    rules: dict[str, Any]
    bots: tuple[str, ...]
    seed: int
    deals: int
    package: str
    repeatable: bool
    blocks: tuple[Block, ...]
    seconds: float = field(default=0.0, compare=False)
    fresh: int = field(default=0, compare=False)

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.blocks[0].games[0].seats)

    @property
    def games(self) -> int:
        """Number of finished games."""
        return sum(len(block.games) for block in self.blocks)

    def scores(self) -> np.ndarray:
        """Share of the win a game and seat: ``float64[blocks, bots]``."""
        return self._mean([[game.payoffs for game in block.games] for block in self.blocks])

    def _mean(self, by_seat: list[list[tuple[float, ...]]]) -> np.ndarray:
        seats = np.array([game.seats for game in self.blocks[0].games])
        values = np.array(by_seat, dtype=float)
        return np.stack([values[:, seats == bot].mean(axis=1) for bot in range(len(self.bots))], axis=1)

    def mess(self) -> np.ndarray | None:
        """Tiles taken a game and seat: ``float64[blocks, bots]``; None in games without mess."""
        by_seat = [[game.mess for game in block.games if game.mess is not None] for block in self.blocks]
        return self._mean(by_seat) if by_seat[0] else None  # type: ignore[arg-type]

    def forfeits(self) -> list[tuple[int, int, Forfeit]]:
        """Deal, rotation and reason of every game that was lost by an error or an illegal move."""
        return [
            (block.deal, rotation, game.forfeit)
            for block in self.blocks
            for rotation, game in enumerate(block.games)
            if game.forfeit is not None
        ]

    def standings(self) -> list[Standing]:
        """How every bot did, in the order they were named."""
        scores, mess = self.scores(), self.mess()
        losers = [forfeit.bot for _, _, forfeit in self.forfeits()]
        rows = []
        for i, bot in enumerate(self.bots):
            share, low, high = stats.mean_interval(scores[:, i])
            expected = 1 / self.players
            differs = not low - stats.ROUNDING <= expected <= high + stats.ROUNDING
            taken = None if mess is None else float(mess[:, i].mean())
            rows.append(Standing(bot, share, low, high, expected, differs, taken, losers.count(i)))
        return rows

    def header(self) -> dict[str, Any]:
        """The first line of the match's file."""
        return {
            "format": log.FORMAT,
            "game": self.game,
            "rules": self.rules,
            "bots": list(self.bots),
            "seed": self.seed,
            "deals": self.deals,
            "package": self.package,
            "repeatable": self.repeatable,
        }

    def summary(self) -> dict[str, Any]:
        """The match without its games: the header, and what the games came to."""
        decisions = [game.decisions for block in self.blocks for game in block.games]
        bots: list[dict[str, Any]] = [standing._asdict() for standing in self.standings()]
        if self.players == 2:
            for row in bots:
                row["elo"] = stats.elo_interval(row["share"], row["low"], row["high"])
        return self.header() | {
            "bots": bots,
            "players": self.players,
            "finished": len(self.blocks),
            "games": self.games,
            "decisions": float(np.mean(decisions)),
            "forfeits": [
                {"deal": deal, "rotation": rotation, "bot": self.bots[forfeit.bot], "reason": forfeit.reason}
                for deal, rotation, forfeit in self.forfeits()
            ],
        }


def load(path: str | Path) -> MatchResult:
    """The match in a file; a torn last line is left out.

    Raises:
        InputError: the file cannot be read, or is not one of a match, or holds no finished block.
    """
    header, blocks = log.read(Path(path))
    if not blocks:
        raise InputError("file", f"expected at least one finished deal in {path}")
    try:
        kept = {key: header[key] for key in ("game", "rules", "seed", "deals", "package", "repeatable")}
        return MatchResult(**kept, bots=tuple(header["bots"]), blocks=tuple(blocks))
    except (KeyError, TypeError):
        raise InputError("file", f"expected the header of a match in the first line of {path}") from None


def default_workers() -> int:
    """Number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_count(field: str, value: Any, low: int = 1) -> int:
    """``value`` if it is a whole number of at least ``low``; ``InputError`` otherwise."""
    if type(value) is not int or value < low:
        raise InputError(field, f"expected a whole number of at least {low}, got {value!r}")
    return value


def set_up(game: str, specs: Sequence[str | Bot], seed: int, rules: dict[str, Any] | None) -> tuple[Setup, list[Bot]]:
    """What will be played and its bots, all checked.

    Raises:
        InputError: no such game, rule or bot; more bots than seats, or none.
    """
    options = load_game(game).OPTIONS
    rules = dict(rules or {})
    if not specs:
        raise InputError("bots", "expected at least one bot")
    if "players" in options and "players" not in rules:
        if len(specs) not in options["players"]:
            seats = ", ".join(map(str, options["players"]))
            raise InputError("bots", f"expected as many as players, one of {seats}, got {len(specs)}")
        rules["players"] = len(specs)
    setup = Setup(game, check_rules(options, rules), tuple(specs), 0, seed)
    players = setup.deal(0).players
    if len(specs) > players:
        raise InputError("bots", f"expected at most {players}, one a seat, got {len(specs)}")
    setup = Setup(setup.game, setup.rules, setup.specs, players, seed)
    return setup, [setup.bot(index) for index in range(len(specs))]


def warm_up(setup: Setup, bots: list[Bot]) -> None:
    """Let every bot choose once, so that what they need is compiled before there are several processes."""
    position = setup.deal(0)
    for bot in bots:
        try:
            bot.choose(position if bot.open else position.observe(position.to_act), np.zeros(1, dtype=np.uint64))
        except Exception:  # The match will tell.
            continue


def match(
    game: str,
    specs: Sequence[str | Bot],
    *,
    deals: int,
    seed: int = 0,
    rules: dict[str, Any] | None = None,
    workers: int | None = None,
    out: str | Path | None = None,
    progress: bool = True,
) -> MatchResult:
    """Play bots against each other on duplicate deals, each with every rotation of the bots over the seats.

    A bot that raises or chooses an illegal move loses that game, and the match goes on.

    Args:
        game: name of the game.
        specs: the bots, as text (``"mcts@2000"``) or as objects, which must not carry anything from one game to the
            next. Fewer than players are repeated in turn; without ``rules["players"]`` there are as many players.
        deals: number of deal blocks.
        seed: the same seed gives the same games, whatever ``workers`` is.
        rules: rules that differ from the defaults.
        workers: processes, by default one a core.
        out: file for the finished blocks; one of an earlier run of the same match is continued.
        progress: show a bar on a terminal.

    Returns:
        The match; shorter than planned when it was interrupted from the keyboard after at least one block.

    Raises:
        InputError: names what is wrong with the arguments, or with the file.
        KeyboardInterrupt: interrupted before there was any block.
    """
    check_count("deals", deals)
    if type(seed) is not int:
        raise InputError("seed", f"expected a whole number, got {seed!r}")
    setup, bots = set_up(game, specs, seed, rules)
    crew = default_workers() if workers is None else check_count("workers", workers)
    result = MatchResult(
        game,
        setup.rules,
        tuple(bot.name for bot in bots),
        seed,
        deals,
        version(PACKAGE),
        not any(getattr(bot, "timed", False) for bot in bots),
        (),
    )
    started = time.perf_counter()
    with log.Log(None if out is None else Path(out), result.header()) as file:
        blocks = list(file.blocks)
        earlier = len(blocks)
        try:
            if crew > 1 and deals - earlier > 1:
                warm_up(setup, bots)
            played = ordered(partial(play_block, setup), range(earlier, deals), crew)
            bar = tqdm(
                total=deals * setup.players,
                initial=earlier * setup.players,
                unit="game",
                disable=None if progress else True,
            )
            with bar, closing(played):
                for block in played:
                    file.append(block)
                    blocks.append(block)
                    bar.update(setup.players)
        except KeyboardInterrupt:
            if not blocks:
                raise
    return MatchResult(
        **{**vars(result), "blocks": tuple(blocks)}
        | {"seconds": time.perf_counter() - started, "fresh": (len(blocks) - earlier) * setup.players}
    )
