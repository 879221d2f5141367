"""Waiting for kernels: to be compiled, and to be done; they hear no interrupt, the thread that waits for them does."""

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
GLANCE = 0.1
"""Seconds between two looks at whether there has been an interrupt; some systems do not wake a waiting thread."""
LONGEST_PART = 100
COMPILING = "compiling once, up to half a minute; from then on this is there at once"


@contextmanager
def compiling(part: str) -> Iterator[bool]:
    """Around the first use of ``part`` for these very sources, a note that kernels are being compiled.

    Yields:
        Whether it is the first.
    """
    from ..solver.jit import FOLDER, JIT

    # a part may be called after a bot, which may be called anything
    name = re.sub(r"[^\w@.-]+", "-", part, flags=re.ASCII)[:LONGEST_PART]
    mark = FOLDER / f"{name}.compiled" if FOLDER is not None and JIT else None
    is_first = mark is not None and not mark.exists()
    if is_first:
        print(f"mess: {COMPILING}", file=sys.stderr, flush=True)
    yield is_first
    if mark:
        mark.touch()


def interruptible(work: Callable[[], T]) -> T:
    """What ``work`` returns or raises; an interrupt leaves it behind, in a thread that ends with the process."""
    outcome: dict[str, Any] = {}

    def run() -> None:
        try:
            outcome["value"] = work()
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(GLANCE)
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]
