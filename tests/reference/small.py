"""Positions of little: a few tiles where they are wanted, all others known at the bottom of a pile."""

from itertools import chain

from . import flaming
from .flaming import Position

LATE = 25
"""Turns of every seat after which nobody needs to hold a tile of the deal."""


def table(board: list[list[str]], hands: list[list[str]], rules: dict | None = None, **fields: object) -> Position:
    """A whole position late in a game, seat 0 to place, every tile known.

    The tiles not mentioned fill the last hand, and lie at the bottom of the last pile.
    """
    seats = len(hands)
    start = flaming.deal(seats) | {"board": board, "unknown": [0] * seats, "turns": LATE * seats}
    position = start | {"piles": [[] for _ in hands], "out": []} | fields
    position["rules"] = position["rules"] | (rules or {})
    seen = set(chain(*board, *hands, *position["piles"], position["out"]))
    rest = [tile for tile in flaming.TILES if tile not in seen]
    missing = max(0, flaming.HAND - len(hands[-1]))
    *others, last = position["piles"]
    hands = [sorted(hand, key=flaming.canonical) for hand in (*hands[:-1], [*hands[-1], *rest[:missing]])]
    return {**position, "hands": hands, "piles": [*others, [*last, *rest[missing:]]]} | (
        {} if "known" in fields else {"known": [list(hand) for hand in hands]}
    )
