"""Meeple stacking: walls of meeples against the clock, with hands that may slip."""

from typing import Any

import numpy as np

from .. import game
from ..jit import kernel
from ..position import Observation, Position
from . import rules as _rules
from .notation import OPTIONS, blank, move_text, parse, read_move, unknown_fields, write
from .state import DTYPE, MAX_MOVES

NAME = "meeples"


@kernel
def _players(s):
    return np.int64(s.players)


@kernel
def _conceal(s, seat):
    """Nothing is hidden."""


@kernel
def _redeal(s, rng):
    """Nothing is hidden."""


def deal_state(rng: np.ndarray, rules: dict[str, Any]) -> np.ndarray:
    """The start under checked rules, as an array of one record; with too little time to build it is the end."""
    states = blank(rules)
    _rules.settle(states[0])
    return states


def is_sound(state: Any) -> bool:
    """Whether the record can go on: always."""
    return True


def known_to_all(view: Any) -> bool:
    """Whether nothing is hidden: always."""
    return True


def whole_truth(view: Position | Observation) -> Position:
    """The position that a view is of."""
    return view if isinstance(view, Position) else Position(view.game, view.states())


def proofs(view: Any, nodes: int) -> np.ndarray:
    """What is proven of each legal move, ``int8[moves]``: where hands may slip, nothing."""
    return np.zeros(len(view.moves()), dtype=np.int8)


def outcomes(view: Any) -> None:
    """What comes of every move where the whole game is solved: with chance there is no such thing."""


game.register(
    DTYPE,
    to_act=_rules.to_act,
    legal=_rules.legal,
    random_move=_rules.random_move,
    chances=_rules.chances,
    play=_rules.play,
    payoff=_rules.payoff,
    players=_players,
    conceal=_conceal,
    redeal=_redeal,
    aim=game.only_the_win,
)

__all__ = [
    "DTYPE",
    "MAX_MOVES",
    "NAME",
    "OPTIONS",
    "deal_state",
    "is_sound",
    "known_to_all",
    "move_text",
    "outcomes",
    "parse",
    "proofs",
    "read_move",
    "unknown_fields",
    "whole_truth",
    "write",
]
