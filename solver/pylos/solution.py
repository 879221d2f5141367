"""Solving a variant whole: sweeps until nothing changes, kept on disk as they go, and what it all comes to."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..bits import ZERO, U
from ..errors import InputError
from ..jit import kernel
from ..rng import below, stream
from .board import APEX_CELL, CELLS
from .classes import Index, number
from .retrograde import NO_MOVE, SCORE, WON, following_value, unrank
from .rules import write_moves
from .state import FIELD_MASK, MAX_MOVES
from .sweeps import Sweeper
from .table import LOST, UNKNOWN, Table, file_of, rules_key, write

SAVE_SECONDS = 120.0
"""A sweep that ends so long after the last time is kept on disk."""


class Summary(NamedTuple):
    """What a solution comes to.

    Boards are counted in all orientations, with the apex empty and the side to move as "me".

    Attributes:
        value: ``"win"``, ``"loss"`` or ``"draw"`` of the start, for the first player.
        plies: until the game ends from the start, under best play; None for a draw.
        boards: how many there are.
        by_balls: for every number of balls on the board wins, losses and draws.
        longest: plies of the longest win or loss.
        positions: entries of the table.
    """

    value: str
    plies: int | None
    boards: int
    by_balls: tuple[tuple[int, int, int], ...]
    longest: int
    positions: int


class Watcher:
    """Is told how far solving is; this one does not care."""

    def begin(self, sweep: int, positions: int) -> None:
        """A sweep begins that will look at so many positions, as far as is known."""

    def advance(self, positions: int) -> None:
        """So many more have been looked at."""

    def end(self, looked: int, changed: int) -> None:
        """The sweep is over."""


def name_of(value: int) -> str:
    """``"win"``, ``"loss"`` or ``"draw"``."""
    return "draw" if value == UNKNOWN else "loss" if value % 2 else "win"


@kernel
def _tally(ix, values, first, last, counts):
    """Add to ``counts`` (``int64[31, 256]``) the boards of some classes by balls and value."""
    for cls in range(first, last):
        k = ix.balls[cls]
        for side in range(ix.sides):
            start = ix.first[side, cls]
            length = ix.before[side, k, ix.most[side, k] + 1]
            for place in range(start, start + length):
                counts[k, values[place]] += ix.orbits[cls]


def summarize(ix: Index, values: np.ndarray, workers: int = 1) -> Summary:
    """What a table comes to."""
    bounds = np.searchsorted(np.cumsum(ix.before[0, ix.balls, ix.most[0, ix.balls] + 1]), np.linspace(0, ix.total, 65))
    counts = [np.zeros((len(CELLS) + 1, 256), dtype=np.int64) for _ in bounds[1:]]
    bounds[-1] = len(ix.masks)
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda i: _tally(ix, values, bounds[i], bounds[i + 1], counts[i]), range(len(counts))))
    total = np.sum(counts, axis=0)
    start = int(values[number(ix, 0, ZERO, ZERO)])
    wins, losses, draws = total[:, 2::2].sum(axis=1), total[:, 1::2].sum(axis=1), total[:, UNKNOWN]
    full = sum(side * side for side in range(1, ix.size + 1)) - 1
    return Summary(
        value=name_of(start),
        plies=start - LOST if start != UNKNOWN else None,
        boards=int(total.sum()),
        by_balls=tuple(map(tuple, np.stack([wins, losses, draws], axis=1)[: full + 1].tolist())),
        longest=int(np.flatnonzero(total.sum(axis=0))[-1]) - LOST,
        positions=ix.total,
    )


def solve(rules: dict[str, Any], workers: int, watcher: Watcher, where: Path | None = None) -> Table:
    """Solve every position under some rules, going on from an unfinished file if there is one.

    Args:
        rules: checked rules.
        workers: threads.
        watcher: told of the progress.
        where: folder for the files, by default the user's.

    Raises:
        InputError: the disk has no room; what was kept before is still there.
    """
    path = file_of(rules, where)
    part = path.with_name(f"{path.name}.part")
    sweeper = Sweeper(rules["size"], rules_key(rules), workers)
    before = 0.0
    if part.exists():
        kept = Table(part, rules)
        before = float(kept.header["seconds"])
        kept.verify()
        sweeper.resume(kept.values, [tuple(entry) for entry in kept.header["history"]])
    began = saved = time.monotonic()

    def keep(file: Path, **more: Any) -> None:
        spent = {"seconds": round(before + time.monotonic() - began, 1), "workers": workers}
        header = {"rules": rules, "positions": sweeper.ix.total, "history": sweeper.history, **spent, **more}
        write(file, header, sweeper.values)

    while not sweeper.is_done:
        watcher.begin(len(sweeper.history) + 1, sweeper.size_of_sweep())
        try:
            sweeper.sweep(watcher.advance)
        except KeyboardInterrupt:
            keep(part)
            raise
        watcher.end(*sweeper.history[-1])
        if not sweeper.is_done and time.monotonic() - saved > SAVE_SECONDS:
            keep(part)
            saved = time.monotonic()
    summary = summarize(sweeper.ix, sweeper.values, workers)
    keep(path, summary=summary._asdict())
    part.unlink(missing_ok=True)
    return Table(path, rules)


# --- checking ---


def value_by_play(table: Table, own: np.uint64, other: np.uint64, seat: int) -> int:
    """Value of a position that follows from its moves, as the game makes them, and the table's values after them."""
    rules, size = rules_key(table.rules), table.ix.size
    reserve = table.reserve(own, seat)
    if reserve == 0 and rules.loses:
        return LOST
    moves = np.empty(MAX_MOVES, dtype=np.int32)
    moves = moves[: write_moves(own, other, reserve, size, rules.variant, rules.may, moves)]
    if (moves & FIELD_MASK == APEX_CELL).any():
        return WON
    scores = SCORE[table.values_after(own, other, seat, moves)]
    return int(following_value(scores.max(initial=NO_MOVE)))


