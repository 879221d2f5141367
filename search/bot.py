"""Bots: what plays a seat, and how a bot is named in text."""

from typing import Any, Protocol

import numpy as np

from ..solver.errors import InputError
from ..solver.position import Observation, Position

View = Observation | Position


class Bot(Protocol):
    """What plays a seat.

    Attributes:
        name: how it was named, for tables.
        open: whether it must be shown the full position; honest bots get an observation.
    """

    name: str
    open: bool

    def choose(self, view: View, rng: np.ndarray) -> str:
        """A legal move for the seat to act; all randomness comes from ``rng`` (``uint64[1]``)."""


def make(spec: str, game: str) -> Bot:
    """The bot that a text names: ``NAME``, ``NAME@ITERATIONS`` or with options ``NAME@ITERATIONS:key=value,…``.

    Raises:
        InputError: no such bot or option, or a value out of range.
    """
    raise InputError("bot", f"not yet: {spec} for {game}")


def play_out(start: Position, bots: list[Bot], streams: list[np.ndarray], chance: np.ndarray) -> Any:
    """stub"""
