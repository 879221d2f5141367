"""Files: positions, records, builders read, results written. Every way one can be wrong is an ``InputError``."""

import json
import os
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ..solver.errors import InputError
from ..solver.fields import shown

if TYPE_CHECKING:
    from ..solver.position import Observation, Position

POSITION_BYTES = 5_000_000
"""Largest position, and largest single record."""
FILE_BYTES = 200_000_000
"""Largest file of records; it is read line by line."""
STDIN = "-"
BUILDER_ENDING = ".toml"
TOO_DEEP = "expected JSON that is less deeply nested"


def warn(text: str) -> None:
    """Tell the user of something that is no error."""
    print(f"mess: warning: {text}", file=sys.stderr)


def one_line(text: str) -> str:
    """``text`` on one line, with nothing in it that would move the cursor or that a file could not take."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in " ".join(text.split()))


def title(path: str) -> str:
    """How messages call a file; a name of which nothing would be seen is quoted."""
    return "standard input" if path == STDIN else path if path.strip() else f"file {path!r}"


def _open(path: str) -> IO[bytes]:
    if path == STDIN:
        if sys.stdin is None:
            raise InputError(title(path), "expected a file that can be read; it is closed")
        return sys.stdin.buffer
    try:
        return open(path, "rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(title(path), f"expected a file that can be read; {reason.lower()}") from None


def _read(file: IO[bytes], name: str, limit: int, line: bool = False, kind: str = "JSON") -> bytes:
    """The rest of a file, or its next line."""
    try:
        content = file.readline(limit + 1) if line else file.read(limit + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(name, f"expected a file that can be read; {reason}") from None
    if len(content) > limit:
        raise InputError(name, f"expected at most {limit // 1_000_000} MB of {kind}, it is longer")
    return content


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is no number of JSON")


def _decode(content: bytes, name: str, first_line: int = 1) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + first_line
        raise InputError(name, f"expected UTF-8 text; it is not, in line {line}") from None


def loads(content: bytes, name: str, first_line: int = 1) -> Any:
    """The JSON value that ``content`` holds, which starts on line ``first_line`` of the file called ``name``."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key, value in pairs:
            if key in data:
                raise InputError(name, f"expected each field of an object once, {shown(key)} is there twice")
            data[key] = value
        return data

    # without the end of the last line: what is cut off ends on that line, not on the next
    text = _decode(content, name, first_line).rstrip()
    if not text:
        raise InputError(name, "expected JSON; there is nothing")
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=once)
    except InputError:
        raise
    except json.JSONDecodeError as error:
        line = error.lineno + first_line - 1
        reason = error.msg[0].lower() + error.msg[1:]
        raise InputError(name, f"expected JSON; {reason}, line {line} column {error.colno}") from None
    except ValueError as error:
        raise InputError(name, f"expected JSON; {str(error).split(';')[0]}") from None
    except RecursionError:
        raise InputError(name, TOO_DEEP) from None


def read_position(path: str) -> "Position | Observation":
    """The position or observation in a file; warns of fields that it does not know.

    Raises:
        InputError: the file cannot be read, is no JSON, or no position.
    """
    from ..solver.position import read

    name = title(path)
    with _open(path) as file:
        data = loads(_read(file, name, POSITION_BYTES), name)
    try:
        view = read(data)
    except RecursionError:
        raise InputError(name, TOO_DEEP) from None
    except InputError:
        if isinstance(data, dict) and ("moves" in data or "start" in data):
            raise InputError(name, "expected a position, this is the record of a game; see mess replay") from None
        raise
    warn_of_fields(view.game.unknown_fields(data))
    return view


def warn_of_fields(fields: list[str]) -> None:
    """Warn that these fields are ignored."""
    if fields:
        warn(f"ignored fields that nothing here knows: {', '.join(map(repr, fields))}")


