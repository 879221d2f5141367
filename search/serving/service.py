"""What the server does with requests: most are answered at once, searches when they are done."""

import secrets
import sys
import threading
import traceback
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from ...solver.errors import InputError
from ...solver.fields import Open
from ...solver.game import NAMES, deal, load
from ...solver.position import CHANCE, NO_ONE, Observation, Position, read
from ..bots import levels
from ..records import make_record, positions_of, within
from ..search import seen_by_mover
from ..settings import check_method, read_options
from . import messages as m
from .kept import Kept, Shelf, replayed, seat_name
from .limits import Limits
from .pool import Job, Pool
from .roster import Roster
from .worker import pack

MAX_SEED = 2**53
"""Bound on seeds that the server draws: so many that nobody can try which of them deals what a seat sees."""
MOST_WARNINGS = 20


FAULT = "expected to know what to do; this is a fault"


class Client:
    """Who asks: where the answers go, and which searches it waits for.

    Attributes:
        send: takes an answer; called from any thread.
        jobs: the searches, by the id of the request.
        warnings: what to say with their final answers.
    """

    def __init__(self, send: Callable[[Struct], None]) -> None:
        self.send = send
        self.jobs: dict[int | str, Job] = {}
        self.warnings: dict[int | str, list[str]] = {}
        self.is_gone = False


def _to_act(view: Position | Observation) -> int | None:
    seat = view.to_act
    return None if seat == NO_ONE else seat


def _result(position: Position) -> list[float] | None:
    return list(position.payoff()) if position.is_over else None


def _warnings(unknown: list[str]) -> list[str]:
    """What to say of fields that nobody knows."""
    more = len(unknown) - MOST_WARNINGS
    told = [f"no such field: {name}" for name in unknown[:MOST_WARNINGS]]
    return told + [f"and {more} other fields"] * (more > 0)


def _given(value: Any) -> Any:
    return None if value is UNSET else value


