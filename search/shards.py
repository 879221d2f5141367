"""Trees grown side by side: each from its own stream of random numbers, cut short by a budget or by a word."""

import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from ..solver import game as kernels
from ..solver.position import Observation, Position
from . import mcts, planning, tree
from .settings import MAX_ITERATIONS, Budget, Choice
from .watch import Watch

SHARD_ITERATIONS = 16384
MAX_SHARDS = 8
MAX_NODES = 1 << 20
GROWN, PLANNED = 4, 16
"""Nodes that an iteration of mcts, and a trial of planning, is given room for."""
FIRST_CHUNK, CHUNK_SECONDS = 32, 0.02
WORLD_ITERATIONS = 50
"""Iterations that a tree of ``pimc`` has at least: with few of them it looks at fewer worlds, not at less of each."""


class Asked(NamedTuple):
    """What all shards of a search are asked.

    Attributes:
        root: the record to search from, an array of one.
        moves: ``int32[moves]``, the legal moves there.
        allowed: ``int32[n]``, those to look at; all if there are none.
        options: of the tree search.
        max_moves: bound on the moves of a position.
        hidden: whether the root is what a seat sees, so that worlds are to be dealt.
        watch: may stop the search.
    """

    root: Any
    moves: np.ndarray
    allowed: np.ndarray
    options: mcts.Options
    max_moves: int
    hidden: bool
    watch: Watch


def _silent() -> None:
    """Nobody wants to be told."""


class _Telling:
    """Tells now and then what all shards have so far; a shard's part of it is what it had after its last chunk."""

    def __init__(self, every: float, tell: Callable[[np.ndarray], None]) -> None:
        self.every, self.tell = every, tell
        self.due = time.perf_counter() + every
        self.lock = threading.Lock()

    def pulse_of(self, shards: "list[_Shard]", i: int) -> Callable[[], None]:
        """What shard ``i`` is to call after each chunk."""

        def pulse() -> None:
            shards[i].latest = shards[i].statistics()
            with self.lock:
                if time.perf_counter() < self.due:
                    return
                self.due = time.perf_counter() + self.every
                self.tell(sum((shard.latest for shard in shards), start=np.zeros(1)))

        return pulse


class _Shard:
    """One tree, grown from its own stream: shards share nothing, so how many run at once changes nothing."""

    def __init__(self, asked: Asked, nodes: int, rng: np.ndarray, pulse: Callable[[], None]) -> None:
        self.asked, self.rng, self.pulse = asked, rng, pulse
        self.tree = tree.make(nodes)
        self.world = asked.root.copy()
        self.moves = np.empty(asked.max_moves, dtype=np.int32)
        self.finished = np.zeros((len(asked.moves), 2))
        self.latest = self.finished

    def iterate(self, root: Any, count: int, new_worlds: bool) -> None:
        """So many iterations."""
        options, allowed = self.asked.options, self.asked.allowed
        mcts.iterate(self.tree, root, self.world, self.moves, allowed, options, count, new_worlds, self.rng)

    def run(self, root: Any, budget: Budget, new_worlds: bool) -> None:
        """Iterate until the budget is used or the search is stopped, but a little in any case.

        How the iterations are cut up changes nothing.
        """
        start = time.perf_counter()
        left = budget.iterations or MAX_ITERATIONS
        chunk, now = min(FIRST_CHUNK, left), start
        while chunk > 0:
            begun = now
            self.iterate(root, chunk, new_worlds)
            self.pulse()
            now = time.perf_counter()
            seconds_left = math.inf if budget.seconds is None else budget.seconds - (now - start)
            if seconds_left <= 0 or self.asked.watch.is_stopped:
                return
            left -= chunk
            pace = chunk / max(now - begun, 1e-6)
            chunk = min(left, max(1, int(pace * min(CHUNK_SECONDS, seconds_left))))

    def search(self, budget: Budget, worlds: int) -> np.ndarray:
        """Search one tree over all worlds (``worlds`` 0), or a tree a world; statistics of the root's moves.

        Returns:
            ``float64[moves, 2]``: visits and sum of payoffs.
        """
        root, hidden = self.asked.root, self.asked.hidden
        if worlds == 0:
            self.run(root, budget, hidden)
            return self.statistics()
        worlds = _worlds(worlds, budget)
        start = time.perf_counter()
        for i in range(worlds):
            is_late = budget.seconds is not None and time.perf_counter() - start >= budget.seconds
            if i > 0 and (is_late or self.asked.watch.is_stopped):
                break
            share = _share(budget, worlds, i)
            if share.iterations == 0:
                continue
            dealt = root.copy()
            if hidden:
                mcts.deal_world(root, dealt, self.asked.options, self.rng)
            tree.clear(self.tree)
            self.run(dealt, share, False)
            self.finished = self.statistics()
            tree.clear(self.tree)
        return self.finished

    def statistics(self) -> np.ndarray:
        """Statistics of the root's moves so far."""
        rows = self.finished.copy()
        for i, move in enumerate(self.asked.moves):
            child = tree.find(self.tree, tree.ROOT, move)
            if child != tree.NO_NODE:
                rows[i] += self.tree.visits[child], self.tree.value[child]
        return rows


