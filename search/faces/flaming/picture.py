"""Positions drawn for a terminal, from the JSON object that the formats page describes.

A tile is a coloured box of seven columns with its code and the pattern of its material. Nothing is told by colour
alone: the code begins with the colour's letter. The plain drawing has no colours, and one line a row.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...screen import DIM

Cell = tuple[int, int]

PITCH, HALF, WIDTH = 8, 4, 7
MARGIN = 3
"""Columns left of the pyramid, for the number of the row."""

STYLES = {
    "R": "bold #ffffff on #b3261e",
    "B": "bold #ffffff on #1d4ea8",
    "G": "bold #000000 on #4fa85a",
    "Y": "bold #000000 on #f2c92e",
    "M": "bold #000000 on #b9b9b9",
    "?": "dim",
}
PATTERNS = {"straw": '"', "wood": "=", "stone": "#", "coal": "*", "torch": "^", "millstone": "@"}
LEGEND = "material: " + ", ".join(f"{sign} {material}" for material, sign in PATTERNS.items())


def material_of(code: str) -> str:
    """Material of a tile, by its code."""
    if code == "M":
        return "millstone"
    weight = int(code[1:])
    if weight in (1, 7):
        return "coal" if weight == 1 else "torch"
    return "straw" if weight < 10 else "wood" if weight < 60 else "stone"


def chip(code: str, plain: bool, room: bool = True) -> Text:
    """A tile in a line of text, with some room around its code if wanted (such tiles break badly into lines)."""
    if plain or code == "?":
        return Text(code, style="" if plain else STYLES["?"])
    return Text(f" {code} " if room else code, style=STYLES[code[0]])


def chips(codes: Iterable[str], plain: bool, room: bool = True) -> Text:
    """Tiles side by side in a line of text."""
    return Text(" ").join(chip(code, plain, room) for code in codes)


def _box(code: str, mark: str, plain: bool) -> list[Text]:
    """The lines of a tile; ``mark`` is a word on a tile that is about to do something."""
    pattern = PATTERNS[material_of(code)]
    if plain:
        left, right = "<>" if mark else "[]"
        return [Text(f"{left}{code:<4}{pattern}{right}")]
    bottom = mark or (pattern * 3)
    return [Text(line.center(WIDTH), style=STYLES[code[0]]) for line in (code, bottom)]


def _spot(label: str, plain: bool) -> list[Text]:
    if plain:
        return [Text(f"({label})".center(WIDTH))]
    return [Text(label.center(WIDTH), style="bold"), Text("· · ·".center(WIDTH), style=DIM)]


def spots_of(position: dict[str, Any], moves: Iterable[str]) -> dict[Cell, str]:
    """Free cells ``(row, column)`` that these moves lead to, and what to write there."""
    spots = {}
    for move in moves:
        _, at, place = move.partition("@")
        if at:
            row, column = place.split(",")
            spots[int(row), int(column)] = place
        elif move in ("L", "R"):
            row, column = position["at"]
            spots[row - 1, column + (move == "R")] = move
    return spots


def pyramid(position: dict[str, Any], spots: Mapping[Cell, str] | None = None, plain: bool = False) -> list[Text]:
    """Lines that draw the pyramid, with free ``spots`` and their labels if wanted; in front of a row its number."""
    marked = {tuple(position["at"]): "falls" if position["phase"] == "fall" else "burns"} if position["at"] else {}
    boxes = {spot: _spot(label, plain) for spot, label in (spots or {}).items()}
    for r, row in enumerate(position["board"]):
        boxes |= {(r, c): _box(code, marked.get((r, c), ""), plain) for c, code in enumerate(row) if code != "."}
    if not boxes:
        return [Text("   the table is empty")]
    left = min(PITCH * c + HALF * r for r, c in boxes)
    lines = []
    for r in range(max(row for row, _ in boxes), -1, -1):
        columns = sorted(c for row, c in boxes if row == r)
        for i in range(1 if plain else 2):
            line = Text.assemble((f"{r if i == 0 else '':<{MARGIN}}", "" if plain else DIM))
            for c in columns:
                line.append(" " * (MARGIN + PITCH * c + HALF * r - left - len(line)))
                line.append_text(boxes[r, c][i])
            lines.append(line)
    return lines


def _pile(position: dict[str, Any], seat: int, plain: bool) -> Text:
    """Size of a pile, and its tiles as far as they are there to see."""
    pile, unknown = position["piles"][seat], position["unknown"][seat]
    top = [code for code in pile[:unknown] if code != "?"]
    text = Text(f"{len(pile)}")
    if top:
        text.append(f"  unknown to all: {' '.join(top)}", style="" if plain else DIM)
    elif unknown and unknown < len(pile):
        text.append(f"  {unknown} unknown", style="" if plain else DIM)
    if pile[unknown:]:
        text.append("; then " if unknown else "  ", style="" if plain else DIM)
        text.append_text(chips(pile[unknown:], plain, room=False))
    return text


def seats(position: dict[str, Any], names: Sequence[str], plain: bool = False) -> Table:
    """A line a seat: who decides, hand, pile, and tiles left."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="" if plain else DIM)
    for column in ("", "", "hand", "tiles", "pile"):
        table.add_column(column, justify="right" if column == "tiles" else "left", no_wrap=column != "pile")
    for seat, name in enumerate(names):
        hand = position["hands"][seat]
        left = len(hand) + len(position["piles"][seat])
        arrow = ">" if position["to_act"] == seat else ""
        table.add_row(arrow, name, chips(hand, plain), str(left), _pile(position, seat, plain))
    return table


