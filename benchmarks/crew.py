"""Who does the work of a match: processes of this machine, or a Dask cluster."""

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from ..solver.errors import InputError
from ..solver.fields import integer
from .workers import ordered

MOST_WORKERS = 1024

Crew: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], Generator[Any, None, None]]
"""Yields a function of every task in the order of the tasks, and drops what is outstanding when it is closed."""


def default_workers() -> int:
    """Number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_count(field: str, value: Any, most: int) -> int:
    """``value`` if it is a whole number from 1 to ``most``; ``InputError`` otherwise."""
    return integer({field: value}, field, 1, most)


@contextmanager
def crew(workers: int | None = None, cluster: str | None = None) -> Iterator[Crew]:
    """Processes or a cluster, for as long as the context lasts; a cluster is reached and checked at its beginning.

    On a cluster the function and its tasks are pickled, and have to bring along whatever files they need; see
    ``blocks.Setup.packed``.

    Args:
        workers: number of processes, by default one a core; a cluster has its own.
        cluster: address of a Dask scheduler, such as ``"tcp://192.168.0.7:8786"``.

    Raises:
        InputError: not a number of workers, or given together with a cluster; or the cluster cannot be reached, has
            no workers, or runs another version.
    """
    if cluster is not None:
        if workers is not None:
            raise InputError("workers", "expected a number of workers or a cluster, which has its own; not both")
        from .cluster import connect

        with connect(cluster) as on_cluster:
            yield on_cluster
        return
    count = default_workers() if workers is None else check_count("workers", workers, MOST_WORKERS)
    yield lambda function, tasks: ordered(function, tasks, count)
