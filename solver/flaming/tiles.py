"""The 45 tiles: codes, materials, and which tile fits on which.

A tile is an index 0..44 in canonical order: R, B, G, Y with ten weights each, then ``G1 Y1 R7 B7 M``. A set of
tiles is one ``uint64``.
"""

import numpy as np

TILES = 45
EMPTY = 45

COLOURS = "RBGY"
WEIGHTS = (2, 4, 6, 10, 20, 30, 40, 60, 100, 120)
CODES: tuple[str, ...] = (
    *(f"{colour}{weight}" for colour in COLOURS for weight in WEIGHTS),
    *("G1", "Y1", "R7", "B7", "M"),
)
INDEX = {code: tile for tile, code in enumerate(CODES)}

MILLSTONE = INDEX["M"]
FIRST_FIRE = INDEX["G1"]

STRAW, WOOD, STONE, FIRE = 0, 1, 2, 3
MATERIAL_NAMES = ("straw", "wood", "stone", "fire")

ALL = np.uint64((1 << TILES) - 1)
COALS = np.uint64(1 << INDEX["G1"] | 1 << INDEX["Y1"])
TORCHES = np.uint64(1 << INDEX["R7"] | 1 << INDEX["B7"])
FIRES = COALS | TORCHES


def weight(tile: int) -> int:
    """Weight of ``tile``; the millstone weighs 200."""
    return 200 if tile == MILLSTONE else int(CODES[tile][1:])


def material(tile: int) -> int:
    """``STRAW``, ``WOOD``, ``STONE`` (the millstone too) or ``FIRE`` (coal or torch)."""
    if FIRST_FIRE <= tile < MILLSTONE:
        return FIRE
    return STRAW if weight(tile) < 10 else WOOD if weight(tile) < 60 else STONE


def related(tile: int, other: int) -> bool:
    """Whether two tiles share a colour or weight; the millstone has all colours."""
    return MILLSTONE in (tile, other) or CODES[tile][0] == CODES[other][0] or weight(tile) == weight(other)


def _fit_table() -> np.ndarray:
    """A tile fits if it is related to a support and not heavier than all of them. As sets: this runs at every start."""
    tiles = range(TILES)
    kin = [sum(1 << tile for tile in tiles if related(tile, support)) for support in tiles] + [0]
    weights = [weight(tile) for tile in tiles] + [0]
    up_to = [sum(1 << tile for tile in tiles if weights[tile] <= limit) for limit in range(2 * max(weights) + 1)]
    sides = range(TILES + 1)
    table = [[(kin[left] | kin[right]) & up_to[weights[left] + weights[right]] for right in sides] for left in sides]
    return np.array(table, dtype=np.uint64)


WEIGHT = np.array([weight(tile) for tile in range(TILES)] + [0], dtype=np.uint8)
MATERIAL = np.array([material(tile) for tile in range(TILES)], dtype=np.uint8)

FITTING = _fit_table()
"""``FITTING[left, right]``: the set of tiles that fit on these two supports; ``EMPTY`` stands for a missing one."""


def tile_set(tiles: list[int]) -> np.uint64:
    """The set of the given tiles."""
    return np.uint64(sum(1 << tile for tile in tiles))
