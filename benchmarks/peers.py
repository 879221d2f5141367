"""What OpenSpiel does on like work: random playouts and information-set search of card games, in its own C++."""

import random
from typing import Any

from ..solver.errors import InputError
from .speed import Row, rate

GAMES = {"hearts": (1000, 1000), "gin_rummy": (25, 100)}
"""For each game, how many playouts (times ``SIMULATIONS``) and search simulations a deal takes."""
DEALS, SIMULATIONS = 4, 4
EXPLORATION = 1.4
TREE_MB = 100


def _chance(state: Any, rng: random.Random) -> None:
    actions, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(actions, weights)[0])


def _dealt(game: Any, rng: random.Random) -> Any:
    """The first decision of a game that is one: with a single legal move a search would not start."""
    state = game.new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) == 1:
        if state.is_chance_node():
            _chance(state, rng)
        else:
            state.apply_action(state.legal_actions()[0])
    return state


def _decisions(start: Any, rng: random.Random, games: int) -> float:
    """Mean decisions of a random game from ``start`` on."""
    total = 0
    for _ in range(games):
        state = start.clone()
        while not state.is_terminal():
            if state.is_chance_node():
                _chance(state, rng)
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                total += 1
    return total / games


def require() -> Any:
    """OpenSpiel's module; ``InputError`` when it is not installed."""
    try:
        import pyspiel
    except ImportError:
        raise InputError(
            "peers", "expected OpenSpiel to be installed: pip install 'smallest-mess[openspiel]'"
        ) from None
    return pyspiel


def openspiel(repeats: int, quick: bool = False) -> list[Row]:
    """Playouts and simulations a second, and the same in decisions.

    Playouts are timed inside a tree search of a few simulations with many rollouts each, since that is how Python
    can ask for rollouts that run in C++ from end to end.

    Raises:
        InputError: OpenSpiel is not installed.
    """
    pyspiel = require()
    rows = []
    for name, (playouts, simulations) in GAMES.items():
        if quick:
            playouts, simulations = playouts // 5, simulations // 5
        game, rng = pyspiel.load_game(name), random.Random(0)
        starts = [_dealt(game, rng) for _ in range(DEALS)]
        length = sum(_decisions(start, rng, 20) for start in starts) / DEALS

        def playout(game: Any = game, starts: list[Any] = starts, playouts: int = playouts) -> float:
            for start in starts:
                evaluator = pyspiel.RandomRolloutEvaluator(playouts, 1)
                bot = pyspiel.MCTSBot(game, evaluator, EXPLORATION, SIMULATIONS, TREE_MB, False, 1, False)
                bot.step(start)
            return SIMULATIONS * playouts * DEALS

        def search(starts: list[Any] = starts, simulations: int = simulations) -> float:
            most = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            for start in starts:
                evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
                pyspiel.ISMCTSBot(1, evaluator, EXPLORATION, simulations, -1, most, False, True).step(start)
            return simulations * DEALS

        for what, per_decision, work in (
            ("playouts/s", "decisions/s in playouts", playout),
            ("search iterations/s", "decisions/s in search", search),
        ):
            measured = rate(f"OpenSpiel {name}, {what}", what.rpartition(" ")[2], work, repeats)
            low, middle, high = (length * value for value in (measured.low, measured.value, measured.high))
            name_of = f"OpenSpiel {name}, {per_decision}"
            rows += [measured, Row(name_of, middle, "decisions/s", low, high, measured.repeats)]
    return rows
