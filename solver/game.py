"""The contract between games and everything built on them.

A game is one numpy record type and a handful of kernels with the names below. Code that is written once for all
games (search, matches) calls the names here; when numba compiles such code for a record type, each name becomes that
game's kernel, inlined like any other call. Called from Python, a name looks its kernel up by the record's dtype.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import numba
import numpy as np
from numba.extending import overload

from .errors import InputError
from .fields import check_rules, shown
from .jit import kernel

if TYPE_CHECKING:
    from .position import Position

CHANCE = -1
"""``to_act`` when a die or a deal decides."""
NO_ONE = -2
"""``to_act`` when the game is over."""

OUTCOMES = 16
"""Bound on the outcomes that a game lists."""

NAMES = ("flaming", "odin", "pylos", "meeples")
"""Games there are."""

_KERNELS: dict[tuple[str, Any], Any] = {}


def _declare(name: Callable[..., Any]) -> Callable[..., Any]:
    """Turn a bare signature into a call that finds the kernel of the record it is given."""
    key = name.__name__

    @functools.wraps(name)
    def by_dtype(state, *rest):
        return _KERNELS[key, state.dtype](state, *rest)

    def by_type(state, *rest):
        return _KERNELS[key, state].py_func

    by_type.__signature__ = inspect.signature(name)  # type: ignore[attr-defined]
    overload(by_dtype, jit_options={"error_model": "numpy"})(by_type)
    return by_dtype


def register(dtype: np.dtype, **kernels: Any) -> None:
    """Make ``kernels`` the implementation, for records of ``dtype``, of the names below."""
    record_type = numba.from_dtype(dtype)
    for name, implementation in kernels.items():
        _KERNELS[name, dtype] = implementation
        _KERNELS[name, record_type] = implementation


@_declare
def to_act(s):
    """Seat to decide, ``CHANCE`` or ``NO_ONE``."""


@_declare
def legal(s, moves):
    """Write all legal moves into ``moves`` (``int32[max_moves]``) and return their number; at chance, the outcomes."""


@_declare
def random_move(s, rng):
    """A uniform legal move; at chance, an outcome by its probability."""


@_declare
def chances(s, moves, weights):
    """Write what chance may do into ``moves`` and how probable it is into ``weights`` (``float64[OUTCOMES]``).

    Returns the number of outcomes; 0 where they are too many to be listed, or not to be told apart from others.
    """


@_declare
def play(s, move):
    """Play a move, or an outcome of chance, in place."""


@_declare
def payoff(s, out):
    """Write every seat's share of the win into ``out`` (``float64[seats]``); the game must be over."""


@_declare
def evaluate(s, out):
    """Write a guess of every seat's share of the win into ``out`` (``float64[seats]``), for a game cut short."""


@_declare
def players(s):
    """Number of seats."""


@_declare
def conceal(s, seat):
    """Cut the record down, in place, to what one seat knows: hidden things are counted, no longer there."""


@_declare
def redeal(s, rng):
    """Turn a concealed record into a uniform one of the full states that its observer holds possible."""


@_declare
def aim(s, points):
    """Tell a record that a search starts from what to play for: a share of the win, or ``points`` where there are."""


@_declare
def surprises(s):
    """How many of the moves that a full record shows its seats would hardly have made with what they hold."""


@_declare
def policy_move(s, policy, effort, rng):
    """The move that the policy with this number makes; a seat must be to act.

    ``effort`` bounds how many states it may look at for one move: 1 in playouts, many where it plays for itself.
    """


@_declare
def action_of(s, move):
    """The number that learners know a move, or a listed outcome of chance, by: from 0, the same in every position."""


@_declare
def move_of(s, action):
    """The move, or outcome, with this number; it must be legal."""


@_declare
def describe(s, seat, out):
    """Write what a record that was concealed for ``seat`` shows into ``out`` (``float32[…]``, all in [0, 1])."""


@kernel
def only_the_win(s, points):
    """For ``aim``, in games without points: there is nothing but the win to play for."""


@kernel
def nothing_to_conceal(s, seat):
    """For ``conceal``, where all see everything."""


@kernel
def nothing_to_redeal(s, rng):
    """For ``redeal``, where all see everything."""


@kernel
def unlisted(s, moves, weights):
    """For ``chances``, where there is no chance, or nobody lists what it may do."""
    return 0


@kernel
def nothing_surprises(s):
    """For ``surprises``, where no move is held against a world."""
    return 0


class Game(Protocol):
    """What every game's package offers to Python."""

    NAME: str
    DTYPE: np.dtype
    MAX_MOVES: int
    OPTIONS: dict[str, Any]
    """Rules that a game is dealt with: for each, the values allowed, the default first, or a ``fields.Open``."""

    def deal_state(self, rng: np.ndarray, rules: dict[str, Any]) -> np.ndarray:
        """A fresh game, as an array of one record."""

    def parse(self, data: Any) -> "tuple[np.ndarray, int | None]":
        """Record and observer (None: the whole truth) of a JSON object."""

    def write(self, state: Any, seat: int | None) -> dict[str, Any]:
        """JSON object of a record."""

    def outcomes(self, view: Any) -> Any:
        """What comes of every legal move under best play, in their order; None where that is not known.

        Each tells ``win``, ``points`` (or None), ``told`` in a sentence, and ``liking``, which sorts moves.
        """

    SOLVED_BY: str
    """How ``outcomes`` are known: ``"table"`` or ``"exact"``."""

    def point_scale(self, state: Any) -> tuple[float, float] | None:
        """Where a seat plays alone for points: those of a payoff of 0 in a search from here, and how many more of 1."""

    def move_text(self, state: Any, move: int) -> str:
        """A move as the formats write it."""

    def move_texts(self, state: Any, moves: Sequence[int]) -> list[str]:
        """Moves as the formats write them."""

    def read_move(self, state: Any, text: Any) -> int:
        """The legal move that ``text`` names; ``InputError`` when there is none.

        What no integer can tell, such as a deal, is noted in the record, which ``play`` then looks at.
        """


def load(name: str) -> Any:
    """The package of the game called ``name``; ``InputError`` when there is none."""
    if name not in NAMES:
        raise InputError("game", f"expected one of {', '.join(NAMES)}, got {shown(name)}")
    return import_module(f".{name}", __package__)


def deal(name: str, seed: int, **rules: Any) -> "Position":
    """Deal a game: the same seed and rules give the same deal.

    Raises:
        InputError: an unknown game or rule, or a value out of range.
    """
    from .position import Position
    from .rng import stream

    game = load(name)
    return Position(game, game.deal_state(stream(seed, "deal"), check_rules(game.OPTIONS, rules)))
