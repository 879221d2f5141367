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
    """The last legal move; draws random numbers of no use."""

    name: str = "picky"

    def choose(self, view, rng):
        below(rng, 7)
        return view.moves()[-1]


@dataclass
class Faulty(Chancer):
    """A chancer that breaks on its ``after``-th decision with three tiles or fewer on the table, or chooses a fault."""

    name: str = "faulty"
    fault: object = ValueError

    def choose(self, view, rng):
        move = super().choose(view, rng)
        if len(view.to_dict()["board"]) < 3:
            return move
        if isinstance(self.fault, type):
            raise self.fault(f"gave up at {object()}")
        return self.fault
