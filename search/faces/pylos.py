"""Pylos, drawn and told."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...solver.position import Observation, Position
from ...solver.pylos.board import BALLS
from ...solver.pylos.notation import FILES
from ...solver.pylos.state import COLOURS
from ..screen import DIM

CHANCE_NAME = "chance"
"""What decides where no seat does."""

HELP = """\
You want to put the ball on top. Each turn you place a ball from your reserve, or raise one of yours on which
nothing lies to a higher level; above the base a ball needs four under it. Complete a square of your colour (in the
expert game a row, too) and you take back one or two of your balls on which nothing lies. Who cannot move loses.
A cell is level, file, rank: 1b2 places there, 1d4-2a1 raises, x1a1,1b1 behind it takes back."""

NAMES = ("light", "dark")
BALL = {"w": ("o", "bold #000000 on #f0e6c8"), "b": ("x", "bold #ffffff on #5b3a1e"), ".": (".", DIM), "+": ("+", "")}
"""Letter and style of what a cell holds; nothing is told by colour alone."""


def mess(view: Observation | Position) -> list[None]:
    """Nothing is taken from a board of Pylos but what its owner wants back."""
    return [None] * len(view.moves())


def _parts(move: str) -> tuple[list[str], str, list[str]]:
    """Where the ball comes from (nothing: the reserve), where it goes, and what is taken back."""
    stem, _, taken = move.partition("x")
    *source, target = stem.split("-")
    return source, target, taken.split(",") if taken else []


def tell(view: Observation | Position, move: str, name: Callable[[int], str] = lambda seat: NAMES[seat]) -> list[str]:
    """Clauses that tell what the legal ``move`` brings about; ``name`` calls a seat."""
    source, target, taken = _parts(move)
    told = [f"{source[0]} rises to {target}" if source else f"a ball from the reserve lies on {target}"]
    if taken:
        told.append(f"takes back {' and '.join(taken)}")
    if target.startswith(f"{view.state.side}"):
        told.append(f"{name(view.to_act)} {'win' if name(view.to_act) == 'you' else 'wins'} with the ball on top")
    return told


def why(view: Observation | Position, move: str) -> str:
    """One sentence on what the legal ``move`` brings about."""
    text = "; ".join(tell(view, move))
    return f"{text[0].upper()}{text[1:]}."


def shown(move: str, plain: bool) -> Text:
    """A move."""
    return Text(move)


def choices(view: Observation | Position, seat: int, plain: bool) -> RenderableType:
    """The legal moves, numbered; those that only differ in what they take back on one line."""
    stems: dict[str, list[str]] = {}
    for number, move in enumerate(view.moves(), 1):
        stem, x, taken = move.partition("x")
        stems.setdefault(stem, []).append(f"{number}={x}{taken}" if taken else f"{number}")
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    for stem, numbers in stems.items():
        grid.add_row(Text(stem, "" if plain else "bold"), Text("  ".join(numbers)))
    return grid


def _levels(board: str, spots: set[str]) -> list[list[list[str]]]:
    """Signs of the cells: levels from the base, in each the ranks from the last, in a rank the files; ``+`` a spot."""
    levels = []
    for number, level in enumerate(board.partition(" ")[0].split("/"), 1):
        ranks = level.split(",")
        signs = [
            ["+" if f"{number}{FILES[file]}{rank + 1}" in spots else sign for file, sign in enumerate(ranks[rank])]
            for rank in reversed(range(len(ranks)))
        ]
        levels.append(signs)
    return levels


def _drawn(levels: list[list[list[str]]], plain: bool) -> list[Text]:
    """The levels side by side, the base on the left, ranks numbered and files lettered."""
    height = len(levels)
    lines = [Text() for _ in range(height + 1)]
    for signs in levels:
        side = len(signs)
        for row in range(height + 1):
            line = lines[row]
            rank = height - row
            if row == height:
                line.append("    " + "".join(f" {FILES[file]} " for file in range(side)), "" if plain else DIM)
            elif rank > side:
                line.append(" " * (4 + 3 * side))
            else:
                line.append(f"  {rank} ", "" if plain else DIM)
                for sign in signs[side - rank]:
                    letter, style = BALL[sign]
                    line.append(f" {letter} ", "" if plain else style)
    return lines


def picture(
    position: dict[str, Any], moves: Iterable[str] = (), names: Sequence[str] = (), plain: bool = False
) -> RenderableType:
    """A position: rules, the levels from the base with the open cells of ``moves``, reserves, and who moves.

    Args:
        position: the JSON object of the formats page.
        moves: legal moves, whose targets are marked.
        names: how to call the seats.
        plain: no colours.
    """
    names = names or NAMES
    rules, board = position["rules"], position["board"]
    moves = list(moves)
    size = rules["size"]
    dim = "" if plain else DIM
    heading = ", ".join(["pylos", rules["variant"], *(["base of " + str(size)] if size != max(BALLS) else [])])
    reserves = [BALLS[size][seat] - board[:-1].count(sign) for seat, sign in enumerate(COLOURS)]
    lines = [
        f"{'>' if board[-1] == sign and moves else ' '} {BALL[sign][0]} {names[seat]}: {reserves[seat]} in reserve"
        for seat, sign in enumerate(COLOURS)
    ]
    mover = names[COLOURS.index(board[-1])]
    state = f"{mover} to move." if moves else "No move: the game is over."
    top = board.partition(" ")[0][-1]
    if top in COLOURS:
        winner = names[COLOURS.index(top)]
        state = f"The game is over: {winner} {'win' if winner == 'you' else 'wins'}."
    return Group(
        Text(heading, dim),
        Text(),
        *_drawn(_levels(board, {_parts(move)[1] for move in moves}), plain),
        Text(),
        *(Text(line) for line in lines),
        Text(),
        Text(state, "" if plain else "bold"),
    )
