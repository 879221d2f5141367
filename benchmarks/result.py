"""A match that was played: who won how often, and how sure that is."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..solver.errors import InputError
from . import lines, log, stats
from .blocks import Block, Forfeit
from .sprt import Test


class Standing(NamedTuple):
    """How one bot did.

    Attributes:
        bot: its name.
        share: its mean share of the win, a game and seat, in [0, 1].
        low, high: 95 % interval of ``share``; the deal block is the unit.
        expected: the share of a bot that is as good as the others.
        differs: whether ``expected`` lies outside of the interval.
        mess: what a game cost it on average, see ``blocks.COSTS``; None in games without such a thing.
        mess_low, mess_high: its 95 % interval; None of a single block.
        forfeits: games it lost by an error or an illegal move.
    """

    bot: str
    share: float
    low: float
    high: float
    expected: float
    differs: bool
    mess: float | None
    mess_low: float | None
    mess_high: float | None
    forfeits: int


def score(block: Block, bot: int = 0) -> float:
    """A bot's mean share of the win, a game and seat, in one block."""
    return float(
        np.mean(
            [share for game in block.games for at, share in zip(game.seats, game.payoffs, strict=True) if at == bot]
        )
    )


@dataclass(frozen=True)
class MatchResult:
    """A match, finished or not.

    Attributes:
        game, rules, bots, seed: what was played; ``bots`` are names.
        opening: random plies before the bots began.
        deals: deal blocks planned; ``len(blocks)`` are finished.
        package: version of this package that played it.
        repeatable: whether the same match always gives the same games; not so when a bot minds the clock.
        blocks: the finished blocks.
        sources: for every bot a hash of the file it was made from, or the version of the package, else None; empty
            where all are built in.
        seconds: wall time of the games of this run, and
        fresh: how many games it played; the others came from the file of an earlier one.
        test: what was to be decided, and where that stands.
    """

    game: str
    rules: dict[str, Any]
    bots: tuple[str, ...]
    seed: int
    opening: int
    deals: int
    package: str
    repeatable: bool
    blocks: tuple[Block, ...]
    sources: tuple[str | None, ...] = ()
    seconds: float = field(default=0.0, compare=False)
    fresh: int = field(default=0, compare=False)
    test: Test | None = field(default=None, compare=False)

    @property
    def players(self) -> int:
        """Number of seats."""
        return len(self.blocks[0].games[0].seats)

    @property
    def games(self) -> int:
        """Number of finished games."""
        return sum(len(block.games) for block in self.blocks)

    @property
    def is_finished(self) -> bool:
        """Whether all deals were played, or as many as it took to decide what was to be decided."""
        decided = self.test is not None and self.test.verdict.accepted is not None
        return decided or len(self.blocks) >= self.deals

    def scores(self) -> np.ndarray:
        """Share of the win a game and seat: ``float64[blocks, bots]``."""
        return self._mean([[game.payoffs for game in block.games] for block in self.blocks])

    def _mean(self, by_seat: list[list[tuple[float, ...]]]) -> np.ndarray:
        # every block has the seats of every other: they are settled by the rotation, in files too
        seats = np.array([game.seats for game in self.blocks[0].games])
        values = np.array(by_seat, dtype=float)
        return np.stack([values[:, seats == bot].mean(axis=1) for bot in range(len(self.bots))], axis=1)

    def mess(self) -> np.ndarray | None:
        """What the games cost a seat: ``float64[blocks, bots]``; None in games without such a thing."""
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
            cost, least, most = (None, None, None) if mess is None else stats.t_interval(mess[:, i])
            rows.append(Standing(bot, share, low, high, expected, differs, cost, least, most, losers.count(i)))
        return rows

    def header(self) -> dict[str, Any]:
        """The first line of the match's file; of ``sources`` it tells where there are any."""
        told = {"sources": list(self.sources)} if any(self.sources) else {}
        return {
            "format": lines.FORMAT,
            "game": self.game,
            "rules": self.rules,
            "bots": list(self.bots),
            "seed": self.seed,
            "opening": self.opening,
            "deals": self.deals,
            "package": self.package,
            "repeatable": self.repeatable,
        } | told

    def summary(self) -> dict[str, Any]:
        """The match without its games: the header, and what the games came to."""
        decisions = [game.decisions for block in self.blocks for game in block.games]
        bots: list[dict[str, Any]] = [standing._asdict() for standing in self.standings()]
        if self.players == 2:
            for row in bots:
                row["elo"] = stats.elo_interval(row["share"], row["low"], row["high"])
        return (
            self.header()
            | {
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
            | ({} if self.test is None else {"sprt": self.test.asked._asdict() | self.test.verdict._asdict()})
        )


def load(path: str | Path) -> MatchResult:
    """The match in a file; a torn last line is left out.

    Raises:
        InputError: the file cannot be read, or is not one of a match, or holds no finished block.
    """
    header, blocks = log.read(Path(path))
    if not blocks:
        raise InputError("file", f"expected at least one finished deal in {path}")
    kept = {key: header[key] for key in ("game", "rules", "seed", "opening", "deals", "package", "repeatable")}
    sources = tuple(header.get("sources", ()))
    return MatchResult(**kept, bots=tuple(header["bots"]), blocks=tuple(blocks), sources=sources)
