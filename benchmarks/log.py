"""Matches as JSON lines: a header, then one line a finished block, in order.

Nothing in the file tells of time or machine, so that a match has the same file wherever and however it was run. A
process killed in the middle of a line leaves it torn, without its newline; it is dropped.
"""

import errno
import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from io import FileIO
from pathlib import Path
from typing import Any

from ..solver.errors import InputError
from .blocks import Block, Forfeit, Game

FORMAT = 1


def line(data: dict[str, Any]) -> bytes:
    """One object as one line."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def block_of(data: Any) -> Block:
    """A block from its JSON object; ``KeyError``, ``TypeError`` or ``ValueError`` when it is none."""
    games = []
    for game in data["games"]:
        mess, forfeit = game["mess"], game["forfeit"]
        payoffs = tuple(map(float, game["payoffs"]))
        games.append(
            Game(
                tuple(map(int, game["seats"])),
                payoffs,
                int(game["decisions"]),
                None if mess is None else tuple(map(int, mess)),
                None if forfeit is None else Forfeit(**forfeit),
            )
        )
        if abs(sum(payoffs) - 1) > 1e-9 or len(games[-1].seats) != len(payoffs):
            raise ValueError("payoffs")
    return Block(int(data["deal"]), tuple(games))


def _parse(field: str, path: Path, lines: Iterable[bytes]) -> list[Block]:
    blocks: list[Block] = []
    for text in lines:
        where = f"{path}, line {len(blocks) + 2}"
        try:
            block = block_of(json.loads(text))
        except (KeyError, TypeError, ValueError):
            raise InputError(field, f"{where}: expected the games of a deal") from None
        if block.deal != len(blocks):
            raise InputError(field, f"{where}: expected deal {len(blocks)}, got {block.deal}")
        blocks.append(block)
    return blocks


def _header(field: str, path: Path, text: bytes) -> dict[str, Any]:
    try:
        header = json.loads(text)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise InputError(field, f"{path}: expected the file of a match, its first line is no header of format {FORMAT}")
    return header


def read(path: Path) -> tuple[dict[str, Any], list[Block]]:
    """Header and finished blocks of a match's file.

    Raises:
        InputError: the file cannot be read, or is no file of a match.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError("file", f"expected a file that can be read, {path}: {error.strerror}") from None
    first, *rest = data[: data.rfind(b"\n") + 1].splitlines() or [b""]
    return _header("file", path, first), _parse("file", path, rest)


class Log:
    """The file of a match that is being played; as a context it closes itself.

    Attributes:
        blocks: the blocks that an earlier run had finished.
    """

    def __init__(self, path: Path | None, header: dict[str, Any]) -> None:
        """Open a new file, or one of an earlier run of the same match.

        Raises:
            InputError: it cannot be written, or is another match's; then it stays as it is.
        """
        self.blocks: list[Block] = []
        self._path = path
        self._file: FileIO | None = None
        if path is None:
            return
        try:
            self._file = path.open("a+b", buffering=0)
            self._file.seek(0)
            data = self._file.read()
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            kept = self._resume(path, data, header)
            if kept < len(data):
                self._file.truncate(kept)
            if kept == 0:
                self._write(line(header))
        except BaseException:
            self._file.close()
            raise

    def _resume(self, path: Path, data: bytes, header: dict[str, Any]) -> int:
        """Take over what an earlier run had finished; how many bytes that is."""
        kept = data.rfind(b"\n") + 1
        if kept == 0:
            if not line(header).startswith(data):
                raise InputError("out", f"{path}: expected a new file or the file of this match, it holds other things")
            return 0
        first, *rest = data[:kept].splitlines()
        earlier = _header("out", path, first)
        for key in dict.fromkeys([*header, *earlier]):
            if header.get(key) != earlier.get(key):
                mine, other = json.dumps(header.get(key)), json.dumps(earlier.get(key))
                raise InputError("out", f"{path}: expected the file of this match, {key} is {other} there, {mine} here")
        self.blocks = _parse("out", path, rest)
        if len(self.blocks) > header["deals"]:
            raise InputError("out", f"{path}: expected at most {header['deals']} deals, got {len(self.blocks)}")
        return kept

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
        if self._file is not None:
            self._file.close()
