"""Markdown tables and pictures from the files in results/: those files are made by commands and never edited."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from ..search.bots.strengths import dumps
from ..search.files import warn, write_bytes
from ..solver.errors import InputError
from .blocks import COSTS
from .building import render_building
from .drawing import draw, is_drawn
from .files import write_text
from .history import FILE, history, render_history
from .history import KIND as HISTORY
from .ladder import KIND, render_compact, render_levels, strengths
from .openspiel import KIND as SAME_GAME
from .pictures import Picture, of_all_levels, picture
from .rating_tables import render_ratings
from .tables import ONE_CORE, costs, interval, mark, markdown_table, number, percent, rating, rules_text
from .tuning_tables import render_tuning

T = TypeVar("T")
MARKER = r"<!-- */?results\b"
MARKED = re.compile(rf"(<!-- results:(?P<name>[\w.@-]+) -->\n)(?:(?!{MARKER}).)*(<!-- /results -->)", re.DOTALL)
"""A table: its two markers and what stands between them, which is no other marker."""
STRAY = re.compile(rf"{MARKER}[^\n]*")
LEVELS = "levels"
"""Table of the levels of all games."""
SOLUTIONS = "pylos-solutions"
"""Table of all solutions of Pylos."""
STRENGTHS = "search/bots/strengths.json"
"""What the package keeps of results/, where that folder is not there."""
HEAD = """# Results

Every table and picture is made from the file named above it by `mess report`; every file is made by the command named
there, and never edited. ▲ and ▼: better or worse than expected, beyond the 95 % interval; =: neither.
"""


def _honest(spec: str) -> str | None:
    """The spec of the same search without open cards; None for one that has none."""
    name, _, options = spec.partition(":")
    kept = [option for option in options.split(",") if option != "open=1"]
    if options.count("open=1") == 0:
        return None
    return f"{name}:{','.join(kept)}" if kept else name


def _ceilings(matches: list[dict[str, Any]]) -> str:
    """How much of what open cards would win a search wins without them."""
    shares = {match["specs"][0]: match["bots"][0] for match in matches}
    lines = []
    for spec, row in shares.items():
        honest = _honest(spec)
        gain = row["share"] - row["expected"]
        if honest in shares and gain > 0:
            part = (shares[honest]["share"] - row["expected"]) / gain
            lines.append(
                f"\n`{honest}` goes {100 * part:.0f} % of the way from an even match to the ceiling, the same search "
                "with all cards open.\n"
            )
    return "".join(lines)


def render_matches(document: dict[str, Any]) -> str:
    """One row a match: how the first of its bots did."""
    matches = document["matches"]
    two = all(match["players"] == 2 for match in matches)
    cost = COSTS.get(matches[0]["game"])
    head = ["bot", "win share", "95 % interval", "expected", "", "Elo"]
    told = cost is not None and any(costs(match["bots"][0], cost.digits)[1] for match in matches)
    head += [cost.name, *(["95 % interval"] if told else []), f"field's {cost.name}"] if cost else []
    head.append("forfeits")
    if not two:
        del head[5]
    rows = []
    for match in matches:
        row, field = match["bots"][:2]
        cells = [f"`{row['bot']}`", percent(row["share"]), interval(row["low"], row["high"])]
        cells += [percent(row["expected"]), mark(row)]
        cells += [rating(row)] if two else []
        if cost is not None:
            own, around = costs(row, cost.digits)
            cells += [own, *([around] if told else []), costs(field, cost.digits)[0]]
        rows.append([*cells, str(row["forfeits"])])
    first = matches[0]
    facts = f"{first['game']}, {rules_text(first['rules'])}; {first['deals']} deals, each in every rotation of the "
    plies = first.get("opening")
    facts += f"seats{f', after {plies} random plies' if plies else ''}; seed {first['seed']}." + (
        f" {cost.name.capitalize()}: {cost.what}.\n" if cost else "\n"
    )
    return markdown_table(head, rows) + "\n" + facts + _ceilings(matches)


def render_speed(document: dict[str, Any]) -> str:
    """One row a measurement, then the ratios and the machine."""
    rows = [
        [row["name"], f"{number(row['value'])} {row['unit']}", f"{number(row['low'])} – {number(row['high'])}"]
        for row in document["rows"]
    ]
    text = markdown_table(["what", "median", "range"], rows)
    if document["ratios"]:
        text += "\n" + markdown_table(
            ["ratio", "×"], [[row["name"], f"{row['value']:.3g}"] for row in document["ratios"]]
        )
    machine = ", ".join(f"{name} {value}" for name, value in document["machine"].items())
    told = f"Measured on {document.get('on', ONE_CORE)}: {machine}."
    return text + "".join(f"\n{line}\n" for line in [told, *document["notes"]])


def render_same_game(document: dict[str, Any]) -> str:
    """One row a match against another's search on the same game, then what both do in a second."""
    rows = []
    for match in document["matches"]:
        ours, seconds = match["bots"][0], match["seconds"]
        cells = [f"{match['game']}, {rules_text(match['rules'])}"]
        cells += [f"{match['simulations']} simulations" if seconds is None else f"{seconds:g} s"]
        cells += [number(match["peer_simulations"]), percent(ours["share"]), interval(ours["low"], ours["high"])]
        rows.append([*cells, percent(ours["expected"]), mark(ours), str(match["games"]), str(len(match["forfeits"]))])
    head = [
        "game",
        "a move",
        "OpenSpiel's simulations",
        "our share",
        "95 % interval",
        "expected",
        "",
        "games",
        "forfeits",
    ]
    return markdown_table(head, rows) + "\n" + render_speed(document)


