"""What is wrong with a bot: it plays a handful of games against everything, and every answer is looked at.

Run as ``python -m mess.search.checking BOT GAME`` this module answers recorded questions again, in a process of its
own, in which Python orders sets of strings in another way.
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from ..solver.errors import InputError
from ..solver.fields import shown
from ..solver.game import CHANCE, deal, load
from ..solver.position import Observation, Position, read
from ..solver.rng import below, stream
from .bots.find import find
from .bots.kinds import Bot, check_ready
from .bots.strategy import IllegalMoveError, StrategyError
from .policies import policies

SEARCH = "mcts@50"
"""The search among the opponents."""
WORLDS = 3
"""Worlds dealt to an observation, to see that they look alike."""
EVERY = 5
"""Every so many decisions are looked at for that."""
MOST_DECISIONS, MOST_SECONDS = 150, 5.0
"""Decisions of the bot after which a game is left, and seconds that it thought in one."""
ELSEWHERE = 3
"""Games of which the answers are asked for again in another process."""
HASH_SEED = "1"
MODULE = "mess.search.checking"
CHILD_SECONDS = 600


@dataclass
class Question:
    """One decision: what the bot saw, and the state of its stream before."""

    seen: dict[str, Any]
    rng: int
    move: str | None


@dataclass
class Report:
    """What was seen of a bot.

    Attributes:
        games, decisions: how much it played.
        players: numbers of seats that it played with.
        illegal, errors: what it did wrong and how often, each told with file and line where that is known.
        seconds: time of every decision.
        changed: decisions in which it answered otherwise when asked again, and where.
        worlds: worlds dealt to what it saw, and how many of them looked otherwise.
        is_open: whether it is shown what is hidden.
    """

    games: int = 0
    decisions: int = 0
    players: set[int] = field(default_factory=set)
    illegal: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    changed: Counter[str] = field(default_factory=Counter)
    worlds: int = 0
    unlike: int = 0
    is_open: bool = False

    def slower(self, limit: float) -> int:
        """Decisions that took longer than ``limit`` seconds."""
        return sum(taken > limit for taken in self.seconds)

    @property
    def median(self) -> float:
        """Median of the seconds of a decision; 0 if there was none."""
        return median(self.seconds) if self.seconds else 0.0

    def is_clean(self, limit: float) -> bool:
        """Whether nothing was found."""
        return not (self.illegal or self.errors or self.changed or self.unlike or self.is_open or self.slower(limit))


def _ask(bot: Bot, view: Observation | Position, rng: int) -> tuple[str | None, str, str]:
    """A bot's move, or None with the kind of what it did wrong (``"illegal"`` or ``"errors"``) and what."""
    try:
        move = bot.choose(view, np.array([rng], dtype=np.uint64))
    except KeyboardInterrupt:
        raise
    except IllegalMoveError as error:
        return None, "illegal", str(error)
    except StrategyError as error:
        return None, "errors", str(error)
    except BaseException as error:
        return None, "errors", " ".join(f"{type(error).__name__}: {error}".split())
    if move not in view.moves():
        return None, "illegal", f"chose {shown(move)}"
    return move, "", ""


