"""Flaming Pyramids: hidden hands and piles, collapses, fires and explosions."""

from typing import Any

import numpy as np

from .. import game
from ..jit import kernel
from . import rules as _rules
from . import worlds as _worlds
from .endgame import SOLVE_NODES, known_to_all, proofs, solve, whole_truth
from .notation import BOUND, OPTIONS, blank, is_sound, move_text, move_texts, read_move, write
from .reading import parse, unknown_fields
from .state import DTYPE, MAX_MOVES

NAME = "flaming"
SOLVED_BY = "table"


@kernel
def _players(s):
    return np.int64(s.players)


def deal_state(rng: np.ndarray, rules: dict[str, Any]) -> np.ndarray:
    """A fresh game under checked rules, as an array of one record."""
    states = blank(rules)
    _worlds.deal(states[0], rng)
    return states


def outcomes(view: Any) -> None:
    """What comes of every move where the whole game is solved: this one is not."""


def point_scale(state: Any) -> None:
    """Nobody plays alone for points."""


game.register(
    DTYPE,
    to_act=_rules.to_act,
    legal=_rules.legal,
    random_move=_rules.random_move,
    chances=game.unlisted,
    play=_rules.play,
    payoff=_rules.payoff,
    players=_players,
    conceal=_worlds.conceal,
    redeal=_worlds.redeal,
    aim=game.only_the_win,
)

__all__ = [
    "BOUND",
    "DTYPE",
    "MAX_MOVES",
    "NAME",
    "OPTIONS",
    "SOLVED_BY",
    "SOLVE_NODES",
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
    "solve",
    "unknown_fields",
    "whole_truth",
    "write",
]
