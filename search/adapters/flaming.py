"""Flaming Pyramids for learners.

Actions: each of 45 tiles on each of 10 rows and 62 columns, counted as in the notation from the column left of the
leftmost tile, then a fall to the left and one to the right::

    action = (tile * 10 + row) * 62 + column + 1

A face of the die is an outcome from 0 to 5.

The vector: for each tile ``TILE`` numbers, of which the first ``PLACES`` tell where it is, one of them 1: on the
board, in the own hand, known in the hand of each other seat, known in each pile, out, unseen. Then its row and
column on the board, or how deep it lies in a pile, and whether everybody knows that it is in the hand. Then the phase,
the seats whose turn it is and that is charged with mayhem, the cells that falls and that was placed, fire tiles that
have rolled, the finished turns; of each seat the unknown tiles in hand, on the pile, and all it holds; and the rules.
Seats are counted from the one that sees.
"""

from typing import Any

import numpy as np

from ...solver import game
from ...solver.bits import ZERO, has, lowest
from ...solver.flaming.board import CENTRE, MAX_HEIGHT, MAX_WIDTH, NO_CELL, column_of, row_of
from ...solver.flaming.state import (
    CELL_BITS,
    CELL_MASK,
    DIE_MOVE,
    DTYPE,
    FALL_MOVE,
    GERMAN,
    HAND,
    NO_TILE,
    PHASES,
    SEATS,
    TURN_LIMIT,
)
from ...solver.flaming.tiles import EMPTY, TILES
from ...solver.jit import kernel

ROWS, COLUMNS = MAX_HEIGHT, MAX_WIDTH + 2
SPOTS = ROWS * COLUMNS
FALLS = TILES * SPOTS
BOARD, OWN, PILES = 0, 1, 1 + SEATS
OUT, UNSEEN = PILES + SEATS, PILES + SEATS + 1
PLACES = UNSEEN + 1
ROW, COLUMN, KNOWN = PLACES, PLACES + 1, PLACES + 2
TILE = KNOWN + 1
ROLLED = 4
FEWEST = 2
LENGTH = TILES * TILE + len(PHASES) + 2 * SEATS + 6 + ROLLED + 1 + 3 * SEATS + (SEATS - FEWEST + 1) + 3


def actions(rules: dict[str, Any]) -> int:
    """How many actions there are."""
    return FALLS + 2


@kernel
def _left(s):
    """The column that notation calls 0."""
    columns = ZERO
    for row in range(s.height):
        columns |= s.rows[row]
    return CENTRE if columns == ZERO else lowest(columns)


@kernel
def action_of(s, move):
    """The action of a move; of a face of the die, from 0."""
    move = np.int64(move)
    if move >= DIE_MOVE:
        return (move & CELL_MASK) - 1
    if move >= FALL_MOVE:
        return FALLS + (move & CELL_MASK)
    cell = move & CELL_MASK
    return ((move >> CELL_BITS) * ROWS + row_of(cell)) * COLUMNS + column_of(cell) - _left(s) + 1


@kernel
def move_of(s, action):
    """The move of an action."""
    if game.to_act(s) == game.CHANCE:
        return DIE_MOVE | (action + 1)
    if action >= FALLS:
        return FALL_MOVE | (action - FALLS)
    tile, spot = action // SPOTS, action % SPOTS
    return tile << CELL_BITS | (spot // COLUMNS) << 6 | (spot % COLUMNS + _left(s) - 1)


@kernel
def _cell(cell, left, out):
    """A cell as three numbers: whether there is one, its row, its column."""
    if cell != NO_CELL:
        out[0] = 1.0
        out[1] = row_of(np.int64(cell)) / ROWS
        out[2] = (column_of(np.int64(cell)) - left + 1) / COLUMNS


@kernel
def _tiles(s, seat, left, out):
    for row in range(s.height):
        for column in range(64):
            tile = np.int64(s.grid[row << 6 | column])
            if tile != EMPTY:
                out[tile * TILE + BOARD] = 1.0
                out[tile * TILE + ROW] = row / ROWS
                out[tile * TILE + COLUMN] = (column - left + 1) / COLUMNS
    players = np.int64(s.players)
    for i in range(players):
        other = (seat + i) % players
        for tile in range(TILES):
            if has(s.hand[other], tile):
                out[tile * TILE + OWN + i] = 1.0
                if has(s.known[other], tile):
                    out[tile * TILE + KNOWN] = 1.0
        tile, depth = np.int64(s.top[other]), np.int64(s.unknown[other])
        while tile != NO_TILE:
            out[tile * TILE + PILES + i] = 1.0
            out[tile * TILE + COLUMN] = depth / TILES
            tile, depth = np.int64(s.next[tile]), depth + 1
    for tile in range(TILES):
        if has(s.out, tile):
            out[tile * TILE + OUT] = 1.0
        if has(s.unseen, tile):
            out[tile * TILE + UNSEEN] = 1.0


@kernel
def describe(s, seat, out):
    """What a concealed record shows."""
    left, players = _left(s), np.int64(s.players)
    _tiles(s, seat, left, out)
    at = TILES * TILE
    out[at + np.int64(s.phase)] = 1.0
    at += len(PHASES)
    out[at + (np.int64(s.turn) - seat) % players] = 1.0
    out[at + SEATS + (np.int64(s.charged) - seat) % players] = 1.0
    at += 2 * SEATS
    _cell(s.at, left, out[at:])
    _cell(s.placed, left, out[at + 3 :])
    at += 6
    for fire in range(ROLLED):
        out[at + fire] = s.rolled >> fire & 1
    out[at + ROLLED] = s.turns / TURN_LIMIT
    at += ROLLED + 1
    for i in range(players):
        other = (seat + i) % players
        out[at + i] = s.hidden[other] / HAND
        out[at + SEATS + i] = s.unknown[other] / TILES
        out[at + 2 * SEATS + i] = s.held[other] / TILES
    at += 3 * SEATS
    out[at + players - FEWEST] = 1.0
    at += SEATS - FEWEST + 1
    out[at], out[at + 1], out[at + 2] = s.preset == GERMAN, s.curse, s.special_fire


game.register(DTYPE, action_of=action_of, move_of=move_of, describe=describe)