def render_solution(document: dict[str, Any]) -> str:
    """What the start is worth, and a row for every number of balls on the board."""
    plies = "" if document["plies"] is None else f" in {document['plies']} plies"
    rows = [[str(balls), *(f"{count:,}" for count in counts)] for balls, counts in enumerate(document["by_balls"])]
    return (
        f"The start is a {document['value']}{plies} for the first player; the longest win or loss takes "
        f"{document['longest']} plies.\n\n"
        + markdown_table(["balls", "wins", "losses", "draws"], rows)
        + f"\n{document['boards']:,} boards, {document['positions']:,} positions in the table (checksum "
        f"{document['checksum']}); {document['sweeps']} sweeps, {document['seconds']:.0f} s with "
        f"{document['workers']} threads.\n"
    )


def render_solutions(documents: list[dict[str, Any]]) -> str:
    """One row a solved game: what its start is worth, and what there is in all."""
    rows = []
    for found in sorted(documents, key=lambda found: (-found["rules"]["size"], *found["rules"].values())):
        rules, plies = found["rules"], "" if found["plies"] is None else f" in {found['plies']}"
        drawn = sum(draws for _, _, draws in found["by_balls"])
        counts = found["longest"], drawn, found["boards"], found["sweeps"], round(found["seconds"])
        name = f"{rules['variant']}, {rules['empty_reserve']}, base of {rules['size']}"
        rows.append([name, found["value"] + plies, *(f"{count:,}" for count in counts)])
    return markdown_table(["rules", "start", "longest", "drawn", "boards", "sweeps", "seconds"], rows) + (
        "\nThe start for the first player, and the longest win or loss, in plies.\n"
    )


def render_keeping(document: dict[str, Any]) -> str:
    """One row a bot: how often it keeps what a position is worth; the last columns only where it could go wrong."""
    bands = document["bands"]
    head = ["bot", "keeps the value", "95 % interval", "where it can be lost", "95 % interval"]
    head += [f"{low}–{high} balls" for low, high in bands]
    rows = []
    for row in document["rows"]:
        cells = [f"`{row['bot']}`"]
        for share in (row["all"], row["choice"]):
            cells += [percent(share["value"]), interval(share["low"], share["high"])] if share else ["–", "–"]
        rows.append([*cells, *(percent(share["value"]) if share else "–" for share in row["bands"])])
    return markdown_table(head, rows) + (
        f"\n{document['game']}, {rules_text(document['rules'])}; {document['positions']} random positions, as many of "
        f"every number of balls; in {document['choices']} of them some move keeps the value and some does not; seed "
        f"{document['seed']}.\n"
    )


