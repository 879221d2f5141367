"""Tables on a terminal."""

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from .blocks import COSTS
from .result import MatchResult
from .sprt import told

ONE_CORE = "one core"
"""What is measured on, unless a document says otherwise."""


def percent(share: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"


def markdown_table(head: list[str], rows: list[list[str]]) -> str:
    """A markdown table; all columns but the first are numbers."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def interval(low: float, high: float) -> str:
    """Two shares as a range of percentages."""
    return f"{100 * low:.1f} – {100 * high:.1f}"


def costs(row: dict[str, Any], digits: int) -> tuple[str, str]:
    """What a game cost a bot, and its interval where there is one."""
    low, high = row.get("mess_low"), row.get("mess_high")
    around = "" if low is None or high is None else f"{max(0.0, low):.1f}–{high:.1f}"
    return f"{row['mess']:.{digits}f}", around


def rating(row: dict[str, Any]) -> str:
    """A bot's rating above the other's; the files write None for infinite."""
    value = row["elo"]["value"]
    return f"{value:+.0f}" if value is not None else "+∞" if row["share"] > row["expected"] else "−∞"


def mark(row: dict[str, Any]) -> str:
    """Whether a bot did better or worse than expected, beyond its interval."""
    if not row["differs"]:
        return "="
    return "▲" if row["share"] > row["expected"] else "▼"


def match_json(result: MatchResult) -> dict[str, Any]:
    """Summary of a match with the wall time of this run."""
    speed = {"seconds": round(result.seconds, 3), "games_per_second": games_per_second(result)}
    return result.summary() | speed


def games_per_second(result: MatchResult) -> float | None:
    """Games of this run a second of wall time; None when all came from a file."""
    return round(result.fresh / result.seconds, 3) if result.fresh else None


def rules_text(rules: dict[str, Any]) -> str:
    """Rules in a few words: what is on is named, what is off is not."""
    rules = {name: "of its own" if isinstance(value, dict) else value for name, value in rules.items()}
    words = [name if value is True else f"{name} {value}" for name, value in rules.items() if value is not False]
    return ", ".join(words).replace("_", " ")


def print_match(result: MatchResult) -> None:
    """Print how every bot did, and what was played."""
    summary = match_json(result)
    table = Table(
        title=f"{result.game}: {rules_text(result.rules)}",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    cost, two, lost = COSTS.get(result.game), summary["players"] == 2, bool(summary["forfeits"])
    heads = ["win share", "95 % interval", "", *(["Elo"] if two else []), *([cost.name, ""] if cost else [])]
    table.add_column("bot", overflow="fold")
    for head in [*heads, *(["forfeits"] if lost else [])]:
        table.add_column(head, justify="right", no_wrap=True)
    for row in summary["bots"]:
        cells = [row["bot"], percent(row["share"]), interval(row["low"], row["high"]), mark(row)]
        cells += [rating(row)] if two else []
        cells += costs(row, cost.digits) if cost is not None else ()
        table.add_row(*cells, *([str(row["forfeits"])] if lost else []))
    console = Console()
    console.print(table)
    speed = summary["games_per_second"]
    facts = [
        f"{summary['games']} games on {summary['finished']} deals",
        f"an equal share is {percent(1 / summary['players'])}",
        f"{summary['decisions']:.0f} decisions a game",
        f"seed {result.seed}",
        *([f"{result.opening} random plies before"] if result.opening else []),
        f"{result.seconds:.1f} s",
        "all from the file" if speed is None else f"{speed:.2f} games/s",
    ]
    console.print(", ".join(facts), highlight=False)
    if result.test is not None:
        console.print(
            f"{result.bots[0]}: {told(result.test.asked, result.test.verdict)}", highlight=False, markup=False
        )
        if result.test.verdict.accepted:
            console.print("the intervals above take no account of when it stopped", highlight=False)
    if not result.repeatable:
        console.print("a bot minds the clock: this match cannot be repeated exactly", highlight=False)
    for forfeit in summary["forfeits"][:5]:
        console.print(
            f"forfeit: {forfeit['bot']}, deal {forfeit['deal']}, rotation {forfeit['rotation']}: {forfeit['reason']}",
            highlight=False,
            markup=False,
        )
    if len(summary["forfeits"]) > 5:
        console.print(f"… and {len(summary['forfeits']) - 5} more forfeits", highlight=False)


def number(value: float) -> str:
    """Three significant digits, with thin words for thousands and millions."""
    for size, word in ((1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{word}"
    return f"{value:.3g}"


def print_speed(document: dict[str, Any]) -> None:
    """Print measurements, and what they were made on."""
    table = Table(
        title=f"speed: medians on {document.get('on', ONE_CORE)}",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    table.add_column("what", overflow="fold")
    for head in ("median", "unit", "range"):
        table.add_column(head, justify="right")
    for row in document["rows"]:
        table.add_row(row["name"], number(row["value"]), row["unit"], f"{number(row['low'])} – {number(row['high'])}")
    for row in document["ratios"]:
        table.add_row(row["name"], f"{row['value']:.3g}", "×", "")
    console = Console()
    console.print(table)
    for match in document.get("matches", ()):
        ours, theirs = match["bots"][:2]
        told = f"{match['game']}: {ours['bot']} {percent(ours['share'])}, {interval(ours['low'], ours['high'])}"
        console.print(f"{told}, against {theirs['bot']}", highlight=False)
    console.print(", ".join(f"{name} {value}" for name, value in document["machine"].items()), highlight=False)
    for note in document["notes"]:
        console.print(note, highlight=False)
