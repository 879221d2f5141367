"""Matches on duplicate deals, on several processes, with a file that survives."""

import time
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from ..search.bots.find import source_of
from ..search.bots.kinds import Bot, check_ready
from ..solver.errors import InputError
from ..solver.fields import check_rules, integer
from ..solver.game import load as load_game
from . import log
from .blocks import MOST_DEALS, MOST_PLIES, OPENINGS, Block, BotError, Setup, ask, play_block
from .crew import check_count, crew
from .result import MatchResult, load, score
from .sprt import ERROR, Test, read_hypotheses

PACKAGE = "smallest-mess"

__all__ = ["MatchResult", "load", "match"]


class Bar(tqdm):
    """A progress bar without a thread of its own, so that processes can be forked while it is shown."""

    monitor_interval = 0


def set_up(
    game: str, specs: Sequence[str | Bot], seed: int, rules: dict[str, Any] | None, opening: int | None = None
) -> tuple[Setup, list[Bot]]:
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
    start = setup.deal(0)
    if start.is_over:
        raise InputError("rules", "expected a game in which somebody can act, this one is over at once")
    players = start.players
    if players < 2:
        raise InputError("players", f"expected at least 2: alone nobody wins; see mess measure {game}")
    if len(specs) > players:
        raise InputError("bots", f"expected at most {players}, one a seat, got {len(specs)}")
    plies = OPENINGS.get(game, 0) if opening is None else integer({"opening": opening}, "opening", 0, MOST_PLIES)
    setup = Setup(setup.game, setup.rules, setup.specs, players, seed, plies)
    bots = [setup.bot(index) for index in range(len(specs))]
    check_ready(bots, setup.rules, whole=True)
    return replace(setup, sources=tuple(map(source_of, bots))), bots


def unplayed(setup: Setup, bots: Sequence[Bot], deals: int) -> MatchResult:
    """A match of so many deal blocks, none of them played yet."""
    return MatchResult(
        setup.game,
        setup.rules,
        tuple(bot.name for bot in bots),
        setup.seed,
        setup.opening,
        deals,
        version(PACKAGE),
        all(getattr(bot, "is_repeatable", True) for bot in bots),
        (),
        sources=setup.sources if any(setup.sources) else (),
    )


def warm_up(setup: Setup, bots: list[Bot]) -> None:
    """Let every bot choose, and play a move: what has to be compiled is, before it costs time or several processes."""
    position = setup.deal(0)
    for bot in bots:
        with suppress(BotError):  # The match will tell.
            ask(bot, position, np.zeros(1, dtype=np.uint64))
    position.play(position.moves()[0])


def match(
    game: str,
    specs: Sequence[str | Bot],
    *,
    deals: int,
    seed: int = 0,
    rules: dict[str, Any] | None = None,
    opening: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    out: str | Path | None = None,
    progress: bool = True,
    sprt: str | None = None,
    alpha: float = ERROR,
    beta: float = ERROR,
) -> MatchResult:
    """Play bots against each other on duplicate deals, each with every rotation of the bots over the seats.

    A file of code or of a bot has to stay as it is: a match goes on only with what it began with.

    A bot that raises or chooses an illegal move loses that game, and the match goes on.

    Args:
        game: name of the game.
        specs: the bots, as text (``"mcts@2000"``, ``"my_bot.py"``) or as objects, which must not carry anything from
            one game to the next. Fewer than players are repeated in turn; without ``rules["players"]`` there are as
            many players.
        deals: number of deal blocks; with ``sprt``, the most.
        seed: the same seed gives the same games, whatever ``workers`` and ``cluster`` are.
        rules: rules that differ from the defaults.
        opening: random plies before the bots begin, the same in all games of a block; by default as many as it takes
            to tell deals apart, where a game always starts alike.
        workers: processes, by default one a core.
        cluster: address of a Dask scheduler whose workers play instead; see ``crew``.
        out: file for the finished blocks; one of an earlier run of the same match is continued, with more deals too.
        progress: show a bar on a terminal.
        sprt: two hypotheses on the first bot, as ``"0,10"``, see ``sprt.read_hypotheses``: the match ends with the
            first block that decides between them.
        alpha, beta: probabilities of the two errors of that.

    Returns:
        The match; shorter than planned when it was decided, or interrupted from the keyboard after at least one block.

    Raises:
        InputError: names what is wrong with the arguments, or with the file.
        KeyboardInterrupt: interrupted before there was any block.
    """
    check_count("deals", deals, MOST_DEALS)
    if type(seed) is not int:
        raise InputError("seed", f"expected a whole number, got {seed!r}")
    setup, bots = set_up(game, specs, seed, rules, opening)
    if sprt is not None and len(specs) < setup.players:
        seats = f"expected a bot for each of {setup.players} seats, so that the first sits once"
        raise InputError("bots", f"{seats}; got {len(specs)}")
    test = None if sprt is None else Test(read_hypotheses(sprt, setup.players, alpha, beta))
    result = unplayed(setup, bots, deals)
    task = partial(play_block, setup if cluster is None else setup.packed())
    with crew(workers, cluster) as play, log.Log(None if out is None else Path(out), result.header()) as file:
        blocks = list(file.blocks)
        earlier = len(blocks)
        due = range(earlier, deals)
        if test is not None and test.add([score(block) for block in blocks]).accepted:
            due = range(0)
        started = time.perf_counter()
        total, ready = deals * setup.players, earlier * setup.players
        try:
            with Bar(total=total, initial=ready, unit="game", disable=None if progress else True) as bar:
                if due:
                    bar.set_description("compiling, once")
                    warm_up(setup, bots)
                    bar.set_description()
                started = time.perf_counter()
                with closing(play(task, due)) as played:
                    for block in played:
                        file.append(block)
                        blocks.append(block)
                        bar.update(setup.players)
                        if test is not None and _decides(test, block, bar):
                            break
        except KeyboardInterrupt:
            if not blocks:
                raise
    seconds, fresh = time.perf_counter() - started, (len(blocks) - earlier) * setup.players
    return replace(result, blocks=tuple(blocks), seconds=seconds, fresh=fresh, test=test)


def _decides(test: Test, block: Block, bar: Bar) -> bool:
    """Whether the question is decided with this block; the bar shows how far it is."""
    verdict = test.add([score(block)])
    low, high = test.asked.bounds
    bar.set_postfix_str(f"LLR {verdict.ratio:+.2f} in {low:.2f} … {high:+.2f}")
    return verdict.accepted is not None
