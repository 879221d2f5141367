"""Asking the search: advice out of what trees, proofs and solutions say of the moves."""

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..solver.errors import InputError
from ..solver.fields import shown
from ..solver.position import Observation, Position
from ..solver.rng import stream
from .advice import Advice, MoveAdvice
from .faces import face
from .settings import Budget, Choice, check_budget, check_method, read_options
from .shards import root_statistics, shards_of, worlds_of
from .watch import Watch

HINT_NODES, BOT_NODES = 200_000, 4_000
"""Nodes that the endgame solver may spend on a hint, and on a move of a bot."""
Z95 = 1.959963984540054


def best_move(
    view: Observation | Position,
    method: str,
    budget: Budget,
    choice: Choice,
    rng: np.ndarray,
    watch: Watch | None = None,
    pick: Callable[[np.ndarray, np.ndarray], int] | None = None,
) -> str:
    """A proven win, else the move that one shard visits most; for bots, which keep their own stream.

    ``pick`` chooses otherwise, by what is proven of the moves and their statistics.
    """
    moves = view.moves()
    if len(moves) == 1:
        return moves[0]
    proven = proofs(view, BOT_NODES)
    if (proven > 0).any():
        return moves[int(proven.argmax())]
    statistics = root_statistics(view, method, budget, choice, [rng], watch=watch)
    return moves[(pick or _most_visited)(proven, statistics)]


def _most_visited(proven: np.ndarray, statistics: np.ndarray) -> int:
    return max(range(len(proven)), key=lambda i: (proven[i], *statistics[i]))


