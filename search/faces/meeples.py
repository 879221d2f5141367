"""Meeple stacking, drawn and told."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...solver.game import CHANCE
from ...solver.meeples.builder import TICKS, read_builder
from ...solver.meeples.state import FIRST_BASE, SUPPORTS
from ...solver.meeples.wall import points_of
from ...solver.position import Observation, Position
from ..screen import DIM

CHANCE_NAME = "hands"
"""What decides where no seat does."""

HELP = """\
You build a wall of meeples before the time is up. A meeple in row k scores k, but only what is linked to the highest
pyramid counts: of the first row what carries the second. A move is a row and a pace, as 1q (quick) or 3c (careful), or
stop. Quick hands slip more often, the more the higher the row; then a row, or several, fall down to the one told."""

MEEPLE, MEEPLE_STYLE = "o", "bold #e0a030"


def mess(view: Observation | Position) -> list[None]:
    """Nothing is taken here, it falls."""
    return [None] * len(view.moves())


def _name(seat: int) -> str:
    return f"seat {seat}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def tell(view: Observation | Position, move: str, name: Callable[[int], str] = _name) -> list[str]:
    """Clauses that tell what the legal ``move``, or outcome of chance, brings about; ``name`` calls a seat."""
    position = view.game.write(view.state, None)
    if move == "stop":
        return [f"{name(position['turn'])} {'leave' if name(position['turn']) == 'you' else 'leaves'} it at that"]
    if move == "ok":
        return ["it stands"]
    if move.startswith("slip"):
        hit = move.endswith("!")
        start = move.removeprefix("slip").rstrip("!")
        return [f"all falls from row {start} up", *(["a neighbour's pyramid too, which loses the game"] if hit else [])]
    row, pace = int(move[:-1]), "qc".index(move[-1])
    builder = read_builder(position["rules"]["builder"])
    slip = builder.slips(row, pace)
    clauses = [f"{builder.ticks(row, pace) / TICKS:g} s for row {row}"]
    return [*clauses, f"slips with {_percent(slip)}" if slip else "cannot slip"]


def why(view: Observation | Position, move: str) -> str:
    """One sentence on what the legal ``move`` brings about."""
    text = "; ".join(tell(view, move))
    return f"{text[0].upper()}{text[1:]}."


def shown(move: str, plain: bool) -> Text:
    """A move."""
    return Text(move)


def choices(view: Observation | Position, seat: int, plain: bool) -> RenderableType:
    """The legal moves, numbered, a line a row."""
    rows: dict[str, list[str]] = {}
    for number, move in enumerate(view.moves(), 1):
        rows.setdefault(move.rstrip("qc"), []).append(f"{number}={move}")
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for row, entries in rows.items():
        grid.add_row(Text(f"row {row}" if row != "stop" else "", "" if plain else DIM), Text("  ".join(entries)))
    return grid


def draw_wall(rows: Sequence[int], plain: bool) -> Text:
    """A wall, from its top, every row in the middle of the one below."""
    text = Text()
    for k in reversed(range(len(rows))):
        text.append(f"{k + 1:>3} ", "" if plain else DIM)
        text.append(" " * (rows[0] - rows[k]))
        text.append(" ".join(MEEPLE * rows[k]), "" if plain else MEEPLE_STYLE)
        text.append("\n")
    text.append(" " * 4 + "=" * max(2 * (rows[0] if rows else 0) - 1, 9), "" if plain else DIM)
    return text


def picture(
    position: dict[str, Any], moves: Iterable[str] = (), names: Sequence[str] = (), plain: bool = False
) -> RenderableType:
    """A position: rules, every seat's wall with its points and time, and what is going on.

    Args:
        position: the JSON object of the formats page.
        moves: not drawn.
        names: how to call the seats.
        plain: no colours.
    """
    rules = position["rules"]
    players = rules["players"]
    names = names or [_name(seat) for seat in range(players)]
    several = players > 1
    builder = rules["builder"] if isinstance(rules["builder"], str) else "a builder of its own"
    if rules["mode"] == "higher":
        lap = f"base {position['round'] + FIRST_BASE - 1}"
    else:
        lap = f"turn {position['round']} of {rules['turns']}"
    shared = ["shared mat"] if rules["shared_mat"] else []
    heading = ", ".join(["meeples", rules["mode"], lap, rules["support"], *shared, builder])
    grid = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), show_header=False)
    for seat in range(players):
        rows = position["rows"][seat] if several else position["rows"]
        ticks = position["ticks"][seat] if several else position["ticks"]
        mark = ">" if position["to_act"] == seat else " "
        worth = points_of(rows, SUPPORTS.index(rules["support"]))
        state = "out" if seat in position["out"] else f"{ticks / TICKS:g} s left"
        told = f"{mark} {names[seat]}\n  {worth} points on the cloth\n  {position['scores'][seat]} so far\n  {state}"
        grid.add_row(draw_wall(rows, plain), Text(told))
    return Group(
        Text(heading, "" if plain else DIM),
        Text(),
        grid,
        Text(),
        Text(_state(position, names), "" if plain else "bold"),
    )


def _state(position: dict[str, Any], names: Sequence[str]) -> str:
    """Who is to do what."""
    if position["winner"] is not None:
        if len(names) == 1:
            unit = "points" if position["rules"]["mode"] == "points" else "rounds"
            return f"The game is over: {position['scores'][0]} {unit}."
        winners = " and ".join(names[seat] for seat in position["winner"])
        return f"The game is over: {winners} {'win' if len(position['winner']) > 1 or winners == 'you' else 'wins'}."
    who = names[position["turn"]]
    if position["to_act"] == CHANCE:
        return f"The hands of {who} are at it: {position['action']}."
    return f"{who} to build."
