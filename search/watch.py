"""A search seen from outside: it can be stopped, and tells what it has found so far."""

import math
from collections.abc import Callable

import numpy as np

from .advice import Advice


class Watch:
    """What an ``advise`` that takes long is watched by, from any thread.

    Attributes:
        every: seconds between two tellings.
        tell: takes the advice so far; called from the threads of the search, one call at a time.
        halt: ``int64[1]``, 1 once the search is to stop; kernels look at it, too.
    """

    def __init__(self, every: float = math.inf, tell: Callable[[Advice], None] | None = None) -> None:
        self.every, self.tell = every, tell
        self.halt = np.zeros(1, dtype=np.int64)

    def stop(self) -> None:
        """Let the search answer with what it has."""
        self.halt[0] = 1

    @property
    def is_stopped(self) -> bool:
        """Whether it was told to stop."""
        return bool(self.halt[0])
