"""Advice: what a search says about the moves of a position."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class MoveAdvice:
    """One move, judged for the seat to act.

    Attributes:
        move: the move as the formats write it.
        win: estimated probability in [0, 1] that the seat to act ends first, ties shared.
        low, high: ends of the 95 % interval of ``win``.
        visits: search iterations spent on the move; 0 when it was proven instead.
        score: what the ranking goes by, higher is better.
        mess: Flaming Pyramids: expected tiles taken by this move; None in other games.
        why: one sentence.
        points: meeple stacking, alone: points to be expected at the end (in ``higher``, rounds passed); else None.
    """

    move: str
    win: float
    low: float
    high: float
    visits: int
    score: float
    mess: float | None
    why: str
    points: float | None = None


@dataclass(frozen=True)
class Advice:
    """All moves of a position, best first.

    Attributes:
        game: name of the game.
        seat: the seat that the advice is for, the one to act.
        moves: every legal move, ranked.
        best: the move to play.
        iterations, worlds: search iterations and distinct deals of the hidden tiles that went into it.
        seconds: time used.
        seed: seed of the search; the same seed and iterations give the same advice.
        method: ``"mcts"``, ``"pimc"``, ``"alphabeta"``, ``"table"`` or ``"exact"``; with ``" (open cards)"`` when it
            was shown what is hidden.
    """

    game: str
    seat: int
    moves: tuple[MoveAdvice, ...]
    best: str
    iterations: int
    worlds: int
    seconds: float
    seed: int
    method: str

    def to_dict(self) -> dict[str, Any]:
        """The advice as the formats write it."""
        return asdict(self) | {"moves": [asdict(move) for move in self.moves]}
