"""The file that holds a solution: written whole or not at all, and never believed when it is damaged.

A file is a line of JSON padded to one page, then one byte a position, numbered as ``classes`` does. The header keeps a
checksum of every megabyte; a probe checks the megabyte it reads from when it is the first to do so, ``verify`` all of
them. An unfinished solution is a file of the same form, named ``….part``.
"""

import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from ..bits import popcount
from ..errors import InputError
from .classes import Index, index, number_of, write_numbers_after
from .retrograde import Rules
from .rules import RESERVES
from .state import EMPTY_RESERVE, TAKE_BACK, VARIANTS

FORMAT, VERSION = "mess-pylos-table", 1
HEADER_BYTES = 1 << 16
PAGE = 1 << 20
"""Bytes that share a checksum."""
UNKNOWN, LOST = 0, 1
BOOKS = Path(__file__).parent / "books"
BOOK_BALLS = 6
"""An opening book holds positions with at most so many balls on the board."""


def rules_key(rules: dict[str, Any]) -> Rules:
    """What a solution depends on, of checked rules, besides the size."""
    return Rules(
        VARIANTS.index(rules["variant"]),
        rules["empty_reserve"] == EMPTY_RESERVE[1],
        rules["take_back"] == TAKE_BACK[1],
    )


def folder() -> Path:
    """Where solutions are kept unless told otherwise; ``MESS_TABLES`` overrides the user's cache folder."""
    chosen = os.environ.get("MESS_TABLES")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("smallest-mess")) / "tables"


def file_of(rules: dict[str, Any], where: Path | None = None) -> Path:
    """The file of the solution of some rules, in ``where`` or the usual folder."""
    name = "-".join(["pylos", str(rules["size"]), rules["variant"], rules["empty_reserve"], rules["take_back"]])
    return (where or folder()) / f"{name}.table"


def checksums(values: np.ndarray) -> list[int]:
    """CRC-32 of every megabyte."""
    return [zlib.crc32(values[start : start + PAGE].data) for start in range(0, values.size, PAGE)]