class _LoneShard(_Shard):
    """One tree for a seat that plays alone: nothing is drawn, all shards would be alike, so one does all the work."""

    def __init__(self, asked: Asked, nodes: int, rng: np.ndarray, pulse: Callable[[], None]) -> None:
        super().__init__(asked, 1, rng, pulse)
        self.plan = planning.make(nodes)
        self.after = asked.root.copy()

    def iterate(self, root: Any, count: int, new_worlds: bool) -> None:
        """So many trials."""
        allowed, exploration = self.asked.allowed, self.asked.options.exploration
        planning.iterate(self.plan, root, self.world, self.after, self.moves, allowed, exploration, count)

    def search(self, budget: Budget, worlds: int) -> np.ndarray:
        """Search the one world there is; visits of the root's moves, and visits times what each is worth."""
        self.run(self.asked.root, budget, False)
        return self.statistics()

    def statistics(self) -> np.ndarray:
        """Visits of the root's moves so far, and visits times what each is worth."""
        rows = np.zeros((len(self.asked.moves), 2))
        places = {int(move): i for i, move in enumerate(self.asked.moves)}
        child = self.plan.first[planning.ROOT]
        while child != planning.NO_NODE:
            visits = float(self.plan.visits[child])
            rows[places[int(self.plan.move[child])]] = visits, max(visits, 1.0) * self.plan.worth[child]
            child = self.plan.beside[child]
        return rows


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


def shards_of(budget: Budget, workers: int) -> int:
    """Trees to grow: fixed by the iterations, so that workers change nothing; by the workers when time rules."""
    if budget.iterations is None:
        return workers
    return min(MAX_SHARDS, max(1, budget.iterations // SHARD_ITERATIONS))


def worlds_of(asked: int, budget: Budget, shards: int) -> int:
    """Worlds that so many shards of ``pimc`` look at."""
    return sum(_worlds(asked, _part(budget, shards, i)) for i in range(shards))


def root_statistics(
    view: Observation | Position,
    method: str,
    budget: Budget,
    choice: Choice,
    rngs: list[np.ndarray],
    *,
    allowed: Sequence[int] = (),
    watch: Watch | None = None,
    tell: Callable[[np.ndarray], None] | None = None,
) -> np.ndarray:
    """Search with one shard a stream of ``rngs``; the shards' statistics of the root's moves, added up.

    Args:
        view, method, budget, choice: what to search, and how.
        rngs: a stream a shard.
        allowed: places of the legal moves to look at; all if there are none.
        watch: may stop the search, and says how often to ``tell``.
        tell: takes the statistics so far, one call at a time.
    """
    root = view.states()
    kernels.aim(root[0], choice.points)
    buffer = np.empty(view.game.MAX_MOVES, dtype=np.int32)
    moves = buffer[: kernels.legal(root[0], buffer)].copy()
    watch = watch or Watch()
    chosen = moves[np.array(allowed, dtype=np.int64)]
    hidden = isinstance(view, Observation)
    asked = Asked(root, moves, chosen, choice.tree, view.game.MAX_MOVES, hidden, watch)
    n = 1 if view.players == 1 else len(rngs)
    kind, each = (_LoneShard, PLANNED) if view.players == 1 else (_Shard, GROWN)
    nodes = MAX_NODES if budget.iterations is None else min(MAX_NODES, each * (budget.iterations // n + 1) + 64)
    shards: list[_Shard] = []
    telling = _Telling(watch.every, tell) if tell else None
    for rng in rngs[:n]:
        shards.append(kind(asked, nodes, rng, telling.pulse_of(shards, len(shards)) if telling else _silent))

    def search(i: int) -> np.ndarray:
        return shards[i].search(_part(budget, n, i), choice.worlds if method == "pimc" else 0)

    if n == 1:
        return search(0)
    with ThreadPoolExecutor(min(n, os.cpu_count() or 1)) as pool:
        try:
            return sum(pool.map(search, range(n)), start=np.zeros(1))
        except BaseException:
            # an interrupt must not wait for shards that nobody will ask
            watch.stop()
            raise
