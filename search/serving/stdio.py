"""The protocol over standard input and output: one JSON object a line."""

import os
import signal
import threading
from typing import Any

from msgspec import Struct

from .limits import Limits
from .messages import encode
from .service import Client, Service

CHUNK = 1 << 16


class _Ended(BaseException):
    """A signal asks the server to end."""


def _end(number: int, frame: Any) -> None:
    raise _Ended


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


def serve(limits: Limits) -> None:
    """Answer the lines of standard input until it ends and all is answered, or until a signal."""
    service = Service(limits)
    lock = threading.Lock()

    def write(data: bytes) -> None:
        with lock:
            while data:
                data = data[os.write(1, data) :]

    idle = threading.Condition()

    def send(answer: Struct) -> None:
        write(encode(answer) + b"\n")
        with idle:
            idle.notify()

    client = Client(send)

    def answer(lines: list[bytes]) -> None:
        answers = [service.handle(line, client) for line in lines if line.strip()]
        if found := [encode(one) for one in answers if one is not None]:
            write(b"\n".join(found) + b"\n")

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    lines = Lines(limits.request_bytes)
    try:
        while chunk := os.read(0, CHUNK):
            answer(lines.of(chunk))
        answer(lines.last())
        with idle:
            while client.jobs:
                idle.wait(0.1)
    except (_Ended, BrokenPipeError):
        pass
    finally:
        service.close()
