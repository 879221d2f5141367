"""A person plays in the terminal: the table, its bots, and what the person may say.

The person is only ever shown an observation of the own seat, and hints come from a search on that observation.
"""

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.text import Text

from ..solver.errors import InputError
from ..solver.position import CHANCE, Observation, Position
from ..solver.rng import stream
from .bots.find import find
from .bots.kinds import Bot, check_ready
from .bots.strategy import StrategyError
from .faces import face
from .files import check_writable, title, warn
from .records import make_record
from .screen import console, is_plain
from .tables import advice_table
from .waiting import compiling

PROMPT = "Your move (? hint, u undo, h help, q quit): "
REPORT = "Your hands: "
HINTED = 8
"""How many moves a hint lists."""
FORFEIT = 1
WITH_HANDS = ("meeples",)
"""Games in which chance is the hands of whoever builds, so that a person can tell what they did."""
ENDINGS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Signals that end a process; a game that they end is kept."""
PERSON = "person"

HELP = """\
  12              the move with this number; or type the move itself
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

    def __init__(
        self, start: Position, seed: int, bots: dict[int, Bot], seat: int, hint_seconds: float, reports: bool = False
    ) -> None:
        self.seed, self.bots, self.seat, self.hint_seconds, self.reports = seed, bots, seat, hint_seconds, reports
        self.position = self.start = start
        self.face = face(start.game.NAME)
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
                outcome = self.report() if self.reports and self.position.state.turn == self.seat else self.roll()
                if outcome is None:
                    return False
                self.move(outcome, self.face.CHANCE_NAME)
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
            except StrategyError as error:
                raise InputError(self.names[seat], str(error)) from None
            except (Exception, SystemExit) as error:
                raise InputError(self.names[seat], f"expected a legal move; {type(error).__name__}: {error}") from error
        return move

    def move(self, move: str, who: str) -> None:
        """Make a move and tell what it brings about."""
        told = "; ".join(self.face.tell(self.position, move, lambda seat: self.names[seat]))
        shown = self.face.shown(move, self.plain)
        self.say(Text.assemble((who, "" if self.plain else "bold"), "  ", shown, "  ", told))
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
            word = None if text is None else text.casefold()
            if text is None or word in ("q", "quit"):
                return False
            if word in ("u", "undo"):
                self.undo()
                return True
            if word in ("h", "help"):
                self.say(f"{self.face.HELP}\n{HELP}")
            elif word in ("?", "hint"):
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

    def roll(self) -> str:
        """What chance does."""
        return self.position.roll(self.streams[-1])

    def report(self) -> str | None:
        """What the person's own hands did; None to quit."""
        outcomes = self.position.moves()
        if len(outcomes) == 1:
            return outcomes[0]
        self.say(f"What did your hands do: {', '.join(outcomes)}? Press Enter alone to let the model roll, q to quit.")
        while True:
            text = self.hear(REPORT)
            word = None if text is None else text.casefold()
            if text is None or word in ("q", "quit"):
                return None
            if not text:
                return self.roll()
            meant = [outcome for outcome in outcomes if word in (outcome, outcome.rstrip("0123456789"))]
            if len(meant) == 1:
                return meant[0]
            self.say(f"{text[:40]!r} is none of {', '.join(outcomes)}.")

    def hear(self, prompt: str = PROMPT) -> str | None:
        """What the person types; None at the end of input."""
        if sys.stdin is None:
            return None
        try:
            text = input(prompt).strip()
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

        try:
            with self.thinking("The search is"):
                advice = advise(self.view, seconds=self.hint_seconds, seed=len(self.moves))
        except KeyboardInterrupt:
            self.say("\nThe hint was stopped.")
            return
        numbers = {move: number for number, move in enumerate(self.view.moves(), 1)}
        self.screen.print(advice_table(advice, first=HINTED, numbers=numbers))

    # --- the screen ---

    def say(self, text: str | Text) -> None:
        """A line of text."""
        self.screen.print(text)

    def thinking(self, who: str) -> AbstractContextManager[Any]:
        """A line that moves while ``who`` thinks, where there is a terminal to move it on."""
        return self.screen.status(f"{who} thinking") if self.screen.is_terminal else nullcontext()

    def draw(self, legal: list[str] | None = None) -> None:
        """The table as the person sees it, and the moves there are."""
        self.say("")
        self.screen.print(self.face.picture(self.view.to_dict(), legal or (), self.names, self.plain))
        if legal:
            self.say("")
            self.screen.print(self.face.choices(self.view, self.seat, self.plain))


