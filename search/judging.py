"""Judging the moves of a recorded game: what each seat lost by its own moves, apart from its luck.

A move is judged by what its seat saw, by a search or a solution, as a hint would have been given. Of every seat the
judgements form one chain, from its first decision to the end of the game,

    end - start = given - lost + luck

``lost`` is what its moves were worth less than the best ones, ``given`` what the moves of the others were, ``luck`` all
else that changed its value between its decisions: dice, deals, draws, what came to light, and, where values come from
a search, what that search had misjudged.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..solver.game import CHANCE
from ..solver.position import Observation, Position, replay
from ..solver.rng import stream
from .advice import Advice, MoveAdvice
from .options import TWO_SIDED
from .search import advise

ITERATIONS, NODES = 2_000, 100_000
"""Budget of a judgement if none is asked for: iterations of a tree search, positions of alpha-beta."""
EQUAL = 1e-9
"""Losses below this are none."""


class Threshold(NamedTuple):
    """A kind of error.

    Attributes:
        mark: sign that chess players write behind a move.
        name: in a word.
        win: loss of win probability, and
        points: where a seat plays alone, of points, from which it is one.
    """

    mark: str
    name: str
    win: float
    points: float


THRESHOLDS = (
    Threshold("??", "blunder", 0.20, 1.0),
    Threshold("?", "mistake", 0.10, 0.5),
    Threshold("?!", "inaccuracy", 0.05, 0.25),
)
"""Kinds of error, the worst first."""


@dataclass(frozen=True)
class Judged:
    """One move of a game.

    Values are win probabilities in [0, 1] from the view of the seat that moves, or expected points where it plays
    alone.

    Attributes:
        ply: index of the move in the record.
        seat: who made it; ``CHANCE`` where nobody did.
        move: the move.
        before: value of the best move; None where nothing was judged: chance, or the only move, or another seat's.
        after: value of the move made; above ``before`` only where a search saw them alike, by what it drew.
        best: the best move; the one made, if none is better.
        mark, name: kind of error, ``""`` if it is none; never one that sampling alone may explain.
        given: what the moves of others gave the seat since its last judged move, or since the start.
        luck: what else changed its value since then; None at its first.
        method: how it was judged, as in ``Advice``.
        why: of the move made, one sentence; empty where nothing was judged.
    """

    ply: int
    seat: int
    move: str
    before: float | None = None
    after: float | None = None
    best: str | None = None
    mark: str = ""
    name: str = ""
    given: float | None = None
    luck: float | None = None
    method: str = ""
    why: str = ""

    @property
    def lost(self) -> float:
        """What the move is worth less than the best one; below 0 only by what a search drew, so that sums are fair."""
        return 0.0 if self.before is None or self.after is None else self.before - self.after


@dataclass(frozen=True)
class Account:
    """What became of a seat's value: ``end - start == given - lost + luck``, up to rounding.

    Attributes:
        seat: the seat.
        judged: how many of its moves were judged; of one without any nothing is known.
        errors: how many of each kind, by name.
        start: its value at its first judged move, without what others had given it by then.
        lost: by its own moves.
        given: by the errors of the others; with more than two players each is shared equally by its opponents.
        luck: all else.
        end: its share of the win or its points; where the game was left, the value of its last judged move.
    """

    seat: int
    judged: int
    errors: dict[str, int]
    start: float | None
    lost: float
    given: float
    luck: float
    end: float | None


@dataclass(frozen=True)
class Effort:
    """How to judge.

    Attributes:
        iterations, seconds: budget of a move, one of them; else ``ITERATIONS`` or ``NODES``.
        seed: of every search.
        method: as for ``advise``; by default a solution, else alpha-beta for Pylos, else a tree search.
    """

    iterations: int | None = None
    seconds: float | None = None
    seed: int = 0
    method: str | None = None

    def ask(self, view: Observation) -> Advice:
        """Advice on all moves of the seat to act."""
        method = self.method
        if method is None and view.game.NAME in TWO_SIDED and not view.game.outcomes(view):
            method = "alphabeta"
        iterations = self.iterations
        if iterations is None and self.seconds is None:
            iterations = NODES if method == "alphabeta" else ITERATIONS
        return advise(view, iterations=iterations, seconds=self.seconds, seed=self.seed, method=method)

    def ask_again(self, view: Observation, move: str, iterations: int) -> MoveAdvice:
        """One move, searched alone, by other random numbers than ``ask`` uses."""
        seed = int(stream(self.seed, "again")[0])
        return advise(view, iterations=iterations, seed=seed, method=self.method, only=[move]).moves[0]


class _Range(NamedTuple):
    """A value and what sampling alone leaves open of it."""

    value: float
    low: float
    high: float


def _worth(row: MoveAdvice) -> _Range:
    return _Range(row.win, row.low, row.high) if row.points is None else _Range(row.points, row.points, row.points)


def _is_sure(row: MoveAdvice, advice: Advice) -> bool:
    """Whether a move needs no second look: solved, proven, or looked at by a search that looks at all alike."""
    is_proven = row.points is None and row.low == row.high
    return advice.iterations == 0 or advice.method == "alphabeta" or is_proven


def _kind(before: _Range, after: _Range, alone: bool) -> tuple[str, str]:
    """Mark and name of an error."""
    if after.high < before.low - EQUAL:
        for kind in THRESHOLDS:
            if before.value - after.value >= (kind.points if alone else kind.win) - EQUAL:
                return kind.mark, kind.name
    return "", ""


def _judge(view: Observation, move: str, effort: Effort) -> dict[str, Any]:
    """What is told of a move by itself: fields of ``Judged``."""
    advice = effort.ask(view)
    rows = {row.move: row for row in advice.moves}
    best, made = rows[advice.best], rows[move]
    if made is not best and not _is_sure(made, advice):
        # looked at as long as each other, and anew: what is best because it looked best is not as good as it looked
        iterations = best.visits or advice.iterations
        made = effort.ask_again(view, move, iterations)
        best = best if _is_sure(best, advice) else effort.ask_again(view, best.move, iterations)
    before, after = _worth(best), _worth(made)
    if abs(after.value - before.value) <= EQUAL:
        best, before = made, after
    mark, name = _kind(before, after, view.players == 1)
    told = {"best": best.move, "mark": mark, "name": name, "method": advice.method, "why": made.why}
    return {"before": before.value, "after": after.value, **told}


def judge(
    start: Position, moves: Sequence[str], effort: Effort, seats: Collection[int] | None = None
) -> Iterator[Judged]:
    """Judge the moves of a game, one after another; each as soon as it is asked for.

    Args:
        start: where the game begins.
        moves: all legal, chance included.
        effort: how hard to think.
        seats: whose moves to judge, all by default; without the others' moves what they gave counts as luck.

    Raises:
        InputError: a move is not legal, or a budget or method is wrong.
    """
    others = max(1, start.players - 1)
    given = [0.0] * start.players
    last: list[float | None] = [None] * start.players
    positions = [start, *replay(start, moves)]
    for ply, (position, move) in enumerate(zip(positions, moves, strict=False)):
        seat = position.to_act
        judged = Judged(ply, seat, move)
        legal = [] if seat == CHANCE else position.moves()
        if len(legal) > 1 and (seats is None or seat in seats):
            told = _judge(position.observe(seat), move, effort)
            known = last[seat]
            luck = None if known is None else told["before"] - known - given[seat]
            judged = Judged(ply, seat, move, given=given[seat], luck=luck, **told)
            given[seat], last[seat] = 0.0, told["after"]
            for other in range(start.players):
                given[other] += judged.lost / others if other != seat else 0.0
        yield judged


def result_of(position: Position) -> tuple[float, ...] | None:
    """What the seats got, in the unit of their values; None while the game is not over."""
    if not position.is_over:
        return None
    if position.game.point_scale(position.state) is not None:
        return (float(position.state.scores[0]),)
    return position.payoff()


def accounts(players: int, judged: Iterable[Judged], result: Sequence[float] | None) -> list[Account]:
    """What became of every seat.

    Args:
        players: number of seats.
        judged: what ``judge`` said, up to any move.
        result: as of ``result_of``; None where the game was left, or not judged to its end.
    """
    rows = list(judged)
    return [_account(seat, players, rows, result) for seat in range(players)]


def _account(seat: int, players: int, judged: Sequence[Judged], result: Sequence[float] | None) -> Account:
    own = [row for row in judged if row.seat == seat and row.before is not None]
    errors = {kind.name: sum(row.name == kind.name for row in own) for kind in THRESHOLDS}
    if not own:
        return Account(seat, 0, errors, None, 0.0, 0.0, 0.0, None if result is None else result[seat])
    first, final = own[0], own[-1]
    assert first.before is not None and first.given is not None and final.after is not None
    given = sum(row.given or 0.0 for row in own)
    luck = sum(row.luck or 0.0 for row in own)
    end = final.after
    if result is not None:
        late = sum(row.lost for row in judged if row.ply > final.ply and row.seat != seat) / max(1, players - 1)
        end = result[seat]
        given += late
        luck += end - final.after - late
    start = first.before - first.given
    return Account(seat, len(own), errors, start, sum(row.lost for row in own), given, luck, end)