def write(path: Path, header: dict[str, Any], values: np.ndarray) -> None:
    """Put a file in its place once it is whole.

    Raises:
        InputError: there is no room, or the place cannot be written.
    """
    text = json.dumps({"format": FORMAT, "version": VERSION, **header, "crc32": checksums(values)})
    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(beside, "wb") as file:
            file.write(text.encode().ljust(HEADER_BYTES - 1) + b"\n")
            file.write(values.data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        size, reason = f"{(values.nbytes + HEADER_BYTES) / 1e9:.2f} GB", (error.strerror or str(error)).lower()
        raise InputError(str(path), f"expected room for {size} here; {reason}") from None


def read_header(path: Path) -> dict[str, Any]:
    """The header of a file.

    Raises:
        InputError: there is no such file, it is no table, of another version, or cut off.
    """
    try:
        with open(path, "rb") as file:
            text = file.read(HEADER_BYTES)
        length = path.stat().st_size
    except OSError as error:
        raise InputError(str(path), f"expected a solution; {(error.strerror or str(error)).lower()}") from None
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise InputError(str(path), "expected a solution of Pylos, this is something else")
    if header.get("version") != VERSION:
        raise InputError(str(path), f"expected version {VERSION}, got {header.get('version')!r}; solve it again")
    positions, sums = header.get("positions"), header.get("crc32")
    if type(positions) is not int or not isinstance(sums, list) or len(sums) != -(-positions // PAGE):
        raise InputError(str(path), "expected a header with positions and checksums, it is damaged")
    expected = HEADER_BYTES + positions
    if length != expected:
        raise InputError(str(path), f"expected {expected} bytes, got {length}: it is cut off or damaged")
    return header


class Solution:
    """Values of positions, however they are kept.

    Attributes:
        rules: what they are the solution of.
        ix: how positions are numbered.
    """

    def __init__(self, rules: dict[str, Any]) -> None:
        self.rules = rules
        self.ix: Index = index(rules["size"])

    def read(self, place: int) -> int:
        """The value of the position with a number; ``LookupError`` where it is not kept."""
        raise NotImplementedError

    def read_all(self, places: np.ndarray) -> np.ndarray:
        """The values of the positions with these numbers; ``LookupError`` where one is not kept."""
        raise NotImplementedError

    def reserve(self, own: Any, seat: int) -> int:
        """Balls that a seat with ``own`` on the board has left."""
        return int(RESERVES[self.ix.size, seat]) - int(popcount(own))

    def value(self, own: Any, other: Any, seat: int) -> int:
        """Value of a position with an empty apex, boards as ``uint64``, for the seat to move."""
        side = seat if self.ix.sides == 2 else 0
        return self.read(int(number_of(self.ix, side, own, other)))

    def values_after(self, own: Any, other: Any, seat: int, moves: np.ndarray) -> np.ndarray:
        """Values, for the other side, of the positions after moves of ``seat`` that do not go to the apex."""
        side = 1 - seat if self.ix.sides == 2 else 0
        places = np.empty(len(moves), dtype=np.int64)
        write_numbers_after(self.ix, side, own, other, moves, places)
        return self.read_all(places)


class Book(Solution):
    """The first plies of a solution, which come with the package."""

    def __init__(self, path: Path, rules: dict[str, Any]) -> None:
        super().__init__(rules)
        self._values = np.frombuffer(zlib.decompress(path.read_bytes()), dtype=np.uint8)

    def read(self, place: int) -> int:
        """The value of a position in the book."""
        if place >= len(self._values):
            raise LookupError("a position that the book does not hold")
        return int(self._values[place])

    def read_all(self, places: np.ndarray) -> np.ndarray:
        """The values of positions in the book."""
        if (places >= len(self._values)).any():
            raise LookupError("a position that the book does not hold")
        return self._values[places]


def book_file(rules: dict[str, Any], where: Path = BOOKS) -> Path:
    """The file of the opening book of some rules."""
    return where / file_of(rules, where).with_suffix(".book").name


def write_book(table: "Table", where: Path) -> Path:
    """Put the positions with few balls into an opening book; ``InputError`` when it cannot be written."""
    kept = int(np.searchsorted(table.ix.balls, BOOK_BALLS, side="right"))
    length = int(table.ix.first[0, kept]) if kept < len(table.ix.balls) else table.ix.total
    values = np.array(table.values[: length if table.ix.sides == 1 else table.ix.total])
    path = book_file(table.rules, where)
    try:
        path.write_bytes(zlib.compress(values.tobytes(), 9))
    except OSError as error:
        raise InputError(str(path), f"expected a file that can be written; {error.strerror}") from None
    return path


class Table(Solution):
    """A solution on disk.

    Attributes:
        header: what the file says of itself.
        values: ``uint8[positions]``, mapped; see ``retrograde`` for what they mean. Not to be read before ``verify``.
    """

    def __init__(self, path: Path, rules: dict[str, Any]) -> None:
        super().__init__(rules)
        self.path, self.header = path, read_header(path)
        if self.header.get("rules") != rules or self.header["positions"] != self.ix.total:
            raise InputError(str(path), f"expected the solution of {rules}, got that of {self.header.get('rules')}")
        self.values = np.memmap(path, dtype=np.uint8, mode="r", offset=HEADER_BYTES, shape=(self.ix.total,))
        self._checked = np.zeros(len(self.header["crc32"]), dtype=np.bool_)

    def verify(self, progress: Callable[[int], None] = lambda done: None) -> None:
        """Check all checksums; ``progress`` is told of bytes done. ``InputError`` when one is wrong."""
        for page in range(len(self._checked)):
            self._check(page)
            progress(min(PAGE, self.ix.total - page * PAGE))

    def _check(self, page: int) -> None:
        content = self.values[page * PAGE : (page + 1) * PAGE]
        if zlib.crc32(content.data) != self.header["crc32"][page]:
            raise InputError(str(self.path), f"expected undamaged data, megabyte {page} is not; solve it again")
        self._checked[page] = True

    def read(self, place: int) -> int:
        """The value of a position; the megabyte it is in is checked when it is the first one asked for."""
        if not self._checked[place // PAGE]:
            self._check(place // PAGE)
        return int(self.values[place])

    def read_all(self, places: np.ndarray) -> np.ndarray:
        """The values of positions; a megabyte is checked when something in it is asked for the first time."""
        pages = places // PAGE
        if not self._checked[pages].all():
            for page in set(pages[~self._checked[pages]].tolist()):
                self._check(page)
        return self.values[places]
