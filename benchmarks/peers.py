"""What OpenSpiel does on like work: random playouts and information-set search of card games, in its own C++."""

import random
from typing import Any

from ..solver.errors import InputError
from .speed import Row, rate

GAMES = {"hearts": (2000, 2000), "gin_rummy": (60, 100)}
"""For each game, how many playouts and search simulations a repeat takes."""
SIMULATIONS = 4
EXPLORATION = 1.4
CHILDREN_MB = 100


def _chance(state: Any, rng: random.Random) -> None:
    actions, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(actions, weights)[0])


def _dealt(game: Any, rng: random.Random) -> Any:
    """The first decision of a game."""
    state = game.new_initial_state()
    while state.is_chance_node():
        _chance(state, rng)
    return state


def _decisions(game: Any, rng: random.Random, games: int) -> float:
    """Mean decisions of a random game from the first decision on."""
    total = 0
    for _ in range(games):
        state = _dealt(game, rng)
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
        raise InputError("peers", "expected OpenSpiel to be installed: pip install 'smallest-mess[peers]'") from None
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
            playouts, simulations = playouts // 4, simulations // 4
        game, rng = pyspiel.load_game(name), random.Random(0)
        length = _decisions(game, rng, 50)

        def playout(game: Any = game, rng: random.Random = rng, playouts: int = playouts) -> float:
            evaluator = pyspiel.RandomRolloutEvaluator(playouts, rng.randrange(1 << 30))
            bot = pyspiel.MCTSBot(
                game, evaluator, EXPLORATION, SIMULATIONS, CHILDREN_MB, False, rng.randrange(1 << 30), False
            )
            bot.step(_dealt(game, rng))
            return SIMULATIONS * playouts

        def search(game: Any = game, rng: random.Random = rng, simulations: int = simulations) -> float:
            evaluator = pyspiel.RandomRolloutEvaluator(1, rng.randrange(1 << 30))
            best = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            seed = rng.randrange(1 << 30)
            bot = pyspiel.ISMCTSBot(seed, evaluator, EXPLORATION, simulations, -1, best, False, True)
            bot.step(_dealt(game, rng))
            return simulations

        for what, per_decision, work in (
            ("playouts/s", "decisions/s in playouts", playout),
            ("search iterations/s", "decisions/s in search", search),
        ):
            measured = rate(f"OpenSpiel {name}, {what}", what.rpartition(" ")[2], work, repeats)
            low, middle, high = (length * value for value in (measured.low, measured.value, measured.high))
            name_of = f"OpenSpiel {name}, {per_decision}"
            rows += [measured, Row(name_of, middle, "decisions/s", low, high, measured.repeats)]
    return rows
