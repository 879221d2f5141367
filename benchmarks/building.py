"""Markdown of what the exact solver of meeple stacking comes to, from files that ``mess solve meeples`` makes."""

from typing import Any

from ..search.building.tables import bins, representative
from .tables import markdown_table


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.2f} %"


def _name(builder: Any) -> str:
    return f"`{builder}`" if isinstance(builder, str) else "a builder of its own"


def _points(document: dict[str, Any]) -> str:
    line, stops = document["line"], document["stops"]
    first = ", ".join(f"`{move}` {value:.4f}" for move, value in document["first"].items())
    quantiles = ", ".join(f"{left:g} ({q} %)" for q, left in stops.items())
    scores = [
        [f"{low}–{high}" if low < high else str(low), _percent(chance)]
        for low, high, chance in bins(document["distribution"])
    ]
    tried = [
        [
            f"{entry['from']:g}–{entry['to']:g}",
            f"{entry['placements']:.2f}",
            "–" if entry["row"] is None else f"{entry['row']:.2f}",
            *(_percent(entry[name]) for name in ("slip", "careful", "stops")),
        ]
        for entry in document["by_time"]
    ]
    return (
        f"{document['seconds']} s, {document['support']}, {_name(document['builder'])}: {document['points']:.6f} "
        f"points to be expected under best play, standard deviation {document['deviation']:.2f}. First "
        f"step: {first}.\n\n"
        f"While nothing slips ({_percent(line['chance'])}): `{line['moves']}`, which leaves rows "
        f"{', '.join(map(str, line['rows']))}, {line['points']} points. Seconds left when it stops: {quantiles}.\n\n"
        + markdown_table(["points", "chance"], scores)
        + "\n"
        + markdown_table(["seconds left", "placements", "mean row", "slips", "careful", "stops"], tried)
        + f"\n{document['walls']:,} walls.\n"
    )


def _higher(document: dict[str, Any]) -> str:
    text = f"{document['seconds']} s, {document['support']}.\n"
    for player in {str(player["builder"]): player for player in document["players"]}.values():
        rows = [
            [
                str(entry["base"]),
                _percent(entry["chance"]),
                "–" if entry["seconds"] is None else f"{entry['seconds']:.2f}",
                f"`{entry['line']}`" if entry["line"] else "–",
            ]
            for entry in player["bases"]
        ]
        text += f"\n{_name(player['builder'])}: {player['rounds']:.4f} rounds to be expected alone.\n\n"
        text += markdown_table(["base", "finishes", "seconds where finished", "while nothing slips"], rows)
    if "shares" in document:
        pairs = zip(document["players"], document["shares"], strict=True)
        text += "\n" + markdown_table(
            ["player", "wins"], [[_name(player["builder"]), _percent(share)] for player, share in pairs]
        )
    return text


def _contest(document: dict[str, Any]) -> str:
    text = (
        f"{document['turns']} × {document['seconds']} s, {document['support']}, "
        f"{' against '.join(map(_name, document['builders']))}: the first wins {_percent(document['share'])} (bounds "
        f"{_percent(document['low'])} and {_percent(document['high'])}), and {_percent(document['plain']['share'])} if "
        f"both play for points; {'converged' if document['converged'] else 'not converged'}.\n"
    )
    head = ["gap", "wins", "for points", "own points", "deviation", "their points", "deviation"]
    for turn in document["by_turn"]:
        rows = [
            [
                str(gap["gap"]),
                _percent((gap["low"] + gap["high"]) / 2),
                _percent(gap["plain"]),
                *(f"{gap[name][seat]:.2f}" for seat in range(2) for name in ("points", "deviation")),
            ]
            for gap in representative(turn["gaps"])
        ]
        text += f"\nTurn {turn['turn']}:\n\n" + markdown_table(head, rows)
    return text


RENDER = {"points": _points, "higher": _higher, "contest": _contest}


def render_building(document: dict[str, Any]) -> str:
    """The tables of one solution."""
    return RENDER[document["solved"]](document)
