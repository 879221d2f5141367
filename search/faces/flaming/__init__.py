"""Flaming Pyramids, drawn and told."""

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ....solver.position import Observation, Position
from ...policies.flaming import expected_mess as mess
from ...screen import DIM
from .events import Event, outlook, tell, why
from .picture import chip, picture

CHANCE_NAME = "die"
"""What decides where no seat does."""

HELP = """\
You want to be the first without a tile. Place one tile a turn on one of the spots marked with row,column.
It fits if it shares colour or weight with a tile under it and is not heavier than they are together; else it
brings them down and falls itself, left or right as you like. What comes down goes under your pile.
Coal (*) burns straw, torches (^) burn straw and wood, all that is connected; two of them touching explode.
The table of moves gives a number for each tile and spot; +2 after it: two tiles taken at once, ~ there
is more to come: a tile falls, or a die is rolled. A move is its number, or R60@1,0; L or R when a tile falls."""


def shown(move: str, plain: bool) -> Text:
    """A move, its tile in colour."""
    tile, at, place = move.partition("@")
    return Text.assemble(chip(tile, plain, room=False), at, place) if at else Text(move)


def _cost(brought: list[Event], seat: int) -> str:
    """How many tiles a move takes at once, and ~ if more may follow; nothing when it takes none."""
    taken = sum(len(event.taken) for event in brought if event.seat == seat)
    return (f" +{taken}" if taken else "") + ("~" if brought[-1].kind in ("collapse", "air", "die") else "")


def choices(view: Observation | Position, seat: int, plain: bool) -> RenderableType:
    """The legal moves, numbered: tiles down, spots across; or left and right."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="" if plain else DIM)
    brought = outlook(view)
    for spot in ["", *dict.fromkeys(move.partition("@")[2] for move in brought)]:
        grid.add_column(spot, justify="left", no_wrap=True)
    tiles: dict[str, list[str]] = {}
    for number, (move, told) in enumerate(brought.items(), 1):
        tiles.setdefault(move.partition("@")[0], []).append(f"{number:>2}{_cost(told, seat)}")
    for tile, cells in tiles.items():
        grid.add_row(shown(tile, plain) if tile in ("L", "R") else chip(tile, plain), *cells)
    return grid


__all__ = ["CHANCE_NAME", "HELP", "choices", "mess", "picture", "shown", "tell", "why"]