def _seat_bots(game: str, players: int, names: list[str], seat: int) -> dict[int, Bot]:
    """A bot for every seat but the person's; one name stands for all."""
    if len(names) == 1:
        # with nobody to sit with, too, a name must be right
        find(names[0], game)
        names = names * (players - 1)
    if len(names) != players - 1:
        raise InputError("bots", f"expected {players - 1}, one a seat but yours, got {len(names)}")
    seats = [other for other in range(players) if other != seat]
    return {other: find(name, game) for other, name in zip(seats, names, strict=True)}


def _keep(table: Table, path: str) -> None:
    """Add the record to the file; if that fails, print it, so that nothing is lost."""
    if not table.moves:
        table.say("Nothing was played, nothing is kept.")
        return
    line = json.dumps(make_record(table.start, table.moves, table.players, table.seed), separators=(",", ":"))
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    except OSError as error:
        warn(f"{title(path)} cannot be written, {error.strerror}; here is the record")
        print(line)
        return
    table.say(f"The record was added to {path}; mess replay {path} plays it again.")


def sit_down(
    start: Position, seed: int, bots: list[str], seat: int, record: str, hint_seconds: float, reports: bool = False
) -> Table:
    """A table set for a game in the terminal.

    Args:
        start: the deal.
        seed: of the bots and dice; it is kept in the record.
        bots: names for the other seats, in order; one stands for all.
        seat: the person's.
        record: file that the record is to be added to.
        hint_seconds: time for a hint.
        reports: whether the person tells what the own hands did, instead of the model.

    Raises:
        InputError: a seat out of range, bots that do not exist or lack a solution, a file that cannot be written.
    """
    if not 0 <= seat < start.players:
        raise InputError("seat", f"expected a seat from 0 to {start.players - 1}, got {seat}")
    seated = _seat_bots(start.game.NAME, start.players, bots, seat)
    check_ready(seated.values(), start.to_dict()["rules"], whole=False)
    check_writable(record)
    if reports and start.game.NAME not in WITH_HANDS:
        raise InputError("report", f"expected a game of hands, {', '.join(WITH_HANDS)}; got {start.game.NAME}")
    return Table(start, seed, seated, seat, hint_seconds, reports)


@contextmanager
def _ended_politely() -> Iterator[None]:
    """Within, whatever is to end the process interrupts it instead."""
    before = {ending: signal.signal(ending, signal.default_int_handler) for ending in ENDINGS}
    try:
        yield
    finally:
        for ending, handler in before.items():
            signal.signal(ending, handler)


def play(table: Table, record: str) -> int:
    """Play the game, and add it to the file ``record`` however it ends.

    Returns:
        Exit code: 0, or 1 when a bot failed and forfeited.
    """
    code = 0
    parts = sorted({bot.name.partition("@")[0] for bot in table.bots.values()})
    try:
        with _ended_politely(), compiling(f"play-{'-'.join(parts)}"):
            if not table.go_on():
                table.say("You left the game.")
    except KeyboardInterrupt:
        table.say("\nYou left the game.")
    except InputError as error:
        table.say(f"{error.field} forfeits the game: {error.expected}")
        code = FORFEIT
    except OSError:
        # the screen is gone, the game must not be
        table.screen.quiet = True
        _keep(table, record)
        raise
    _keep(table, record)
    return code
