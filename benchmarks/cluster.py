"""A row of tasks on a Dask cluster, with the results in the order of the tasks."""

import asyncio
import logging
import platform
import queue
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib.metadata import version
from typing import Any, NamedTuple

from ..solver.errors import InputError
from ..solver.fields import shown
from ..solver.jit import source_key

PROBE = f"__import__('importlib').import_module({__name__!r}).identity()"
"""Asks a worker what it runs; as a text it arrives even where nothing of ours is installed."""
CONNECTING = 10.0
"""Seconds in which a scheduler has to answer, and to have a worker."""
WITHOUT_WORKERS = 60.0
"""Seconds after which a cluster that has lost all its workers is given up."""
GLANCE = 1.0
"""Seconds between two looks at how many workers there are."""
AHEAD = 2
"""Batches a worker: while one is played the next is there already."""
BATCH = 0.5
"""Seconds that a batch should take: far more than it costs to send one, and little to wait for or to play again."""
LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio")
"""Loggers of the library that write on the terminal."""

_turn = threading.Lock()


class Identity(NamedTuple):
    """What has to be the same on all machines for them to play the same games.

    Attributes:
        python: its version, without the last number.
        package: version of this package.
        sources: hash of its sources and of what compiles them.
    """

    python: str
    package: str
    sources: str

    def __str__(self) -> str:
        return f"Python {self.python}, smallest-mess {self.package}, sources {self.sources}"


@cache
def identity() -> Identity:
    """What this process runs."""
    return Identity(".".join(platform.python_version_tuple()[:2]), version("smallest-mess"), source_key())


def _batch(wanted: Identity, function: bytes, tasks: list[Any]) -> tuple[list[Any], Exception | None, float]:
    """What a worker does with some tasks: answers up to the first error, that error, and the seconds it took.

    A worker with several threads takes one batch after the other: strategies share a process's standard output and
    modules, and none was written with threads in mind.
    """
    import cloudpickle

    if identity() != wanted:
        raise InputError("cluster", f"expected workers that run {wanted}; one runs {identity()}")
    answers: list[Any] = []
    with _turn:
        started = time.perf_counter()
        try:
            call = cloudpickle.loads(function)
            for task in tasks:
                answers.append(call(task))
        except Exception as error:
            return answers, error, time.perf_counter() - started
        return answers, None, time.perf_counter() - started


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library's log off the terminal: what matters of it is told in our own words."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def require() -> Any:
    """The library; ``InputError`` when it is not installed."""
    try:
        import distributed
    except ModuleNotFoundError:
        needed = "expected distributed to be installed: pip install 'smallest-mess[cluster]'"
        raise InputError("cluster", needed) from None
    return distributed


@contextmanager
def connect(address: str) -> Iterator[Callable[[Callable[[Any], Any], Sequence[Any]], Generator[Any, None, None]]]:
    """A cluster as a crew, see ``crew.Crew``.

    Args:
        address: of its scheduler.

    Raises:
        InputError: the extra ``cluster`` is not installed; nothing answers at the address, or no worker has come to it;
            or a worker runs another version.
    """
    if not isinstance(address, str) or not address.strip():
        raise InputError("cluster", f"expected the address of a Dask scheduler, got {shown(address)}")
    distributed = require()
    with _quiet():
        try:
            with ThreadPoolExecutor(1) as thread:
                # a program that lives in an event loop, such as a notebook, can start no other in its own thread
                kind = thread.submit(asyncio.run, _knock(distributed, address)).result()
            if kind != "Scheduler":
                raise ValueError(f"there is a {kind}")
            client = distributed.Client(address, timeout=CONNECTING, set_as_default=False)
        except Exception as error:
            told = " ".join(str(error).split()) or type(error).__name__
            raise InputError("cluster", f"expected a Dask scheduler at {address}; {told}") from None
        try:
            _check(client, address)
            yield partial(ordered, client, address)
        finally:
            client.close(timeout=CONNECTING)


async def _knock(distributed: Any, address: str) -> str:
    """What is at an address; the library itself would wait for ever for the answer of what is no part of it."""
    async with asyncio.timeout(CONNECTING), distributed.rpc(address) as remote:
        return (await remote.identity())["type"]


def _check(client: Any, address: str) -> None:
    """Check that there are workers, and that all of them run what this process runs."""
    try:
        client.wait_for_workers(1, timeout=CONNECTING)
        told = client.run(eval, PROBE, {}, on_error="return")
    except Exception as error:
        if isinstance(error, TimeoutError):
            raise InputError("cluster", f"expected workers at {address}, there are none") from None
        raise _gone(address) from None
    # a worker that is just going is no longer there to be compared
    answers = {worker: answer for worker, answer in told.items() if not isinstance(answer, OSError)}
    for worker, answer in answers.items():
        if isinstance(answer, Exception):
            answer = f"none of it, or an older one; {type(answer).__name__}: {' '.join(str(answer).split())}"
        if answer != identity():
            raise InputError("cluster", f"expected workers that run {identity()}; {worker} runs {answer}")


