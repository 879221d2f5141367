"""Bots that need no search: for tests of matches."""

from dataclasses import dataclass

from mess.solver.position import Observation, Position
from mess.solver.rng import below


@dataclass
class Chancer:
    """Any legal move."""

    name: str = "chancer"
    open: bool = False

    def choose(self, view, rng):
        assert isinstance(view, Position if self.open else Observation)
        assert view.to_act >= 0
        moves = view.moves()
        return moves[below(rng, len(moves))]


@dataclass
class Picky(Chancer):
    """Any legal move, by other random numbers than the chancer's."""

    name: str = "picky"

    def choose(self, view, rng):
        below(rng, 7)
        return super().choose(view, rng)


@dataclass
class Faulty(Chancer):
    """A chancer until the pyramid has three rows, or so many; then it raises, or chooses what is no legal move."""

    name: str = "faulty"
    fault: object = ValueError
    rows: int = 3

    def choose(self, view, rng):
        move = super().choose(view, rng)
        if len(view.to_dict()["board"]) < self.rows:
            return move
        if isinstance(self.fault, type):
            raise self.fault(f"gave up at {object()}")
        return self.fault