def situation(position: dict[str, Any], names: Sequence[str]) -> str:
    """One sentence on who decides what."""
    if position["phase"] == "over":
        winner = position["winner"]
        return "The game is over: a draw." if winner == "draw" else f"The game is over: {names[winner]} won."
    if position["phase"] == "place":
        return f"Turn {position['turns'] + 1}: {names[position['to_act']]} to place a tile."
    row, column = position["at"]
    tile = position["board"][row][column]
    if position["phase"] == "die":
        return f"Turn {position['turns'] + 1}: a die is rolled for {tile}."
    return f"Turn {position['turns'] + 1}: {tile} falls, {names[position['to_act']]} to say left or right."


def heading(position: dict[str, Any]) -> str:
    """The game and its rules in a line."""
    rules = position["rules"]
    extras = [name.replace("_", " ") for name in ("curse", "special_fire") if rules[name]]
    seen = [f"as seat {position['seat']} sees it"] if position.get("seat") is not None else []
    return ", ".join([position["game"], f"{rules['players']} players", rules["preset"], *extras, *seen])


def picture(
    position: dict[str, Any], moves: Iterable[str] = (), names: Sequence[str] = (), plain: bool = False
) -> RenderableType:
    """A position or observation: rules, pyramid with the spots of ``moves``, seats, and who decides.

    Args:
        position: the JSON object of the formats page.
        moves: legal moves, whose spots are drawn.
        names: how to call the seats.
        plain: no colours, ASCII only, a line a row.
    """
    names = names or [f"seat {seat}" for seat in range(len(position["hands"]))]
    dim = "" if plain else DIM
    parts: list[RenderableType] = [Text(heading(position), dim), Text()]
    parts += [
        *pyramid(position, spots_of(position, moves), plain),
        Text(LEGEND, dim),
        Text(),
        seats(position, names, plain),
    ]
    if position["out"]:
        parts += [Text.assemble("out of the game: ", chips(position["out"], plain))]
    if position["charged"] != position["turn"]:
        parts += [Text(f"cursed: what is taken goes to {names[position['charged']]}")]
    return Group(*parts, Text(), Text(situation(position, names), "" if plain else "bold"))
