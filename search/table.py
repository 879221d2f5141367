"""A person plays in the terminal: the table, its bots, and what the person may say.

The person is only ever shown an observation of the own seat, and hints come from a search on that observation.
"""

import json
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.text import Text

from ..solver.errors import InputError
from ..solver.position import CHANCE, Observation, Position
from ..solver.rng import stream
from .bot import Bot, make
from .commands import compiling
from .events import Event, outlook, tell
from .files import title, warn
from .picture import chip, console, is_plain, picture
from .records import make_record
from .tables import advice_table

PROMPT = "Your move (? hint, u undo, h help, q quit): "
HINTED = 8
"""How many moves a hint lists."""
FORFEIT = 1
PERSON = "person"

HELP = """\
You want to be the first without a tile. Place one tile a turn on one of the spots marked with row,column.
It fits if it shares colour or weight with a tile under it and is not heavier than they are together; else it
brings them down and falls itself, left or right as you like. What comes down goes under your pile.
Coal (*) burns straw, torches (^) burn straw and wood, all that is connected; two of them touching explode.
The table of moves gives a number for each tile and spot; +2 after it: two tiles taken at once, ~ there
is more to come: a tile falls, or a die is rolled.
  12 or R60@1,0   make that move; L or R when a tile falls
  ?               hint: a search on what you can see
  u               take back, to your previous decision
  q               quit; the game so far is kept"""


@dataclass(frozen=True)
class Moment:
    """A point of the game to come back to: the position, and the state of every random stream."""

    position: Position
    streams: tuple[np.ndarray, ...]


class Table:
    """One game between a person and bots."""

    def __init__(self, start: Position, seed: int, bots: dict[int, Bot], seat: int, hint_seconds: float) -> None:
        self.bots, self.seat, self.hint_seconds = bots, seat, hint_seconds
        self.position = self.start = start
        self.moves: list[str] = []
        self.decisions: list[tuple[int, Moment]] = []
        self.streams = [stream(seed, "bot", other) for other in range(start.players)] + [stream(seed, "chance")]
        self.screen = console(sys.stdout)
        self.plain = is_plain(self.screen)
        self.names = [f"seat {i} ({bots[i].name})" if i in bots else "you" for i in range(start.players)]

    @property
    def players(self) -> list[str]:
        """Who plays, a name a seat, for the record."""
        return [self.bots[seat].name if seat in self.bots else PERSON for seat in range(self.start.players)]

    @property
    def view(self) -> Observation:
        """What the person may see."""
        return self.position.observe(self.seat)

    # --- the game ---

    def go_on(self) -> bool:
        """Play until the game is over (True) or the person quits (False)."""
        self.say(f"You have seat {self.seat}. Type h for help.")
        while not self.position.is_over:
            if self.position.to_act == CHANCE:
                self.move(self.position.roll(self.streams[-1]), "die")
            elif self.position.to_act == self.seat:
                if not self.ask():
                    return False
            else:
                seat = self.position.to_act
                self.move(self.bot_move(seat), self.names[seat])
        self.draw()
        return True

    def bot_move(self, seat: int) -> str:
        """The move of the bot on a seat; whatever goes wrong with it is an ``InputError`` that names it."""
        bot = self.bots[seat]
        view = self.position if bot.open else self.position.observe(seat)
        with self.thinking(f"{self.names[seat]} is"):
            try:
                move = bot.choose(view, self.streams[seat])
                self.position.play(move)
            except Exception as error:
                raise InputError(self.names[seat], f"expected a legal move; {type(error).__name__}: {error}") from error
        return move

    def move(self, move: str, who: str) -> None:
        """Make a move and tell what it brings about."""
        told = tell(self.position, move, lambda seat: self.names[seat])
        self.say(Text.assemble((who, "" if self.plain else "bold"), "  ", self.shown(move), "  ", "; ".join(told)))
        self.position = self.position.play(move)
        self.moves.append(move)

    def undo(self) -> None:
        """Go back to the person's previous decision."""
        if not self.decisions:
            self.say("There is nothing to take back.")
            return
        count, moment = self.decisions.pop()
        self.position = moment.position
        self.streams = [one.copy() for one in moment.streams]
        del self.moves[count:]
        self.say("Taken back.")

    # --- the person ---

    def ask(self) -> bool:
        """Let the person decide; False to quit."""
        legal = self.view.moves()
        self.draw(legal)
        while True:
            text = self.hear()
            if text is None or text in ("q", "Q"):
                return False
            if text in ("u", "U"):
                self.undo()
                return True
            if text in ("h", "H"):
                self.say(HELP)
            elif text == "?":
                self.hint()
            elif chosen := self.chosen(text, legal):
                self.decisions.append(
                    (len(self.moves), Moment(self.position, tuple(one.copy() for one in self.streams)))
                )
                self.move(chosen, self.names[self.seat])
                return True
            elif text:
                self.say(
                    f"{text[:40]!r} is no move here: type a number from 1 to {len(legal)}, or a move as {legal[0]}."
                )

    def hear(self) -> str | None:
        """What the person types; None at the end of input."""
        if sys.stdin is None:
            return None
        try:
            text = input(PROMPT).strip()
        except EOFError:
            self.say("")
            return None
        if not sys.stdin.isatty():
            self.say(text)
        return text

    @staticmethod
    def chosen(text: str, legal: list[str]) -> str | None:
        """The legal move that a number or a text means."""
        if text.isascii() and text.isdigit() and len(text) < 6:
            return legal[int(text) - 1] if 1 <= int(text) <= len(legal) else None
        wanted = text.replace(" ", "").casefold()
        return next((move for move in legal if move.casefold() == wanted), None)

    def hint(self) -> None:
        """A search on what the person sees."""
        from .search import advise

        with self.thinking("The search is"):
            advice = advise(self.view, seconds=self.hint_seconds, seed=len(self.moves))
        self.screen.print(advice_table(advice, first=HINTED))

    # --- the screen ---

    def say(self, text: str | Text) -> None:
        """A line of text."""
        self.screen.print(text)

    def thinking(self, who: str) -> AbstractContextManager[Any]:
        """A line that moves while ``who`` thinks, where there is a terminal to move it on."""
        return self.screen.status(f"{who} thinking") if self.screen.is_terminal else nullcontext()

    def shown(self, move: str) -> Text:
        """A move, its tile in colour."""
        tile, at, place = move.partition("@")
        return Text.assemble(chip(tile, self.plain, room=False), at, place) if at else Text(move)

    def draw(self, legal: list[str] | None = None) -> None:
        """The table as the person sees it, and the moves there are."""
        self.say("")
        self.screen.print(picture(self.view.to_dict(), legal or (), self.names, self.plain))
        if legal:
            self.say("")
            self.screen.print(self.choices(legal))

    def choices(self, legal: list[str]) -> Any:
        """The legal moves, numbered: tiles down, spots across; or left and right."""
        from rich.table import Table as Grid

        grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="" if self.plain else "dim")
        spots = list(dict.fromkeys(move.partition("@")[2] for move in legal))
        for spot in ["", *spots]:
            grid.add_column(spot, justify="left", no_wrap=True)
        tiles: dict[str, list[str]] = {}
        brought = outlook(self.view)
        for number, move in enumerate(legal, 1):
            tiles.setdefault(move.partition("@")[0], []).append(f"{number:>2}{self.cost(brought[move])}")
        for tile, cells in tiles.items():
            grid.add_row(self.shown(tile) if tile in ("L", "R") else chip(tile, self.plain), *cells)
        return grid

    def cost(self, brought: list[Event]) -> str:
        """How many tiles a move takes at once, and ~ if more may follow; nothing when it takes none."""
        taken = sum(len(event.taken) for event in brought if event.seat == self.seat)
        return (f" +{taken}" if taken else "") + ("~" if brought[-1].kind in ("collapse", "air", "die") else "")


