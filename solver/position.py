"""Positions and observations as Python objects: what tests, tools and users handle."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import entry
from . import game as kernels
from .errors import InputError
from .fields import obj
from .game import CHANCE, NO_ONE, load


class View:
    """What positions and observations have in common: a game, and a record of it that never changes."""

    def __init__(self, game: Any, states: np.ndarray) -> None:
        self.game = game
        # elements of a recarray are records, and so they stay; but as an array of its own class it is slow
        self._states = states.view(np.recarray).view(np.ndarray)
        self._to_act: int | None = None
        self._legal: dict[str, int] | None = None

    @property
    def state(self) -> Any:
        """The record, for kernels; do not change it."""
        return self._states[0]

    def states(self) -> np.ndarray:
        """A copy of the record, as an array of one, for kernels to change."""
        # numpy would copy a record field by field
        return np.frombuffer(bytearray(self._states.tobytes()), dtype=self._states.dtype)

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(entry.players(self._states))

    @property
    def to_act(self) -> int:
        """Seat to decide, ``CHANCE`` (-1) or ``NO_ONE`` (-2) when the game is over."""
        if self._to_act is None:
            self._to_act = int(entry.to_act(self._states))
        return self._to_act

    def legal(self) -> dict[str, int]:
        """Every legal move by its text; at a chance node every outcome."""
        if self._legal is None:
            moves = np.empty(self.game.MAX_MOVES, dtype=np.int32)
            codes = moves[: entry.legal(self._states, moves)].tolist()
            self._legal = dict(zip(self.game.move_texts(self.state, codes), codes, strict=True))
        return self._legal

    def to_dict(self) -> dict[str, Any]:
        """The view as the formats write it."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, View) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return json.dumps(self.to_dict())


class Position(View):
    """A full position of any game: the whole truth, hidden things included. Immutable; moves make new ones."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.to_act == NO_ONE

    def moves(self) -> list[str]:
        """Every legal move; at a chance node every outcome."""
        return list(self.legal())

    def play(self, move: str) -> "Position":
        """The position after ``move``.

        Raises:
            InputError: the move is not legal; the error lists what is.
        """
        states = self.states()
        known = self._legal.get(move) if self._legal and type(move) is str and self.to_act != CHANCE else None
        entry.play(states, self.game.read_move(states[0], move) if known is None else known)
        after = Position(self.game, states)
        if after.is_over and not self.game.is_sound(states[0]):
            raise InputError("move", f"expected a pyramid of at most {self.game.BOUND}; {move} would outgrow it")
        return after

    def roll(self, rng: np.ndarray) -> str:
        """An outcome of the chance node, drawn by its probability."""
        if self.to_act != CHANCE:
            raise InputError("to_act", "expected a position where chance decides")
        return self.game.move_text(self.state, int(kernels.random_move(self.state, rng)))

    def payoff(self) -> tuple[float, ...]:
        """Every seat's share of the win; the game must be over."""
        if not self.is_over:
            raise InputError("phase", "expected a game that is over")
        out = np.empty(self.players)
        kernels.payoff(self.state, out)
        return tuple(out.tolist())

    def observe(self, seat: int) -> "Observation":
        """What ``seat`` may see of this position."""
        if not 0 <= seat < self.players:
            raise InputError("seat", f"expected a seat from 0 to {self.players - 1}, got {seat!r}")
        states = self.states()
        entry.conceal(states, seat)
        return Observation(self.game, states, seat)

    def to_dict(self) -> dict[str, Any]:
        """The position as the formats write it."""
        return self.game.write(self.state, None)


class Observation(View):
    """What one seat may see: the whole input of whatever advises or plays for it."""

    def __init__(self, game: Any, states: np.ndarray, seat: int) -> None:
        super().__init__(game, states)
        self.seat = seat

    def moves(self) -> list[str]:
        """The seat's legal moves; empty unless it is to act."""
        return list(self.legal()) if self.to_act == self.seat else []

    def world(self, rng: np.ndarray) -> Position:
        """A uniform random position among those that the seat holds possible."""
        states = self.states()
        kernels.redeal(states[0], rng)
        return Position(self.game, states)

    def to_dict(self) -> dict[str, Any]:
        """The observation as the formats write it."""
        return self.game.write(self.state, self.seat)


def read(data: Any) -> Position | Observation:
    """The position, or with a ``"seat"`` the observation, that a JSON object describes.

    Raises:
        InputError: the first field that is wrong, and what was expected.
    """
    name = obj(data, "position").get("game")
    if not isinstance(name, str):
        raise InputError("game", "expected the name of a game")
    game = load(name)
    states, seat = game.parse(data)
    return Position(game, states) if seat is None else Observation(game, states, seat)


def replay(start: Position, moves: Sequence[Any]) -> list[Position]:
    """The positions after each of ``moves``.

    Raises:
        InputError: names the index of the first illegal move and lists what was legal.
    """
    positions = []
    for i, move in enumerate(moves):
        try:
            start = start.play(move)
        except InputError as error:
            raise InputError(f"moves[{i}]", error.expected) from None
        positions.append(start)
    return positions


def open_position(view: Position | Observation) -> Position:
    """The position that a view is of, in games where all see everything."""
    return view if isinstance(view, Position) else Position(view.game, view.states())


def one_world(elsewhere: int, hands: Sequence[int]) -> bool:
    """Whether unseen things can lie in one way only, with so many somewhere else and in each of the other hands."""
    return elsewhere + sum(hands) <= 1 or (elsewhere == 0 and sum(map(bool, hands)) == 1)
