"""Pylos: two sides build a pyramid of balls, and the one that tops it wins."""

from typing import Any

import numpy as np

from .. import game
from ..jit import kernel
from ..position import open_position as whole_truth
from . import rules as _rules
from .board import APEX_CELL
from .notation import OPTIONS, blank, move_text, move_texts, parse, read_move, unknown_fields, write
from .perfect import outcomes
from .perft import perft
from .state import DTYPE, FIELD_MASK, MAX_MOVES
from .table import book_file, file_of

NAME = "pylos"
SOLVED_BY = "table"


@kernel
def _players(s):
    return 2


def deal_state(rng: np.ndarray, rules: dict[str, Any]) -> np.ndarray:
    """The start under checked rules, as an array of one record."""
    return blank(rules)


def is_sound(state: Any) -> bool:
    """Whether the record can go on: always."""
    return True


def known_to_all(view: Any) -> bool:
    """Whether nothing is hidden: always."""
    return True


def is_solved(rules: dict[str, Any], whole: bool) -> bool:
    """Whether checked rules have been solved here; unless ``whole`` an opening book will do."""
    return file_of(rules).exists() or (not whole and book_file(rules).exists())


def proofs(view: Any, nodes: int) -> np.ndarray:
    """What is proven of each legal move, ``int8[moves]``: +1 where it puts the ball on top, else 0."""
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    count = _rules.legal(view.state, moves)
    return (moves[:count] & FIELD_MASK == APEX_CELL).astype(np.int8)


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
    conceal=game.nothing_to_conceal,
    redeal=game.nothing_to_redeal,
    aim=game.only_the_win,
)

__all__ = [
    "DTYPE",
    "MAX_MOVES",
    "NAME",
    "OPTIONS",
    "SOLVED_BY",
    "deal_state",
    "is_solved",
    "is_sound",
    "known_to_all",
    "move_text",
    "move_texts",
    "outcomes",
    "parse",
    "perft",
    "point_scale",
    "proofs",
    "read_move",
    "unknown_fields",
    "whole_truth",
    "write",
]
