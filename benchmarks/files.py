"""Files and folders that are written: whole, or in one line why not."""

import os
from pathlib import Path

from ..solver.errors import InputError


def write_text(path: Path, text: str) -> None:
    """Write a whole file or leave the old one; ``InputError`` when it cannot be written."""
    draft = path.with_name(path.name + ".part")
    try:
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, path)
    except OSError as error:
        raise InputError("out", f"expected a file that can be written, {path}: {error.strerror}") from None


def make_folder(path: Path, field: str = "out") -> None:
    """Make a folder where there is none; ``InputError`` of ``field`` when it cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(field, f"expected a folder that can be written, {path}: {error.strerror}") from None
