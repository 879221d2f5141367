"""Sweeping a table until it stands still: the order, the threads, and which positions are worth another look."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import comb

import numpy as np

from .board import CELLS
from .classes import APEX_BIT, Index, index
from .retrograde import LOST, UNKNOWN, Rules, fan, sweep

PIECE = 1 << 17
"""Positions that one call of the kernel sweeps at most: some hundredths of a second."""
FEW = 64
"""Once at most one position in so many changes in a sweep, the next one begins to mark what a change may change.

To mark what a change of the expert game may change takes as long as to look at some thirty positions.
"""


def _groups(ix: Index) -> list[np.ndarray]:
    """Classes in the order of a sweep: full boards first, and of those with as many balls the high ones.

    A placement leads to a fuller board and a raise to a higher one, so within a group positions follow from each
    other by taking back alone.
    """
    level = np.array([cell >> 4 for cell in CELLS[:APEX_BIT]])
    heights = ((ix.masks[:, None] >> np.arange(APEX_BIT, dtype=np.uint32) & 1) * level).sum(axis=1)
    keys = ix.balls.astype(np.int64) * 1000 + heights
    return [np.flatnonzero(keys == key) for key in np.unique(keys)[::-1]]


def _pieces(ix: Index, classes: np.ndarray) -> np.ndarray:
    """All positions of some classes in pieces, ``int64[pieces, 5]`` as the kernel takes them."""
    pieces = []
    for side in range(ix.sides):
        for cls in classes.tolist():
            k = int(ix.balls[cls])
            for n in range(int(ix.fewest[side, k]), int(ix.most[side, k]) + 1):
                count = comb(k, n)
                pieces += [(side, cls, n, start, min(count, start + PIECE)) for start in range(0, count, PIECE)]
    return np.array(pieces, dtype=np.int64)


def _tasks(pieces: np.ndarray) -> list[np.ndarray]:
    """Pieces in tasks of about equal size."""
    ends = (pieces[:, 4] - pieces[:, 3]).cumsum()
    return [task for task in np.split(pieces, np.flatnonzero(np.diff(ends // PIECE)) + 1) if len(task)]


class Sweeper:
    """Sweeps over a table until nothing changes.

    At first every sweep looks at every position, but those whose values are settled. When few change any more, what a
    change may change is marked, and only what is marked is looked at. In the end a sweep over everything must change
    nothing: that is the proof.

    Attributes:
        values: ``uint8[positions]``.
        history: for every finished sweep how many positions it looked at, and how many changed.
    """

    def __init__(self, size: int, rules: Rules, workers: int) -> None:
        self.ix, self.rules, self.workers = index(size), rules, workers
        self.values = np.zeros(self.ix.total, dtype=np.uint8)
        self.history: list[tuple[int, int]] = []
        self._due = np.zeros(0, dtype=np.uint8)
        self._is_marked = False
        self._settled = 0
        self._fans = [fan() for _ in range(workers)]
        self._tasks = [_tasks(_pieces(self.ix, group)) for group in _groups(self.ix)]

    def resume(self, values: np.ndarray, history: list[tuple[int, int]]) -> None:
        """Go on from values that so many finished sweeps have led to.

        The first of them changed nothing to less than ``LOST``, and each to more than the one before.
        """
        self.values[:] = values
        self.history = history
        self._settled = LOST + len(history) if history and history[-1][1] else 0

    @property
    def is_done(self) -> bool:
        """Whether nothing can change any more."""
        return bool(self.history) and tuple(self.history[-1]) == (self.ix.total, 0)

    def size_of_sweep(self) -> int:
        """Positions that the next sweep will look at, or at least those known before it."""
        return int(np.count_nonzero(self._due)) if self._is_marked else self.ix.total

    def sweep(self, progress: Callable[[int], None] = lambda done: None) -> None:
        """Sweep once; an interrupt leaves values to go on with, and no marks.

        ``progress`` is told of positions done, of the number that ``size_of_sweep`` gave before.
        """
        only_due, self._is_marked = self._is_marked, False
        settled, self._settled = self._settled, 0
        changed_before = self.history[-1][1] if self.history else self.ix.total
        marks = only_due or 0 < changed_before <= self.ix.total // FEW
        if marks and not only_due:
            self._due = np.zeros(self.ix.total, dtype=np.uint8)
        looked, changed, least = 0, 0, UNKNOWN
        pool = ThreadPoolExecutor(self.workers)
        try:
            for tasks in self._tasks:
                swept = pool.map(lambda task: self._run(task, marks, only_due, settled), tasks)
                for task, (seen, fresh, lowest) in zip(tasks, swept, strict=True):
                    looked, changed, least = looked + seen, changed + fresh, min(least, lowest)
                    progress(seen if only_due else int((task[:, 4] - task[:, 3]).sum()))
        finally:
            pool.shutdown(cancel_futures=True)
        self._is_marked = marks and (changed > 0 or bool(self._due.any()))
        if not self._is_marked:
            self._due = np.zeros(0, dtype=np.uint8)
        # what the first sweep settles costs little to look at, and the second may be the proof
        self._settled = least + 1 if changed and self.history else 0
        self.history.append((looked, changed))

    def _run(self, pieces: np.ndarray, marks: bool, only_due: bool, settled: int) -> tuple[int, int, int]:
        moves = self._fans.pop()
        try:
            return sweep(self.ix, self.values, self.rules, moves, pieces, self._due, marks, only_due, settled)
        finally:
            self._fans.append(moves)
