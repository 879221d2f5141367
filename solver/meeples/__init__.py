"""Meeple stacking: walls of meeples against the clock, with hands that may slip."""

from typing import Any

import numpy as np

from .. import game
from ..jit import kernel
from ..position import open_position as whole_truth
from . import rules as _rules
from .best import best_move, outcomes
from .notation import OPTIONS, blank, move_text, move_texts, parse, read_move, unknown_fields, write
from .state import DTYPE, HIGHER, MAX_MOVES

NAME = "meeples"
SOLVED_BY = "exact"
SCALE = 1.5
"""Points of a payoff of 1 in a search, beside those so far: measured to suit the default exploration."""


@kernel
def _players(s):
    return np.int64(s.players)


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


def proofs(view: Any, nodes: int) -> np.ndarray:
    """What is proven of each legal move, ``int8[moves]``: where hands may slip, nothing."""
    return np.zeros(len(view.moves()), dtype=np.int8)


@kernel
def _aim(s, points):
    """Alone: measure points in steps worth a search; else there is nothing but the win."""
    if s.players == 1:
        s.floor = np.float64(s.scores[0])
        s.scale = 1.0 if s.mode == HIGHER else SCALE


def point_scale(state: Any) -> tuple[float, float] | None:
    """Where a seat plays alone: the points of a payoff of 0 in a search from here, and how many more of 1."""
    if state.players > 1:
        return None
    states = np.array([state], dtype=DTYPE).view(np.recarray)
    _aim(states[0], False)
    return float(states[0].floor), float(states[0].scale)


game.register(
    DTYPE,
    to_act=_rules.to_act,
    legal=_rules.legal,
    random_move=_rules.random_move,
    chances=_rules.chances,
    play=_rules.play,
    payoff=_rules.payoff,
    players=_players,
    conceal=game.nothing_to_conceal,
    redeal=game.nothing_to_redeal,
    aim=_aim,
)

__all__ = [
    "DTYPE",
    "MAX_MOVES",
    "NAME",
    "OPTIONS",
    "SOLVED_BY",
    "best_move",
    "deal_state",
    "is_sound",
    "known_to_all",
    "move_text",
    "move_texts",
    "outcomes",
    "parse",
    "point_scale",
    "proofs",
    "read_move",
    "unknown_fields",
    "whole_truth",
    "write",
]
