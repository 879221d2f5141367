"""A worker process: searches for the server, one at a time, and hears while it does so that it is to stop."""

import queue
import signal
import threading
from typing import Any

import numpy as np

from ...solver.errors import InputError
from ...solver.game import load
from ...solver.position import Observation, Position, View
from ...solver.rng import stream
from ..bot import make
from ..bots.find import find
from ..bots.kinds import innermost
from ..search import advise
from ..waiting import compiling
from ..watch import Watch

Packed = tuple[str, bytes, int | None]


def pack(view: View) -> Packed:
    """A view as it is sent to a worker: the game, the record's bytes, and the seat of an observation."""
    return view.game.NAME, view.states().tobytes(), view.seat if isinstance(view, Observation) else None


def unpack(packed: Packed) -> Observation | Position:
    """The view that was packed."""
    name, record, seat = packed
    game = load(name)
    states = np.frombuffer(record, dtype=game.DTYPE).copy()
    return Position(game, states) if seat is None else Observation(game, states, seat)


class _Desk:
    """Does the tasks; keeps what may be stopped, and what is warm."""

    def __init__(self, pipe: Any) -> None:
        self.pipe = pipe
        self.watch = Watch()
        self.number = -1
        self.warm: set[tuple[str, str | None]] = set()

    def do(self, number: int, kind: str, packed: Packed, asked: dict[str, Any]) -> None:
        """One task; its result or what was wrong with it goes into the pipe."""
        view = unpack(packed)
        try:
            result = self.advise(number, view, **asked) if kind == "advise" else self.move(view, **asked)
            self.pipe.send((number, "done", result))
        except InputError as error:
            self.pipe.send((number, "wrong", (error.field, error.expected)))
        except Exception as error:
            self.pipe.send((number, "failed", f"{type(error).__name__}: {error}"))

    def advise(self, number: int, view: Observation | Position, every: float | None, **asked: Any) -> dict[str, Any]:
        """Advice; with ``every`` the parent is told now and then what there is so far."""
        if every is not None:
            self.watch.every = every
            self.watch.tell = lambda advice: self.pipe.send((number, "partial", advice.to_dict()))
        way = view.game.NAME, asked.get("method")
        if way not in self.warm:
            # or loading the kernels would use up the time to think
            with compiling(f"hint-{way[0]}-{way[1]}"):
                advise(view, iterations=1, method=way[1])
            self.warm.add(way)
        return advise(view, **asked, watch=self.watch).to_dict()

    def move(self, view: Observation | Position, spec: str, is_own: bool, seed: int, ply: int) -> str:
        """The move of a bot, which is read or run from a file only if it is the server's own."""
        bot = find(spec, view.game.NAME) if is_own else make(spec, view.game.NAME)
        thinker: Any = innermost(bot)
        if hasattr(thinker, "watch"):
            thinker.watch = self.watch
        moves = view.moves()
        move = bot.choose(view, stream(seed, "bot", view.to_act, ply))
        if move not in moves:
            raise InputError("bot", f"expected a legal move of {bot.name}, got {move!r}")
        return move


def _bound_memory(megabytes: int) -> None:
    """Let this process ask for no more memory than that."""
    try:
        import resource
    except ModuleNotFoundError:
        # not on every system; there, searches are bounded by their time alone
        return
    resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 1_000_000,) * 2)


def work(pipe: Any, megabytes: int) -> None:
    """Do what comes through the pipe until it ends, with so much memory.

    A task is ``(number, kind, packed view, arguments)``, and ``(number, "stop")`` ends it; what goes back is
    ``(number, "partial" | "done" | "wrong" | "failed", what)``.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _bound_memory(megabytes)
    desk = _Desk(pipe)
    tasks: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def hear() -> None:
        while True:
            try:
                message = pipe.recv()
            except (EOFError, OSError):
                desk.watch.stop()
                tasks.put(None)
                return
            if message[1] == "stop":
                if message[0] == desk.number:
                    desk.watch.stop()
                continue
            desk.number, desk.watch = message[0], Watch()
            tasks.put(message)

    threading.Thread(target=hear, daemon=True).start()
    while (task := tasks.get()) is not None:
        try:
            desk.do(*task)
        except OSError:
            return
