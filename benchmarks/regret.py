"""What bots lose against the exact optimum, in points, building alone: here a search is measured where there is chance.

The regret of a decision is what the best action is worth more than the one chosen. Over a game the regrets add up, in
expectation, to what the bot stays behind the optimum; and since the luck of the hands is not in them, they tell that
far more closely than the points do.
"""

from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ..search.bot import make
from ..search.bots.kinds import SearchBot
from ..solver import meeples
from ..solver.errors import InputError
from ..solver.game import CHANCE, deal
from ..solver.meeples.best import solve
from ..solver.meeples.builder import TICKS, Builder, read_builder
from ..solver.meeples.dynamic import Solution
from ..solver.meeples.state import SUPPORTS
from ..solver.rng import stream
from .crew import default_workers
from .match import Bar
from .stats import t_interval
from .workers import ordered

EQUAL = 1e-9
"""Regrets below this are none."""


@lru_cache(maxsize=1)
def _solution(builder: Builder, ticks: int, support: int) -> Solution:
    return solve(builder, ticks, support, keep=True).solve()


def _truth(rules: dict[str, Any]) -> Solution:
    return _solution(read_builder(rules["builder"]), TICKS * rules["seconds"], SUPPORTS.index(rules["support"]))


def _game(rules: dict[str, Any], spec: str, seed: int, number: int) -> tuple[float, list[float]]:
    """One game: the points, and the regret of every decision."""
    bot, solution = make(spec, meeples.NAME), _truth(rules)
    position = deal(meeples.NAME, seed, **rules)
    own, hands = stream(seed, "bot", number), stream(seed, "chance", number)
    regrets = []
    while not position.is_over:
        if position.to_act == CHANCE:
            position = position.play(position.roll(hands))
            continue
        view = position.observe(0)
        state = view.state
        rows, left = tuple(state.rows[0, : state.height[0]].tolist()), int(state.ticks[0])
        move = bot.choose(view, own)
        value = solution.action_value(rows, meeples.read_move(state, move), left)
        regrets.append(max(0.0, solution.value(rows, left) - value))
        position = position.play(move)
    return float(position.state.scores[0]), regrets


def _told(rules: dict[str, Any], spec: str, seed: int) -> float | None:
    """The points that a search expects at the start."""
    from ..search.search import advise

    bot = make(spec, meeples.NAME)
    if not isinstance(bot, SearchBot) or bot.iterations is None:
        return None
    start = deal(meeples.NAME, seed, **rules).observe(0)
    return advise(start, iterations=bot.iterations, seed=seed, method="mcts").moves[0].points


def regret(
    rules: dict[str, Any], bots: Sequence[str], games: int, seed: int, workers: int | None, progress: bool
) -> dict[str, Any]:
    """What bots lose, a game and a decision.

    Args:
        rules: checked rules of one player, one turn of points.
        bots: as text.
        games: that each bot plays, with the same luck of the hands as far as it does the same.
        seed: of the hands, and of the bots.
        workers: processes, by default one a core.
        progress: show a bar on a terminal.

    Raises:
        InputError: rules of more than one turn or player.
    """
    if rules["players"] > 1 or rules["turns"] > 1 or rules["mode"] != "points":
        raise InputError("plan", "expected one player and one turn of points")
    optimum = _truth(rules).value((), TICKS * rules["seconds"])
    rows = []
    with Bar(total=games * len(bots), unit="game", disable=None if progress else True) as bar:
        for spec in bots:
            played: list[tuple[float, list[float]]] = []
            play = partial(_game, rules, spec, seed)
            with closing(ordered(play, range(games), workers or default_workers())) as answers:
                for answer in answers:
                    played.append(answer)
                    bar.update()
            totals = np.array([sum(regrets) for _, regrets in played])
            single = np.array([one for _, regrets in played for one in regrets])
            mean, low, high = t_interval(totals)
            rows.append(
                {
                    "bot": spec,
                    "points": float(np.mean([points for points, _ in played])),
                    "regret": mean,
                    "low": low,
                    "high": high,
                    "decision": float(single.mean()),
                    "worst": float(single.max()),
                    "best": float((single < EQUAL).mean()),
                    "told": _told(rules, spec, seed),
                }
            )
    return {"kind": "regret", "game": meeples.NAME, "rules": rules, "games": games, "seed": seed} | {
        "optimum": optimum,
        "rows": rows,
    }
