"""What a solver says of a position."""

from typing import NamedTuple


class Solution(NamedTuple):
    """What is proven of a position.

    Attributes:
        seat: the seat to act; at a die the seat whose turn it is.
        outcome: ``"win"``, ``"loss"``, ``"draw"`` or ``"unknown"``, for that seat.
        turns: finished turns, of other games plies, until the end, when the winner takes the shortest way and others
            and dice hold out as long as they can; None if the outcome is unknown.
        line: such a game, as move texts, dice included; empty unless it is a win or loss; cut short where a proof
            that the table has lost would take too long to find again.
        nodes: moves played in search.
        moves: outcome of every legal move (at a die: of every face) as far as proven; ``"loss"`` if some one other
            seat can then force to win.
        points: in games with points, what each seat has at the end of the line; None where there is no line to the end.
        leads: in games with points, what each move leads to, as far as it was found, see ``odin.openhand``.
    """

    seat: int
    outcome: str
    turns: int | None
    line: tuple[str, ...]
    nodes: int
    moves: dict[str, str]
    points: tuple[int, ...] | None = None
    leads: dict[str, int] | None = None