def render_converting(document: dict[str, Any]) -> str:
    """One row an opponent: how many won positions were won against it."""
    rows = [
        [f"`{row['bot']}`", *(f"{row[name]:,}" for name in ("games", "won", "late", "plies"))]
        for row in document["rows"]
    ]
    return markdown_table(["against", "games", "won", "later than told", "longest"], rows) + (
        f"\n{document['game']}, {rules_text(document['rules'])}; `{document['bot']}` from random won positions; plies; "
        f"seed {document['seed']}.\n"
    )


def _ends(row: dict[str, Any]) -> str:
    """An interval of points; one game has none."""
    return "–" if row["low"] is None else f"{row['low']:.2f} – {row['high']:.2f}"


def render_regret(document: dict[str, Any]) -> str:
    """One row a bot: what it loses."""
    rows = []
    for row in document["rows"]:
        cells = [f"`{row['bot']}`", f"{row['regret']:.2f}", _ends(row)]
        cells += [percent(row["regret"] / document["optimum"]), f"{row['decision']:.3f}", f"{row['worst']:.2f}"]
        rows.append([*cells, percent(row["best"]), "–" if row["told"] is None else f"{row['told']:.1f}"])
    head = ["bot", "points lost a game", "95 % interval", "of the optimum", "a decision", "at worst", "best choices"]
    return markdown_table([*head, "expects at the start"], rows) + (
        f"\n{document['game']}, {rules_text(document['rules'])}; the optimum is {document['optimum']:.4f} points; "
        f"{document['games']} games of each, seed {document['seed']}.\n"
    )


def _relative(row: dict[str, Any] | None) -> list[str]:
    """A number of games relative to another, with its interval."""
    if row is None or row["value"] is None:
        return ["–", "–"]
    ends = "–" if row["low"] is None or row["high"] is None else f"{100 * row['low']:.0f} – {100 * row['high']:.0f}"
    return [f"{100 * row['value']:.0f} %", ends]


def render_savings(document: dict[str, Any]) -> str:
    """One row a match: games that it needs, duplicate relative to independent deals, and with luck taken out."""
    has_control = any("control" in row for row in document["rows"])
    head = ["bots", "win share", "duplicate deals", "95 % interval"]
    head += ["luck taken out", "95 % interval", "both", "95 % interval"] if has_control else []
    rows = []
    for row in document["rows"]:
        cells = [", ".join(f"`{bot}`" for bot in row["bots"]), percent(row["share"]["value"])]
        cells += _relative(row["duplicate"])
        cells += [*_relative(row["control"]), *_relative(row["both"])] if has_control else []
        rows.append(cells)
    said = " “Luck taken out” is relative to duplicate deals, “both” to independent ones." if has_control else ""
    return markdown_table(head, rows) + (
        f"\n{document['game']}, {rules_text(document['rules'])}; games needed for the same interval, relative to "
        f"independent deals.{said} {document['deals']} deals, seed {document['seed']}.\n"
    )


RENDER = {
    "regret": render_regret,
    "matches": render_matches,
    "speed": render_speed,
    "solution": render_solution,
    "keeping": render_keeping,
    "converting": render_converting,
    "savings": render_savings,
    "building": render_building,
    HISTORY: render_history,
    KIND: render_levels,
    "ratings": render_ratings,
    "tuning": render_tuning,
    SAME_GAME: render_same_game,
}
"""How each kind of file becomes markdown."""


