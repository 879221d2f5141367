"""Plots, as SVG files that are the same every time."""

import io
from typing import Any

import numpy as np

from ..solver.errors import InputError
from ..solver.meeples.builder import TICKS
from .building.solutions import Plan

SETTINGS = {"svg.hashsalt": "mess", "svg.fonttype": "none", "font.size": 9}
FAINTEST = 0.001
"""Rows on which it works more rarely, at all times, are left out at the top."""


def matplotlib_part(name: str) -> Any:
    """A module of matplotlib, which is only there with the extra ``plots``."""
    from importlib import import_module

    try:
        return import_module(f"matplotlib.{name}" if name else "matplotlib")
    except ModuleNotFoundError:
        raise InputError("matplotlib", "expected it to be installed: pip install 'smallest-mess[plots]'") from None


def svg(figure: Any, description: str | None = None) -> bytes:
    """A figure as a file; the description stands in its metadata."""
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None, "Description": description})
    return file.getvalue()


def plot_plan(plan: Plan, title: str) -> bytes:
    """An SVG of what a plan for points does while the time runs out.

    Above, how likely it is to be working on each row; in the middle, how likely it is to have stopped, or to clear up
    after a slip; below, what to expect of an empty cloth with so much time.
    """
    course, ticks = plan.course, plan.course.ticks
    at_work, stopped = course.at_work(), course.has_stopped()
    rows = 1 + int(np.flatnonzero(at_work.max(axis=1) >= FAINTEST).max(initial=0))
    seconds = ticks / TICKS
    left = np.arange(ticks) / TICKS
    with matplotlib_part("").rc_context(SETTINGS):
        figure = matplotlib_part("figure").Figure(figsize=(8, 7.5), layout="constrained")
        heat, shares, worth = figure.subplots(3, 1, sharex=True, height_ratios=(3, 1.5, 1.5))
        heat.set_title(title)
        shown = heat.imshow(
            at_work[:rows],
            origin="lower",
            aspect="auto",
            interpolation="nearest",
            cmap="magma_r",
            extent=(0, seconds, 0.5, rows + 0.5),
        )
        heat.set_ylabel("row")
        heat.yaxis.get_major_locator().set_params(integer=True)
        figure.colorbar(shown, ax=heat, label="chance to work on it")
        shares.plot(left, stopped, label="has stopped")
        shares.plot(left, np.clip(1.0 - stopped - at_work.sum(axis=0), 0.0, 1.0), label="clears up after a slip")
        shares.set_ylabel("chance")
        shares.set_ylim(0, 1)
        shares.legend(loc="upper left")
        worth.plot(np.arange(ticks + 1) / TICKS, plan.empty)
        worth.set_ylabel("points of an empty cloth")
        worth.set_ylim(bottom=0)
        worth.set_xlabel("seconds left")
        worth.set_xlim(seconds, 0)
        return svg(figure)


def plot_bars(title: str, label: str, bars: dict[str, tuple[float, float, float]]) -> bytes:
    """An SVG of values with their intervals: for each name the value and its two ends, which may be the value."""
    with matplotlib_part("").rc_context(SETTINGS):
        figure = matplotlib_part("figure").Figure(figsize=(8, 0.6 + 0.32 * len(bars)), layout="constrained")
        axes = figure.subplots()
        values = [value for value, _, _ in bars.values()]
        reach = [[value - low for value, low, _ in bars.values()], [high - value for value, _, high in bars.values()]]
        axes.barh(list(bars), values, xerr=reach if any(map(any, reach)) else None)
        axes.invert_yaxis()
        axes.set_title(title)
        axes.set_xlabel(label)
        axes.set_xlim(left=0)
        return svg(figure)