def _gone(address: str) -> InputError:
    return InputError(
        "cluster",
        f"expected the scheduler at {address} to stay, it has gone or was restarted; "
        "what is finished is kept, and where it is in a file the same command goes on from there",
    )


class _Batches:
    """The tasks that are not sent yet, in batches that grow until they take as long as they should."""

    def __init__(self, count: int) -> None:
        self._next, self._count = 0, count
        self._seconds: float | None = None

    def note(self, tasks: int, seconds: float) -> None:
        """Learn how long so many tasks took."""
        each = seconds / tasks
        self._seconds = each if self._seconds is None else (self._seconds + each) / 2

    def take(self, slots: int) -> range:
        """The next batch, smaller towards the end, so that all workers end at about the same time."""
        left = self._count - self._next
        wanted = 1 if self._seconds is None else int(BATCH / max(self._seconds, 1e-6))
        size = max(1, min(wanted, left // slots)) if left else 0
        self._next += size
        return range(self._next - size, self._next)


class _Work:
    """The tasks of a row: what is on its way, and what has arrived."""

    def __init__(self, client: Any, address: str, function: Callable[[Any], Any], tasks: Sequence[Any]) -> None:
        import cloudpickle

        self.done: dict[int, tuple[bool, Any]] = {}
        self._client, self._address, self._tasks = client, address, tasks
        self._function = cloudpickle.dumps(function)
        self._arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._doing: dict[str, tuple[Any, range]] = {}
        self._todo = _Batches(len(tasks))
        self._workers, self._seen, self._looked = 1, time.monotonic(), float("-inf")

    @contextmanager
    def _talking(self) -> Iterator[None]:
        """Around whatever needs the scheduler, which may go away at any time; how that shows differs."""
        try:
            yield
        except (Exception, asyncio.CancelledError):
            raise _gone(self._address) from None

    def _send(self, batch: range) -> None:
        tasks = [self._tasks[i] for i in batch]
        with self._talking():
            future = self._client.submit(_batch, identity(), self._function, tasks, pure=False)
            self._doing[future.key] = future, batch
            future.add_done_callback(self._arrived.put)

    def _look(self) -> None:
        """See how many workers there are."""
        now = time.monotonic()
        if now - self._looked < GLANCE:
            return
        with self._talking():
            self._workers = len(self._client.nthreads())
        self._looked = now
        if self._workers:
            self._seen = now
        elif now - self._seen > WITHOUT_WORKERS:
            told = f"there have been none for {WITHOUT_WORKERS:.0f} s"
            raise InputError("cluster", f"expected workers at {self._address}, {told}")

    def advance(self) -> None:
        """Keep all workers busy, and take in what arrives within a glance, if anything does."""
        self._look()
        slots = AHEAD * max(1, self._workers)
        while len(self._doing) < slots and (batch := self._todo.take(slots)):
            self._send(batch)
        try:
            future = self._arrived.get(timeout=GLANCE)
        except queue.Empty:
            return
        self._take_in(future, self._doing.pop(future.key)[1])

    def _take_in(self, future: Any, batch: range) -> None:
        if future.status == "error":
            with self._talking():
                error = future.exception()
            self._again(batch, error)
            return
        found = None
        with self._talking(), suppress(TimeoutError):
            found = future.result(timeout=CONNECTING)
        if found is None:
            # its worker is lost, with what it had finished
            self._send(batch)
            return
        answers, error, seconds = found
        for index, answer in zip(batch, answers, strict=False):
            self.done[index] = True, answer
        if error is None:
            self._todo.note(len(batch), seconds)
        else:
            self.done[batch[len(answers)]] = False, error

    def _again(self, batch: range, error: Any) -> None:
        """Send a batch whose workers were all lost again, task by task: one of them may be what ends workers."""
        if isinstance(error, InputError):
            raise error
        if type(error).__name__ != "KilledWorker":
            told = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise InputError("cluster", f"expected workers that run {identity()}; of one came {told}")
        if len(batch) == 1:
            told = f"each that was given task {shown(self._tasks[batch[0]])} ended early"
            raise InputError("cluster", f"expected workers that last, {told}")
        for index in batch:
            self._send(range(index, index + 1))

    def drop(self) -> None:
        """Forget what is on its way; workers do not begin it, and what they have begun is not waited for."""
        self._doing.clear()


def ordered(
    client: Any, address: str, function: Callable[[Any], Any], tasks: Sequence[Any]
) -> Generator[Any, None, None]:
    """``function`` of every task, in the order of the tasks; each is yielded once all before it are done.

    What a lost worker had been given is given to others, so its loss costs time alone.

    Args:
        client: of a checked cluster.
        address: of its scheduler, for messages.
        function: it is pickled.
        tasks: small picklable values.

    Raises:
        InputError: the scheduler is gone; there have been no workers for a while; every worker that is given a certain
            task is lost.
        Exception: whatever ``function`` raised of the first task of which it raised something.
    """
    work = _Work(client, address, function, tasks)
    try:
        for due in range(len(tasks)):
            while due not in work.done:
                work.advance()
            fine, answer = work.done.pop(due)
            if not fine:
                raise answer
            yield answer
    finally:
        work.drop()
