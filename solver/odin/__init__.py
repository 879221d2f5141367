"""Odin: hands are shed in sets, each beating the last, and a card of the beaten set is taken."""

from typing import Any

import numpy as np

from .. import game
from ..jit import kernel
from ..rng import below
from . import rules as _rules
from . import worlds as _worlds
from .cards import COLOURS
from .knowledge import known_to_all, whole_truth
from .notation import OPTIONS, blank, move_text, move_texts, read_move, write
from .openhand import SOLVE_NODES, proofs, solve
from .reading import ALWAYS_OUT, parse, unknown_fields
from .state import DTYPE, HAND_AND_RACE, MAX_MOVES, POINTS

NAME = "odin"
SOLVED_BY = "table"


@kernel
def _players(s):
    return np.int64(s.players)


@kernel
def _aim(s, points):
    """Stop at the end of the hand, for what its points make of the game, or for the points themselves."""
    s.horizon = POINTS if points else HAND_AND_RACE


def deal_state(rng: np.ndarray, rules: dict[str, Any]) -> np.ndarray:
    """A fresh game under checked rules, as an array of one record; with two players two colours are drawn out."""
    states = blank(rules)
    if rules["players"] == 2:
        first = COLOURS.index(ALWAYS_OUT[int(below(rng, len(ALWAYS_OUT)))])
        others = [colour for colour in range(len(COLOURS)) if colour != first]
        states[0].removed[:] = first, others[int(below(rng, len(others)))]
    _worlds.deal(states[0], rng)
    return states


def is_sound(state: Any) -> bool:
    """Whether the record can go on: always."""
    return True


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
    aim=_aim,
)

__all__ = [
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
