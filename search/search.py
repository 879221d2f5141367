"""Asking the search: budgets, shards, and advice out of tree statistics."""

import math
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from ..solver import game as kernels
from ..solver.errors import InputError
from ..solver.position import Observation, Position
from ..solver.rng import stream
from . import mcts, planning, tree
from .advice import Advice, MoveAdvice
from .faces import face
from .options import TWO_SIDED
from .policies import policies

METHODS = ("mcts", "pimc", "alphabeta")
SHARD_ITERATIONS = 16384
MAX_SHARDS = 8
MAX_NODES = 1 << 20
GROWN, PLANNED = 4, 16
"""Nodes that an iteration of mcts, and a trial of planning, is given room for."""
MAX_ITERATIONS = 100_000_000
MAX_SECONDS = 24 * 3600.0
FIRST_CHUNK, CHUNK_SECONDS = 32, 0.02
PIMC_WORLDS = 40
WORLD_ITERATIONS = 50
"""Iterations that a tree of ``pimc`` has at least: with few of them it looks at fewer worlds, not at less of each."""
HINT_NODES, BOT_NODES = 200_000, 4_000
"""Nodes that the endgame solver may spend on a hint, and on a move of a bot."""
Z95 = 1.959963984540054


class Setting(NamedTuple):
    """One search option: its type, range and default."""

    kind: type
    low: float
    high: float
    default: float


SETTINGS = {
    "exploration": Setting(float, 0.0, 100.0, 0.7),
    "first_play": Setting(float, 0.0, 1e9, 1e9),
    "epsilon": Setting(float, 0.0, 1.0, 0.1),
    "effort": Setting(int, 1, 100_000, 1),
    "cutoff": Setting(int, -1, 100_000, 20),
    "worlds": Setting(int, 1, 100_000, PIMC_WORLDS),
    "points": Setting(int, 0, 1, 0),
    "belief": Setting(float, 0.0, 1.0, 0.0),
}
WITH_POINTS = ("odin",)
"""Games in which a search may play for points instead of the win."""


class Choice(NamedTuple):
    """How a search was asked to go about it.

    Attributes:
        tree: options of the tree search.
        worlds: how many ``pimc`` looks at.
        points: whether it plays for points instead of the win.
    """

    tree: mcts.Options
    worlds: int
    points: bool


class Budget(NamedTuple):
    """Iterations or seconds, whichever is not None."""

    iterations: int | None
    seconds: float | None


def read_options(game: str, given: dict[str, Any]) -> Choice:
    """Search options, defaults filled in.

    Raises:
        InputError: an unknown option or a value out of range.
    """
    names = policies(game).NAMES
    values: dict[str, Any] = {name: setting.default for name, setting in SETTINGS.items()}
    values |= policies(game).DEFAULTS
    for name, value in given.items():
        if name == "playout":
            if value not in names:
                raise InputError("playout", f"expected one of {', '.join(names)}, got {value!r}")
            values[name] = value
            continue
        if name not in SETTINGS:
            raise InputError(name, f"no such option, expected one of playout, {', '.join(SETTINGS)}")
        setting = SETTINGS[name]
        try:
            number = setting.kind(value)
        except (TypeError, ValueError):
            number = math.nan
        if not setting.low <= number <= setting.high:
            kind = "whole number" if setting.kind is int else "number"
            raise InputError(name, f"expected a {kind} from {setting.low:g} to {setting.high:g}, got {value!r}")
        values[name] = number
    if values["points"] and game not in WITH_POINTS:
        raise InputError("points", f"expected a game with points, one of {', '.join(WITH_POINTS)}, got {game}")
    options = mcts.Options(
        exploration=values["exploration"],
        first_play=values["first_play"],
        policy=names.index(values["playout"]),
        epsilon=values["epsilon"],
        effort=values["effort"],
        cutoff=values["cutoff"],
        belief=values["belief"],
    )
    return Choice(options, values["worlds"], bool(values["points"]))


