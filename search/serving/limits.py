"""What a server lets its clients use."""

import os
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds, each an option of ``mess serve``.

    Attributes:
        request_bytes: size of one request.
        connections: over HTTP; whoever comes when there are more is turned away.
        iterations, seconds: budget of one search.
        searches: worker processes, so searches at the same time.
        megabytes: memory of one worker, where the system can bound it.
        queue: searches waiting.
        pending: requests of one client without their final answer.
        games: games kept; when there are too many, those that are over are forgotten first.
        idle_seconds: how long a game is kept that nobody asks for.
        plies: moves of a kept game, chance included.
    """

    request_bytes: int = 1_000_000
    connections: int = 1000
    iterations: int = 1_000_000
    seconds: float = 60.0
    searches: int = os.cpu_count() or 1
    megabytes: int = 2000
    queue: int = 1000
    pending: int = 256
    games: int = 10_000
    idle_seconds: float = 3600.0
    plies: int = 5000

    def to_dict(self) -> dict[str, float]:
        """The limits by name."""
        return asdict(self)
