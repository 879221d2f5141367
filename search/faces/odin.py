"""Odin, drawn and told."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...solver.game import CHANCE
from ...solver.odin.notation import DEAL_WORD, HIDDEN
from ...solver.position import Observation, Position
from ..screen import DIM

CHANCE_NAME = "dealer"
"""What decides where no seat does."""

HELP = """\
You want to be the first without a card; every card left in a hand is a point, and points are bad.
A set is cards of one colour or of one rank, and worth its digits, the highest first: 8, 5, 2 are 852. To lead, play one
card, or your whole hand if it is a set. To beat a set play as many cards or one more, worth more, and take one card of
the beaten set; or pass. When everybody else has passed, whoever played last leads anew.
A move is its number, or the cards and the one taken, as K5,K3>R2; or pass."""

STYLE = {
    "B": "bold #ffffff on #2a5bd7",
    "R": "bold #ffffff on #c0281f",
    "P": "bold #000000 on #f29ac0",
    "G": "bold #ffffff on #2e8b3a",
    "K": "bold #ffffff on #2b2b2b",
    "O": "bold #000000 on #f0952b",
    "X": "bold #000000 on #e8e0c8",
    HIDDEN: DIM,
}
"""By colour; nothing is told by it alone."""


def mess(view: Observation | Position) -> list[None]:
    """Nothing is taken here but what one wants."""
    return [None] * len(view.moves())


def _parts(move: str) -> tuple[list[str], str]:
    """The cards played and the one taken, which may be none."""
    played, _, taken = move.partition(">")
    return played.split(","), taken


def _name(seat: int) -> str:
    return f"seat {seat}"


def tell(view: Observation | Position, move: str, name: Callable[[int], str] = _name) -> list[str]:
    """Clauses that tell what the legal ``move`` brings about; ``name`` calls a seat."""
    if move.startswith(DEAL_WORD):
        scores = view.game.write(view.state, None)["scores"]
        told = ", ".join(f"{name(seat)} {score}" for seat, score in enumerate(scores))
        return [f"points so far: {told}", "the next hand is dealt"]
    told = view.game.write(view.state, view.seat if isinstance(view, Observation) else None)
    seat = told["turn"]
    who = name(seat)
    verb = "" if who == "you" else "s"
    if move == "pass":
        following = (seat + 1) % view.players
        if told["owner"] == following:
            leader = name(following)
            return ["the round ends", f"{leader} lead{'' if leader == 'you' else 's'} the next"]
        return ["nothing changes, and the round goes on"]
    cards, taken = _parts(move)
    left = len(told["hands"][seat]) - len(cards) + bool(taken)
    clauses = [f"{who} {'beat' if told['table'] else 'lead'}{verb} with {' '.join(cards)}"]
    if taken:
        clauses.append(f"take{verb} {taken}")
    if left == 0:
        clauses.append("the hand ends, nothing is left")
    else:
        clauses.append(f"{left} card{'s' if left > 1 else ''} left")
    return clauses


def why(view: Observation | Position, move: str) -> str:
    """One sentence on what the legal ``move`` brings about."""
    text = "; ".join(tell(view, move))
    return f"{text[0].upper()}{text[1:]}."


def _cards(cards: Sequence[str], plain: bool) -> Text:
    """Cards in their colours."""
    text = Text()
    for i, code in enumerate(cards):
        text.append(" " if i else "")
        text.append(code, "" if plain else STYLE[code[0]])
    return text


def shown(move: str, plain: bool) -> Text:
    """A move, its cards in colour; of a deal not the hands, which nobody may see."""
    if move.startswith(DEAL_WORD):
        return Text(DEAL_WORD.strip())
    if move == "pass":
        return Text(move)
    cards, taken = _parts(move)
    text = _cards(cards, plain)
    return Text.assemble(text, " > ", _cards([taken], plain)) if taken else text


def choices(view: Observation | Position, seat: int, plain: bool) -> RenderableType:
    """The legal moves, numbered: a line a set, with the cards that may be taken for it."""
    lines: dict[str, list[Text]] = {}
    for number, move in enumerate(view.moves(), 1):
        played, _, taken = move.partition(">")
        entry = Text(f"{number}")
        if taken:
            entry = Text.assemble(entry, "=", _cards([taken], plain))
        lines.setdefault(played, []).append(entry)
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for played, entries in lines.items():
        grid.add_row(shown(played, plain), Text("  ").join(entries))
    return grid


def picture(
    position: dict[str, Any], moves: Iterable[str] = (), names: Sequence[str] = (), plain: bool = False
) -> RenderableType:
    """A position: rules, what lies on the table, every seat's hand and points, and who is to act.

    Args:
        position: the JSON object of the formats page.
        moves: not drawn.
        names: how to call the seats.
        plain: no colours.
    """
    seats = range(len(position["hands"]))
    names = names or [_name(seat) for seat in seats]
    rules, dim = position["rules"], "" if plain else DIM
    limit = "one hand" if rules["limit"] == "one-hand" else f"to {rules['limit']} points"
    removed = [f"without {' and '.join(rules['removed'])}"] if "removed" in rules else []
    heading = ", ".join(["odin", limit, *(["goat"] if rules["goat"] else []), *removed])
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for seat in seats:
        known = position["known"][seat]
        note = f"all know {' '.join(known)}" if known else ""
        mark = ">" if position["to_act"] == seat else " "
        points = "" if rules["limit"] == "one-hand" and position["winner"] is None else f"{position['scores'][seat]}"
        grid.add_row(f"{mark} {names[seat]}", points, _cards(position["hands"][seat], plain), Text(note, dim))
    table = Text("table  ")
    if position["table"]:
        table.append_text(_cards(position["table"], plain))
        table.append(f"  by {names[position['owner']]}")
    else:
        table.append("empty", dim)
    gone = Text("gone   ", dim)
    gone.append_text(_cards(position["discard"], plain) if position["discard"] else Text("nothing", dim))
    return Group(
        Text(heading, dim),
        Text(),
        table,
        gone,
        Text(),
        grid,
        Text(),
        Text(_state(position, names), "" if plain else "bold"),
    )


def _state(position: dict[str, Any], names: Sequence[str]) -> str:
    """Who is to do what."""
    if position["winner"] is not None:
        winners = " and ".join(names[seat] for seat in position["winner"])
        return f"The game is over: {winners} {'win' if len(position['winner']) > 1 or winners == 'you' else 'wins'}."
    if position["to_act"] == CHANCE:
        return "The hand is over; the next is to be dealt."
    who = names[position["to_act"]]
    return f"{who} to {'play' if position['table'] else 'lead'}."
