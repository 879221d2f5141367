"""Sweeping a table until it stands still: what depends on what, which parts are worth another look, and threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import NamedTuple

import numpy as np

from ..bits import ZERO, bit, lowest, without_lowest
from ..jit import kernel
from .board import CELLS
from .classes import APEX_BIT, Index, class_of, index
from .retrograde import DENSE_CELL, Fan, Rules, fan, spread, sweep
from .rules import free_balls, freed

PIECE = 1 << 17
"""Positions that one call of the kernel sweeps at most: some hundredths of a second."""
OWN = 17
"""Numbers of own balls there can be, 0 among them."""


class Links(NamedTuple):
    """Which classes the moves from a class lead to: ``targets[starts[c]:starts[c + 1]]``."""

    starts: np.ndarray
    targets: np.ndarray


@kernel
def _mark(cls, target, marks, targets, count):
    if marks[target] != cls + 1:
        marks[target] = cls + 1
        if count < targets.size:
            targets[count] = target
        return count + 1
    return count


@kernel
def _link(ix, rules, moves, starts, targets):
    """Write the links of all classes, and more where whose balls they are would forbid some; how many there are."""
    marks = np.zeros(ix.masks.size, dtype=np.int32)
    count = 0
    for cls in range(ix.masks.size):
        starts[cls] = count
        n, occupied, _ = spread(ix, rules, cls, moves)
        for i in range(n):
            count = _mark(cls, moves.classes[i], marks, targets, count)
            if moves.line_count[i] == 0:
                continue
            after = occupied & ~bit(moves.sources[i]) | bit(moves.targets[i])
            rest = free_balls(after, after)
            while rest != ZERO:
                one = lowest(rest)
                rest = without_lowest(rest)
                left = moves.filled[i] & ~bit(DENSE_CELL[one])
                count = _mark(cls, class_of(ix, left) >> 3, marks, targets, count)
                others = rest | freed(after, after, one)
                while others != ZERO:
                    both = left & ~bit(DENSE_CELL[lowest(others)])
                    count = _mark(cls, class_of(ix, both) >> 3, marks, targets, count)
                    others = without_lowest(others)
    starts[ix.masks.size] = count
    return count


def links(ix: Index, rules: Rules, moves: Fan) -> Links:
    """The links of an index under some rules."""
    starts = np.zeros(ix.masks.size + 1, dtype=np.int64)
    targets = np.zeros(0, dtype=np.int32)
    targets = np.zeros(_link(ix, rules, moves, starts, targets), dtype=np.int32)
    _link(ix, rules, moves, starts, targets)
    return Links(starts, targets)


@kernel
def _stale(ix, links, classes, changed, swept, stale):
    """Write which blocks of some classes have a block after them that has changed since they were swept."""
    for side in range(changed.shape[0]):
        opposite = 1 - side if changed.shape[0] == 2 else 0
        for cls in classes:
            k = np.int64(ix.balls[cls])
            for n in range(ix.fewest[side, k], ix.most[side, k] + 1):
                stale[side, cls, n] = False
                for link in range(links.starts[cls], links.starts[cls + 1]):
                    if changed[opposite, links.targets[link], k - n] >= swept[side, cls, n]:
                        stale[side, cls, n] = True
                        break


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

    A block is the positions of a class with as many own balls. It is swept again only if a block that its moves lead
    to has changed since: time is counted in groups of classes, the parts of a sweep.

    Attributes:
        values: ``uint8[positions]``.
        changed, swept: ``int64[sides, classes, 17]``, when a block last changed and was last swept; -1 for never.
        history: for every finished sweep how many positions it looked at, and how many changed.
    """

    def __init__(self, size: int, rules: Rules, workers: int) -> None:
        self.ix, self.rules, self.workers = index(size), rules, workers
        self.values = np.zeros(self.ix.total, dtype=np.uint8)
        self.changed = np.zeros((self.ix.sides, len(self.ix.masks), OWN), dtype=np.int64)
        self.swept = np.full_like(self.changed, -1)
        self.history: list[tuple[int, int]] = []
        self._clock = 1
        self._stale = np.zeros(self.changed.shape, dtype=np.bool_)
        self._fans = [fan() for _ in range(workers)]
        self._links = links(self.ix, rules, self._fans[0])
        self._groups = _groups(self.ix)
        self._pieces = [_pieces(self.ix, group) for group in self._groups]

    @property
    def is_done(self) -> bool:
        """Whether nothing can change any more."""
        return bool(self.history) and self.history[-1][1] == 0

    def _due(self, group: int) -> np.ndarray:
        """Pieces of a group whose values may no longer follow."""
        _stale(self.ix, self._links, self._groups[group], self.changed, self.swept, self._stale)
        pieces = self._pieces[group]
        due = self._stale | (self.swept < 0)
        return pieces[due[pieces[:, 0], pieces[:, 1], pieces[:, 2]]]

    def size_of_sweep(self) -> int:
        """Positions that the next sweep will look at, as far as is known before it."""
        return sum(int((due[:, 4] - due[:, 3]).sum()) for due in map(self._due, range(len(self._groups))))

    def sweep(self, progress: Callable[[int], None] = lambda done: None) -> None:
        """Sweep once; ``progress`` is told of positions done. An interrupt leaves a table to go on with."""
        looked, changed = 0, 0
        pool = ThreadPoolExecutor(self.workers)
        try:
            for group in range(len(self._groups)):
                due = self._due(group)
                if not len(due):
                    continue
                begun = self._clock
                self._clock += 1
                for pieces, changes in pool.map(self._run, _tasks(due)):
                    fresh = pieces[changes > 0]
                    self.changed[fresh[:, 0], fresh[:, 1], fresh[:, 2]] = begun
                    done = int((pieces[:, 4] - pieces[:, 3]).sum())
                    looked, changed = looked + done, changed + int(changes.sum())
                    progress(done)
                self.swept[due[:, 0], due[:, 1], due[:, 2]] = begun
        finally:
            pool.shutdown(cancel_futures=True)
        self.history.append((looked, changed))

    def _run(self, pieces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        moves = self._fans.pop()
        try:
            return pieces, sweep(self.ix, self.values, self.rules, moves, pieces)
        finally:
            self._fans.append(moves)
