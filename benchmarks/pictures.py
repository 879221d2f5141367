"""What is drawn of the files in results/, as numbers: nothing here needs what draws it, see ``drawing``."""

import hashlib
import json
import re
from typing import Any, NamedTuple

from .blocks import COSTS
from .history import KIND as HISTORY
from .ladder import KIND as LEVELS

VERSION = 1
"""Of how pictures are drawn; a new one makes all of them stale."""
BUDGET = re.compile(r"(?P<before>[\w-]+@)(?P<budget>\d+)(?P<after>:.*)?")
SHARE = "win share, %"
DECISIONS = "decisions a game"


class Mark(NamedTuple):
    """A value, and the ends of its interval where it has one."""

    value: float
    low: float | None = None
    high: float | None = None


class Series(NamedTuple):
    """Marks of one kind, one for every row of the picture; ``name`` is for the legend, empty for a single one."""

    name: str
    marks: tuple[Mark | None, ...]


class Panel(NamedTuple):
    """One axis of values.

    Attributes:
        label: what they are, with their unit.
        series: to be told apart by colour.
        reference: where a line is drawn; None for none.
        is_share: whether the axis is from 0 to 100; otherwise 0 is on it.
    """

    label: str
    series: tuple[Series, ...]
    reference: float | None = None
    is_share: bool = False


class Picture(NamedTuple):
    """Panels side by side over the same rows.

    Attributes:
        title: of all.
        rows: names of the rows, from the top.
        panels: at least one.
        budgets: what the rows are when they are one search with several budgets, in ascending order: then they are
            not named, but an axis of their own.
    """

    title: str
    rows: tuple[str, ...]
    panels: tuple[Panel, ...]
    budgets: tuple[int, ...] | None = None

    def fingerprint(self) -> str:
        """What tells that anything drawn has changed, whatever draws it."""
        return hashlib.sha256(json.dumps([VERSION, self], ensure_ascii=False).encode()).hexdigest()[:16]


def _share(row: dict[str, Any]) -> Mark:
    return Mark(*(100 * row[key] for key in ("share", "low", "high")))


def _one_search(bots: list[str]) -> tuple[int, ...] | None:
    """The budgets of bots that are one search and differ in nothing else."""
    found = [one for one in map(BUDGET.fullmatch, bots) if one]
    budgets = tuple(int(one["budget"]) for one in found)
    searches = {(one["before"], one["after"]) for one in found}
    return budgets if len(set(budgets)) == len(bots) > 1 == len(searches) else None


def _cost_panel(matches: list[dict[str, Any]]) -> list[Panel]:
    """What the games cost the bots, and the field."""
    cost = COSTS.get(matches[0]["game"])
    if cost is None:
        return []
    both = [
        tuple(Mark(row["mess"], row.get("mess_low"), row.get("mess_high")) for row in column)
        for column in zip(*(match["bots"][:2] for match in matches), strict=True)
    ]
    return [Panel(cost.what, tuple(map(Series, ("its own", "the field's"), both)))]


def _length_panel(matches: list[dict[str, Any]]) -> Panel:
    return Panel(DECISIONS, (Series("", tuple(Mark(match["decisions"]) for match in matches)),))


def _of_matches(document: dict[str, Any]) -> Picture:
    matches = document["matches"]
    budgets = _one_search([match["specs"][0] for match in matches])
    if budgets is not None:
        matches = [match for _, match in sorted(zip(budgets, matches, strict=True), key=lambda pair: pair[0])]
    rows = [match["bots"][0] for match in matches]
    shares = Panel(SHARE, (Series("", tuple(map(_share, rows))),), 100 * rows[0]["expected"], True)
    panels = (shares, *_cost_panel(matches), _length_panel(matches))
    return Picture(document["title"], tuple(row["bot"] for row in rows), panels, budgets and tuple(sorted(budgets)))


def _steps(document: dict[str, Any], label: str) -> Panel:
    marks = tuple(_share(match["bots"][0]) for match in document["matches"])
    return Panel(label, (Series("", marks),), 50.0, True)


def _of_levels(document: dict[str, Any]) -> Picture:
    matches = document["matches"]
    names = tuple(f"{level} {match['specs'][0]}" for level, match in enumerate(matches, 1))
    return Picture(
        document["title"], names, (_steps(document, f"{SHARE} against the one below"), _length_panel(matches))
    )


def of_all_levels(documents: list[dict[str, Any]]) -> Picture:
    """The levels of all games side by side."""
    panels = tuple(_steps(document, f"{document['matches'][0]['game']}, %") for document in documents)
    names = tuple(str(level) for level, _ in enumerate(documents[0]["matches"], 1))
    return Picture("Levels: win share against the one below", names, panels)


def _of_regret(document: dict[str, Any]) -> Picture:
    """Bots that lose most of what there is are left out: beside them the others could not be told apart."""
    rows = [row for row in document["rows"] if row["regret"] < document["optimum"] / 2]
    marks = tuple(Mark(row["regret"], row["low"], row["high"]) for row in rows)
    best = tuple(Mark(100 * row["best"]) for row in rows)
    panels = (
        Panel("points lost a game", (Series("", marks),)),
        Panel("best choices, %", (Series("", best),), None, True),
    )
    return Picture(document["title"], tuple(row["bot"] for row in rows), panels)


def _of_keeping(document: dict[str, Any]) -> Picture:
    rows = document["rows"]
    panels = []
    for key, label in (("all", "keeps the value, %"), ("choice", "where it can be lost, %")):
        shares = [row[key] for row in rows]
        marks = tuple(Mark(*(100 * one[end] for end in ("value", "low", "high"))) if one else None for one in shares)
        panels.append(Panel(label, (Series("", marks),), None, True))
    return Picture(document["title"], tuple(row["bot"] for row in rows), tuple(panels))


def _of_ratings(document: dict[str, Any]) -> Picture:
    """Of a bot that won all of its games or none only a bound is known, and no interval."""
    rows = document["ratings"]
    marks = (Mark(row["rating"], *(() if row["bound"] else (row["low"], row["high"]))) for row in rows)
    zero = f", {document['anchor']} is 0" if document["anchor"] else ""
    panel = Panel(f"rating in Elo{zero}", (Series("", tuple(marks)),), 0.0)
    title = f"{document['game']}: ratings, {document['players']} players"
    return Picture(title, tuple(row["bot"] for row in rows), (panel,))


def _of_history(document: dict[str, Any]) -> Picture:
    """Every measurement as a part of what it was first; the newest commit last."""
    rows = document["rows"]
    firsts = [next(iter(row["values"].values()))["value"] for row in rows]
    series = []
    for commit in document["commits"]:
        values = [row["values"].get(commit["commit"]) for row in rows]
        marks = [Mark(one["value"] / first) if one else None for one, first in zip(values, firsts, strict=True)]
        series.append(Series(commit["commit"], tuple(marks)))
    panel = Panel("times the first", tuple(series), 1.0)
    return Picture(document["title"], tuple(row["name"] for row in rows), (panel,))


PICTURES = {
    "matches": _of_matches,
    LEVELS: _of_levels,
    "regret": _of_regret,
    "keeping": _of_keeping,
    "ratings": _of_ratings,
    HISTORY: _of_history,
}
"""How each kind of file becomes a picture; the others have none."""


def picture(document: dict[str, Any]) -> Picture | None:
    """What is drawn of a file; None of kinds without a picture."""
    make = PICTURES.get(document["kind"])
    return None if make is None else make(document)
