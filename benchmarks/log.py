"""The file of a match: a header, then one line a finished block, in order.

Nothing in the file tells of time or machine, so that a match has the same file wherever and however it was run. A
process killed in the middle of a line leaves it torn, without its newline; it is dropped. While a match is played its
file is locked, where the system can: two matches that write the same file would tear each other's lines.
"""

import errno
import json
import os
from dataclasses import asdict
from io import BufferedReader, FileIO
from pathlib import Path
from typing import IO, Any
from weakref import WeakSet

from ..search.files import loads
from ..solver.errors import InputError
from .blocks import Block
from .lines import FORMAT, block_of, header_of, line

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LINE_BYTES = 1_000_000
"""Longest line; files are read line by line, and a header says how many there may be."""

_LOCKED: "WeakSet[FileIO]" = WeakSet()


def _let_go() -> None:
    """Close the files in a forked process: else they stayed locked for as long as a killed match's workers go on."""
    for file in _LOCKED:
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


def _lock(file: FileIO, path: Path) -> None:
    """Lock a file until it is closed, or its process is gone."""
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError("out", f"expected a file that no other match writes at this time, {path} is in use") from None
    _LOCKED.add(file)


def _open(path: Path, mode: str) -> FileIO:
    """A regular file, unbuffered: a device or a pipe may never end."""
    try:
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "not a regular file")
        return FileIO(path, mode)
    except ValueError as error:  # no file can have such a name
        raise OSError(errno.EINVAL, str(error)) from None


class _Reader:
    """Reads a match's file from its start, no more than a line at a time.

    Attributes:
        kept: bytes of the whole lines so far.
        torn: the bytes after the last whole line, once it was read.
    """

    def __init__(self, field: str, path: Path, file: IO[bytes]) -> None:
        self.kept = 0
        self.torn = b""
        self._field = field
        self._path = path
        self._file = file
        self._number = 0

    def wrong(self, expected: str) -> InputError:
        """What to say of the line that was read last."""
        return InputError(self._field, f"{self._path}, line {self._number}: {expected}")

    def _line(self) -> bytes:
        """The next whole line, or nothing."""
        self._number += 1
        text = self._file.readline(LINE_BYTES + 1)
        if len(text) > LINE_BYTES:
            raise self.wrong(f"expected at most {LINE_BYTES // 1_000_000} MB, it is longer")
        if not text.endswith(b"\n"):
            self.torn = text
            return b""
        self.kept += len(text)
        return text

    def header(self) -> dict[str, Any] | None:
        """The header, None when there is no whole line."""
        text = self._line()
        if not text:
            return None
        try:
            return header_of(loads(text, ""))
        except InputError as error:
            raise self.wrong(f"expected the header of a match, format {FORMAT}; {error}") from None

    def blocks(self, header: dict[str, Any]) -> list[Block]:
        """The blocks of all whole lines after the header."""
        blocks: list[Block] = []
        while text := self._line():
            if len(blocks) == header["deals"]:
                raise self.wrong(f"expected at most {header['deals']} deals, there are more")
            try:
                blocks.append(block_of(loads(text, "", self._number), header, len(blocks)))
            except InputError as error:
                raise self.wrong(str(error)) from None
        return blocks


def read(path: Path) -> tuple[dict[str, Any], list[Block]]:
    """Header and finished blocks of a match's file.

    Raises:
        InputError: the file cannot be read, or is no file of a match.
    """
    try:
        with BufferedReader(_open(path, "r")) as file:
            reader = _Reader("file", path, file)
            header = reader.header()
            if header is None:
                raise reader.wrong("expected the header of a match, there is no whole line")
            return header, reader.blocks(header)
    except OSError as error:
        raise InputError("file", f"expected a file that can be read, {path}: {error.strerror}") from None


def _compare(path: Path, earlier: dict[str, Any], header: dict[str, Any]) -> None:
    """Check that a file is of the match with this header."""
    for key in header | earlier:
        if earlier.get(key) != header.get(key):
            there, here = json.dumps(earlier.get(key)), json.dumps(header.get(key))
            if key == "sources" and header["bots"] == earlier["bots"]:
                raise InputError("out", f"{path}: expected the bots of this match, {_changed(earlier, header)} changed")
            raise InputError("out", f"{path}: expected the file of this match, {key} is {there} there, {here} here")


def _changed(earlier: dict[str, Any], header: dict[str, Any]) -> str:
    """The bots whose file is no longer what it was."""
    none = [None] * len(header["bots"])
    pairs = zip(header["bots"], earlier.get("sources", none), header.get("sources", none), strict=True)
    return " and ".join(dict.fromkeys(bot for bot, there, here in pairs if there != here))


class Log:
    """The file of a match that is being played; as a context it closes itself.

    Attributes:
        blocks: the blocks that an earlier run had finished.
    """

    def __init__(self, path: Path | None, header: dict[str, Any]) -> None:
        """Open a new file, or one of an earlier run of the same match.

        Raises:
            InputError: it cannot be written, or another match writes it, or is another match's; then it stays as it is.
        """
        self.blocks: list[Block] = []
        self._path = path
        self._file: FileIO | None = None
        if path is None:
            return
        try:
            self._file = _open(path, "a+")
            _lock(self._file, path)
            self._resume(path, self._file, header)
        except OSError as error:
            self.close()
            raise self._unwritable(error) from None
        except BaseException:
            self.close()
            raise

    def _resume(self, path: Path, file: FileIO, header: dict[str, Any]) -> None:
        """Take over what an earlier run had finished, and drop what it had begun.

        Of the same match another number of deals may be planned by now: of more than that only those are taken, and
        the file stays as it is.
        """
        file.seek(0)
        buffered = BufferedReader(file)
        try:
            reader = _Reader("out", path, buffered)
            earlier = reader.header()
            if earlier is not None:
                _compare(path, earlier | {"deals": header["deals"]}, header)
                found = reader.blocks(earlier)
                self.blocks = found[: header["deals"]]
            elif not line(header).startswith(reader.torn):
                raise InputError("out", f"{path}: expected a new file or the file of this match, it holds other things")
        finally:
            buffered.detach()
        if reader.torn:
            file.truncate(reader.kept)
        if earlier is None:
            self._write(line(header))
        elif earlier != header and len(found) <= header["deals"]:
            self._rewrite(path, file, header)

    def _rewrite(self, path: Path, file: FileIO, header: dict[str, Any]) -> None:
        """Put a new header over the same blocks; the file is whole at any moment."""
        draft = path.with_name(path.name + ".part")
        draft.write_bytes(line(header) + b"".join(line(asdict(block)) for block in self.blocks))
        os.replace(draft, path)
        file.close()
        self._file = _open(path, "a+")
        _lock(self._file, path)

    def _unwritable(self, error: OSError) -> InputError:
        return InputError("out", f"expected a file that can be written, {self._path}: {error.strerror}")

    def _write(self, data: bytes) -> None:
        if self._file is None:
            return
        try:
            if self._file.write(data) < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise self._unwritable(error) from None

    def append(self, block: Block) -> None:
        """Add a finished block."""
        self._write(line(asdict(block)))

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
