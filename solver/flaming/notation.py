"""Text and JSON of Flaming Pyramids: moves both ways, and positions written."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..fields import chosen_move
from ..game import CHANCE
from ..record import legal_texts, members, plain
from .board import CENTRE, MAX_HEIGHT, MAX_WIDTH, NO_CELL, STRIDE
from .rules import legal
from .state import (
    BEYOND,
    CELL_BITS,
    CELL_MASK,
    DIE,
    DIE_MOVE,
    DRAWN,
    DTYPE,
    FALL,
    FALL_MOVE,
    MAX_MOVES,
    NO_TILE,
    NOBODY,
    PHASES,
    PLACE,
    PRESETS,
    SEATS,
)
from .tiles import CODES, EMPTY, FIRST_FIRE
from .worlds import clear

OPTIONS: dict[str, tuple] = {
    "players": tuple(range(2, SEATS + 1)),
    "preset": PRESETS,
    "curse": (False, True),
    "special_fire": (False, True),
}
HIDDEN = "?"
FALLS = "LR"


def blank(rules: dict[str, Any]) -> np.ndarray:
    """A cleared record under checked rules, as a record array of length one."""
    states = np.zeros(1, dtype=DTYPE).view(np.recarray)
    state = states[0]
    clear(state)
    state.players = rules["players"]
    state.preset = PRESETS.index(rules["preset"])
    state.curse = rules["curse"]
    state.special_fire = rules["special_fire"]
    return states


def rules_of(state: Any) -> dict[str, Any]:
    """The rules a record is played by."""
    return {
        "players": int(state.players),
        "preset": PRESETS[state.preset],
        "curse": bool(state.curse),
        "special_fire": bool(state.special_fire),
    }


BOUND = f"{MAX_HEIGHT} rows and {MAX_WIDTH} columns"
"""How large a pyramid may grow; the largest seen in play are far smaller (see the tests)."""


def is_sound(state: Any) -> bool:
    """Whether the pyramid has stayed within ``BOUND``."""
    return bool(state.phase != BEYOND)


def _columns(state: Any) -> int:
    return int(np.bitwise_or.reduce(state.rows))


def leftmost(state: Any) -> int:
    """The record's own number of the column that notation calls 0: the smallest in use."""
    columns = _columns(state)
    return (columns & -columns).bit_length() - 1 if columns else CENTRE


def place_of(state: Any, cell: int) -> tuple[int, int]:
    """Row and column of a cell, as notation counts them."""
    row, column = divmod(int(cell), STRIDE)
    return row, column - leftmost(state)


# --- moves ---


def move_texts(state: Any, moves: Sequence[int]) -> list[str]:
    """``R60@1,0``, ``L``, ``R`` or ``d1`` … ``d6``."""
    left, texts = leftmost(state), []
    for move in moves:
        if move >= DIE_MOVE:
            texts.append(f"d{move & CELL_MASK}")
        elif move >= FALL_MOVE:
            texts.append(FALLS[move & 1])
        else:
            row, column = divmod(move & CELL_MASK, STRIDE)
            texts.append(f"{CODES[move >> CELL_BITS]}@{row},{column - left}")
    return texts


def move_text(state: Any, move: int) -> str:
    """One move as ``move_texts`` writes it."""
    return move_texts(state, [move])[0]


def read_move(state: Any, text: Any) -> int:
    """The legal move that ``text`` names; ``InputError`` lists what was legal when there is none."""
    return chosen_move(text, legal_texts(state, legal, MAX_MOVES, move_texts))


# --- writing ---


def codes(tiles: Any) -> list[str]:
    """Codes of a set of tiles, in canonical order."""
    return [CODES[tile] for tile in members(tiles)]


def _cell(state: Any, cell: int) -> list[int] | None:
    return None if cell == NO_CELL else list(place_of(state, cell))


def board_rows(state: Any) -> list[list[str]]:
    """The board, rows from the bottom, each a list of codes from column 0, ``"."`` for an empty cell."""
    left, width = leftmost(state), _columns(state).bit_length()
    rows: list[list[str]] = []
    for row in range(state.height):
        tiles = state.grid[STRIDE * row + left : STRIDE * row + width].tolist()
        codes = ["." if tile == EMPTY else CODES[tile] for tile in tiles]
        while codes and codes[-1] == ".":
            codes.pop()
        rows.append(codes)
    return rows


def pile_tiles(state: Any, seat: int) -> list[int]:
    """Tiles of a pile from the top, as far as the record has them."""
    tiles = []
    tile = int(state.top[seat])
    while tile != NO_TILE:
        tiles.append(tile)
        tile = int(state.next[tile])
    return tiles


def write(state: Any, seat: int | None) -> dict[str, Any]:
    """The JSON object of a full record (``seat`` None) or of what ``seat`` sees (a concealed record)."""
    s = plain(state)
    seats = range(s.players)
    hands = []
    piles = []
    for other in seats:
        concealed = seat is not None and seat != other
        hands.append(codes(s.known[other] if concealed else s.hand[other]) + [HIDDEN] * int(s.hidden[other]))
        missing = int(s.unknown[other]) if seat is not None else 0
        piles.append([HIDDEN] * missing + [CODES[tile] for tile in pile_tiles(s, other)])
    return {
        "game": "flaming",
        "rules": rules_of(s),
        **({} if seat is None else {"seat": seat}),
        "board": board_rows(s),
        "hands": hands,
        "piles": piles,
        "unknown": s.unknown[: s.players].tolist(),
        "known": [codes(s.known[other]) for other in seats],
        "out": codes(s.out),
        "turn": s.turn,
        "charged": s.charged,
        "to_act": {PLACE: s.turn, FALL: s.charged, DIE: CHANCE}.get(s.phase),
        "phase": PHASES[s.phase],
        "at": _cell(s, s.at),
        "placed": _cell(s, s.placed),
        "rolled": codes(s.rolled << FIRST_FIRE),
        "turns": s.turns,
        "winner": {NOBODY: None, DRAWN: "draw"}.get(s.winner, s.winner),
    }