def check_method(method: str, game: str) -> None:
    """Check that a game can be searched in a way; ``InputError`` lists those it can be."""
    known = [name for name in METHODS if name != "alphabeta" or game in TWO_SIDED]
    if method not in known:
        raise InputError("method", f"expected one of {', '.join(known)}, got {method!r}")


def check_budget(iterations: int | None, seconds: float | None) -> Budget:
    """The budget, one second if none is given; ``InputError`` when it is not positive or given twice."""
    if iterations is not None and seconds is not None:
        raise InputError("iterations", "expected iterations or seconds, not both")
    if iterations is None:
        seconds = 1.0 if seconds is None else seconds
        if not 0.0 < seconds <= MAX_SECONDS:
            raise InputError("seconds", f"expected a time above 0 and up to {MAX_SECONDS:g} seconds, got {seconds!r}")
    elif not 1 <= iterations <= MAX_ITERATIONS:
        raise InputError("iterations", f"expected a whole number from 1 to {MAX_ITERATIONS}, got {iterations!r}")
    return Budget(iterations, seconds)


class _Shard:
    """One tree, grown from its own stream: shards share nothing, so how many run at once changes nothing."""

    def __init__(
        self, root: Any, options: mcts.Options, max_moves: int, nodes: int, rng: np.ndarray, stop: threading.Event
    ) -> None:
        self.root, self.options, self.rng, self.stop = root, options, rng, stop
        self.tree = tree.make(nodes)
        self.world = root.copy()
        self.moves = np.empty(max_moves, dtype=np.int32)

    def iterate(self, root: Any, count: int, new_worlds: bool) -> None:
        """So many iterations."""
        mcts.iterate(self.tree, root, self.world, self.moves, self.options, count, new_worlds, self.rng)

    def run(self, root: Any, budget: Budget, new_worlds: bool) -> None:
        """Iterate until the budget is used or ``stop`` is set; how the iterations are cut up changes nothing."""
        start = time.perf_counter()
        left = budget.iterations or MAX_ITERATIONS
        chunk, now = min(FIRST_CHUNK, left), start
        while chunk > 0 and not self.stop.is_set():
            begun = now
            self.iterate(root, chunk, new_worlds)
            now = time.perf_counter()
            seconds_left = math.inf if budget.seconds is None else budget.seconds - (now - start)
            if seconds_left <= 0:
                return
            left -= chunk
            pace = chunk / max(now - begun, 1e-6)
            chunk = min(left, max(1, int(pace * min(CHUNK_SECONDS, seconds_left))))

    def search(self, budget: Budget, hidden: bool, worlds: int) -> np.ndarray:
        """Search one tree over all worlds (``worlds`` 0), or a tree a world; statistics of the root's moves.

        Returns:
            ``float64[moves, 2]``: visits and sum of payoffs.
        """
        if worlds == 0:
            self.run(self.root, budget, hidden)
            return self._root_statistics()
        total = np.zeros((kernels.legal(self.root[0], self.moves), 2))
        worlds = _worlds(worlds, budget)
        for i in range(worlds):
            share = _share(budget, worlds, i)
            if share.iterations == 0 or self.stop.is_set():
                continue
            dealt = self.root.copy()
            if hidden:
                mcts.deal_world(self.root, dealt, self.options, self.rng)
            tree.clear(self.tree)
            self.run(dealt, share, False)
            total += self._root_statistics()
        return total

    def _root_statistics(self) -> np.ndarray:
        count = kernels.legal(self.root[0], self.moves)
        rows = np.zeros((count, 2))
        for i, move in enumerate(self.moves[:count]):
            child = tree.find(self.tree, tree.ROOT, move)
            if child != tree.NO_NODE:
                rows[i] = self.tree.visits[child], self.tree.value[child]
        return rows


