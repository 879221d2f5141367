"""Games that the server keeps between requests."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from ...solver.errors import InputError
from ...solver.fields import shown
from ...solver.position import CHANCE, Position
from ...solver.rng import stream
from ..faces import face
from .limits import Limits
from .messages import Told

MARK = 100
"""Every so many moves of a game the position is kept, so that none is far from one that is."""


class Kept:
    """A game: where it started, the moves since, and where it stands.

    Attributes:
        id: its name.
        start: the position it started from.
        moves, actors: every move since, and who made it: a seat, or -1 for chance.
        position: where it stands.
        seed: of its chance, and of the bots that are asked without a seed.
        dealt: the seed that the start was dealt from, if it was.
        origin: the game that it was branched off from, if it was.
        draws: whether the server says what chance does, as soon as it is to act.
        is_open: whether the client knows the whole truth anyway, having sent the start or its seed.
        touched: when it was last asked for.
    """

    __slots__ = (
        "_looked",
        "_marks",
        "actors",
        "dealt",
        "draws",
        "id",
        "is_open",
        "moves",
        "origin",
        "position",
        "seed",
        "start",
        "touched",
    )

    def __init__(self, start: Position, seed: int, draws: bool, is_open: bool) -> None:
        self.id = ""
        self.start = self.position = start
        self.seed, self.draws, self.is_open = seed, draws, is_open
        self.dealt: int | None = None
        self.origin: Kept | None = None
        self.moves: list[str] = []
        self.actors: list[int] = []
        self.touched = 0.0
        self._looked: tuple[int, Position] = 0, start
        self._marks: dict[int, Position] = {}

    def play(self, move: str, limit: int) -> list[str]:
        """Make a move, and let chance answer it; what chance did.

        Raises:
            InputError: the move is not legal, or the game has become too long to keep.
        """
        if len(self.moves) >= limit:
            raise InputError("move", f"expected at most {limit} moves in a kept game")
        self._make(move)
        return self.draw()

    def draw(self) -> list[str]:
        """Let chance act for as long as it is to, if that is the server's part; what it did."""
        done = len(self.moves)
        while self.draws and self.position.to_act == CHANCE:
            self._make(self.roll())
        return [self._disclosed(move) for move in self.moves[done:]]

    def _disclosed(self, move: str) -> str:
        """What chance did, as clients may know it: of a deal not the hands, unless they know the whole truth anyway."""
        return move if self.is_open else face(self.start.game.NAME).shown(move, plain=True).plain

    def roll(self) -> str:
        """What chance does here: the same however often it is asked."""
        return self.position.roll(stream(self.seed, "chance", len(self.moves)))

    def _make(self, move: str) -> None:
        actor = self.position.to_act
        self.position = self.position.play(move)
        self.moves.append(move)
        self.actors.append(actor)
        self.mark(len(self.moves), self.position)

    def mark(self, ply: int, position: Position) -> None:
        """Keep the position after so many moves, if it is one of those to keep, without what it has in mind."""
        if ply % MARK == 0:
            self._marks[ply] = Position(position.game, position.states())

    def undo(self, count: int, seat: int | None) -> None:
        """Go back to before so many decisions, of one seat or of all.

        Raises:
            InputError: there were not so many.
        """
        places = [i for i, actor in enumerate(self.actors) if actor >= 0 and seat in (None, actor)]
        if count > len(places):
            raise InputError("count", f"expected at most {len(places)}, the decisions made so far; got {count}")
        place = places[-count]
        self.position = self.at(place)
        del self.moves[place:], self.actors[place:]
        self._marks = self._marks_until(place)

    def _marks_until(self, ply: int) -> dict[int, Position]:
        return {place: position for place, position in self._marks.items() if place <= ply}

    def at(self, ply: int) -> Position:
        """The position after so many moves.

        Raises:
            InputError: there were not so many.
        """
        if ply == len(self.moves):
            return self.position
        if ply > len(self.moves):
            raise InputError("ply", f"expected at most {len(self.moves)}, the moves made so far; got {ply}")
        known = {0: self.start, **self._marks_until(ply)}
        if self._looked[0] <= ply:
            known[self._looked[0]] = self._looked[1]
        reached = max(known)
        position = known[reached]
        for move in self.moves[reached:ply]:
            position = position.play(move)
        self._looked = ply, position
        return position

    def branch(self, ply: int, seed: int) -> "Kept":
        """A game of its own that goes on from so many moves of this one, with chance of its own."""
        branch = Kept(self.start, seed, False, self.is_open)
        branch.dealt, branch.origin = self.dealt, self.origin or self
        branch.position = self.at(ply)
        branch.moves, branch.actors = self.moves[:ply], self.actors[:ply]
        branch._marks = self._marks_until(ply)
        return branch

    def told_since(self, ply: int) -> list[Told]:
        """What the moves since then brought about."""
        position, words = self.at(ply), face(self.start.game.NAME)
        told = []
        for move, actor in zip(self.moves[ply:], self.actors[ply:], strict=True):
            seen = move if actor >= 0 else self._disclosed(move)
            told.append(Told(seen, actor, list(words.tell(position, move, seat_name))))
            position = position.play(move)
        return told


def seat_name(seat: int) -> str:
    """How clauses call a seat."""
    return f"seat {seat}"


class Shelf:
    """All games that a server keeps.

    Names cannot be guessed: who knows one may see and do everything in that game.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._games: OrderedDict[str, Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._games)

    def put(self, game: Kept) -> None:
        """Keep a game, and name it.

        Raises:
            InputError: too many games are going on.
        """
        self._make_room()
        game.id, game.touched = secrets.token_urlsafe(12), self._clock()
        self._games[game.id] = game

    def get(self, name: str) -> Kept:
        """The game of this name.

        Raises:
            InputError: there is none, or it was forgotten.
        """
        game = self._games.get(name)
        if game is None:
            raise InputError("game_id", f"expected a game that is kept; {shown(name)} is not, or no longer")
        game.touched = self._clock()
        self._games.move_to_end(name)
        return game

    def forget(self, name: str) -> None:
        """Keep a game no longer; ``InputError`` if there is none."""
        self.get(name)
        del self._games[name]

    def _make_room(self) -> None:
        oldest = self._clock() - self._limits.idle_seconds
        while self._games and next(iter(self._games.values())).touched < oldest:
            self._games.popitem(last=False)
        if len(self._games) < self._limits.games:
            return
        over = [name for name, game in self._games.items() if game.position.is_over]
        for name in over:
            del self._games[name]
        if not over:
            raise InputError("server", f"expected at most {self._limits.games} games at a time; try again later")


def replayed(start: Position, moves: Sequence[str], positions: Sequence[Position], seed: int) -> Kept:
    """A game whose moves have been played through already."""
    game = Kept(start, seed, False, True)
    game.moves = list(moves)
    game.actors = [position.to_act for position in (start, *positions[:-1])][: len(moves)]
    game.position = positions[-1] if positions else start
    for ply, position in enumerate(positions, 1):
        game.mark(ply, position)
    return game