class Service:
    """Answers the requests of any number of clients."""

    def __init__(self, limits: Limits | None = None, roster: Roster | None = None) -> None:
        self.limits = limits or Limits()
        self.roster = roster or Roster(self.limits)
        self.shelf = Shelf(self.limits)
        self.pool = Pool(self.limits)
        self._lock = threading.Lock()
        self.requests = 0
        self._at_once: dict[type[m.Request], Callable[[Any], Struct]] = {
            m.New: self.new,
            m.Legal: self.legal,
            m.Play: self.play,
            m.Undo: self.undo,
            m.Observe: self.observe,
            m.Record: self.record,
            m.Forget: self.forget,
            m.Info: self.info,
            m.Games: self.games,
        }

    def handle(self, raw: bytes | str, client: Client) -> Struct | None:
        """The answer to a request, or None when it will be sent to the client later.

        Nothing that a client sends raises: what is wrong with it is the answer.
        """
        id: int | str | None = None
        with self._lock:
            self.requests += 1
            try:
                if len(raw) > self.limits.request_bytes:
                    expected = f"expected at most {self.limits.request_bytes} bytes, got {len(raw)}"
                    raise m.RequestError(None, "request", expected)
                request, unknown = m.parse(raw)
                id = request.id
                if id in client.jobs:
                    raise InputError("id", "expected one that no other request is waiting with")
                answer = self._answer(request, client)
                if answer is None:
                    if unknown:
                        client.warnings[id] = _warnings(unknown)
                    return None
                if unknown:
                    answer.warnings = _warnings(unknown)  # type: ignore[attr-defined]
            except m.RequestError as error:
                return m.Failure(id=error.id, error=error.expected, field=error.field)
            except InputError as error:
                return m.Failure(id=id, error=error.expected, field=error.field)
            except Exception:
                traceback.print_exc(file=sys.stderr)
                return m.Failure(id=id, error=FAULT, field="server")
        return answer

    def _answer(self, request: m.Request, client: Client) -> Struct | None:
        handler = self._at_once.get(type(request))
        if handler is not None:
            return handler(request)
        if isinstance(request, m.Stop):
            return self.stop(request, client)
        if len(client.jobs) >= self.limits.pending:
            raise InputError("server", f"expected at most {self.limits.pending} requests of a client to wait")
        if isinstance(request, m.Advise):
            self.advise(request, client)
        elif isinstance(request, m.MoveBy):
            self.move(request, client)
        return None

    def leave(self, client: Client) -> None:
        """A client has gone: nobody waits for its searches any more."""
        client.is_gone = True
        for job in list(client.jobs.values()):
            self.pool.stop(job)

    def close(self) -> None:
        """End: searches that run answer with what they have."""
        self.pool.close()

    # --- what is asked about ---

    def _view(self, request: Any) -> tuple[Position | Observation, Kept | None]:
        """The position or observation that a request is about, and the kept game if it is one."""
        if (request.game_id is UNSET) == (request.view is UNSET):
            raise InputError("game_id", "expected a kept game or a view, one of them")
        if request.game_id is UNSET:
            with within("view."):
                return read(request.view), None
        game = self.shelf.get(request.game_id)
        ply = getattr(request, "ply", UNSET)
        return (game.position if ply is UNSET else game.at(ply)), game

    # --- answered at once ---

    def new(self, request: m.New) -> m.NewAnswer:
        """Keep a game."""
        given = [name for name in ("game", "position", "record", "copy") if getattr(request, name) is not UNSET]
        if len(given) != 1:
            raise InputError(
                "game", f"expected one of game, position, record and copy, got {', '.join(given) or 'none'}"
            )
        drawn = request.seed is UNSET
        seed = secrets.randbelow(MAX_SEED) if isinstance(request.seed, UnsetType) else request.seed
        game = self._started(request, seed, drawn)
        game.draws = request.chance == "server"
        done = game.draw()
        self.shelf.put(game)
        return m.NewAnswer(
            id=request.id,
            game_id=game.id,
            game=game.start.game.NAME,
            rules=game.start.to_dict()["rules"],
            players=game.start.players,
            seed=None if drawn else seed,
            ply=len(game.moves),
            to_act=_to_act(game.position),
            chance=done,
            result=_result(game.position),
        )

    def _started(self, request: m.New, seed: int, drawn: bool) -> Kept:
        if not isinstance(request.game, UnsetType):
            game = Kept(deal(request.game, seed, **(_given(request.rules) or {})), seed, False, not drawn)
            game.dealt = seed
            return game
        if not isinstance(request.position, UnsetType):
            with within("position."):
                found = read(request.position)
            if isinstance(found, Observation):
                raise InputError(
                    "position", "expected the whole truth; what a seat sees goes with each request as view"
                )
            return Kept(found, seed, False, True)
        if not isinstance(request.record, UnsetType):
            with within("record."):
                moves = request.record.get("moves")
                if isinstance(moves, list) and len(moves) > self.limits.plies:
                    raise InputError("moves", f"expected at most {self.limits.plies}, got {len(moves)}")
                start, positions = positions_of(request.record)
            game = replayed(start, request.record["moves"], positions, seed)
            game.dealt = request.record.get("seed")
            return game
        game = self.shelf.get(str(request.copy))
        return game.branch(len(game.moves) if isinstance(request.ply, UnsetType) else request.ply, seed)

    def legal(self, request: m.Legal) -> m.LegalAnswer:
        """The legal moves."""
        view, _ = self._view(request)
        return m.LegalAnswer(id=request.id, moves=view.moves(), to_act=_to_act(view))

    def play(self, request: m.Play) -> m.PlayAnswer:
        """Make a move, in a kept game or from a position."""
        view, game = self._view(request)
        if isinstance(view, Observation):
            raise InputError(
                "view", "expected the whole truth: what a seat sees does not tell what a move brings about"
            )
        if game is None:
            return self._play_from(request, view)
        before = len(game.moves)
        done = game.play(self._move_or_roll(request, view, game.roll), self.limits.plies)
        return m.PlayAnswer(
            id=request.id,
            game_id=game.id,
            ply=len(game.moves),
            to_act=_to_act(game.position),
            result=_result(game.position),
            chance=done,
            told=game.told_since(before) if request.tell else UNSET,
        )

    def _move_or_roll(self, request: m.Play, view: Position, roll: Callable[[], str]) -> str:
        if not isinstance(request.move, UnsetType):
            return request.move
        if view.to_act != CHANCE:
            raise InputError("move", "expected this field, it is missing: a seat is to act, not chance")
        return roll()

    def _play_from(self, request: m.Play, view: Position) -> m.PlayAnswer:
        game = Kept(view, secrets.randbelow(MAX_SEED), False, True)
        game.play(self._move_or_roll(request, view, game.roll), 1)
        return m.PlayAnswer(
            id=request.id,
            position=game.position.to_dict(),
            to_act=_to_act(game.position),
            result=_result(game.position),
            chance=[],
            told=game.told_since(0) if request.tell else UNSET,
        )

    def undo(self, request: m.Undo) -> m.UndoAnswer:
        """Take moves back."""
        game = self.shelf.get(request.game_id)
        game.undo(request.count, _given(request.seat))
        return m.UndoAnswer(id=request.id, game_id=game.id, ply=len(game.moves), to_act=_to_act(game.position))

    def observe(self, request: m.Observe) -> m.ObserveAnswer:
        """What a seat sees."""
        view, game = self._view(request)
        seat = max(view.to_act, 0) if isinstance(request.seat, UnsetType) else request.seat
        if isinstance(view, Position):
            view = view.observe(seat)
        elif view.seat != seat:
            raise InputError("seat", f"expected {view.seat}, the view is what this seat sees; got {seat}")
        answer = m.ObserveAnswer(id=request.id, observation=view.to_dict(), to_act=_to_act(view))
        if game:
            answer.game_id = game.id
            answer.plies = len(game.moves)
            answer.ply = answer.plies if isinstance(request.ply, UnsetType) else request.ply
        return answer

    def record(self, request: m.Record) -> m.RecordAnswer:
        """The record of a game that nothing is hidden in any more."""
        game = self.shelf.get(request.game_id)
        going = [one for one in (game, game.origin) if one is not None and not one.position.is_over]
        if going and not game.is_open:
            raise InputError("game_id", "expected a game that is over: a record tells what is hidden")
        seats = game.start.players
        players = [seat_name(seat) for seat in range(seats)] if request.players is UNSET else request.players
        if len(players) != seats:  # type: ignore[arg-type]
            raise InputError("players", f"expected {seats} names, one a seat, got {len(players)}")  # type: ignore[arg-type]
        return m.RecordAnswer(id=request.id, record=make_record(game.start, game.moves, players, game.dealt))  # type: ignore[arg-type]

    def forget(self, request: m.Forget) -> m.ForgetAnswer:
        """Keep a game no longer."""
        self.shelf.forget(request.game_id)
        return m.ForgetAnswer(id=request.id, game_id=request.game_id)

    def info(self, request: m.Info) -> m.InfoAnswer:
        """About the server."""
        return m.InfoAnswer(
            id=request.id,
            name="mess",
            version=version("smallest-mess"),
            protocol=m.VERSION,
            limits=self.limits.to_dict(),
            load=self.load,
        )

    @property
    def load(self) -> dict[str, float]:
        """How busy the server is."""
        return {"requests": self.requests, "games": len(self.shelf), **self.pool.load}

    def games(self, request: m.Games) -> m.GamesAnswer:
        """The games, their rules, and who plays them."""
        return m.GamesAnswer(id=request.id, games=[self._about(name) for name in NAMES])

    def _about(self, name: str) -> m.GameInfo:
        game = load(name)
        rules = {
            option: values.prose if isinstance(values, Open) else list(values)
            for option, values in game.OPTIONS.items()
        }
        about = (game.__doc__ or "").strip().splitlines()[0]
        return m.GameInfo(name=name, about=about, rules=rules, bots=self.roster.prose(name), levels=levels.LEVELS[-1])

    # --- searches ---

    def advise(self, request: m.Advise, client: Client) -> None:
        """Judge moves; the answers are sent when they are there."""
        view, _ = self._view(request)
        seen = seen_by_mover(view)
        seconds, iterations = _given(request.seconds), _given(request.iterations)
        self._check_budget(seconds, iterations)
        method, options = _given(request.method), _given(request.options) or {}
        if method is not None:
            check_method(method, seen.game.NAME)
        with within("options."):
            read_options(seen.game.NAME, options)
        asked = {
            "every": _given(request.report_every),
            "seconds": min(1.0, self.limits.seconds) if seconds is None and iterations is None else seconds,
            "iterations": iterations,
            "seed": request.seed,
            "method": method,
            "options": options,
            "only": _given(request.only),
            "avoid": _given(request.avoid) or (),
        }

        def answer(advice: Any, partial: bool) -> m.AdviseAnswer:
            return m.AdviseAnswer(id=request.id, advice=advice, partial=partial, stopped=job.stopped)

        job = self._submit(
            request, client, "advise", seen, asked, done=lambda advice: answer(advice, False), partial=answer
        )

    def _check_budget(self, seconds: float | None, iterations: int | None) -> None:
        if seconds is not None and iterations is not None:
            raise InputError("iterations", "expected iterations or seconds, not both")
        for field, value, most in (
            ("seconds", seconds, self.limits.seconds),
            ("iterations", iterations, self.limits.iterations),
        ):
            if value is not None and value > most:
                raise InputError(field, f"expected at most {most}, got {value}")

    def move(self, request: m.MoveBy, client: Client) -> None:
        """Let a bot decide; the answer is sent when it has."""
        view, game = self._view(request)
        seen = seen_by_mover(view)
        if (request.bot is UNSET) == (request.level is UNSET):
            raise InputError("bot", "expected a bot or a level, one of them")
        if request.play and game is None:
            raise InputError("play", "expected false: there is no kept game to make the move in")
        name = str(request.bot) if isinstance(request.level, UnsetType) else levels.name_of(request.level)
        called = self.roster.call(name, seen.game.NAME, view.to_dict()["rules"])
        seed = request.seed if not isinstance(request.seed, UnsetType) else game.seed if game else 0
        ply = len(game.moves) if game else 0

        def done(move: str) -> m.MoveAnswer:
            answer = m.MoveAnswer(id=request.id, move=move, bot=name, seat=seen.to_act)
            if game and request.play:
                if len(game.moves) != ply or game.position is not view:
                    raise InputError("game_id", "expected the game to stand still; moves were made in the meantime")
                answer.chance = game.play(move, self.limits.plies)
                answer.game_id, answer.ply = game.id, len(game.moves)
                answer.to_act, answer.result = _to_act(game.position), _result(game.position)
                answer.told = game.told_since(ply) if request.tell else UNSET
            return answer

        self._submit(request, client, "move", seen, {**called, "seed": seed, "ply": ply}, done=done)

    def _submit(
        self,
        request: Any,
        client: Client,
        kind: str,
        seen: Position | Observation,
        asked: dict[str, Any],
        done: Callable[[Any], Struct],
        partial: Callable[[Any, bool], Struct] | None = None,
    ) -> Job:
        """Let a search wait for its turn; what it comes to is sent to the client."""

        def finish(make: Callable[[], Struct]) -> None:
            with self._lock:
                client.jobs.pop(request.id, None)
                warnings = client.warnings.pop(request.id, None)
                try:
                    answer = make()
                    if warnings and not isinstance(answer, m.Failure):
                        answer.warnings = warnings  # type: ignore[attr-defined]
                except InputError as error:
                    answer = m.Failure(id=request.id, error=error.expected, field=error.field)
                except Exception:
                    # the thread that hears from the workers has to live on
                    traceback.print_exc(file=sys.stderr)
                    answer = m.Failure(id=request.id, error=FAULT, field="server")
            self._send(client, answer)

        job = Job(
            kind,
            pack(seen),
            asked,
            partial=lambda what: self._send(client, partial(what, True)) if partial else None,
            done=lambda what: finish(lambda: done(what)),
            failed=lambda field, text: finish(lambda: m.Failure(id=request.id, error=text, field=field)),
            priority=request.priority,
        )
        self.pool.submit(job)
        client.jobs[request.id] = job
        return job

    def _send(self, client: Client, answer: Struct) -> None:
        if not client.is_gone:
            client.send(answer)

    def stop(self, request: m.Stop, client: Client) -> m.StopAnswer:
        """End a search of the client."""
        job = client.jobs.get(request.target)
        if job:
            self.pool.stop(job)
        return m.StopAnswer(id=request.id, stopped=job is not None)