class _LoneShard(_Shard):
    """One tree for a seat that plays alone: nothing is drawn, all shards would be alike, so one does all the work."""

    def __init__(
        self, root: Any, options: mcts.Options, max_moves: int, nodes: int, rng: np.ndarray, stop: threading.Event
    ) -> None:
        super().__init__(root, options, max_moves, 1, rng, stop)
        self.plan = planning.make(nodes)
        self.after = root.copy()

    def iterate(self, root: Any, count: int, new_worlds: bool) -> None:
        """So many trials."""
        planning.iterate(self.plan, root, self.world, self.after, self.moves, self.options.exploration, count)

    def search(self, budget: Budget, hidden: bool, worlds: int) -> np.ndarray:
        """Search the one world there is; visits of the root's moves, and visits times what each is worth."""
        self.run(self.root, budget, False)
        children = []
        child = self.plan.first[planning.ROOT]
        while child != planning.NO_NODE:
            children.append(int(child))
            child = self.plan.beside[child]
        visits = self.plan.visits[children].astype(np.float64)
        return np.column_stack([visits, np.maximum(visits, 1.0) * self.plan.worth[children]])


def _share(budget: Budget, parts: int, i: int) -> Budget:
    """Part ``i`` of a budget split into ``parts``."""
    if budget.iterations is None:
        assert budget.seconds is not None
        return Budget(None, budget.seconds / parts)
    return Budget(budget.iterations // parts + (i < budget.iterations % parts), None)


def _part(budget: Budget, shards: int, i: int) -> Budget:
    """What shard ``i`` may use: its part of the iterations, or all the time, since shards run side by side."""
    return budget if budget.iterations is None else _share(budget, shards, i)


def _worlds(asked: int, budget: Budget) -> int:
    """Worlds that one shard of ``pimc`` looks at: as many as asked for, if there are iterations for them."""
    if budget.iterations is None:
        return asked
    return max(1, min(asked, budget.iterations // WORLD_ITERATIONS))


def _shards(budget: Budget, workers: int) -> int:
    """Trees to grow: fixed by the iterations, so that workers change nothing; by the workers when time rules."""
    if budget.iterations is None:
        return workers
    return min(MAX_SHARDS, max(1, budget.iterations // SHARD_ITERATIONS))


def root_statistics(
    view: Observation | Position,
    method: str,
    budget: Budget,
    choice: Choice,
    rngs: list[np.ndarray],
) -> np.ndarray:
    """Search with one shard a stream of ``rngs``; the shards' statistics of the root's moves, added up."""
    root = view.states()
    kernels.aim(root[0], choice.points)
    hidden = isinstance(view, Observation)
    n = len(rngs)
    stop = threading.Event()
    if view.players == 1:
        n = 1
    kind, each = (_LoneShard, PLANNED) if view.players == 1 else (_Shard, GROWN)
    nodes = MAX_NODES if budget.iterations is None else min(MAX_NODES, each * (budget.iterations // n + 1) + 64)
    shards = [kind(root, choice.tree, view.game.MAX_MOVES, nodes, rng, stop) for rng in rngs[:n]]

    def search(i: int) -> np.ndarray:
        return shards[i].search(_part(budget, n, i), hidden, choice.worlds if method == "pimc" else 0)

    if n == 1:
        return search(0)
    with ThreadPoolExecutor(min(n, os.cpu_count() or 1)) as pool:
        try:
            return sum(pool.map(search, range(n)), start=np.zeros(1))
        finally:
            # an interrupt must not wait for shards that nobody will ask
            stop.set()


def best_move(view: Observation | Position, method: str, budget: Budget, choice: Choice, rng: np.ndarray) -> str:
    """A proven win, else the move that one shard visits most; for bots, which keep their own stream."""
    moves = view.moves()
    if len(moves) == 1:
        return moves[0]
    proven = proofs(view, BOT_NODES)
    if (proven > 0).any():
        return moves[int(proven.argmax())]
    statistics = root_statistics(view, method, budget, choice, [rng])
    return moves[max(range(len(moves)), key=lambda i: (proven[i], *statistics[i]))]


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

    Raises:
        InputError: the game is over or chance is to act, an observation of a seat that is not to act, a bad budget
            or option.
    """
    began = time.perf_counter()
    if method is not None:
        check_method(method, view.game.NAME)
    if workers < 1:
        raise InputError("workers", f"expected a whole number from 1, got {workers!r}")
    budget = check_budget(iterations, seconds)
    choice = read_options(view.game.NAME, options or {})
    seat = view.to_act
    if seat < 0:
        raise InputError("to_act", "expected a position in which a seat is to act")
    if isinstance(view, Observation):
        if view.seat != seat:
            raise InputError("seat", f"expected the observation of the seat to act, {seat}, got that of {view.seat}")
        if open:
            raise InputError("open", "expected a full position: an observation does not hold the hidden cards")
    elif not open:
        view = view.observe(seat)
    if method is None and (outcomes := view.game.outcomes(view)):
        return _from_solution(view, outcomes, seed, time.perf_counter() - began)
    if method == "alphabeta":
        return _from_alphabeta(view, budget, seed, began)
    method = method or "mcts"
    proven = proofs(view, HINT_NODES)
    rngs = [stream(seed, "search", shard) for shard in range(_shards(budget, workers))]
    statistics = root_statistics(view, method, budget, choice, rngs)
    moves = _ranked(view, seat, statistics, proven)
    total = worlds = int(statistics[:, 0].sum())
    if isinstance(view, Position) or view.game.known_to_all(view):
        worlds = 1
    elif method == "pimc":
        n = len(rngs)
        worlds = min(total, sum(_worlds(choice.worlds, _part(budget, n, i)) for i in range(n)))
    return Advice(
        game=view.game.NAME,
        seat=seat,
        moves=moves,
        best=moves[0].move,
        iterations=total,
        worlds=worlds,
        seconds=time.perf_counter() - began,
        seed=seed,
        method=("exact" if _decided(proven) else method) + (" (open cards)" if open else ""),
    )


def _from_solution(view: Observation | Position, outcomes: Any, seed: int, seconds: float) -> Advice:
    """Advice where the game is solved: what comes of every move under best play."""
    rows = []
    told = sorted(zip(outcomes, explain(view), strict=True), key=lambda pair: pair[0].liking)
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


def _from_alphabeta(view: Observation | Position, budget: Budget, seed: int, began: float) -> Advice:
    """Advice by alpha-beta: every move scored, and what that proved."""
    from .alphabeta import chance_of, look_ahead, told

    found = look_ahead(view, nodes=budget.iterations, seconds=budget.seconds, every=True)
    rows = []
    for (move, mess, said), score in zip(explain(view), found.scores, strict=True):
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
    view: Observation | Position, seat: int, statistics: np.ndarray, proven: np.ndarray
) -> tuple[MoveAdvice, ...]:
    """Proven wins, then the moves by visits and win probability, then proven losses.

    Of much-visited moves the search is sure, of others not, so visits come first.
    """
    rows = []
    total = statistics[:, 0].sum()
    scale = view.game.point_scale(view.state)
    for (move, mess, said), (visits, value), proof in zip(
        explain(view), statistics.tolist(), proven.tolist(), strict=True
    ):
        low, high = interval(visits, value)
        win = value / visits if visits else 0.5 * (low + high)
        if proof:
            win = low = high = float(proof > 0)
            said += " Proven: this wins by force." if proof > 0 else " Proven: this loses to best play."
        points = None
        if scale is not None:
            points = scale[0] + scale[1] * value / max(visits, 1.0)
            win = low = high = 1.0
        rows.append(MoveAdvice(move, win, low, high, int(visits), float(visits / total) + proof, mess, said, points))
    return tuple(sorted(rows, key=lambda row: (-row.score, -row.win)))


def explain(view: Observation | Position) -> list[tuple[str, float | None, str]]:
    """For each legal move: its text, the expected tiles taken, and a sentence on what it brings about."""
    shown = face(view.game.NAME)
    return [(move, mess, shown.why(view, move)) for move, mess in zip(view.moves(), shown.mess(view), strict=True)]
