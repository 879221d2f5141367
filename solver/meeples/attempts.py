"""Logs of a person's attempts to place meeples: CSV both ways, and made up by the model.

One line an attempt, under the header ``row,pace,seconds,outcome,fallen_to``:

    row        1 at the bottom, to 99
    pace       quick or careful
    seconds    from reaching for the meeple until one could go on: after a slip the clearing counts, too
    outcome    ok or slip; nothing slips in row 1
    fallen_to  after a slip the lowest row that fell: row, row - 1, row - 2 or 2, at least 2; empty after ok

Attempts that the clock cut short do not belong into a log.
"""

import csv
import io
import re
from typing import NamedTuple

import numpy as np

from ..errors import InputError
from ..fields import shown, strangers
from .builder import LONGEST_SECONDS, PACES, TICKS, Builder
from .state import MEEPLES

COLUMNS = ("row", "pace", "seconds", "outcome", "fallen_to")
OUTCOMES = ("ok", "slip")
HIGHEST_ROW = 8
"""Highest row of made up attempts, where none is asked for."""
JITTER = 0.1
STOPWATCH_DIGITS = 3


class Log(NamedTuple):
    """Attempts in the order they were made.

    Attributes:
        row: ``int64[attempts]``, from 1 to 99.
        pace: ``int64[attempts]``, places in ``PACES``.
        seconds: ``float64[attempts]``, more than 0 and at most 600.
        fallen_to: ``int64[attempts]``, the lowest row that fell; 0 where the meeple stands.
    """

    row: np.ndarray
    pace: np.ndarray
    seconds: np.ndarray
    fallen_to: np.ndarray


def fall_rows(row: int) -> tuple[int, int, int, int]:
    """After a slip in ``row`` (from 2): the lowest row that falls, for each of ``FALLS``."""
    return row, max(row - 1, 2), max(row - 2, 2), 2


def _whole(text: str) -> int:
    """A whole number, or -1; digits of other scripts, signs and underscores make none."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else -1


def _seconds(text: str) -> float:
    """A number of seconds, or NaN; the underscores that Python allows in numbers make none."""
    try:
        return float(text) if text.isascii() and "_" not in text else float("nan")
    except ValueError:
        return float("nan")


def _read_attempt(told: dict[str, str], line: str) -> tuple[int, int, float, int]:
    """Row, pace, seconds and the row from which all fell (0 for none) of one line."""

    def wrong(field: str, expected: str) -> InputError:
        return InputError(f"{line}: {field}", f"expected {expected}, got {shown(told[field])}")

    row, seconds = _whole(told["row"]), _seconds(told["seconds"])
    if not 1 <= row <= MEEPLES:
        raise wrong("row", f"a whole number from 1 to {MEEPLES}")
    if told["pace"] not in PACES:
        raise wrong("pace", f"one of {', '.join(PACES)}")
    if not 0.0 < seconds <= LONGEST_SECONDS:
        raise wrong("seconds", f"a number of more than 0 and at most {LONGEST_SECONDS}")
    if told["outcome"] not in OUTCOMES:
        raise wrong("outcome", f"one of {', '.join(OUTCOMES)}")
    fallen_to = 0
    if told["outcome"] == "ok":
        if told["fallen_to"]:
            raise wrong("fallen_to", "nothing after ok")
    elif row == 1:
        raise wrong("outcome", "ok in row 1")
    else:
        fallen_to = _whole(told["fallen_to"])
        if fallen_to not in fall_rows(row):
            raise wrong("fallen_to", f"one of {', '.join(map(str, sorted(set(fall_rows(row)))))} after a slip")
    return row, PACES.index(told["pace"]), seconds, fallen_to


def read_log(text: str) -> tuple[Log, list[str]]:
    """The attempts that CSV tells of, and the columns that nothing here knows; they are ignored.

    Empty lines count but tell nothing; columns may stand in any order.

    Raises:
        InputError: the first line that is wrong, the field in it, and what was expected.
    """
    lines = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    header: list[str] = []
    attempts = []
    try:
        for fields in lines:
            line, fields = f"line {lines.line_num}", [field.strip() for field in fields]
            if not any(fields):
                continue
            if not header:
                header = fields
                _check_header(header, line)
            elif len(fields) != len(header):
                raise InputError(line, f"expected {len(header)} fields, as in the header; got {len(fields)}")
            else:
                attempts.append(_read_attempt(dict(zip(header, fields, strict=True)), line))
    except csv.Error as error:
        raise InputError(f"line {lines.line_num}", f"expected CSV; {error}") from None
    if not attempts:
        there = "only a header" if header else "nothing"
        raise InputError("log", f"expected a header {','.join(COLUMNS)} and attempts; there is {there}")
    row, pace, seconds, fallen_to = zip(*attempts, strict=True)
    log = Log(
        row=np.array(row, np.int64),
        pace=np.array(pace, np.int64),
        seconds=np.array(seconds, np.float64),
        fallen_to=np.array(fallen_to, np.int64),
    )
    return log, strangers(dict.fromkeys(header), COLUMNS)


def _check_header(header: list[str], line: str) -> None:
    for column in COLUMNS:
        if column not in header:
            raise InputError(f"{line}: {column}", "expected this column in the header, it is missing")
    for column in header:
        if header.count(column) > 1:
            raise InputError(f"{line}: {shown(column)[1:-1]}", "expected this column once, it is there twice")


def write_log(log: Log) -> str:
    """The log as CSV; ``read_log`` gets the same back."""
    lines = [",".join(COLUMNS)]
    for row, pace, seconds, fallen_to in zip(*(part.tolist() for part in log), strict=True):
        lines.append(f"{row},{PACES[pace]},{seconds!r}," + (f"slip,{fallen_to}" if fallen_to else "ok,"))
    return "\n".join(lines) + "\n"


def simulate(
    builder: Builder,
    attempts: int,
    rng: np.random.Generator,
    highest: int = HIGHEST_ROW,
    jitter: float = JITTER,
) -> Log:
    """A log as the builder would make it, whatever stands: row and pace of every attempt are drawn uniformly.

    Args:
        builder: the hands.
        attempts: how many, at least 1.
        rng: draws everything.
        highest: the highest row, from 1 to 99.
        jitter: spread of the seconds, the standard deviation of their logarithm, at least 0; the builder's times are
            their medians. They are told in milliseconds.
    """
    row = rng.integers(1, highest, attempts, endpoint=True)
    pace = rng.integers(0, len(PACES), attempts)
    slipped = rng.random(attempts) < -np.expm1(-np.array(builder.slip)[pace] * (row - 1.0) ** builder.power)
    # 0 ** 0 is 1, but row 1 never fails
    slipped &= row > 1
    # the chances may miss 1 by a rounding error, which ``choice`` would not take
    kind = np.searchsorted(np.cumsum(builder.fall)[:-1], rng.random(attempts), side="right")
    fallen_to = np.maximum(np.choose(kind, (row, row - 1, row - 2, np.full(attempts, 2))), 2)
    ticks = np.array(builder.place)[pace] + builder.row * (row - 1) + builder.clear * slipped
    seconds = ticks / TICKS * np.exp(jitter * rng.standard_normal(attempts))
    seconds = np.clip(np.round(seconds, STOPWATCH_DIGITS), 10.0**-STOPWATCH_DIGITS, LONGEST_SECONDS)
    return Log(row, pace, seconds, np.where(slipped, fallen_to, 0))
