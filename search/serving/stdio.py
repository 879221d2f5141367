"""The protocol over standard input and output: one JSON object a line."""

import os
import select
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from ...solver.errors import InputError
from ..waiting import GLANCE
from .limits import Limits
from .messages import encode
from .roster import Roster
from .service import Client, Service

CHUNK = 1 << 16
IN, OUT, ERR = 0, 1, 2


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


def _own_output() -> int:
    """Standard output for answers alone: what bots of one's own print, here or in a worker, goes where errors go."""
    answers = os.dup(OUT)
    os.dup2(os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else ERR, OUT)
    return answers


class _Watch:
    """Waits for what a client does: it writes, it goes away; or for a signal."""

    def __init__(self, answers: int) -> None:
        self._answers, self._ears = answers, _ears()
        self._poll = select.poll()
        # that nobody reads any more is told unasked
        for place, events in ((IN, select.POLLIN), (self._ears, select.POLLIN), (answers, 0)):
            self._poll.register(place, events)

    def is_over(self, seconds: float | None = None) -> bool:
        """Whether a signal asks to end, after waiting for something to happen.

        Raises:
            BrokenPipeError: nobody reads the answers.
        """
        heard = {place for place, _ in self._poll.poll(None if seconds is None else seconds * 1000)}
        if self._ears in heard:
            return True
        if self._answers in heard:
            raise BrokenPipeError
        return False

    def hear_no_more(self) -> None:
        """Standard input has ended."""
        self._poll.unregister(IN)


def _chunks(longest: int, watch: _Watch) -> Iterator[list[bytes]]:
    """Lines of standard input as they come, until it ends or a signal comes."""
    lines = Lines(longest)
    while not watch.is_over():
        chunk = os.read(IN, CHUNK)
        if not chunk:
            yield lines.last()
            return
        yield lines.of(chunk)


def serve(limits: Limits, own: Sequence[str] = ()) -> None:
    """Answer the lines of standard input until it ends and all is answered, or until a signal.

    Args:
        limits: what a client may use.
        own: bots of one's own, as the command line names them.

    Raises:
        InputError: there is no such bot, or no standard input.
    """
    if sys.stdin is None:
        raise InputError("standard input", "expected it to be open")
    answers_to = _own_output()
    service = Service(limits, Roster(limits, own))
    writing = threading.Lock()

    def write(data: bytes) -> None:
        with writing:
            while data:
                data = data[os.write(answers_to, data) :]

    def send(answer: Struct) -> None:
        with suppress(OSError):
            write(encode(answer) + b"\n")

    client, watch = Client(send), _Watch(answers_to)
    try:
        for lines in _chunks(limits.request_bytes, watch):
            answers = [service.handle(line, client) for line in lines if line.strip()]
            write(b"".join(encode(answer) + b"\n" for answer in answers if answer is not None))
        watch.hear_no_more()
        while client.jobs and not watch.is_over(GLANCE):
            pass
    except ConnectionError:
        service.leave(client)
    finally:
        service.close()
