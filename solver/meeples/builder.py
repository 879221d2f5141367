"""Builders: how fast and how sure a person's hands are, as numbers.

Placing takes whole ticks of a quarter of a second. A meeple put into row ``k`` slips with probability
``1 - exp(-a (k - 1)**b)``, ``a`` by the pace; then all from some row up falls. The numbers of the builders in the
package are plausible, not measured (see RULES.md); ``mess meeples fit`` finds those of a person.
"""

import math
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..fields import number, obj, only, require, shown

TICKS = 4
"""Ticks of a second."""
PACES = ("quick", "careful")
FALLS = ("same", "one", "two", "floor")
"""Rows from which all falls after a slip: its own, one or two below, the second; none below the second."""
FOLDER = Path(__file__).parent / "builders"
NAMES = ("steady", "beginner", "expert")
"""Builders in the package, the default first."""
LONGEST_SECONDS = 600
MOST_SLIP, MOST_POWER = 100.0, 10.0
SUM_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Builder:
    """The hands of one person.

    Attributes:
        place: ticks to place a meeple in row 1, by pace, at least 1.
        row: ticks more for every row above the first.
        clear: ticks more after a slip, or what is left.
        slip: ``a`` of the chance to slip, by pace, at least 0.
        power: ``b`` of the chance to slip, at least 0.
        fall: chance of each of ``FALLS``; they add up to 1.
        hit: chance that a slip hits one neighbour's pyramid, on a shared mat.
    """

    place: tuple[int, int]
    row: int
    clear: int
    slip: tuple[float, float]
    power: float
    fall: tuple[float, float, float, float]
    hit: float

    def to_dict(self) -> dict[str, Any]:
        """The builder as the formats write it."""
        return {
            "place_seconds": {pace: ticks / TICKS for pace, ticks in zip(PACES, self.place, strict=True)},
            "row_seconds": self.row / TICKS,
            "clear_seconds": self.clear / TICKS,
            "slip": dict(zip(PACES, self.slip, strict=True)) | {"power": self.power},
            "fall": dict(zip(FALLS, self.fall, strict=True)),
            "hit": self.hit,
        }

    def name(self) -> str | None:
        """The name of the builder of the package that this is, or None."""
        return next((name for name in NAMES if builtin(name) == self), None)

    def slips(self, row: int, pace: int) -> float:
        """The chance that a meeple put into ``row`` (from 1) slips."""
        return -math.expm1(-self.slip[pace] * (row - 1) ** self.power) if row > 1 else 0.0

    def ticks(self, row: int, pace: int) -> int:
        """How long placing a meeple in ``row`` (from 1) takes."""
        return self.place[pace] + self.row * (row - 1)

    def least_ticks(self, row: int) -> int:
        """The least time that placing a meeple in ``row`` takes."""
        return min(self.place) + self.row * (row - 1)

    def falls(self, row: int) -> dict[int, float]:
        """After a slip in ``row`` (from 2): from which row all falls, and the chance of it; the highest first."""
        chances: dict[int, float] = {}
        for start, chance in zip((row, row - 1, row - 2, 2), self.fall, strict=True):
            start = max(start, 2)
            chances[start] = chances.get(start, 0.0) + chance
        return {start: chances[start] for start in sorted(chances, reverse=True) if chances[start] > 0.0}


def _ticks(data: dict[str, Any], field: str, path: str, low: int) -> int:
    seconds = number(data, field, low / TICKS, LONGEST_SECONDS, path)
    ticks = seconds * TICKS
    if ticks != round(ticks):
        raise InputError(f"{path}{field}", f"expected a multiple of {1 / TICKS} seconds, got {shown(seconds)}")
    return round(ticks)


def _part(data: dict[str, Any], field: str, known: tuple[str, ...], path: str) -> dict[str, Any]:
    part = obj(require(data, field, path), f"{path}{field}")
    only(part, known, f"{path}{field}.")
    return part


def read_builder(data: Any, field: str = "builder") -> Builder:
    """The builder that an object of the formats describes, or that a name of the package stands for.

    Raises:
        InputError: the first field that is wrong, and what was expected.
    """
    if isinstance(data, str):
        if data not in NAMES:
            raise InputError(field, f"expected one of {', '.join(NAMES)}, or an object; got {shown(data)}")
        return builtin(data)
    path = f"{field}." if field else ""
    data = obj(data, field)
    only(data, ("place_seconds", "row_seconds", "clear_seconds", "slip", "fall", "hit"), path)
    place = _part(data, "place_seconds", PACES, path)
    slip = _part(data, "slip", (*PACES, "power"), path)
    fall = _part(data, "fall", FALLS, path)
    falls = tuple(number(fall, name, 0.0, 1.0, f"{path}fall.") for name in FALLS)
    if abs(sum(falls) - 1.0) > SUM_TOLERANCE:
        raise InputError(f"{path}fall", f"expected probabilities that add up to 1, got {sum(falls):g}")
    quick, careful = (_ticks(place, pace, f"{path}place_seconds.", 1) for pace in PACES)
    slips = tuple(number(slip, pace, 0.0, MOST_SLIP, f"{path}slip.") for pace in PACES)
    return Builder(
        place=(quick, careful),
        row=_ticks(data, "row_seconds", path, 0),
        clear=_ticks(data, "clear_seconds", path, 0),
        slip=(slips[0], slips[1]),
        power=number(slip, "power", 0.0, MOST_POWER, f"{path}slip."),
        fall=(falls[0], falls[1], falls[2], falls[3]),
        hit=number(data, "hit", 0.0, 1.0, path),
    )


@cache
def builtin(name: str) -> Builder:
    """The builder of the package called ``name``, one of ``NAMES``."""
    return read_builder(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")), "")


def write_toml(builder: Builder) -> str:
    """The builder as a TOML file."""
    told = builder.to_dict()
    lines = [f"{name} = {told[name]}" for name in ("row_seconds", "clear_seconds", "hit")]
    for part in ("place_seconds", "slip", "fall"):
        lines += ["", f"[{part}]", *(f"{name} = {value}" for name, value in told[part].items())]
    return "\n".join(lines) + "\n"
