"""Tables of tuned searches, for terminals and pages."""

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from .sprt import Hypotheses, Verdict, told
from .tables import interval, mark, markdown_table, percent, rules_text

SHOWN = 4
"""Candidates of every round that a terminal shows."""


def _verdict(document: dict[str, Any]) -> str:
    test = document["test"]["sprt"]
    asked = Hypotheses(*(test[name] for name in Hypotheses._fields))
    return told(asked, Verdict(*(test[name] for name in Verdict._fields)))


def _varied(document: dict[str, Any], bot: str) -> str:
    """What sets a candidate apart from the others."""
    told = bot.partition(":")[2].split(",")
    return " ".join(option for option in told if option.partition("=")[0] in document["varied"])


def _facts(document: dict[str, Any]) -> str:
    return f"{document['game']}, {rules_text(document['rules'])}; against {document['bot']}; seed {document['seed']}."


def _last(document: dict[str, Any]) -> str:
    test = document["test"]
    return (
        f"On fresh deals {test['bot']} wins {percent(test['share'])} ({interval(test['low'], test['high'])}, without "
        f"regard to when it stopped); {_verdict(document)}."
    )


def render_tuning(document: dict[str, Any]) -> str:
    """Every round's candidates, and the test of the winner, in markdown."""
    rows = [
        [f"`{row['bot']}`", str(place), str(round_["deals"]), percent(row["share"]), interval(row["low"], row["high"])]
        for place, round_ in enumerate(document["rounds"], 1)
        for row in round_["rows"][: len(round_["rows"]) if place > 1 else SHOWN]
    ]
    head = ["bot", "round", "deals", "win share", "95 % interval"]
    tried = len(document["rounds"][0]["rows"])
    return (
        markdown_table(head, rows)
        + f"\nOf the {tried} of the first round the best {SHOWN}. {_facts(document)} {_last(document)}\n"
    )


def print_tuning(document: dict[str, Any]) -> None:
    """Print the race and the test."""
    table = Table(title=f"{document['game']}: a race", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("round", justify="right")
    table.add_column(document["bot"], overflow="fold")
    for head in ("deals", "win share", "95 % interval", ""):
        table.add_column(head, justify="right", no_wrap=True)
    for place, round_ in enumerate(document["rounds"], 1):
        for row in round_["rows"][:SHOWN]:
            cells = [str(round_["deals"]), percent(row["share"]), interval(row["low"], row["high"]), mark(row)]
            table.add_row(str(place), _varied(document, row["bot"]), *cells)
        table.add_section()
    console = Console()
    console.print(table)
    console.print(_facts(document), highlight=False, markup=False)
    console.print(_last(document), highlight=False, markup=False)