def position_of(ix: Index, place: int) -> tuple[np.uint64, np.uint64, int]:
    """Own balls, the other side's, and the seat to move, of the position with a number."""
    side = int(place >= ix.first[-1, 0]) if ix.sides == 2 else 0
    cls = int(np.searchsorted(ix.first[side], place, side="right")) - 1
    k = int(ix.balls[cls])
    within = place - int(ix.first[side, cls])
    n = int(np.searchsorted(ix.before[side, k, : ix.most[side, k] + 1], within, side="right")) - 1
    chosen = int(unrank(within - int(ix.before[side, k, n]), n, k))
    cells = [CELLS[i] for i in range(len(CELLS)) if int(ix.masks[cls]) >> i & 1]
    own = sum(1 << cell for i, cell in enumerate(cells) if chosen >> i & 1)
    return U(own), U(sum(1 << cell for cell in cells) ^ own), side


def check_sample(table: Table, positions: int, seed: int, progress: Callable[[int], None] = lambda done: None) -> None:
    """Check random positions: the value of each must follow from its moves. ``InputError`` names one that does not."""
    rng = stream(seed, "check")
    for _ in range(positions):
        place = int(below(rng, 1 << 30)) * table.ix.total >> 30
        own, other, seat = position_of(table.ix, place)
        found, follows = table.value(own, other, seat), value_by_play(table, own, other, seat)
        if found != follows:
            raise InputError(str(table.path), f"expected {follows} for position {place}, got {found}; solve it again")
        progress(1)


def check_all(table: Table, workers: int, watcher: Watcher) -> None:
    """Check that every value follows from those after it, which proves the solution; ``InputError`` if one does not."""
    table.verify()
    rules = table.rules
    sweeper = Sweeper(rules["size"], rules_key(rules), workers)
    sweeper.resume(table.values, [])
    watcher.begin(1, sweeper.ix.total)
    sweeper.sweep(watcher.advance)
    looked, changed = sweeper.history[-1]
    watcher.end(looked, changed)
    if changed:
        raise InputError(str(table.path), f"expected every value to follow, {changed} do not; solve it again")
