"""Levels measured: each against the one below, two players on duplicate deals."""

from dataclasses import dataclass, field
from typing import Any

from ..search.bots import levels
from ..solver.fields import check_rules
from ..solver.game import load
from .tables import interval, mark, markdown_table, percent, rating, rules_text

KIND = "levels"
CHEATING = "open=1"


@dataclass(frozen=True)
class Ladder:
    """The levels of a game, to be measured.

    Attributes:
        title: one line on what is asked.
        deals: deal blocks of each match, level 1 first; games between strong bots take long, and tell more.
        rules: rules that differ from the defaults.
        seed: of every match.
    """

    title: str
    deals: tuple[int, ...]
    rules: dict[str, Any] = field(default_factory=dict)
    seed: int = 0

    def pairs(self, game: str) -> list[tuple[str, str]]:
        """What plays at every level, and at the one below it."""
        return [levels.pair(game, level) for level in levels.LEVELS]


def render_levels(document: dict[str, Any]) -> str:
    """One row a level: what plays, and how it did against the level below."""
    matches = document["matches"]
    rows = []
    for level, match in enumerate(matches, 1):
        row = match["bots"][0]
        cells = [str(level), f"`{match['specs'][0]}`", percent(row["share"]), interval(row["low"], row["high"])]
        rows.append([*cells, mark(row), rating(row), str(match["deals"]), str(row["forfeits"])])
    first = matches[0]
    head = ["level", "plays", "against the level below", "95 % interval", "", "Elo", "deals", "forfeits"]
    return markdown_table(head, rows) + (
        f"\n{first['game']}, {rules_text(first['rules'])}; each deal in every rotation of the seats; seed "
        f"{first['seed']}. Level 1 is measured against `{first['specs'][1]}`. {margin([document])}\n"
    )


def margin(documents: list[dict[str, Any]]) -> str:
    """What holds of every step."""
    rows = [match["bots"][0] for document in documents for match in document["matches"]]
    share, low = min(row["share"] for row in rows), min(row["low"] for row in rows)
    return (
        f"Every level wins at least {percent(share)} against the one below, and by the lower ends of the intervals at "
        f"least {percent(low)}."
    )


def render_compact(documents: list[dict[str, Any]]) -> str:
    """The levels of all games side by side."""
    rows = []
    for level in levels.LEVELS:
        cells = [str(level)]
        for document in documents:
            row = document["matches"][level - 1]["bots"][0]
            cells.append(f"{percent(row['share'])} ({interval(row['low'], row['high'])})")
        rows.append(cells)
    games = [document["matches"][0]["game"] for document in documents]
    return markdown_table(["level", *games], rows) + f"\n{margin(documents)}\n"


def strengths(documents: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """What the matches in results say of bots, for ``search.bots.strengths``; those shown open cards left out."""
    rows = []
    for name, document in documents.items():
        for match in document["matches"] if document["kind"] in ("matches", KIND) else ():
            bot, against = match["specs"]
            if CHEATING in f"{bot}{against}":
                continue
            told, usual = match["bots"][0], check_rules(load(match["game"]).OPTIONS, {})
            rules = {key: value for key, value in match["rules"].items() if value != usual[key] and key != "players"}
            rows.append(
                {"game": match["game"], "bot": bot, "against": against}
                | {key: round(told[key], 6) for key in ("share", "low", "high")}
                | {"players": match["players"], "deals": match["deals"], "rules": rules, "result": name}
            )
    return rows
