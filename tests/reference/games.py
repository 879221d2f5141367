"""Games of Flaming Pyramids for tests: who deals, and ways of choosing that lead to unlike pyramids."""

import random
from collections.abc import Callable, Iterator
from itertools import product

from . import flaming
from .flaming import Position

Choose = Callable[[Position, list[str], random.Random], str]

RULES = [
    {"players": players, "preset": preset, "curse": curse, "special_fire": special_fire}
    for players, preset, curse, special_fire in product(range(2, 7), ("bga", "german"), (False, True), (False, True))
]


def name(rules: dict) -> str:
    """A short name of some rules, for test ids."""
    extras = [option for option in ("curse", "special_fire") if rules[option]]
    return "-".join([str(rules["players"]), rules["preset"], *extras])


def anything(position: Position, moves: list[str], rng: random.Random) -> str:
    return rng.choice(moves)


def outward(position: Position, moves: list[str], rng: random.Random) -> str:
    """Falling tiles roll away from the middle, so that the pyramid spreads."""
    if position["phase"] != "fall":
        return rng.choice(moves)
    # In the drawn pyramid a row is half a column further right than the one below it.
    cells = flaming.cells_of(position["board"])
    middle = sum(c + r / 2 for r, c in cells) / len(cells)
    r, c = position["at"]
    return "R" if c + r / 2 >= middle else "L"


def rightward(position: Position, moves: list[str], rng: random.Random) -> str:
    """Everything goes to the right, so that the pyramid wanders."""
    if position["phase"] == "fall":
        return "R"
    column = {move: int(move.split(",")[1]) for move in moves} if position["phase"] == "place" else {}
    return rng.choice([move for move in moves if column.get(move) == max(column.values(), default=None)])


def sensible(position: Position, moves: list[str], rng: random.Random) -> str:
    """Tiles that fit, the heaviest first and as low as may be, so that the pyramid grows tall."""
    if position["phase"] != "place" or rng.random() < 0.02:
        return rng.choice(moves)
    cells = flaming.cells_of(position["board"])

    def worth(move: str) -> tuple[bool, int]:
        tile, spot = move.split("@")
        r, c = map(int, spot.split(","))
        fits = flaming.fits(cells | {(r, c): tile}, (r, c))
        return fits and tile not in flaming.FUEL, flaming.weight(tile)

    return max(moves, key=worth)


CHOICES: dict[str, Choose] = {choose.__name__: choose for choose in (anything, outward, rightward, sensible)}


def game(
    rules: dict, choose: Choose, seed: object, plies: int, **fields: object
) -> Iterator[tuple[Position, str | None]]:
    """The positions of a game, each with the move played in it; the last one has none. Fields change its start."""
    rng = random.Random(repr((seed, rules)))
    position = flaming.deal(**rules, rng=rng) | fields
    for _ in range(plies):
        moves = flaming.legal(position)
        if not moves:
            break
        move = choose(position, moves, rng)
        yield position, move
        position = flaming.play(position, move)
    yield position, None
