"""How fast Pylos is: moves counted, positions looked at, a solution asked."""

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..search.alphabeta import look_ahead, memory
from ..search.search import advise
from ..solver.fields import check_rules
from ..solver.game import deal
from ..solver.jit import kernel
from ..solver.pylos.board import SIZES
from ..solver.pylos.classes import number_of
from ..solver.pylos.notation import OPTIONS
from ..solver.pylos.perft import perft
from ..solver.pylos.solution import Watcher, position_of, solve
from ..solver.pylos.table import Table, file_of
from ..solver.rng import below, stream

DEPTH, LOOKED, ITERATIONS, PROBES = 6, 400_000, 4_000, 4_000
PARTS = 1 << 30
AT_A_TIME = 1, 16
"""Positions looked up together: one, and about as many as a position has moves."""
SWEEP = np.zeros(1 << 23)
"""More than the caches of a processor hold: to write to it puts everything else out of them."""
SEARCHES: dict[str, dict[str, Any]] = {
    "random playouts to the end": {"playout": "random", "cutoff": 0},
    "playouts as by default": {},
}


def works() -> list[tuple[str, str, Callable[[], float]]]:
    """What is to be timed: name, unit, and a function that does it and says how much it was."""
    start = deal("pylos", 0)
    room = memory()

    def looked() -> float:
        return look_ahead(start, nodes=LOOKED, room=room).nodes

    def searched(options: dict[str, Any]) -> float:
        return advise(start, iterations=ITERATIONS, method="mcts", options=options).iterations

    found: list[tuple[str, str, Callable[[], float]]] = [
        ("perft of Pylos, the last ply counted in bulk", "leaves/s", lambda: perft(start.state, DEPTH)),
        ("alpha-beta, Pylos", "positions/s", looked),
    ]
    for name, options in SEARCHES.items():
        found.append((f"mcts, Pylos, {name}", "iterations/s", partial(searched, options)))
    return found


@kernel
def _sum_of_values(ix, values, boards, at_a_time):
    """Look up all positions, boards of own and other balls; a checksum, so that nothing is optimized away.

    Some at a time are numbered before any of them is read, so that the processor waits for all of these together.
    """
    places, total = np.empty(at_a_time, dtype=np.int64), 0
    for start in range(0, boards.shape[0], at_a_time):
        count = min(at_a_time, boards.shape[0] - start)
        for i in range(count):
            own, other = boards[start + i]
            places[i] = number_of(ix, 0, own, other)
        for i in range(count):
            total += values[places[i]]
    return total


def probes(repeats: int) -> tuple[str, list[float], dict[int, list[float]]]:
    """Times to look up random positions, from Python and in kernels, in seconds each.

    Of the standard game where it is solved, its values swept out of the processor's caches before; else of the small
    pyramid.

    Returns:
        What was looked into, the times from Python, and those in kernels by how many are looked up at a time.
    """
    with tempfile.TemporaryDirectory() as folder:
        rules = check_rules(OPTIONS, {})
        if not file_of(rules).exists():
            rules = check_rules(OPTIONS, {"size": 3})
            solve(rules, 1, Watcher(), Path(folder))
        table = Table(file_of(rules) if rules["size"] == max(SIZES) else file_of(rules, Path(folder)), rules)
        rng = stream(0, "probes")
        positions = [position_of(table.ix, table.ix.total * int(below(rng, PARTS)) // PARTS) for _ in range(2 * PROBES)]
        boards = np.array([position[:2] for position in positions], dtype=np.uint64)
        from_python: list[float] = []
        in_kernels: dict[int, list[float]] = {number: [] for number in AT_A_TIME}
        for _ in range(repeats + 1):
            began = time.perf_counter()
            for own, other, seat in positions:
                table.value(own, other, seat)
            from_python.append((time.perf_counter() - began) / len(positions))
            for number, times in in_kernels.items():
                SWEEP.fill(len(from_python))
                # the numbering is in the caches of a kernel that probes often, what it looks up is not
                _sum_of_values(table.ix, table.values, boards[:PROBES], number)
                began = time.perf_counter()
                _sum_of_values(table.ix, table.values, boards[PROBES:], number)
                times.append((time.perf_counter() - began) / PROBES)
    return f"base of {rules['size']}", from_python[1:], {number: times[1:] for number, times in in_kernels.items()}
