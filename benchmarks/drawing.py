"""Pictures drawn as SVG, which says what it was drawn from: so it can be checked where nothing can draw it."""

import re
from pathlib import Path
from typing import Any

from ..search.plots import SETTINGS, matplotlib_part, svg
from .pictures import Panel, Picture

TOLD = re.compile(r"<dc:description>drawn from ([0-9a-f]+)</dc:description>")
ROW, ROOM, LEAST = 0.24, 1.1, 2.2
"""Height of a row, and of all else, in inches; and of any picture."""
LETTER, PANEL = 0.075, 2.9
"""Width of a letter of a row's name, and of a panel, in inches."""
APART, SPREAD = 0.16, 0.7
"""Rows between the marks of two series of a row, and at most between the first and the last."""


def is_drawn(picture: Picture, path: Path) -> bool:
    """Whether the file is a drawing of these very numbers, whichever version of matplotlib made it."""
    try:
        told = TOLD.search(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return False
    return told is not None and told[1] == picture.fingerprint()


def draw(picture: Picture) -> bytes:
    """An SVG of a picture, the same bytes for the same picture with one version of matplotlib.

    Raises:
        InputError: matplotlib, the extra ``plots``, is not installed.
    """
    count = len(picture.panels)
    rows = 9 if picture.budgets else len(picture.rows)
    names = 0.0 if picture.budgets else LETTER * max(map(len, picture.rows))
    size = (names + PANEL * count, max(LEAST, ROOM + ROW * rows))
    with matplotlib_part("").rc_context(SETTINGS):
        figure = matplotlib_part("figure").Figure(figsize=size, layout="constrained")
        axes = figure.subplots(1, count, sharey=picture.budgets is None, squeeze=False)[0]
        for panel, axis in zip(picture.panels, axes, strict=True):
            if picture.budgets is None:
                _rows(axis, panel, picture.rows)
            else:
                _curve(axis, panel, picture.budgets)
            if len(panel.series) > 1:
                figure.legend(*axis.get_legend_handles_labels(), loc="outside right upper", fontsize="small")
        figure.suptitle(picture.title)
        return svg(figure, f"drawn from {picture.fingerprint()}")


def _reach(marks: list[Any]) -> list[list[float]]:
    """How far intervals reach below and above their values."""
    below = [0.0 if mark.low is None else mark.value - mark.low for mark in marks]
    above = [0.0 if mark.high is None else mark.high - mark.value for mark in marks]
    return [[max(0.0, one) for one in side] for side in (below, above)]


def _limits(panel: Panel) -> tuple[float, float]:
    """The ends of the axis of values, with room for the outermost marks."""
    if panel.is_share:
        return -3.0, 103.0
    marks = [mark for series in panel.series for mark in series.marks if mark is not None]
    ends = [end for mark in marks for end in mark if end is not None]
    return 1.06 * min([0.0, *ends]), 1.06 * max([0.0, *ends]) or 1.0


def _rows(axis: Any, panel: Panel, names: tuple[str, ...]) -> None:
    """One row a bot, values to the right."""
    for number, series in enumerate(panel.series):
        shift = min(APART, SPREAD / len(panel.series)) * (number - (len(panel.series) - 1) / 2)
        kept = [(place + shift, mark) for place, mark in enumerate(series.marks) if mark is not None]
        marks = [mark for _, mark in kept]
        values = [mark.value for mark in marks]
        axis.errorbar(values, [y for y, _ in kept], xerr=_reach(marks), fmt="o", ms=3.5, lw=1, label=series.name)
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.5, -0.5)
    axis.set_xlim(*_limits(panel))
    axis.set_xlabel(panel.label)
    axis.grid(alpha=0.25)
    if panel.reference is not None:
        axis.axvline(panel.reference, color="grey", lw=0.8, ls="--")


def _curve(axis: Any, panel: Panel, budgets: tuple[int, ...]) -> None:
    """Values against the budget, which is on a logarithmic axis."""
    for series in panel.series:
        kept = [(x, mark) for x, mark in zip(budgets, series.marks, strict=True) if mark is not None]
        marks = [mark for _, mark in kept]
        values = [mark.value for mark in marks]
        axis.errorbar([x for x, _ in kept], values, yerr=_reach(marks), fmt="o-", ms=3.5, lw=1, label=series.name)
    axis.set_xscale("log")
    axis.set_xticks(budgets, map(str, budgets))
    axis.minorticks_off()
    axis.set_xlabel("budget a move")
    axis.set_ylim(*_limits(panel))
    axis.set_title(panel.label, fontsize="medium")
    axis.grid(alpha=0.25)
    if panel.reference is not None:
        axis.axhline(panel.reference, color="grey", lw=0.8, ls="--")
