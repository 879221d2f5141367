"""One deal block: the same deal, played once with every rotation of the bots over the seats."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..search.bots.find import content_of, find, source_of
from ..search.bots.kinds import Bot, plays_solved
from ..search.bots.strategy import StrategyError
from ..solver.errors import InputError
from ..solver.fields import shown
from ..solver.game import CHANCE, load
from ..solver.position import Position
from ..solver.rng import below, stream

REASON_LENGTH = 200
OPENINGS = {"pylos": 4}
"""Games that always start alike: random plies that make deals differ, unless told otherwise."""
HANDS = ("meeples",)
"""Games in which chance is the hands of whoever builds. Every seat has its own, or the first slip would put all that
comes after into other hands than in the other games of the block."""
MOST_PLIES = 100
MOST_DEALS = 1_000_000
"""Longest match: all its blocks are held in memory."""


@dataclass(frozen=True)
class Forfeit:
    """A game lost because a bot raised or chose an illegal move.

    Attributes:
        bot: which of the match's bots.
        seat: where it sat.
        reason: what happened, in one line.
    """

    bot: int
    seat: int
    reason: str


@dataclass(frozen=True)
class Game:
    """One finished game; lists go by seat.

    Attributes:
        seats: which of the match's bots sat there.
        payoffs: share of the win, in [0, 1], summing to 1.
        decisions: moves made by seats; chance not counted.
        mess: what the game cost each seat, see ``COSTS``; None in games without such a thing.
        forfeit: how the game was lost early, if it was.
    """

    seats: tuple[int, ...]
    payoffs: tuple[float, ...]
    decisions: int
    mess: tuple[float, ...] | None
    forfeit: Forfeit | None


@dataclass(frozen=True)
class Block:
    """All rotations of one deal: game ``r`` has the ``seating`` of rotation ``r``."""

    deal: int
    games: tuple[Game, ...]


class Luggage(NamedTuple):
    """What a match needs of the machine where it began, for others.

    Attributes:
        contents: for every bot what is in its file, None for those without one.
        solved: whether the rules are solved there.
    """

    contents: tuple[bytes | None, ...]
    solved: bool


@dataclass(frozen=True)
class Setup:
    """What is played: everything that the games depend on.

    Attributes:
        game: name of the game.
        rules: all its rules, defaults filled in.
        specs: the bots, as text for ``find`` or as objects; fewer than seats are repeated in turn.
        players: number of seats.
        seed: every stream of random numbers derives from it.
        opening: random plies before the bots begin.
        sources: for every bot what tells that its file has changed, or None; empty before that is known.
        luggage: what is needed to play on another machine, where that may be.
    """

    game: str
    rules: dict[str, Any]
    specs: tuple[Any, ...]
    players: int
    seed: int
    opening: int = 0
    sources: tuple[str | None, ...] = ()
    luggage: Luggage | None = None

    def packed(self) -> "Setup":
        """The same for other machines, with the files of its bots; ``InputError`` when one cannot be read."""
        contents = tuple(content_of(spec, self.game) if isinstance(spec, str) else None for spec in self.specs)
        return replace(self, luggage=Luggage(contents, self._is_solved()))

    def _is_solved(self) -> bool:
        solved = getattr(load(self.game), "is_solved", None)
        return solved is not None and solved(self.rules, True)

    def bot(self, index: int) -> Bot:
        """A fresh bot from a text, so that it remembers no other game; an object as it is.

        Raises:
            InputError: its file has changed since the match began, or is gone; or what it plays by is not the same on
                this machine as where the match began.
        """
        spec = self.specs[index]
        if not isinstance(spec, str):
            return spec
        if self.luggage is not None:
            return self._unpacked(spec, index, self.luggage)
        bot = find(spec, self.game)
        if self.sources and source_of(bot) != self.sources[index]:
            raise InputError("bots", f"expected {spec} to stay as it was when the match began, it has changed")
        return bot

    def _unpacked(self, spec: str, index: int, luggage: Luggage) -> Bot:
        content = luggage.contents[index]
        bot = find(spec, self.game) if content is None else find(spec, self.game, content)
        if source_of(bot) != self.sources[index]:
            raise InputError("bots", f"expected {spec} to be on every machine what it is where the match began")
        if plays_solved(bot) and self._is_solved() != luggage.solved:
            told = f"a solution for {spec} on every machine or on none; mess solve {self.game} makes one"
            raise InputError("bots", f"expected {told}")
        return bot

    def deal(self, block: int) -> Position:
        """The start of the games of a block: dealt, and the opening played."""
        game = load(self.game)
        position = Position(game, game.deal_state(stream(self.seed, "deal", block), self.rules))
        rng = stream(self.seed, "opening", block)
        start, plies = position, 0
        while not position.is_over:
            if position.to_act == CHANCE:
                move = position.roll(rng)
            else:
                # the bots begin where a seat decides
                start = position
                if plies >= self.opening:
                    break
                moves = position.moves()
                move = moves[int(below(rng, len(moves)))]
            position = position.play(move)
            plies += 1
        return start


def seating(players: int, bots: int, rotation: int) -> tuple[int, ...]:
    """Which bot sits on every seat in a game of a block; fewer bots than seats are repeated in turn."""
    return tuple((seat + rotation) % players % bots for seat in range(players))


class BotError(Exception):
    """A bot did not choose; its text says in one line what it did instead."""


def readable(text: str) -> str:
    """One short line that any file can hold, without memory addresses, which differ from run to run.

    What is readable already stays as it is.
    """
    line = re.sub(r"\b0x[0-9a-fA-F]+", "0x…", " ".join(text.split()))
    return line.encode(errors="backslashreplace").decode()[:REASON_LENGTH].rstrip()


def ask(bot: Bot, position: Position, rng: np.ndarray) -> Any:
    """What the bot chooses for the seat to act, which may be no move at all.

    Raises:
        BotError: it raised something, were it an exit; only an interrupt from the keyboard is none of its own.
    """
    view = position if bot.open else position.observe(position.to_act)
    try:
        return bot.choose(view, rng)
    except KeyboardInterrupt:
        raise
    except StrategyError as error:
        raise BotError(readable(str(error))) from None
    except BaseException as error:
        raise BotError(readable(f"raised {type(error).__name__}: {error}")) from None


def _move(position: Position, bot: Bot, rng: np.ndarray) -> tuple[str, Position]:
    """The bot's move and where it leads; ``BotError`` when it has none."""
    move = ask(bot, position, rng)
    try:
        return move, position.play(move)
    except InputError:
        if move in position.moves():  # Then the game itself cannot go on, which is no fault of the bot.
            raise
        raise BotError(readable(f"chose {shown(move)}, which is not legal")) from None


