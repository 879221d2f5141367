"""How results changed from commit to commit: read once out of git into a file like any other result.

Tables and pictures have to come out the same wherever they are made, with no history at hand, and a commit that brings
a new result is itself a part of history: so what git tells is a measurement of its own, made when it is asked for.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..solver.errors import InputError
from .tables import markdown_table

KIND = "history"
FILE = "history.json"
COMMAND = "mess report --history"
MOST_COMMITS = 12
"""Commits shown, the newest."""


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=True)
    except OSError as error:
        raise InputError("history", f"expected git; {error.strerror}") from None
    except subprocess.CalledProcessError as error:
        told = " ".join(error.stderr.decode(errors="replace").split())
        raise InputError("history", f"expected {folder} in a git repository with its history; {told}") from None
    return done.stdout.decode(errors="replace")


def _values(name: str, document: dict[str, Any]) -> Iterator[tuple[str, dict[str, float]]]:
    """What a file measured, by name; of matches the share of the first bot."""
    if document["kind"] == "speed":
        for row in document["rows"]:
            yield f"{row['name']}, {row['unit']}", {key: row[key] for key in ("value", "low", "high")}
    elif document["kind"] == "matches":
        for match in document["matches"]:
            row = match["bots"][0]
            yield f"{name}: {row['bot']}", {"value": row["share"], "low": row["low"], "high": row["high"]}


def history(results: Path) -> dict[str, Any]:
    """Measurements that are in several commits with different values.

    Args:
        results: folder of results, in a git repository.

    Returns:
        A document of kind ``history``: ``commits``, each with its ``commit``, ``date`` and ``title``, oldest first;
        ``rows``, each with its ``name`` and by commit its ``values``.

    Raises:
        InputError: there is no git, or no history.
    """
    told: dict[str, dict[str, dict[str, float]]] = {}
    for path in sorted(results.glob("*.json")):
        for commit in _git(results, "log", "--format=%h", "--reverse", "--", path.name).split():
            try:
                document = json.loads(_git(results, "show", f"{commit}:./{path.name}"))
                for name, value in _values(path.stem, document):
                    told.setdefault(name, {})[commit] = value
            except (InputError, ValueError, KeyError, IndexError, TypeError):
                # a commit that took the file away, or wrote it in another form
                continue
    rows: list[dict[str, Any]] = [
        {"name": name, "values": values}
        for name, values in told.items()
        if len({one["value"] for one in values.values()}) > 1 and all(one["value"] for one in values.values())
    ]
    used = {commit for row in rows for commit in row["values"]}
    log = _git(results, "log", "--format=%h%x09%as%x09%s", "--reverse", "--", ".").splitlines()
    commits = [dict(zip(("commit", "date", "title"), line.split("\t", 2), strict=True)) for line in log]
    shown = [commit for commit in commits if commit["commit"] in used][-MOST_COMMITS:]
    for row in rows:
        row["values"] = {one["commit"]: row["values"][one["commit"]] for one in shown if one["commit"] in row["values"]}
    kept = [row for row in rows if len(row["values"]) > 1]
    return {
        "kind": KIND,
        "title": "Results from commit to commit, against the first of each",
        "command": COMMAND,
        "commits": shown,
        "rows": kept,
    }


def render_history(document: dict[str, Any]) -> str:
    """One row a measurement: the first value, the last, and how many times it is."""
    rows = []
    for row in document["rows"]:
        values = [one["value"] for one in row["values"].values()]
        rows.append([row["name"], f"{values[0]:.4g}", f"{values[-1]:.4g}", f"{values[-1] / values[0]:.2f}"])
    told = [f"`{one['commit']}` {one['date']} {one['title']}" for one in document["commits"]]
    return markdown_table(["what", "first", "last", "×"], rows) + "\n" + "; ".join(told) + ".\n"
