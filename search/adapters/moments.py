"""Positions as learners handle them: actions are numbers, observations vectors, and what comes next a new object."""

from importlib import import_module
from typing import Any

import numpy as np

from ...solver import entry, game
from ...solver.game import CHANCE, NO_ONE, OUTCOMES
from ...solver.jit import kernel
from ...solver.position import Observation, Position
from ...solver.rng import stream

HIDING = ("flaming", "odin")
"""Games with hidden cards, which begin with a deal."""


@kernel
def _number(states, moves, count):
    """Turn moves into their actions, in ascending order."""
    for i in range(count):
        moves[i] = game.action_of(states[0], moves[i])
    moves[:count].sort()


@kernel
def _move_of(states, action):
    """The move of an action."""
    return game.move_of(states[0], action)


@kernel
def _describe(states, seat, out):
    """What a concealed record shows, as a vector."""
    game.describe(states[0], seat, out)


class Space:
    """A game under certain rules, and how learners number its moves and see its positions.

    Attributes:
        name: of the game.
        rules: all its rules, defaults filled in.
        game: its package.
        players: number of seats.
        actions: actions are numbers from 0 to below this; each means the same in every position.
        length: of the vectors.
    """

    def __init__(self, name: str, **rules: Any) -> None:
        """
        Raises:
            InputError: no such game or rule, or a value out of range.
        """
        start = game.deal(name, 0, **rules)
        numbers = import_module(f".{name}", __package__)
        self.name, self.game, self.players = name, start.game, start.players
        self.rules = {rule: value for rule, value in start.to_dict()["rules"].items() if rule in start.game.OPTIONS}
        self.actions: int = numbers.actions(self.rules)
        self.length: int = numbers.LENGTH

    def __reduce__(self) -> Any:
        return _space, (self.name, self.rules)

    def deal(self, seed: int, *purpose: object) -> "Moment":
        """A fresh game; the same seed and purpose give the same."""
        return self.moment(Position(self.game, self.game.deal_state(stream(seed, "deal", *purpose), self.rules)))

    def moment(self, position: Position) -> "Moment":
        """A position of this game as learners handle it."""
        return Moment(self, position.states(), position.to_act)


def _space(name: str, rules: dict[str, Any]) -> Space:
    return Space(name, **rules)


class Moment:
    """A position of any game, the whole truth. It never changes; actions make new ones.

    Attributes:
        space: the game and its rules.
        to_act: seat to decide, ``CHANCE`` or ``NO_ONE``.
    """

    __slots__ = ("_states", "space", "to_act")

    def __init__(self, space: Space, states: np.ndarray, to_act: int) -> None:
        self.space, self._states, self.to_act = space, states, to_act

    def __deepcopy__(self, memo: Any) -> "Moment":
        return self

    def __getstate__(self) -> Any:
        return self.space, self._states.tobytes(), self.to_act

    def __setstate__(self, kept: Any) -> None:
        self.space, record, self.to_act = kept
        self._states = Position(self.space.game, np.frombuffer(record, dtype=self.space.game.DTYPE)).states()

    def _copy(self) -> np.ndarray:
        return np.frombuffer(bytearray(self._states), dtype=self._states.dtype)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.to_act == NO_ONE

    @property
    def position(self) -> Position:
        """The same as a position."""
        return Position(self.space.game, self._states)

    def actions(self) -> list[int]:
        """The actions of the seat to act, in ascending order; at chance what is listed."""
        moves = np.empty(self.space.game.MAX_MOVES, dtype=np.int32)
        count = entry.legal(self._states, moves)
        _number(self._states, moves, count)
        return moves[:count].tolist()

    def outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, and the probability of each; empty where there is too much to be listed."""
        moves, weights = np.empty(OUTCOMES, dtype=np.int32), np.empty(OUTCOMES)
        count = game.chances(self._states[0], moves, weights)
        if count == 0:
            faces = self.actions()
            return [(face, 1.0 / len(faces)) for face in faces]
        chances = dict(zip(moves[:count].tolist(), weights[:count].tolist(), strict=True))
        return sorted((int(game.action_of(self._states[0], move)), chance) for move, chance in chances.items())

    def after(self, action: int) -> "Moment":
        """What comes of a legal action, or of an outcome of chance that was listed."""
        return self._played(_move_of(self._states, action))

    def rolled(self, rng: np.ndarray) -> "Moment":
        """What comes of chance, by its probability."""
        return self._played(game.random_move(self._states[0], rng))

    def _played(self, move: int) -> "Moment":
        states = self._copy()
        entry.play(states, move)
        to_act = int(entry.to_act(states))
        if to_act == NO_ONE and not self.space.game.is_sound(states[0]):
            raise OverflowError(f"the pyramid outgrows {self.space.game.BOUND}")
        return Moment(self.space, states, to_act)

    def settled(self, rng: np.ndarray) -> "Moment":
        """The next moment in which chance has nothing to decide."""
        moment = self
        while moment.to_act == CHANCE:
            moment = moment.rolled(rng)
        return moment

    def text(self, action: int) -> str:
        """A legal action, or a listed outcome of chance, as the formats write it."""
        return self.space.game.move_text(self._states[0], int(_move_of(self._states, action)))

    def vector(self, seat: int) -> np.ndarray:
        """What a seat sees: ``float32[length]``, all in [0, 1]."""
        out, states = np.zeros(self.space.length, dtype=np.float32), self._copy()
        entry.conceal(states, seat)
        _describe(states, seat, out)
        return out

    def observe(self, seat: int) -> Observation:
        """What a seat sees."""
        return self.position.observe(seat)

    def world(self, seat: int, rng: np.ndarray) -> "Moment":
        """A uniform one of those that a seat holds possible."""
        return self.space.moment(self.observe(seat).world(rng))

    def hands(self) -> list[bytes]:
        """What every seat holds, as bytes that differ where it does; only in games that hide it."""
        held = self._states["hand"][0].tobytes()
        size = len(held) // self._states["hand"].shape[1]
        return [held[size * seat : size * (seat + 1)] for seat in range(self.space.players)]

    def rewards(self) -> list[float]:
        """What the game came to for every seat: the winner's 1, the others share -1; alone the points.

        With so many players and a share of the win it is ``(players * share - 1) / (players - 1)``: so it sums to 0,
        and 0 is an even share. Before the end all is 0.
        """
        if not self.is_over:
            return [0.0] * self.space.players
        shares, n = self.position.payoff(), self.space.players
        return list(shares) if n == 1 else [(n * share - 1.0) / (n - 1) for share in shares]
