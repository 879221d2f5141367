"""How fast Pylos is: moves counted, positions looked at, a solution asked."""

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ..search.alphabeta import look_ahead, memory
from ..search.search import advise
from ..solver.fields import check_rules
from ..solver.game import deal
from ..solver.pylos.notation import OPTIONS
from ..solver.pylos.perft import perft
from ..solver.pylos.solution import Watcher, position_of, solve
from ..solver.rng import below, stream

DEPTH, LOOKED, ITERATIONS, PROBES = 6, 400_000, 4_000, 2_000
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


def seconds_a_probe() -> float:
    """Time to look up one random position of the small pyramid from Python."""
    with tempfile.TemporaryDirectory() as folder:
        table = solve(check_rules(OPTIONS, {"size": 3}), 1, Watcher(), Path(folder))
        rng = stream(0, "probes")
        positions = [position_of(table.ix, int(below(rng, table.ix.total))) for _ in range(PROBES)]
        for _ in range(2):
            began = time.perf_counter()
            for own, other, seat in positions:
                table.value(own, other, seat)
            spent = time.perf_counter() - began
    return spent / PROBES