def interval(visits: float, total: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a mean payoff in [0, 1] after ``visits`` playouts: what sampling alone leaves open."""
    if visits == 0:
        return 0.0, 1.0
    mean = min(1.0, max(0.0, total / visits))
    centre = mean + Z95**2 / (2 * visits)
    spread = Z95 * math.sqrt(mean * (1 - mean) / visits + Z95**2 / (4 * visits**2))
    scale = 1 + Z95**2 / visits
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def advise(
    view: Observation | Position,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    method: str | None = None,
    open: bool = False,
    workers: int = 1,
    options: dict[str, Any] | None = None,
    only: Sequence[str] | None = None,
    avoid: Sequence[str] = (),
    watch: Watch | None = None,
) -> Advice:
    """Search a position for the seat to act.

    Args:
        view: what the seat sees, or a full position, which is cut down to that first unless ``open``.
        iterations, seconds: the budget, one of them; one second if neither is given. For alpha-beta an iteration is
            a position looked at.
        seed: the same seed, iterations and options give the same advice, for any number of workers.
        method: ``"mcts"`` (one tree over all worlds), ``"pimc"`` (a tree a world, visits added up) or, for Pylos,
            ``"alphabeta"``; by default what a solution says where there is one, else ``"mcts"``.
        open: show the search what is hidden: cheating, to measure what the hidden cards are worth.
        workers: threads.
        options: see ``SETTINGS``, and ``playout``, the name of a policy.
        only, avoid: legal moves to judge, all by default, and moves not to.
        watch: may stop the search, which then answers with what it has, and is told what it has so far.

    Raises:
        InputError: the game is over or chance is to act, an observation of a seat that is not to act, a bad budget
            or option, a move that is not legal or none left to judge.
    """
    began = time.perf_counter()
    if method is not None:
        check_method(method, view.game.NAME)
    if workers < 1:
        raise InputError("workers", f"expected a whole number from 1, got {workers!r}")
    budget = check_budget(iterations, seconds)
    choice = read_options(view.game.NAME, options or {})
    view = seen_by_mover(view, open)
    allowed = _allowed(view.moves(), only, avoid)
    watch = watch or Watch()
    if method is None and (outcomes := view.game.outcomes(view)):
        return _from_solution(view, outcomes, allowed, seed, time.perf_counter() - began)
    if method == "alphabeta":
        return _from_alphabeta(view, budget, allowed, seed, began, watch)
    return _from_trees(view, method or "mcts", budget, choice, allowed, seed, workers, open, began, watch)


def seen_by_mover(view: Observation | Position, open: bool = False) -> Observation | Position:
    """What the seat to act sees; with ``open`` the position itself.

    Raises:
        InputError: no seat is to act, or it is an observation of another, or one although ``open``.
    """
    seat = view.to_act
    if seat < 0:
        raise InputError("to_act", "expected a position in which a seat is to act")
    if isinstance(view, Position):
        return view if open else view.observe(seat)
    if view.seat != seat:
        raise InputError("seat", f"expected the observation of the seat to act, {seat}, got that of {view.seat}")
    if open:
        raise InputError("open", "expected a full position: an observation does not hold the hidden cards")
    return view


def _allowed(moves: Sequence[str], only: Sequence[str] | None, avoid: Sequence[str]) -> list[int]:
    """Places of the moves to judge."""
    for field, given in (("only", only or ()), ("avoid", avoid)):
        for i, move in enumerate(given):
            if move not in moves:
                raise InputError(f"{field}[{i}]", f"expected one of {' '.join(moves)}; got {shown(move)}")
    allowed = [i for i, move in enumerate(moves) if move not in avoid and (only is None or move in only)]
    if not allowed:
        raise InputError("only" if only is not None else "avoid", "expected to leave a move to judge")
    return allowed


def _from_solution(
    view: Observation | Position, outcomes: Any, allowed: Sequence[int], seed: int, seconds: float
) -> Advice:
    """Advice where the game is solved: what comes of every move under best play."""
    rows = []
    explained = explain(view)
    told = sorted(((outcomes[i], explained[i]) for i in allowed), key=lambda pair: pair[0].liking)
    for rank, (outcome, (move, mess, said)) in enumerate(told):
        win, why = outcome.win, f"{said} {outcome.told}"
        rows.append(MoveAdvice(move, win, win, win, 0, float(rank), mess, why, outcome.points))
    return Advice(
        game=view.game.NAME,
        seat=view.to_act,
        moves=tuple(reversed(rows)),
        best=rows[-1].move,
        iterations=0,
        worlds=1,
        seconds=seconds,
        seed=seed,
        method=view.game.SOLVED_BY,
    )


def _from_alphabeta(
    view: Observation | Position, budget: Budget, allowed: Sequence[int], seed: int, began: float, watch: Watch
) -> Advice:
    """Advice by alpha-beta: every move scored, and what that proved."""
    from .alphabeta import Found, chance_of, look_ahead, told

    explained = explain(view)

    def advice(found: Found) -> Advice:
        rows = []
        for i in allowed:
            (move, mess, said), score = explained[i], found.scores[i]
            win = chance_of(score)
            rows.append(MoveAdvice(move, win, win, win, 0, float(score), mess, f"{said} {told(score, found.depth)}"))
        moves = tuple(sorted(rows, key=lambda row: -row.score))
        return Advice(
            game=view.game.NAME,
            seat=view.to_act,
            moves=moves,
            best=moves[0].move,
            iterations=found.nodes,
            worlds=1,
            seconds=time.perf_counter() - began,
            seed=seed,
            method="alphabeta",
        )

    tell = watch.tell
    return advice(
        look_ahead(
            view,
            nodes=budget.iterations,
            seconds=budget.seconds,
            every=True,
            among=allowed,
            watch=watch,
            tell=None if tell is None else lambda found: tell(advice(found)),
        )
    )


def _from_trees(
    view: Observation | Position,
    method: str,
    budget: Budget,
    choice: Choice,
    allowed: Sequence[int],
    seed: int,
    workers: int,
    open: bool,
    began: float,
    watch: Watch,
) -> Advice:
    """Advice by tree search, and by what the endgame solver proves."""
    proven = proofs(view, HINT_NODES)
    explained = explain(view)
    rngs = [stream(seed, "search", shard) for shard in range(shards_of(budget, workers))]
    knows_all = isinstance(view, Position) or view.game.known_to_all(view)

    def advice(statistics: np.ndarray) -> Advice:
        moves = _ranked(view, [explained[i] for i in allowed], statistics[allowed], proven[allowed])
        total = int(statistics[:, 0].sum())
        worlds = 1 if knows_all else total
        if method == "pimc" and not knows_all:
            worlds = min(total, worlds_of(choice.worlds, budget, len(rngs)))
        return Advice(
            game=view.game.NAME,
            seat=view.to_act,
            moves=moves,
            best=moves[0].move,
            iterations=total,
            worlds=worlds,
            seconds=time.perf_counter() - began,
            seed=seed,
            method=("exact" if _decided(proven[allowed]) else method) + (" (open cards)" if open else ""),
        )

    tell = watch.tell
    statistics = root_statistics(
        view,
        method,
        budget,
        choice,
        rngs,
        allowed=allowed if len(allowed) < len(explained) else (),
        watch=watch,
        tell=None if tell is None else lambda so_far: tell(advice(so_far)),
    )
    return advice(statistics)


def proofs(view: Observation | Position, nodes: int) -> np.ndarray:
    """What is proven of each move, ``int8[moves]``: +1 a forced win, -1 a forced loss, else 0.

    Zeros unless the view holds the whole truth, and where the game has no solver.
    """
    if isinstance(view, Position) or view.game.known_to_all(view):
        return view.game.proofs(view, nodes)
    return np.zeros(len(view.moves()), dtype=np.int8)


def _decided(proven: np.ndarray) -> bool:
    """Whether the proofs alone say what to play."""
    return bool((proven > 0).any() or (proven < 0).all())


def _ranked(
    view: Observation | Position,
    explained: Sequence[tuple[str, float | None, str]],
    statistics: np.ndarray,
    proven: np.ndarray,
) -> tuple[MoveAdvice, ...]:
    """Proven wins, then the moves by visits and win probability, then proven losses.

    Of much-visited moves the search is sure, of others not, so visits come first.
    """
    rows = []
    total = statistics[:, 0].sum()
    scale = view.game.point_scale(view.state)
    for (move, mess, said), (visits, value), proof in zip(explained, statistics.tolist(), proven.tolist(), strict=True):
        low, high = interval(visits, value)
        win = value / visits if visits else 0.5 * (low + high)
        if proof:
            win = low = high = float(proof > 0)
            said += " Proven: this wins by force." if proof > 0 else " Proven: this loses to best play."
        points = None
        if scale is not None:
            points = scale[0] + scale[1] * value / max(visits, 1.0)
            win = low = high = 1.0
        score = float(visits / max(total, 1.0)) + proof
        rows.append(MoveAdvice(move, win, low, high, int(visits), score, mess, said, points))
    return tuple(sorted(rows, key=lambda row: (-row.score, -row.win)))


def explain(view: Observation | Position) -> list[tuple[str, float | None, str]]:
    """For each legal move: its text, the expected tiles taken, and a sentence on what it brings about."""
    shown = face(view.game.NAME)
    return [(move, mess, shown.why(view, move)) for move, mess in zip(view.moves(), shown.mess(view), strict=True)]
