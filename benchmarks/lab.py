"""What more workers, and a cluster, are worth: games a second of the same match on one machine, in turn."""

import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from statistics import median
from typing import Any, NamedTuple

from .blocks import play_block
from .cluster import require
from .crew import Crew, crew
from .match import Bar, set_up, warm_up
from .speed import machine, row

TOGETHER = 2
"""Workers that are held against one, and of the cluster."""
QUICK = 12
"""How many times fewer deals do for a quick look."""
ONE, MORE, DASK = "one worker", "two workers", "Dask, two workers"


class Match(NamedTuple):
    """What is played: the game, the bots, and the deals of a repeat, some seconds for one worker."""

    game: str
    bots: tuple[str, ...]
    deals: int


MATCHES = {
    "quick rules": Match("odin", ("greedy", "keep-sets"), 300),
    "searches": Match("flaming", ("mcts@50", "smallest-mess"), 24),
}


def _games_per_second(play: Crew, match: Match) -> float:
    setup, bots = set_up(match.game, match.bots, 0, None)
    warm_up(setup, bots)
    task = partial(play_block, setup)
    # whatever workers have to read first does not count
    list(play(task, range(2 * TOGETHER)))
    started = time.perf_counter()
    for _ in play(task, range(match.deals)):
        pass
    return match.deals * setup.players / (time.perf_counter() - started)


def _with_processes(workers: int, match: Match) -> float:
    with crew(workers) as play:
        return _games_per_second(play, match)


@contextmanager
def _measures() -> Iterator[dict[str, Callable[[Match], float]]]:
    """How each plays a match, by name.

    The library has threads, and where there are threads no processes should be forked: so those without it are forked
    in a process of their own.
    """
    local = require().LocalCluster(
        n_workers=TOGETHER, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
    )
    with (
        local,
        crew(cluster=local.scheduler_address) as on_cluster,
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart,
    ):
        yield {
            ONE: lambda match: apart.submit(_with_processes, 1, match).result(),
            MORE: lambda match: apart.submit(_with_processes, TOGETHER, match).result(),
            DASK: lambda match: _games_per_second(on_cluster, match),
        }


def _ratio(name: str, upper: list[float], lower: list[float]) -> dict[str, Any]:
    """The median of the ratios of what was measured one after the other."""
    return {"name": name, "value": median(a / b for a, b in zip(upper, lower, strict=True))}


def measure(quick: bool = False, command: str = "mess bench --lab", progress: bool = True) -> dict[str, Any]:
    """Measure one worker, two, and two of a Dask cluster on this machine, with the same deals.

    Args:
        quick: fewer deals and repeats.
        command: what made this, for the file.
        progress: show a bar on a terminal.

    Raises:
        InputError: distributed is not installed.
    """
    repeats = 3 if quick else 7
    rows, ratios = [], []
    with (
        _measures() as measures,
        Bar(total=len(MATCHES) * repeats, unit="repeat", disable=None if progress else True) as bar,
    ):
        for name, match in MATCHES.items():
            if quick:
                match = match._replace(deals=max(1, match.deals // QUICK))
            found: dict[str, list[float]] = {who: [] for who in measures}
            for repeat in range(repeats):
                turn = repeat % len(measures)
                for who in [*measures][turn:] + [*measures][:turn]:
                    found[who].append(measures[who](match))
                bar.update()
            rows += [row(f"{name}, {who}", "games/s", values) for who, values in found.items()]
            ratios.append(_ratio(f"{name}, two workers to one", found[MORE], found[ONE]))
            ratios.append(_ratio(f"{name}, Dask to processes without it", found[DASK], found[MORE]))
    told = [f"{name}: {' against '.join(match.bots)}, {match.game}" for name, match in MATCHES.items()]
    return {
        "kind": "speed",
        "title": "More workers, and a cluster",
        "command": command,
        "quick": quick,
        "on": "as many cores as workers",
        "machine": machine(),
        "rows": [measured._asdict() for measured in rows],
        "ratios": ratios,
        "notes": [
            f"{'; '.join(told)}.",
            "In every repeat all play the same deals one after the other, each time in another order; a ratio is the "
            "median over repeats.",
        ],
    }
