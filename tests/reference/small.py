"""Positions of little: a few tiles where they are wanted, all others known at the bottom of a pile."""

from itertools import chain

from . import flaming
from .flaming import Position


def table(board: list[list[str]], hands: list[list[str]], rules: dict | None = None, **fields: object) -> Position:
    """A whole position, seat 0 to place: the tiles not mentioned lie, all known, at the bottom of the last pile."""
    hands = [sorted(hand, key=flaming.canonical) for hand in hands]
    start = flaming.deal(len(hands)) | {"board": board, "hands": hands, "unknown": [0] * len(hands)}
    position = start | {"piles": [[] for _ in hands], "known": hands, "out": []} | fields
    position["rules"] = position["rules"] | (rules or {})
    seen = set(chain(*board, *hands, *position["piles"], position["out"]))
    *others, last = position["piles"]
    return position | {"piles": [*others, [*last, *(tile for tile in flaming.TILES if tile not in seen)]]}
