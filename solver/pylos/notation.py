"""Text and JSON of Pylos: moves and boards both ways, and positions written and read."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..errors import InputError
from ..fields import check_rules, chosen_move, integer, member, obj, require, shown, strangers
from ..record import legal_texts, plain
from .board import BALLS, CELLS, FULL_SIDE, GROUND, SIZES, covered
from .rules import legal, settle
from .state import (
    COLOURS,
    DTYPE,
    EMPTY_RESERVE,
    FIELD_BITS,
    FIRST,
    MAX_MOVES,
    NOBODY,
    NOWHERE,
    SECOND,
    SOURCE,
    TAKE_BACK,
    VARIANTS,
)

OPTIONS: dict[str, tuple] = {
    "variant": VARIANTS,
    "empty_reserve": EMPTY_RESERVE,
    "take_back": TAKE_BACK,
    "size": SIZES,
}
FIELDS = ("game", "rules", "seat", "board")
FILES = "abcd"
MASK = (1 << FIELD_BITS) - 1


def blank(rules: dict[str, Any]) -> np.ndarray:
    """An empty board under checked rules, light to move, as a record array of length one."""
    states = np.zeros(1, dtype=DTYPE).view(np.recarray)
    state = states[0]
    state.side = rules["size"]
    state.variant = VARIANTS.index(rules["variant"])
    state.loses = EMPTY_RESERVE.index(rules["empty_reserve"])
    state.may = TAKE_BACK.index(rules["take_back"])
    state.winner = NOBODY
    return states


def rules_of(state: Any) -> dict[str, Any]:
    """The rules a record is played by."""
    return {
        "variant": VARIANTS[state.variant],
        "empty_reserve": EMPTY_RESERVE[state.loses],
        "take_back": TAKE_BACK[state.may],
        "size": int(state.side),
    }


# --- moves ---


def cell_text(cell: int, size: int) -> str:
    """Level, file and rank: ``1a1`` is the first cell of the base."""
    return f"{(cell >> 4) + 1 - (FULL_SIDE - size)}{FILES[cell & 3]}{(cell >> 2 & 3) + 1}"


def move_text(state: Any, move: int) -> str:
    """``1b2``, ``1d1-2a1``, and ``x1c4`` or ``x1c4,2a1`` after them for balls taken back, ordered by name."""
    return _text(int(state.side), int(move))


@lru_cache(1 << 14)
def _text(size: int, move: int) -> str:
    target, source, *taken = (move >> shift & MASK for shift in (0, SOURCE, FIRST, SECOND))
    text = cell_text(target, size) if source == NOWHERE else f"{cell_text(source, size)}-{cell_text(target, size)}"
    return _with_taken(text, [cell_text(cell, size) for cell in taken if cell != NOWHERE])


def _with_taken(text: str, taken: list[str]) -> str:
    return f"{text}x{','.join(sorted(taken))}" if taken else text


def read_move(state: Any, text: Any) -> int:
    """The legal move that ``text`` names, balls taken back in any order; ``InputError`` lists what was legal."""
    if isinstance(text, str) and "x" in text:
        stem, _, taken = text.partition("x")
        text = _with_taken(stem, taken.split(","))
    return chosen_move(text, legal_texts(state, legal, MAX_MOVES, move_texts))


def move_texts(state: Any, moves: Sequence[int]) -> list[str]:
    """Moves as ``move_text`` writes them."""
    size = int(state.side)
    return [_text(size, move) for move in moves]


# --- boards ---


def board_text(state: Any) -> str:
    """Levels from the base up, ranks from the first, files from a; then the side to move."""
    size = int(state.side)
    light, dark = (int(balls) for balls in state.balls)
    levels = []
    for side in range(size, 0, -1):
        start = 16 * (FULL_SIDE - side)
        ranks = []
        for rank in range(side):
            cells = [start + 4 * rank + file for file in range(side)]
            ranks.append("".join("w" if light >> cell & 1 else "b" if dark >> cell & 1 else "." for cell in cells))
        levels.append(",".join(ranks))
    return f"{'/'.join(levels)} {COLOURS[int(state.turn)]}"


def _read_board(state: Any, text: str) -> None:
    """Put the balls of a board text into an empty record, and check that they can lie so."""
    size = int(state.side)
    field, _, turn = text.partition(" ")
    if turn not in tuple(COLOURS):
        raise InputError("board", f'expected a space and "w" or "b" at the end, the side to move; got {shown(text)}')
    levels = field.split("/")
    if len(levels) != size:
        raise InputError("board", f"expected {size} levels separated by /, got {len(levels)}")
    balls = [0, 0]
    for level, side in enumerate(range(size, 0, -1)):
        ranks = levels[level].split(",")
        if len(ranks) != side or any(len(rank) != side for rank in ranks):
            expected = f"{side} ranks of {side} cells on level {level + 1}"
            raise InputError("board", f"expected {expected}, got {shown(levels[level])}")
        for rank, row in enumerate(ranks):
            for file, sign in enumerate(row):
                cell = 16 * (FULL_SIDE - side) + 4 * rank + file
                if sign in COLOURS:
                    balls[COLOURS.index(sign)] |= 1 << cell
                elif sign != ".":
                    raise InputError("board", f'expected "w", "b" or "." on {cell_text(cell, size)}, got {shown(sign)}')
    state.balls[:] = balls
    state.turn = COLOURS.index(turn)


def _check_board(state: Any) -> None:
    size = int(state.side)
    occupied = int(state.balls[0]) | int(state.balls[1])
    under = int(covered(np.uint64(occupied))) & sum(1 << cell for cell in CELLS)
    floating = under & ~occupied & ~int(GROUND[size])
    if floating:
        hole = (floating & -floating).bit_length() - 1
        raise InputError("board", f"expected a ball on {cell_text(hole, size)}, something rests on it")
    for seat, (sign, most) in enumerate(zip(COLOURS, BALLS[size], strict=True)):
        count = int(state.balls[seat]).bit_count()
        if count > most:
            raise InputError("board", f'expected at most {most} balls "{sign}", got {count}')
    apex = 1 << CELLS[-1]
    if int(state.balls[int(state.turn)]) & apex:
        raise InputError("board", "expected the other side to move: whoever puts a ball on the apex has moved last")


def write(state: Any, seat: int | None) -> dict[str, Any]:
    """The JSON object of a record; nothing is hidden, so a seat sees the same."""
    s = plain(state)
    return {
        "game": "pylos",
        "rules": rules_of(s),
        **({} if seat is None else {"seat": seat}),
        "board": board_text(s),
    }


def parse(data: Any) -> tuple[np.ndarray, int | None]:
    """Record (array of one) and observer of a JSON object; the observer is None when it names no seat.

    Raises:
        InputError: the first field that is wrong, and what was expected.
    """
    data = obj(data, "")
    member(data, "game", ("pylos",))
    rules = check_rules(OPTIONS, obj(require(data, "rules"), "rules"))
    seat = None if data.get("seat") is None else integer(data, "seat", 0, 1)
    text = require(data, "board")
    if not isinstance(text, str):
        raise InputError("board", f"expected a string, got {shown(text)}")
    states = blank(rules)
    _read_board(states[0], text)
    _check_board(states[0])
    settle(states[0])
    return states, seat


def unknown_fields(data: Any) -> list[str]:
    """Fields of a JSON object that a position has not: they are ignored, which a tool may want to say."""
    return strangers(data, FIELDS)
