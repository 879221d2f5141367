"""How fast meeple stacking is: builds by a policy, planning for one who builds alone, and the exact solution."""

from collections.abc import Callable
from functools import partial

from ..search.policies import meeples as policies
from ..search.search import advise
from ..solver.game import deal
from ..solver.rng import stream
from .playouts import policy_games

GAMES, TRIALS = 5_000, 3_000
SEARCHED, SEARCHES = 2, 5
SOLVING = ("solve", "meeples", "points", "--seconds", "120", "--workers", "2", "--json")
"""The command whose time and memory are measured."""


def works() -> list[tuple[str, str, Callable[[], float]]]:
    """What is to be timed: name, unit, and a function that does it and says how much it was."""
    found: list[tuple[str, str, Callable[[], float]]] = []
    start = deal("meeples", 0)
    for name in ("one-step", policies.NAMES[policies.STEADY_ROWS]):
        number = policies.NAMES.index(name)
        play = partial(policy_games, start.states(), start.states(), number, stream(0, "speed", name), GAMES)
        found.append((f"builds by {name}, Meeples, 120 s", "placements/s", play))
    several = deal("meeples", 0, players=SEARCHED)

    def planned() -> float:
        return advise(start, iterations=TRIALS, method="mcts").iterations

    def searched() -> float:
        return sum(advise(several, iterations=TRIALS, seed=seed).iterations for seed in range(SEARCHES))

    found.append(("planning, Meeples, alone, 120 s", "trials/s", planned))
    found.append((f"mcts, Meeples, {SEARCHED} players", "iterations/s", searched))
    return found
