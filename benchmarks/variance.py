"""Fewer games for the same interval: what duplicate deals save, and what taking known luck out of the scores does.

Wherever chance lists its outcomes, what came is worth so much more or less than what was to be expected. Summed over a
game that is its luck. Its expectation is exactly 0, whatever the bots do and however badly positions are judged: only
what was possible when chance decided goes into it. So a score less any multiple of luck that was fixed without a look
at that score estimates the same win share; and where much of a result is luck that is seen, with far less variance.
"""

import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..search.options import bot_list
from ..search.policies import policies
from ..solver import game as kernels
from ..solver.errors import InputError
from ..solver.game import NO_ONE, OUTCOMES
from ..solver.position import Position
from .blocks import Block, Setup, play_game
from .crew import Crew, crew
from .match import Bar, set_up
from .stats import Interval, mean_interval, t_interval

FOLDS = 10
RESAMPLES = 2000
LISTED = ("meeples",)
"""Games in which chance lists its outcomes. Elsewhere luck lies in the deal, and duplicate deals take it out."""


def luck_of(position: Position, outcome: str) -> np.ndarray:
    """What an outcome of chance is worth to every seat beyond expectation, ``float64[players]``, in shares of the win.

    Positions are judged by the game's ``evaluate``. Zeros where chance does not list its outcomes.
    """
    policies(position.game.NAME)  # evaluate is theirs
    moves, weights = np.empty(position.game.MAX_MOVES, dtype=np.int32), np.empty(OUTCOMES)
    count = int(kernels.chances(position.state, moves, weights))
    values = np.zeros((count, position.players))
    for i in range(count):
        after = position.states()
        kernels.play(after[0], moves[i])
        judge = kernels.payoff if kernels.to_act(after[0]) == NO_ONE else kernels.evaluate
        judge(after[0], values[i])
    if not count:
        return np.zeros(position.players)
    came = moves[:count].tolist().index(position.game.read_move(position.states()[0], outcome))
    return values[came] - weights[:count] @ values


class Measured(NamedTuple):
    """A block and the luck in it.

    Attributes:
        block: as a match plays it.
        scores: of the first bot in every game, its share of the win a seat, ``float64[rotations]``.
        luck: of the first bot in every game, a seat, ``float64[rotations]``.
    """

    block: Block
    scores: np.ndarray
    luck: np.ndarray


def measure_block(setup: Setup, number: int) -> Measured:
    """Play a block as a match does, and add up its luck."""
    games, scores, lucks = [], [], []
    for rotation in range(setup.players):
        luck = np.zeros(setup.players)

        def notice(position: Position, outcome: str, luck: np.ndarray = luck) -> None:
            luck += luck_of(position, outcome)

        game = play_game(setup, number, rotation, notice)
        own = np.array(game.seats) == 0
        games.append(game)
        scores.append(float(np.array(game.payoffs)[own].mean()))
        lucks.append(float(luck[own].mean()))
    return Measured(Block(number, tuple(games)), np.array(scores), np.array(lucks))


def corrected(scores: np.ndarray, luck: np.ndarray, folds: int = FOLDS) -> np.ndarray:
    """Block scores less their luck, ``float64[blocks]``; of the same expectation.

    How much luck counts is fitted by least squares, for the blocks of each fold on all others, so that no block has a
    say in its own correction.

    Args:
        scores: ``float64[blocks]``.
        luck: ``float64[blocks]``, of expectation 0.
        folds: at least 2; with fewer blocks than that nothing is corrected.
    """
    blocks = len(scores)
    if blocks < folds:
        return scores.copy()
    fold = np.arange(blocks) % folds
    out = np.empty(blocks)
    for i in range(folds):
        rest = fold != i
        spread = luck[rest] - luck[rest].mean()
        square = float(spread @ spread)
        weight = float(spread @ scores[rest]) / square if square > 0.0 else 0.0
        out[~rest] = scores[~rest] - weight * luck[~rest]
    return out


def corrected_interval(scores: np.ndarray, luck: np.ndarray) -> Interval:
    """Win share with luck taken out, and its 95 % interval, cut to [0, 1]."""
    values = corrected(scores, luck)
    if np.array_equal(values, scores):
        return mean_interval(scores)
    value, low, high = t_interval(values)
    assert low is not None and high is not None
    return Interval(*(min(1.0, max(0.0, end)) for end in (value, low, high)))


def duplicate_ratio(scores: np.ndarray) -> float:
    """Games that duplicate deals need, relative to as many deals dealt independently, for an interval as narrow.

    Independent games take the seats in turn as well, so only what a deal has in common between its games counts.

    Args:
        scores: ``float64[blocks, rotations]``, at least 2 blocks.
    """
    apart = float(scores.var(axis=0, ddof=1).mean())
    together = float(scores.mean(axis=1).var(ddof=1)) * scores.shape[1]
    return together / apart if apart > 0.0 else float("nan")


def control_ratio(scores: np.ndarray, luck: np.ndarray) -> float:
    """Games that are needed once luck is taken out, relative to the same duplicate deals as they are.

    Args:
        scores, luck: ``float64[blocks, rotations]``, at least 2 blocks.
    """
    plain = scores.mean(axis=1)
    before = float(plain.var(ddof=1))
    return float(corrected(plain, luck.mean(axis=1)).var(ddof=1)) / before if before > 0.0 else float("nan")


