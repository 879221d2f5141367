"""Worker processes and the searches that wait for them, the most urgent and then the earliest first."""

import heapq
import itertools
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import multiprocess
from multiprocess.connection import wait

from ...solver.errors import InputError
from .limits import Limits
from .worker import Packed, work

GRACE = 3.0
"""Seconds that a worker may take to hear that it is to stop, before it is ended."""
LATE = 15.0
"""Seconds beyond its time to think after which a search is stopped, and so may have gone into compiling."""


@dataclass
class Job:
    """A search that somebody waits for.

    Attributes:
        kind, packed, asked: what the worker is told.
        partial: takes what there is so far.
        done: takes the result; called once, unless ``failed`` is.
        failed: takes the field and the text of an error.
        stopped: whether it was stopped.
    """

    kind: str
    packed: Packed
    asked: dict[str, Any]
    partial: Callable[[Any], None]
    done: Callable[[Any], None]
    failed: Callable[[str, str], None]
    priority: int = 0
    number: int = -1
    stopped: bool = False
    began: float = 0.0
    submitted: float = field(default_factory=time.monotonic)


class _Worker:
    """A process, once it is started, and the job that it does."""

    def __init__(self) -> None:
        self.pipe: Any = None
        self.process: Any = None
        self.job: Job | None = None
        self.give_up = 0.0

    def start(self, context: Any, megabytes: int) -> None:
        """Start the process, with so much memory; ``OSError`` if the system has no room for it."""
        pipe, there = context.Pipe()
        try:
            process = context.Process(target=work, args=(there, megabytes), daemon=True)
            process.start()
        except OSError:
            pipe.close()
            raise
        finally:
            there.close()
        self.pipe, self.process = pipe, process

    def end(self) -> None:
        """End the process, if there is one."""
        if self.process is not None:
            self.process.terminate()
            self.pipe.close()

    def send(self, message: Any) -> None:
        """Send it; of a process that is gone the end of its pipe will tell."""
        with suppress(OSError):
            self.pipe.send(message)


class Pool:
    """Runs jobs on worker processes; its callbacks come from a thread of its own."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._context = multiprocess.get_context("spawn")
        self._lock = threading.RLock()
        self._numbers = itertools.count()
        self._queue: list[tuple[int, int, Job]] = []
        self._workers = [_Worker() for _ in range(limits.searches)]
        for worker in self._workers:
            worker.start(self._context, limits.megabytes)
        self._wake_here, self._wake_there = self._context.Pipe()
        self._closing = False
        self.finished = 0
        self.waited = self.worked = 0.0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    # --- from any thread ---

    def submit(self, job: Job) -> None:
        """Let a job wait for its turn.

        Raises:
            InputError: too many wait, or the server is about to end.
        """
        with self._lock:
            if self._closing:
                raise InputError("server", "expected it to go on; it is about to end")
            if len(self._queue) >= self._limits.queue:
                raise InputError("server", f"expected at most {self._limits.queue} searches waiting; try again later")
            job.number = next(self._numbers)
            heapq.heappush(self._queue, (-job.priority, job.number, job))
        self._wake()

    def stop(self, job: Job) -> None:
        """End a job: it answers with what it has; one that has not begun fails."""
        with self._lock:
            job.stopped = True
            for worker in self._workers:
                if worker.job is job:
                    worker.give_up = time.monotonic() + GRACE
                    worker.send((job.number, "stop"))
        self._wake()

    @property
    def load(self) -> dict[str, float]:
        """How busy it is: searches running, waiting and finished, and the seconds that these took on average."""
        with self._lock:
            count = max(1, self.finished)
            return {
                "running": sum(worker.job is not None for worker in self._workers),
                "waiting": len(self._queue),
                "finished": self.finished,
                "seconds_waited": self.waited / count,
                "seconds_worked": self.worked / count,
            }

    def close(self) -> None:
        """Stop everything: what runs answers with what it has, what waits fails; then the workers end."""
        with self._lock:
            self._closing = True
            for _, _, job in self._queue:
                job.stopped = True
            for worker in self._workers:
                if worker.job:
                    self.stop(worker.job)
        self._wake()
        self._thread.join(2 * GRACE)
        for worker in self._workers:
            worker.end()

    # --- its own thread ---

    def _wake(self) -> None:
        if not self._wake_there.closed:
            self._wake_there.send_bytes(b".")

    def _run(self) -> None:
        while True:
            pipes = {worker.pipe: worker for worker in self._workers if worker.pipe is not None}
            for ready in wait([self._wake_here, *pipes], self._patience()):
                if ready is self._wake_here:
                    self._wake_here.recv_bytes()
                else:
                    self._hear(pipes[ready])
            self._drop_stopped()
            self._end_overdue()
            self._assign()
            with self._lock:
                if self._closing and not self._queue and not any(worker.job for worker in self._workers):
                    return

    def _patience(self) -> float | None:
        due = [worker.give_up for worker in self._workers if worker.job]
        return max(0.0, min(due) - time.monotonic()) if due else None

    def _hear(self, worker: _Worker) -> None:
        try:
            number, kind, what = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace(worker, "expected the search to last; its process ended")
            return
        job = worker.job
        if job is None or job.number != number:
            return
        if kind == "partial":
            job.partial(what)
            return
        with self._lock:
            worker.job = None
            self.finished += 1
            self.waited += job.began - job.submitted
            self.worked += time.monotonic() - job.began
        if kind == "done":
            job.done(what)
        elif kind == "wrong":
            job.failed(*what)
        else:
            job.failed("server", f"expected the search to go well; {what}")

    def _replace(self, worker: _Worker, why: str) -> None:
        """Give up a process, and what it does; another is started when there is a job for it."""
        worker.end()
        with self._lock:
            self._workers[self._workers.index(worker)] = _Worker()
        if worker.job:
            worker.job.failed("server", why)

    def _drop_stopped(self) -> None:
        with self._lock:
            dropped = [entry[2] for entry in self._queue if entry[2].stopped]
            if dropped:
                self._queue = [entry for entry in self._queue if not entry[2].stopped]
                heapq.heapify(self._queue)
        for job in dropped:
            job.failed("server", "expected to begin before it was stopped")

    def _end_overdue(self) -> None:
        now = time.monotonic()
        for worker in list(self._workers):
            job = worker.job
            if job is None or now < worker.give_up:
                continue
            if job.stopped:
                self._replace(worker, "expected it to end when it was stopped; it was ended")
            else:
                self.stop(job)

    def _assign(self) -> None:
        failed = []
        with self._lock:
            for worker in self._workers:
                if worker.job is None and self._queue:
                    _, _, job = heapq.heappop(self._queue)
                    if worker.process is None:
                        try:
                            worker.start(self._context, self._limits.megabytes)
                        except OSError as error:
                            failed.append((job, (error.strerror or str(error)).lower()))
                            continue
                    job.began = time.monotonic()
                    worker.job = job
                    worker.give_up = job.began + (job.asked.get("seconds") or self._limits.seconds) + LATE
                    worker.send((job.number, job.kind, job.packed, job.asked))
        for job, why in failed:
            job.failed("server", f"expected room for a process; {why}")
