"""A row of tasks on several processes, with the results in the order of the tasks."""

import signal
from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import Any

import multiprocess
from multiprocess.connection import wait

from ..solver.errors import InputError

GUARD = "`if __name__ == '__main__':`"
AHEAD = 2
"""Tasks a worker: while one is done the next is there already."""
PATIENCE = 5.0
"""Seconds that a worker which no longer answers may take to end."""


def _serve(pipe: Any, function: Callable[[Any], Any]) -> None:
    """Answer tasks until the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocess.parent_process().sentinel
    while True:
        # A forked sibling may hold a copy of the other end, so the end of the pipe alone does not tell.
        if pipe not in wait([pipe, parent]):
            return
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            answer = True, function(task)
        except Exception as error:
            answer = False, error
        try:
            pipe.send(answer)
        except OSError:
            return


def _lost(process: Any) -> InputError:
    """What to say of a worker that is gone without an answer: killed from outside, or by what it ran."""
    process.join(PATIENCE)
    code = process.exitcode
    if code is not None and code < 0:
        how = f"killed by signal {-code}"
    else:
        how = f"exit code {code}; where processes are spawned, a script must keep its work under {GUARD}"
    return InputError("workers", f"expected processes that last, one ended early, {how}")


def ordered(function: Callable[[Any], Any], tasks: Sequence[Any], workers: int) -> Generator[Any, None, None]:
    """``function`` of every task, in the order of the tasks; each is yielded once all before it are done.

    Args:
        function: with more than one worker it is sent to other processes, on some systems pickled.
        tasks: small picklable values.
        workers: number of processes, at least 1; with 1 everything runs in this one.

    Raises:
        InputError: a worker process ended without an answer.
        Exception: whatever ``function`` raised.
    """
    if workers == 1 or len(tasks) < 2:
        yield from map(function, tasks)
        return
    context = multiprocess.get_context()
    crew: dict[Any, Any] = {}
    doing: dict[Any, deque[int]] = {}
    done: dict[int, Any] = {}
    todo = deque(range(len(tasks)))
    due = 0

    def assign(pipe: Any) -> None:
        # the last tasks go to whoever is free first
        while todo and len(doing[pipe]) < (AHEAD if len(todo) > len(crew) else 1):
            index = todo.popleft()
            doing[pipe].append(index)
            try:
                pipe.send(tasks[index])
            except OSError:
                raise _lost(crew[pipe]) from None

    try:
        for _ in range(min(workers, len(tasks))):
            here, there = context.Pipe()
            crew[here] = context.Process(target=_serve, args=(there, function), daemon=True)
            crew[here].start()
            there.close()
            doing[here] = deque()
        for pipe in crew:
            assign(pipe)
        while due < len(tasks):
            for pipe in wait(list(crew)):
                try:
                    fine, answer = pipe.recv()  # type: ignore[union-attr]
                except (EOFError, OSError):
                    raise _lost(crew[pipe]) from None
                if not fine:
                    raise answer
                done[doing[pipe].popleft()] = answer
                assign(pipe)
            while due in done:
                yield done.pop(due)
                due += 1
    finally:
        for process in crew.values():
            process.terminate()
        for pipe, process in crew.items():
            process.join()
            pipe.close()
