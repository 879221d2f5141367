"""Ratings of a pool of bots: the games that tell most are played, and kept in one match file a lineup."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from ..search.bots.find import find, source_of
from ..search.bots.kinds import check_ready
from ..solver.errors import InputError
from ..solver.game import load
from ..solver.rng import stream
from . import log
from .blocks import MOST_DEALS, Block, Setup, play_block
from .crew import Crew, check_count
from .files import make_folder, write_text
from .match import PACKAGE, Bar, set_up, unplayed, warm_up
from .ratings import (
    CAUTIOUS,
    ELO,
    Results,
    information,
    intervals,
    pairings,
    prior,
    resampled,
    results_of,
    schedule,
    strengths,
)
from .stats import LEVEL

ROUND = 8
"""Blocks between two looks at the ratings, at least; later a tenth of what there is."""
DEALS_A_BOT = 25
MOST_LINEUPS = 20_000
RESAMPLES = 200
SCHEDULE = "schedule.json"

Lineup = tuple[str, ...]


@dataclass
class Pool:
    """Bots to be rated, and what they have played.

    Attributes:
        game, rules: what they play.
        bots: as text, each once.
        players: seats of a game.
        seed: every lineup's deals derive from it.
        opening: random plies before the bots begin.
        folder: of the match files; None keeps blocks in memory alone.
        blocks: of every lineup what is finished.
        left_out: files in the folder of bots that are not in the pool.
    """

    game: str
    rules: dict[str, Any]
    bots: tuple[str, ...]
    players: int
    seed: int
    opening: int
    folder: Path | None
    blocks: dict[Lineup, list[Block]] = field(default_factory=dict)
    left_out: int = 0

    @property
    def finished(self) -> int:
        """Number of finished blocks."""
        return sum(map(len, self.blocks.values()))

    def lineups(self) -> list[Lineup]:
        """All there are; the bots of each in the order of their names, whatever that of the pool."""
        return list(combinations(sorted(self.bots), self.players))

    def results(self) -> dict[Lineup, list[Results]]:
        """Who won, by lineup."""
        return {
            lineup: [results_of(block, [self.bots.index(bot) for bot in lineup]) for block in blocks]
            for lineup, blocks in self.blocks.items()
            if blocks
        }

    def seed_of(self, lineup: Lineup) -> int:
        """The seed of a lineup's match."""
        return int(stream(self.seed, "lineup", *lineup)[0] >> np.uint64(12))

    def setup(self, lineup: Lineup) -> tuple[Setup, dict[str, Any]]:
        """What a lineup plays, and the header of its file."""
        setup, bots = set_up(self.game, lineup, self.seed_of(lineup), self.rules, self.opening)
        return setup, unplayed(setup, bots, MOST_DEALS).header()

    def path(self, lineup: Lineup) -> Path:
        """The file of a lineup."""
        assert self.folder is not None
        words = re.sub(r"[^a-z0-9]+", "-", "-".join(Path(bot).stem for bot in lineup).lower())[:60]
        return self.folder / f"{words}-{hashlib.sha256(json.dumps(lineup).encode()).hexdigest()[:8]}.jsonl"


def open_pool(
    game: str,
    bots: Sequence[str],
    players: int,
    rules: dict[str, Any],
    seed: int,
    opening: int | None,
    folder: Path | None,
) -> Pool:
    """A pool with what its folder holds.

    Raises:
        InputError: no such game, rule or bot, or a bot twice; too few or too many bots; or a file of the folder is of
            other rules, another version or seed, or not one of a match. Nothing is written then.
    """
    twice = sorted({bot for bot in bots if bots.count(bot) > 1})
    if twice:
        raise InputError("pool", f"expected each bot once, got {twice[0]} more often")
    if players < 2:
        raise InputError("players", f"expected at least 2, got {players}")
    if len(bots) < players:
        raise InputError("pool", f"expected at least {players} bots, one a seat, got {len(bots)}")
    if comb(len(bots), players) > MOST_LINEUPS:
        raise InputError("pool", f"expected at most {MOST_LINEUPS} lineups of {players}, these bots have more")
    if "players" in load(game).OPTIONS:
        rules = rules | {"players": players}
    setup, _ = set_up(game, bots[:players], seed, rules, opening)
    if setup.players != players:
        raise InputError("players", f"expected {setup.players}, as many as play {game}, got {players}")
    made = [find(bot, game) for bot in bots]
    check_ready(made, setup.rules, whole=True)
    pool = Pool(game, setup.rules, tuple(bots), players, seed, setup.opening, folder)
    if folder is not None:
        sources = dict(zip(bots, map(source_of, made), strict=True))
        try:
            paths = sorted(path for path in folder.glob("*.jsonl") if not _is_torn(path))
        except OSError as error:
            raise InputError("out", f"expected a folder that can be read, {folder}: {error.strerror}") from None
        for path in paths:
            _take_over(pool, path, sources)
    return pool


def check_anchor(bots: Sequence[str], anchor: str | None) -> None:
    """Check that an anchor, if there is one, is among the bots of a pool; ``InputError`` otherwise."""
    if anchor is not None and anchor not in bots:
        raise InputError("anchor", f"expected one of {', '.join(bots)}; got {anchor!r}")


