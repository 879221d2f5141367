"""Games of meeple stacking for tests: unlike builders, clocks and tables, and ways of choosing that lead far."""

import random
from collections.abc import Callable, Iterator
from typing import Any

from . import meeples
from .meeples import BUILDER, Builder, Position

Choose = Callable[[Position, list[str], random.Random], str]

SURE: Builder = BUILDER | {"slip": {"quick": 0.0, "careful": 0.0, "power": 1.5}}
SLIPPERY: Builder = BUILDER | {"slip": {"quick": 0.5, "careful": 0.2, "power": 1.0}, "hit": 0.5}
HASTY: Builder = {
    "place_seconds": {"quick": 0.25, "careful": 0.75},
    "row_seconds": 0.0,
    "clear_seconds": 0.0,
    "slip": {"quick": 0.05, "careful": 0.0, "power": 0.5},
    "fall": {"same": 0.0, "one": 0.0, "two": 0.25, "floor": 0.75},
    "hit": 1.0,
}
HEAVY: Builder = {
    "place_seconds": {"quick": 1.0, "careful": 1.0},
    "row_seconds": 1.25,
    "clear_seconds": 10.0,
    "slip": {"quick": 0.1, "careful": 0.04, "power": 2.0},
    "fall": {"same": 0.25, "one": 0.25, "two": 0.5, "floor": 0.0},
    "hit": 0.0,
}
BUILDERS: dict[str, Builder] = {
    "default": BUILDER,
    "sure": SURE,
    "slippery": SLIPPERY,
    "hasty": HASTY,
    "heavy": HEAVY,
}


def _rules(name: str, **rules: Any) -> dict[str, Any]:
    return meeples.rules_of(builder=BUILDERS[name], **rules)


RULES = [
    _rules("default"),
    _rules("default", support="column", seconds=60, turns=3),
    _rules("slippery", seconds=45, turns=20),
    _rules("hasty", seconds=60),
    _rules("hasty", support="column", seconds=60),
    _rules("heavy", seconds=5, turns=2),
    _rules("default", seconds=2),
    _rules("default", players=2, seconds=30, turns=3),
    _rules("default", players=2, seconds=20, turns=2, shared_mat=True),
    _rules("slippery", players=2, seconds=40, turns=5, shared_mat=True),
    _rules("sure", seconds=300),
    _rules("sure", players=2, seconds=600, support="column"),
    _rules("default", players=3, seconds=20, turns=2),
    _rules("slippery", players=3, seconds=25, turns=6, shared_mat=True),
    _rules("hasty", players=3, seconds=10, turns=3, support="column", shared_mat=True),
    _rules("heavy", players=3, seconds=30, turns=3, shared_mat=True),
    _rules("default", players=6, seconds=10, turns=2, shared_mat=True),
    _rules("slippery", players=6, seconds=30, turns=9, shared_mat=True, support="column"),
    _rules("sure", players=6, seconds=15, turns=2, shared_mat=True),
    _rules("default", mode="higher"),
    _rules("sure", mode="higher", seconds=600),
    _rules("hasty", mode="higher", seconds=45, support="column"),
    _rules("default", mode="higher", players=2),
    _rules("sure", mode="higher", players=2, seconds=300),
    _rules("slippery", mode="higher", players=3, seconds=60),
    _rules("heavy", mode="higher", players=3, seconds=40, support="column"),
    _rules("hasty", mode="higher", players=6, seconds=30),
    _rules("default", mode="higher", players=6, seconds=25, support="column"),
]


def name(rules: dict[str, Any]) -> str:
    """A short name of some rules, for test ids."""
    builder = next(name for name, builder in BUILDERS.items() if builder == rules["builder"])
    words = [rules["players"], rules["mode"], rules["support"], builder, f"{rules['turns']}x{rules['seconds']}s"]
    return "-".join(map(str, [*words, *(["shared"] if rules["shared_mat"] else [])]))


def anything(position: Position, moves: list[str], rng: random.Random) -> str:
    """Mostly stops soon."""
    return rng.choice(moves)


def lowest(position: Position, moves: list[str], rng: random.Random) -> str:
    """Row after row, as wide as may be, the quick way, which is first."""
    return moves[0]


def highest(position: Position, moves: list[str], rng: random.Random) -> str:
    """Always on top if it can be, at either pace."""
    return rng.choice(moves[max(0, len(moves) - 3) : -1])


def restless(position: Position, moves: list[str], rng: random.Random) -> str:
    """Anywhere, and hardly ever stops."""
    return moves[-1] if rng.random() < 0.01 else rng.choice(moves[:-1])


CHOICES: dict[str, Choose] = {choose.__name__: choose for choose in (anything, lowest, highest, restless)}


def chance(position: Position, outcomes: list[str], rng: random.Random) -> str:
    """As likely as the rules say, but now and then any that is possible at all."""
    if rng.random() < 0.02:
        return rng.choice(outcomes)
    return rng.choices(outcomes, list(meeples.chances(position).values()))[0]


def games(rules: dict[str, Any], seed: object) -> Iterator[tuple[Position, str | None]]:
    """The positions of a game, each with the move or outcome played in it; the last one, when it is over, has none."""
    rng = random.Random(repr((seed, rules)))
    seats = [rng.choice([*CHOICES.values()]) for _ in range(rules["players"])]
    position = meeples.deal(**rules)
    while moves := meeples.legal(position):
        choose = chance if position["phase"] == "hands" else seats[position["turn"]]
        move = choose(position, moves, rng)
        yield position, move
        position = meeples.play(position, move)
    yield position, None