def read_text(path: str, kind: str) -> str:
    """The text of a file, of a ``kind`` as messages call it.

    Raises:
        InputError: the file cannot be read, is too long, or is not UTF-8.
    """
    return _decode(read_bytes(path, kind), title(path))


def read_bytes(path: str, kind: str) -> bytes:
    """The content of a file, of a ``kind`` as messages call it.

    Raises:
        InputError: the file cannot be read, or is too long.
    """
    with _open(path) as file:
        return _read(file, title(path), POSITION_BYTES, kind=kind)


def check_writable(path: str) -> None:
    """Tell before long work that a file cannot be written."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise InputError(title(path), f"expected a file that can be written; there is no folder {folder}")
    if Path(path).is_dir() or not os.access(path if Path(path).exists() else folder, os.W_OK):
        raise InputError(title(path), "expected a file that can be written")


def print_json(value: Any) -> None:
    """Print a JSON value on one line."""
    print(json.dumps(value, separators=(",", ":")))


def write_text(path: str, text: str) -> None:
    """Write a file whose name was given as ``--out``."""
    write_bytes(path, text.encode())


def write_bytes(path: str, content: bytes) -> None:
    """Write a file of bytes whose name was given as ``--out``."""
    try:
        with open(path, "wb") as file:
            file.write(content)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("out", f"expected a file that can be written, {path}: {reason.lower()}") from None


def builder_file(text: str) -> str | dict[str, Any]:
    """The builder that a command line asks for, as the rules of meeples take it: a name of the package, or an object.

    Args:
        text: one of the names, or the path of a TOML file, which ends in ``.toml``.

    Raises:
        InputError: there is no such builder, the file cannot be read, is no TOML, or the field of it that is wrong.
    """
    from ..solver.meeples.builder import NAMES, read_builder

    if text in NAMES:
        return text
    if not text.endswith(BUILDER_ENDING):
        raise InputError("builder", f"expected one of {', '.join(NAMES)}, or a file *.toml; got {shown(text)}")
    name = title(text)
    content = read_text(text, "TOML")
    try:
        data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        reason = str(error)
        raise InputError(name, f"expected TOML; {reason[:1].lower()}{reason[1:]}") from None
    except RecursionError:
        raise InputError(name, "expected TOML that is less deeply nested") from None
    except ValueError as error:
        raise InputError(name, f"expected TOML; {str(error).split(';')[0].lower()}") from None
    try:
        return read_builder(data, "").to_dict()
    except InputError as error:
        raise InputError(f"{name}: {error.field}", error.expected) from None


@dataclass(frozen=True)
class Entry:
    """One JSON value of a file.

    Attributes:
        where: the place in the file for messages, ``"line 3"``, or ``""`` when the file holds this value alone.
        data: the value.
    """

    where: str
    data: Any


def _is_unfinished(line: bytes) -> bool:
    """Whether a line is the start of a JSON value that goes on in the next one."""
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        return error.pos >= len(error.doc.rstrip())
    except (ValueError, RecursionError):
        return False
    return False


def read_records(path: str) -> Iterator[Entry]:
    """The JSON values of a file, which holds either one, on as many lines as it likes, or one on every line.

    Raises:
        InputError: the file cannot be read, or is no JSON.
    """
    name = title(path)
    total = number = found = 0
    with _open(path) as file:
        while line := _read(file, name, POSITION_BYTES, line=True):
            number += 1
            total += len(line)
            if total > FILE_BYTES:
                raise InputError(name, f"expected at most {FILE_BYTES // 1_000_000} MB, it is longer")
            if not line.strip():
                continue
            found += 1
            if found == 1 and _is_unfinished(line):
                line += _read(file, name, POSITION_BYTES - len(line))
                yield Entry("", loads(line, name, number))
                return
            is_alone = found == 1 and not file.peek(1)  # type: ignore[attr-defined]
            yield Entry("" if is_alone else f"line {number}", loads(line, name, number))
    if not found:
        raise InputError(name, "expected JSON; there is nothing")