def _tiles_taken(start: Position, end: Position, moves: list[list[str]], deals: int) -> tuple[float, ...]:
    """What every seat holds more than it would without mess: every placement takes one tile out of its hand."""
    return tuple(
        int(end.state.held[seat]) - int(start.state.held[seat]) + sum("@" in move for move in moves[seat])
        for seat in range(start.players)
    )


def _points_a_hand(start: Position, end: Position, moves: list[list[str]], deals: int) -> tuple[float, ...]:
    """Points by the number of hands; of a hand that was broken off, the cards that are left."""
    told = end.to_dict()
    left = map(len, told["hands"]) if end.to_act >= 0 else (0,) * end.players
    return tuple((score + more) / (deals + 1) for score, more in zip(told["scores"], left, strict=True))


class Cost(NamedTuple):
    """What a game may cost a seat besides the win.

    Attributes:
        name: in a word, and
        what: in a few.
        kind: of the numbers.
        digits: to show after the point.
        tally: for every seat, from where a game began and ended, the moves of each seat, and deals in between.
    """

    name: str
    what: str
    kind: type
    digits: int
    tally: Callable[[Position, Position, list[list[str]], int], tuple[float, ...]]


def _points_built(start: Position, end: Position, moves: list[list[str]], deals: int) -> tuple[float, ...]:
    """The scores of meeple stacking."""
    return tuple(end.to_dict()["scores"])


COSTS = {
    "flaming": Cost("mess", "tiles taken a game", int, 1, _tiles_taken),
    "odin": Cost("points", "points a hand", float, 2, _points_a_hand),
    "meeples": Cost("points", "points a game, in higher rounds passed", int, 1, _points_built),
}


def play_game(setup: Setup, block: int, rotation: int, notice: Callable[[Position, str], None] | None = None) -> Game:
    """One game of a block; ``notice`` is told of every position in which chance decides, and what came.

    Every seat has its own stream, whoever sits there: so bots that are the same play the same game in every
    rotation. Chance has one of its own, or where it is ``HANDS`` one a seat, and the deal another.
    """
    players = setup.players
    seats = seating(players, len(setup.specs), rotation)
    bots = [setup.bot(index) for index in seats]
    streams = [stream(setup.seed, "bot", block, seat) for seat in range(players)]
    whose = [(seat,) for seat in range(players)] if setup.game in HANDS else [()]
    chance = [stream(setup.seed, "chance", block, *seat) for seat in whose]
    start = position = setup.deal(block)
    moves: list[list[str]] = [[] for _ in seats]
    forfeit, rolls = None, 0
    while not position.is_over:
        seat = position.to_act
        if seat == CHANCE:
            outcome = position.roll(chance[position.state.turn if len(chance) > 1 else 0])
            if notice is not None:
                notice(position, outcome)
            position, rolls = position.play(outcome), rolls + 1
            continue
        try:
            move, position = _move(position, bots[seat], streams[seat])
        except BotError as error:
            forfeit = Forfeit(seats[seat], seat, str(error))
            break
        moves[seat].append(move)
    if forfeit is None:
        payoffs = position.payoff()
    else:
        payoffs = tuple(0.0 if seat == forfeit.seat else 1 / (players - 1) for seat in range(players))
    mess = COSTS[setup.game].tally(start, position, moves, rolls) if setup.game in COSTS else None
    return Game(seats, payoffs, sum(map(len, moves)), mess, forfeit)


def play_block(setup: Setup, block: int) -> Block:
    """All games of a block."""
    return Block(block, tuple(play_game(setup, block, rotation) for rotation in range(setup.players)))