def _seat_bots(game: str, players: int, names: list[str], seat: int) -> dict[int, Bot]:
    """A bot for every seat but the person's; one name stands for all."""
    if len(names) == 1:
        names = names * (players - 1)
    if len(names) != players - 1:
        raise InputError("bots", f"expected {players - 1}, one a seat but yours, got {len(names)}")
    seats = [other for other in range(players) if other != seat]
    return {other: make(name, game) for other, name in zip(seats, names, strict=True)}


def _check_writable(path: str) -> None:
    folder = Path(path).parent
    if Path(path).is_dir() or not folder.is_dir() or not os.access(path if Path(path).exists() else folder, os.W_OK):
        raise InputError(title(path), "expected a file that can be written")


def _keep(table: Table, path: str, seed: int, tell_user: Callable[[str], None]) -> None:
    """Add the record to the file; if that fails, print it, so that nothing is lost."""
    if not table.moves:
        tell_user("Nothing was played, nothing is kept.")
        return
    line = json.dumps(make_record(table.start, table.moves, table.players, seed), separators=(",", ":"))
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    except OSError as error:
        warn(f"{title(path)} cannot be written, {error.strerror}; here is the record")
        print(line)
        return
    tell_user(f"The record was added to {path}; mess replay {path} plays it again.")


def sit_down(start: Position, seed: int, bots: list[str], seat: int, record: str, hint_seconds: float) -> int:
    """Play a game in the terminal.

    Args:
        start: the deal.
        seed: of the bots and dice; it is kept in the record.
        bots: names for the other seats, in order; one stands for all.
        seat: the person's.
        record: file to add the record to.
        hint_seconds: time for a hint.

    Returns:
        Exit code: 0, or 1 when a bot failed and forfeited.

    Raises:
        InputError: a seat out of range, bots that do not exist, a file that cannot be written.
    """
    if not 0 <= seat < start.players:
        raise InputError("seat", f"expected a seat from 0 to {start.players - 1}, got {seat}")
    seated = _seat_bots(start.game.NAME, start.players, bots, seat)
    _check_writable(record)
    table = Table(start, seed, seated, seat, hint_seconds)
    code = 0
    with compiling(f"play-{'-'.join(sorted({bot.name.partition('@')[0] for bot in seated.values()}))}"):
        try:
            if not table.go_on():
                table.say("You left the game.")
        except KeyboardInterrupt:
            table.say("\nYou left the game.")
        except InputError as error:
            table.say(f"{error.field} forfeits the game: {error.expected}")
            code = FORFEIT
    _keep(table, record, seed, table.say)
    return code