def _read(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError("results", f"expected a file that can be read, {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or document.get("kind") not in list(RENDER):
        raise InputError("results", f"{path}: expected an object whose kind is one of {', '.join(RENDER)}")
    return document


def _complete(path: Path, make: Callable[[dict[str, Any]], T], document: dict[str, Any]) -> T:
    """What is made of a file; ``InputError`` where a field is missing."""
    try:
        return make(document)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError("results", f"{path}: expected every field of its kind, {error!r} is missing") from None


def _pictures(documents: dict[str, tuple[Path, dict[str, Any]]], folder: Path) -> dict[Path, Picture]:
    """What is to be drawn, by file."""
    found = {path.with_suffix(".svg"): _complete(path, picture, document) for path, document in documents.values()}
    wanted = {path: drawn for path, drawn in found.items() if drawn is not None}
    ladders = [document for _, document in documents.values() if document["kind"] == KIND]
    return wanted | ({folder / f"{LEVELS}.svg": of_all_levels(ladders)} if ladders else {})


def _draw(pictures: dict[Path, Picture]) -> dict[Path, bytes]:
    """Drawings; none, and a warning, where nothing can draw."""
    try:
        return {path: draw(drawn) for path, drawn in pictures.items()}
    except InputError as error:
        warn(f"left out {', '.join(path.name for path in pictures)}; {error}")
        return {}


def _read_readme(path: Path) -> str:
    """The page whose tables are to be filled; every marker must have its other half."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise InputError("README.md", f"expected a file that can be read, {path}: {reason}") from None
    stray = STRAY.search(MARKED.sub("", text))
    if stray:
        pair = "a line `<!-- results:NAME -->` and later `<!-- /results -->`"
        raise InputError("README.md", f"expected {pair}, the other half is missing to `{stray[0]}`")
    return text


def look_back(root: Path) -> None:
    """Write what git tells of earlier results to results/history.json; ``InputError`` where it tells nothing."""
    folder = root / "results"
    write_text(folder / FILE, json.dumps(history(folder), indent=1, ensure_ascii=False) + "\n")


def refresh(root: Path, check: bool = False) -> list[str]:
    """Bring README.md, what lies in results/ and what the package keeps of strengths up to date with results/*.json.

    Args:
        root: folder that holds both.
        check: change nothing.

    Returns:
        What was stale: a table of README.md by its name, a picture, the strengths in the package, or results/README.md;
        but no picture that could not be drawn.

    Raises:
        InputError: a file cannot be read or written, or a table has no file, or a marker no other half.
    """
    folder = root / "results"
    documents = {path.stem: (path, _read(path)) for path in sorted(folder.glob("*.json"))}
    tables = {name: _complete(path, RENDER[document["kind"]], document) for name, (path, document) in documents.items()}
    found = {name: document for name, (_, document) in documents.items()}
    ladders = [document for document in found.values() if document["kind"] == KIND]
    if ladders:
        tables[LEVELS] = render_compact(ladders)
    solved = [document for document in found.values() if document["kind"] == "solution"]
    if solved:
        tables[SOLUTIONS] = render_solutions(solved)
    stale = []

    readme = root / "README.md"
    text = _read_readme(readme)

    def fill(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in tables:
            raise InputError("README.md", f"expected a file results/{name}.json for its table {name}")
        fresh = found[1] + tables[name] + found[3]
        if fresh != found[0]:
            stale.append(f"README.md, {name}")
        return fresh

    filled = MARKED.sub(fill, text)
    due = {path: drawn for path, drawn in _pictures(documents, folder).items() if not is_drawn(drawn, path)}
    drawings = {} if check else _draw(due)
    stale += [f"results/{path.name}" for path in (due if check else drawings)]

    def is_there(path: Path) -> bool:
        return path.exists() or path in (due if check else drawings)

    parts = [
        f"\n## {document.get('title', name)}\n\n`results/{name}.json`, made by `{document.get('command', '?')}`\n\n"
        + tables[name]
        + (f"\n![{name}, drawn]({name}.svg)\n" if is_there(path.with_suffix(".svg")) else "")
        for name, (path, document) in documents.items()
    ]
    if is_there(folder / f"{LEVELS}.svg"):
        parts.append(f"\n## Levels of all games\n\n![levels, drawn]({LEVELS}.svg)\n")
    overview = HEAD + "".join(parts)
    index = folder / "README.md"
    if documents and (not index.exists() or index.read_text(encoding="utf-8") != overview):
        stale.append("results/README.md")
    told, kept = dumps(strengths(found)), root / STRENGTHS
    if kept.parent.is_dir() and (not kept.exists() or kept.read_text(encoding="utf-8") != told):
        stale.append(STRENGTHS)
    for path, drawn in drawings.items():
        write_bytes(str(path), drawn)
    if not check and STRENGTHS in stale:
        write_text(kept, told)
    if not check and filled != text:
        write_text(readme, filled)
    if not check and "results/README.md" in stale:
        write_text(index, overview)
    return stale
