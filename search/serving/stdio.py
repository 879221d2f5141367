"""The protocol over standard input and output: one JSON object a line."""

import os
import select
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from msgspec import Struct

from ..waiting import GLANCE
from .limits import Limits
from .messages import encode
from .roster import Roster
from .service import Client, Service

CHUNK = 1 << 16


class Lines:
    """Lines out of chunks of bytes; of one that is too long only the first part is kept."""

    def __init__(self, longest: int) -> None:
        self._longest, self._rest = longest, b""
        self._skipping = False

    def of(self, chunk: bytes) -> list[bytes]:
        """The lines that a chunk completes; one longer than allowed comes cut, a byte too long."""
        *lines, rest = (self._rest + chunk).split(b"\n")
        if self._skipping and lines:
            lines = lines[1:]
            self._skipping = False
        if self._skipping:
            rest = b""
        elif len(rest) > self._longest:
            lines.append(rest[: self._longest + 1])
            self._skipping, rest = True, b""
        self._rest = rest
        return lines

    def last(self) -> list[bytes]:
        """What is left at the end."""
        return [self._rest] if self._rest else []


def _ears() -> int:
    """Becomes readable when a signal asks the server to end; a second one ends it at once."""
    here, there = os.pipe()

    def end(number: int, frame: Any) -> None:
        os.write(there, b".")
        signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    return here


def _chunks(longest: int, ears: int) -> Iterator[list[bytes]]:
    """Lines of standard input as they come, until it ends or the ears hear."""
    lines = Lines(longest)
    while ears not in select.select([0, ears], [], [])[0]:
        chunk = os.read(0, CHUNK)
        if not chunk:
            yield lines.last()
            return
        yield lines.of(chunk)


def serve(limits: Limits, roster: Roster) -> None:
    """Answer the lines of standard input until it ends and all is answered, or until a signal."""
    service = Service(limits, roster)
    writing = threading.Lock()

    def write(data: bytes) -> None:
        with writing:
            while data:
                data = data[os.write(1, data) :]

    def send(answer: Struct) -> None:
        with suppress(BrokenPipeError):
            write(encode(answer) + b"\n")

    client, ears = Client(send), _ears()
    try:
        for lines in _chunks(limits.request_bytes, ears):
            answers = [service.handle(line, client) for line in lines if line.strip()]
            write(b"".join(encode(answer) + b"\n" for answer in answers if answer is not None))
        while client.jobs and not select.select([ears], [], [], GLANCE)[0]:
            pass
    except BrokenPipeError:
        service.leave(client)
    finally:
        service.close()
