"""How positions and moves are drawn and told, one module or package a game."""

from importlib import import_module
from typing import Any

from ...solver.game import load


def face(game: str) -> Any:
    """What shows a game to people.

    It offers ``picture`` (a position drawn), ``tell`` and ``why`` (what a move brings about, in clauses and as a
    sentence), ``mess`` (for every legal move the tiles it takes, or None where the game knows no such thing),
    ``shown`` (a move, in colour), ``choices`` (the legal moves numbered), ``HELP`` (how to play)
    and ``CHANCE_NAME`` (a die, a deal).

    Raises:
        InputError: no such game.
    """
    load(game)
    return import_module(f".{game}", __package__)