class Checker:
    """Plays a bot against others and notes what it does."""

    def __init__(self, spec: str, game: str, seed: int) -> None:
        """
        Raises:
            InputError: there is no such bot for this game.
        """
        self.spec, self.game, self.seed = spec, game, seed
        self.report = Report()
        self.asked: list[list[Question]] = []
        self.report.is_open = self._fresh().open
        counts = [count for count in load(game).OPTIONS.get("players", (2,)) if count > 1]
        self.counts = sorted({counts[0], counts[len(counts) // 4], counts[-1]})
        self.others = [*policies(game).NAMES, SEARCH]
        check_ready([self._fresh()], deal(game, seed).to_dict()["rules"], whole=True)

    def _fresh(self) -> Bot:
        return find(self.spec, self.game)

    def play(self, number: int) -> None:
        """Game ``number``: another opponent each time, and in turn another number of players and seat."""
        players = self.counts[number % len(self.counts)]
        rules = {"players": players} if "players" in load(self.game).OPTIONS else {}
        position = deal(self.game, self.seed + number, **rules)
        seat = number % position.players
        other = find(self.others[number % len(self.others)], self.game)
        bots = self._fresh(), self._fresh()
        streams = [stream(self.seed, "check", number, one) for one in range(position.players + 1)]
        asked: list[Question] = []
        self.asked.append(asked)
        self.report.games += 1
        self.report.players.add(position.players)
        thought = len(self.report.seconds)
        while not position.is_over and len(asked) < MOST_DECISIONS:
            if sum(self.report.seconds[thought:]) > MOST_SECONDS:
                break
            if position.to_act == CHANCE:
                move = position.roll(streams[-1])
            elif position.to_act != seat:
                move = other.choose(position.observe(position.to_act), streams[position.to_act])
            else:
                move = self._decide(position, bots, streams[seat], asked)
            position = position.play(move)

    def _decide(self, position: Position, bots: tuple[Bot, Bot], rng: np.ndarray, asked: list[Question]) -> str:
        """The bot's move, looked at from all sides; where it has none, any."""
        report, bot, twin = self.report, *bots
        view = position if bot.open else position.observe(position.to_act)
        legal = view.moves()
        drawn = int(below(rng, len(legal)))
        state = int(rng[0])
        began = time.perf_counter()
        move, kind, what = _ask(bot, view, state)
        report.seconds.append(time.perf_counter() - began)
        report.decisions += 1
        if kind:
            getattr(report, kind)[what] += 1
        self._ask_again(twin, view, state, move)
        if isinstance(view, Observation):
            if len(asked) % EVERY == 0:
                self._deal_worlds(view, state)
            asked.append(Question(view.to_dict(), state, move))
        else:
            asked.append(Question({}, state, move))
        return legal[drawn] if move is None else move

    def _ask_again(self, twin: Bot, view: Observation | Position, state: int, move: str | None) -> None:
        """Ask another bot made of the same, which was asked the same before; and one that keeps nothing once more."""
        if _ask(twin, view, state)[0] != move:
            self.report.changed["made anew and asked the same"] += 1
        elif not getattr(twin, "remembers", False) and _ask(twin, view, state)[0] != move:
            self.report.changed["asked the same twice"] += 1

    def _deal_worlds(self, view: Observation, state: int) -> None:
        """Deal worlds that fit what is seen: whatever lies hidden, the bot is given the same."""
        text, rng = str(view), np.array([state], dtype=np.uint64)
        for _ in range(WORLDS):
            self.report.worlds += 1
            self.report.unlike += str(view.world(rng).observe(view.seat)) != text

    def ask_elsewhere(self) -> None:
        """Ask for the answers of some games in another process."""
        if self.report.is_open:
            return
        games = self.asked[:ELSEWHERE]
        sent = [[[question.seen, question.rng] for question in game] for game in games]
        child = subprocess.run(
            [sys.executable, "-m", MODULE, self.spec, self.game],
            input=json.dumps(sent),
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONHASHSEED": HASH_SEED},
            timeout=CHILD_SECONDS,
            check=False,
        )
        if child.returncode:
            last = child.stderr.strip().splitlines()[-1:] or ["no answer"]
            raise InputError("bot", f"expected answers in a process of its own; {last[0]}")
        try:
            told = json.loads(child.stdout.splitlines()[-1])
        except (IndexError, ValueError):
            raise InputError("bot", "expected answers in a process of its own; got other output") from None
        for game, moves in zip(games, told, strict=True):
            differ = sum(question.move != move for question, move in zip(game, moves, strict=True))
            if differ:
                self.report.changed["asked the same in another process"] += differ


def answer(spec: str, game: str, games: list[list[list[Any]]]) -> list[list[str | None]]:
    """The moves of a bot for recorded questions, game by game."""
    answers = []
    for questions in games:
        bot = find(spec, game)
        answers.append([_ask(bot, read(seen), rng)[0] for seen, rng in questions])
    return answers


if __name__ == "__main__":
    print(f"\n{json.dumps(answer(sys.argv[1], sys.argv[2], json.load(sys.stdin)))}")