def _is_torn(path: Path) -> bool:
    """Whether a file ends before its header does, as one that was just begun; whose it is tells who goes on with it."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return len(head := file.readline(log.LINE_BYTES)) < log.LINE_BYTES and not head.endswith(b"\n")


def _take_over(pool: Pool, path: Path, sources: dict[str, str | None]) -> None:
    """Add what a file of the folder holds to the pool, if it is of its bots."""
    header, blocks = log.read(path)
    lineup = tuple(header["bots"])
    here = {"game": pool.game, "rules": pool.rules, "opening": pool.opening, "package": version(PACKAGE)}
    for key, value in here.items():
        if header[key] != value:
            there = f"{key} is {json.dumps(header[key])} there, {json.dumps(value)} here"
            raise InputError("out", f"{path}: expected a match of this rating, {there}")
    if not set(lineup) <= set(pool.bots):
        pool.left_out += 1
        return
    if list(lineup) != sorted(set(lineup)) or len(lineup) != pool.players or path != pool.path(lineup):
        raise InputError("out", f"{path}: expected a match of this rating, it is another one of its bots")
    told = header.get("sources", [None] * len(lineup))
    changed = [bot for bot, source in zip(lineup, told, strict=True) if source != sources[bot]]
    if changed:
        told = "give it another name, or remove the files of the old one"
        raise InputError("out", f"{path}: expected the bots of this rating, {' and '.join(changed)} changed; {told}")
    if header["seed"] != pool.seed_of(lineup):
        raise InputError("out", f"{path}: expected a match of this rating, it was played with another seed")
    pool.blocks[lineup] = blocks


def _play(setups: dict[Lineup, Setup], task: tuple[Lineup, int]) -> Block:
    lineup, deal = task
    return play_block(setups[lineup], deal)


class _Player:
    """Plays blocks of lineups and keeps them, in their files too; as a context it closes those."""

    def __init__(self, pool: Pool, crew: Crew, far: bool, bar: Bar) -> None:
        self._pool, self._crew, self._far, self._bar = pool, crew, far, bar
        self._setups: dict[Lineup, Setup] = {}
        self._logs: dict[Lineup, log.Log] = {}
        self._stack = ExitStack()

    def __enter__(self) -> "_Player":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _prepare(self, lineup: Lineup) -> None:
        setup, header = self._pool.setup(lineup)
        path = self._pool.path(lineup) if self._pool.folder is not None else None
        file = self._stack.enter_context(log.Log(path, header))
        if path is not None and file.blocks != self._pool.blocks.get(lineup, []):
            raise InputError("out", f"expected a folder that nobody else writes at this time, {path} has changed")
        self._logs[lineup] = file
        if not self._setups:
            self._bar.set_description("compiling, once")
            warm_up(setup, [setup.bot(i) for i in range(len(lineup))])
            self._bar.set_description()
        self._setups[lineup] = setup.packed() if self._far else setup

    def play(self, planned: dict[Lineup, int]) -> None:
        """Play until every lineup has as many blocks as planned."""
        tasks = []
        for lineup, count in planned.items():
            finished = self._pool.blocks.setdefault(lineup, [])
            if len(finished) >= count:
                continue
            if lineup not in self._setups:
                self._prepare(lineup)
            tasks += [(lineup, deal) for deal in range(len(finished), count)]
        used = {lineup: self._setups[lineup] for lineup, _ in tasks}
        with closing(self._crew(partial(_play, used), tasks)) as played:
            for (lineup, _), block in zip(tasks, played, strict=True):
                self._logs[lineup].append(block)
                self._pool.blocks[lineup].append(block)
                self._bar.update()


def _rounds(pool: Pool, deals: int) -> Iterator[dict[Lineup, int]]:
    """What is to be played, round by round, as how many blocks every lineup should have by then.

    What a round plans is written down before it is played: so an interrupted one is finished first, and comes to the
    same games as one that was not.
    """
    plan = pool.folder / SCHEDULE if pool.folder is not None else None
    if plan is not None and plan.exists():
        planned = _read_plan(plan, pool)
        missing = sum(max(0, count - len(pool.blocks.get(lineup, []))) for lineup, count in planned.items())
        if pool.finished + missing <= deals:
            yield planned
    while (finished := pool.finished) < deals:
        planned = _next_round(pool, min(deals - finished, max(ROUND, finished // 10)))
        if plan is not None:
            lines = [{"bots": list(lineup), "deals": count} for lineup, count in planned.items()]
            write_text(plan, json.dumps(lines, ensure_ascii=False) + "\n")
        yield planned


def _read_plan(path: Path, pool: Pool) -> dict[Lineup, int]:
    """A plan that was written down, as far as it is of this pool."""
    try:
        lines = [(tuple(line["bots"]), line["deals"]) for line in json.loads(path.read_text(encoding="utf-8"))]
        if not all(len(lineup) == pool.players and list(lineup) == sorted(set(lineup)) for lineup, _ in lines):
            raise ValueError
        plan = {lineup: check_count("deals", count, MOST_DEALS) for lineup, count in lines}
    except (OSError, ValueError, KeyError, TypeError, RecursionError, InputError):
        raise InputError("out", f"{path}: expected the plan of a rating, as it was written") from None
    known = set(pool.lineups())
    return {lineup: count for lineup, count in plan.items() if lineup in known}


def _next_round(pool: Pool, blocks: int) -> dict[Lineup, int]:
    """How many blocks every lineup that is to play should have after the next round."""
    number = {bot: i for i, bot in enumerate(pool.bots)}
    results = pool.results()
    flat = [result for played in results.values() for result in played]
    found = strengths(len(pool.bots), flat, CAUTIOUS)
    known = prior(len(pool.bots))
    for lineup, played in results.items():
        known += len(played) * pool.players * information(found, [number[bot] for bot in lineup])
    lineups = pool.lineups()
    chosen = schedule(found, [tuple(number[bot] for bot in lineup) for lineup in lineups], known, blocks)
    planned: dict[Lineup, int] = {}
    for numbers in chosen:
        lineup = tuple(sorted(pool.bots[i] for i in numbers))
        planned[lineup] = planned.get(lineup, len(pool.blocks.get(lineup, []))) + 1
    return planned


def rate(pool: Pool, deals: int, crew: Crew, far: bool = False, progress: bool = True) -> bool:
    """Play until the pool has so many blocks, counting those it began with.

    Args:
        pool: what was opened.
        deals: deal blocks of all lineups together.
        crew: plays the blocks;
        far: whether on other machines.
        progress: show a bar on a terminal.

    Returns:
        Whether it came to that; an interrupt from the keyboard ends it before, and loses nothing.

    Raises:
        InputError: a file cannot be written, or another process writes it.
    """
    check_count("deals", deals, MOST_DEALS)
    if pool.folder is not None:
        make_folder(pool.folder)
    ready = pool.finished
    with (
        Bar(total=max(deals, ready), initial=ready, unit="deal", disable=None if progress else True) as bar,
        _Player(pool, crew, far, bar) as player,
    ):
        try:
            for planned in _rounds(pool, deals):
                player.play(planned)
        except KeyboardInterrupt:
            return False
    return True


def summary(pool: Pool, crew: Crew, anchor: str | None = None, progress: bool = True) -> dict[str, Any]:
    """Ratings with their intervals, and how every pair did.

    Args:
        pool: with at least one block.
        crew: resamples are fitted by it.
        anchor: a bot of the pool that is to have 0; else the mean of those that neither won nor lost all their games.
        progress: show a bar on a terminal.

    Raises:
        InputError: nothing was played, or the anchor is not in the pool.
    """
    check_anchor(pool.bots, anchor)
    flat = [result for _, played in sorted(pool.results().items()) for result in played]
    if not flat:
        raise InputError("pool", "expected at least one finished deal")
    bots = len(pool.bots)
    found = strengths(bots, flat)
    bar = Bar(total=RESAMPLES, unit="resample", leave=False, disable=None if progress else True)
    with bar, closing(crew(partial(resampled, bots, flat, found), range(RESAMPLES))) as drawn:
        samples = []
        for sample in drawn:
            samples.append(sample)
            bar.update()
    wins, games = pairings(bots, flat)
    played = games.sum(axis=1) / (pool.players - 1)
    won = wins.sum(axis=1) / (pool.players - 1)
    bound = (played == 0) | (won == 0) | (won == played)
    zero = np.flatnonzero(~bound) if anchor is None and not bound.all() else np.arange(bots)
    if anchor is not None:
        zero = np.array([pool.bots.index(anchor)])
    values = _from_zero(found[None], zero)[0]
    spread = intervals(values, _from_zero(np.array(samples), zero), max(2, len(flat)), LEVEL)
    rows = [
        {
            "bot": bot,
            "rating": float(values[i]),
            "low": None if bound[i] else float(spread[0, i]),
            "high": None if bound[i] else float(spread[1, i]),
            "games": round(played[i]),
            "share": float(won[i] / played[i]) if played[i] else None,
            "bound": bool(bound[i]),
        }
        for i, bot in enumerate(pool.bots)
    ]
    order = sorted(range(bots), key=lambda i: -values[i])
    with np.errstate(invalid="ignore"):
        shares = wins / (wins + wins.T)
    return {
        "kind": "ratings",
        "game": pool.game,
        "rules": pool.rules,
        "players": pool.players,
        "seed": pool.seed,
        "opening": pool.opening,
        "package": version(PACKAGE),
        "deals": len(flat),
        "anchor": anchor,
        "ratings": [rows[i] for i in order],
        "pairings": [[None if np.isnan(shares[i, j]) else float(shares[i, j]) for j in order] for i in order],
        "together": [[round(games[i, j]) for j in order] for i in order],
        "left_out": pool.left_out,
    }


def _from_zero(strength: np.ndarray, zero: np.ndarray) -> np.ndarray:
    """Strengths, ``float64[samples, bots]``, as Elo above the mean of some of the bots."""
    return ELO * (strength - strength[:, zero].mean(axis=1, keepdims=True))
