"""How fast Odin is: random play, and the search at the first decision of a hand."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..search.search import advise
from ..solver.game import deal
from ..solver.rng import stream
from .playouts import random_games

DEALS, GAMES, SEARCHED, ITERATIONS = 32, 3_000, 4, 2_000
PLAYERS = (2, 4, 6)
SEARCHERS = 4
SEARCHES: dict[str, dict[str, Any]] = {
    "random playouts to the end": {"playout": "random", "cutoff": 0},
    "playouts as by default": {},
}


def works() -> list[tuple[str, str, Callable[[], float]]]:
    """What is to be timed: name, unit, and a function that does it and says how much it was."""
    found: list[tuple[str, str, Callable[[], float]]] = []
    for players in PLAYERS:
        positions = [deal("odin", seed, players=players, limit="one-hand") for seed in range(DEALS)]
        starts = np.concatenate([position.states() for position in positions])
        rng = stream(0, "speed", "odin", players)
        play = partial(random_games, starts, starts[:1].copy(), rng, GAMES)
        found.append((f"random play, Odin, {players} players", "decisions/s", play))
    views = [deal("odin", seed, players=SEARCHERS, limit="one-hand").observe(0) for seed in range(SEARCHED)]

    def searched(options: dict[str, Any]) -> float:
        return sum(advise(view, iterations=ITERATIONS, method="mcts", options=options).iterations for view in views)

    for name, options in SEARCHES.items():
        found.append((f"mcts, Odin, {name}, {SEARCHERS} players", "iterations/s", partial(searched, options)))
    return found
