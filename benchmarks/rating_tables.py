"""Tables of ratings, for terminals and pages."""

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from .tables import markdown_table, percent, rules_text

NEVER = "–"


def _rating(row: dict[str, Any]) -> str:
    """A rating; of a bot that won all of its games, or none, only a bound is known."""
    sign = "" if not row["bound"] or row["share"] is None else "≥ " if row["share"] > 0 else "≤ "
    return f"{sign}{row['rating']:+.0f}"


def _interval(row: dict[str, Any]) -> str:
    return NEVER if row["bound"] else f"{row['low']:+.0f} … {row['high']:+.0f}"


def _share(share: float | None) -> str:
    return NEVER if share is None else percent(share)


def _against(document: dict[str, Any]) -> list[list[str]]:
    """The matrix of pairings: of the wins of either, how many the row had where both sat, and in how many games."""
    return [
        [NEVER if share is None else f"{100 * share:.0f} % ({games})" for share, games in zip(*row, strict=True)]
        for row in zip(document["pairings"], document["together"], strict=True)
    ]


def _facts(document: dict[str, Any]) -> str:
    zero = f"{document['anchor']} is 0" if document["anchor"] else "the mean of those that are no bounds is 0"
    plies = f", after {document['opening']} random plies" if document["opening"] else ""
    left = document["left_out"]
    return (
        f"{document['game']}, {rules_text(document['rules'])}; {document['deals']} deals, each in every rotation "
        f"of the seats{plies}; seed {document['seed']}. Ratings in Elo, {zero}; intervals of 95 %, by resampled deals"
        + (f"; {left} files of other bots left out" if left else "")
        + "."
    )


def render_ratings(document: dict[str, Any]) -> str:
    """Ratings, and who beats whom, in markdown."""
    rows = [
        [f"`{row['bot']}`", _rating(row), _interval(row), str(row["games"]), _share(row["share"])]
        for row in document["ratings"]
    ]
    text = markdown_table(["bot", "rating", "95 % interval", "games", "win share"], rows)
    bots = [f"`{row['bot']}`" for row in document["ratings"]]
    matrix = [[bot, *cells] for bot, cells in zip(bots, _against(document), strict=True)]
    text += "\nOf the wins of the two, those of the row (games together):\n\n"
    notes = "".join(f"\n{line[0].upper() + line[1:]}.\n" for line in _notes(document))
    return text + markdown_table(["bot", *bots], matrix) + f"\n{_facts(document)}\n{notes}"


def print_ratings(document: dict[str, Any]) -> None:
    """Print ratings, and who beats whom: columns are numbered as the rows are."""
    table = Table(title=f"{document['game']}: ratings", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("", "bot"):
        table.add_column(head, overflow="fold")
    for head in ("rating", "95 % interval", "games", "win share"):
        table.add_column(head, justify="right", no_wrap=True)
    for place, row in enumerate(document["ratings"], 1):
        table.add_row(str(place), row["bot"], _rating(row), _interval(row), str(row["games"]), _share(row["share"]))
    console = Console()
    console.print(table)
    matrix = Table(
        title="wins of the row among those of the two (games together)",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for head in ("", *(str(place) for place in range(1, len(document["ratings"]) + 1))):
        matrix.add_column(head, justify="right")
    for place, cells in enumerate(_against(document), 1):
        matrix.add_row(str(place), *cells)
    console.print(matrix)
    console.print(_facts(document), highlight=False, markup=False)
    for line in _notes(document):
        console.print(line, highlight=False, markup=False)


def _notes(document: dict[str, Any]) -> list[str]:
    """What a reader of bounds should know."""
    bounds = [row["bot"] for row in document["ratings"] if row["bound"]]
    notes = ["≥, ≤: won all of its games or none, so that its rating is a bound"] if bounds else []
    if document["anchor"] in bounds:
        notes.append(f"{document['anchor']} is one of these, so the distances of all others from it are bounds, too")
    return notes
