"""Waiting for kernels: they do not hear an interrupt, the thread that waits for them does."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
GLANCE = 0.1
"""Seconds between two looks at whether there has been an interrupt; some systems do not wake a waiting thread."""


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
