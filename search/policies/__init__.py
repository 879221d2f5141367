"""Policies: quick rules for choosing a move, one module a game."""

from importlib import import_module
from typing import Any

from ...solver.game import load


def policies(game: str) -> Any:
    """The policies of a game: ``NAMES`` and ``PROSE``, ``DEFAULTS``, search options such as the one that plays out, and
    ``FULL_EFFORT``, states that a policy may look at where it plays for itself.

    Raises:
        InputError: no such game.
    """
    load(game)
    return import_module(f".{game}", __package__)