def _bootstrapped(ratio: Callable[..., float], *samples: np.ndarray) -> dict[str, float | None]:
    """A ratio with its 95 % interval over blocks; None where it is not determined."""
    from scipy.stats import bootstrap

    def of(chosen: np.ndarray) -> float:
        return ratio(*(sample[chosen] for sample in samples))

    value = of(np.arange(len(samples[0])))
    if not np.isfinite(value):
        return {"value": None, "low": None, "high": None}
    blocks = (np.arange(len(samples[0])),)
    with warnings.catch_warnings():
        # of a few blocks some resamples do not vary; then there is no interval, and that is told
        warnings.simplefilter("ignore")
        told = bootstrap(blocks, of, n_resamples=RESAMPLES, vectorized=False, method="percentile", rng=0)
    found = told.confidence_interval
    low, high = (float(end) if np.isfinite(end) else None for end in found)
    return {"value": value, "low": low, "high": high}


def both_ratio(scores: np.ndarray, luck: np.ndarray) -> float:
    """Games that are needed with duplicate deals and luck taken out, relative to independent games."""
    return duplicate_ratio(scores) * control_ratio(scores, luck)


def check_control(
    game: str, specs: Sequence[Any], seed: int, rules: dict[str, Any] | None = None, opening: int | None = None
) -> Setup:
    """What is played by a match, if luck can be taken out of it.

    Raises:
        InputError: chance lists no outcomes in this game, or a bot does not play the same again.
    """
    if game not in LISTED:
        told = f"a game in which chance lists its outcomes, {', '.join(LISTED)}"
        raise InputError("control", f"expected {told}; in {game} luck lies in the deal, which all bots share")
    setup, bots = set_up(game, specs, seed, rules, opening)
    for bot in bots:
        if not getattr(bot, "is_repeatable", True):
            raise InputError("control", f"expected bots that play the same again, {bot.name} minds the clock")
    return setup


def control(setup: Setup, blocks: Sequence[Block], workers: int | None, progress: bool) -> Interval:
    """The first bot's win share with luck taken out, and its 95 % interval; all games are played through again.

    Args:
        setup: as of ``check_control``.
        blocks: of the match, at least one.
        workers: processes, by default one a core.
        progress: show a bar on a terminal.

    Raises:
        InputError: a game went otherwise this time.
    """
    total = len(blocks) * setup.players
    with crew(workers) as play, Bar(total=total, unit="game", desc="luck", disable=None if progress else True) as bar:
        again = list(_measured(setup, [block.deal for block in blocks], play, bar))
    for block, measured in zip(blocks, again, strict=True):
        if measured.block != block:
            raise InputError("control", f"expected deal {block.deal} to go as it went before, it went otherwise")
    scores, luck = (np.stack([getattr(block, name) for block in again]).mean(axis=1) for name in ("scores", "luck"))
    return corrected_interval(scores, luck)


def _measured(setup: Setup, deals: Sequence[int], play: Crew, bar: Bar) -> Generator[Measured, None, None]:
    with closing(play(partial(measure_block, setup), deals)) as blocks:
        for block in blocks:
            bar.update(setup.players)
            yield block


def savings(
    rules: dict[str, Any], bots: Sequence[str], deals: int, seed: int, workers: int | None, progress: bool, game: str
) -> dict[str, Any]:
    """How many games matches need relative to independent deals, by duplicate deals and by taking luck out.

    Args:
        rules: checked rules.
        bots: matches, each the bots of one, separated by commas.
        deals: blocks of each match.
        seed: of every match.
        workers: processes, by default one a core.
        progress: show a bar on a terminal.
        game: name of the game.

    Raises:
        InputError: a bot that does not exist; or fewer than ``FOLDS`` deals.
    """
    if deals < FOLDS:
        raise InputError("deals", f"expected at least {FOLDS}, to tell how much scores vary; got {deals}")
    setups = [set_up(game, bot_list(names), seed, rules)[0] for names in bots]
    rows = []
    total = sum(deals * setup.players for setup in setups)
    with crew(workers) as play, Bar(total=total, unit="game", disable=None if progress else True) as bar:
        for names, setup in zip(bots, setups, strict=True):
            blocks = list(_measured(setup, range(deals), play, bar))
            scores, luck = np.stack([block.scores for block in blocks]), np.stack([block.luck for block in blocks])
            told = {"share": mean_interval(scores.mean(axis=1))._asdict()}
            told["duplicate"] = _bootstrapped(duplicate_ratio, scores)
            if game in LISTED:
                told["corrected"] = corrected_interval(scores.mean(axis=1), luck.mean(axis=1))._asdict()
                told["control"] = _bootstrapped(control_ratio, scores, luck)
                told["both"] = _bootstrapped(both_ratio, scores, luck)
            rows.append({"bots": bot_list(names), "players": setup.players, "opening": setup.opening, **told})
    return {"kind": "savings", "game": game, "rules": rules, "seed": seed, "deals": deals, "rows": rows}
