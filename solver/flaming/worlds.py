"""Dealing, what one seat knows, and the worlds that fit it."""

import numpy as np

from ..bits import ZERO, bit, has, popcount
from ..jit import kernel
from ..rng import shuffled
from .board import CENTRE, NO_CELL
from .rules import put
from .state import HAND, NO_TILE, NOBODY, PLACE
from .tiles import ALL, EMPTY, FIRES, TILES


@kernel
def clear(s):
    """Empty the record but for its rules: no tile anywhere, seat 0 to place."""
    for cell in range(s.grid.size):
        s.grid[cell] = EMPTY
    for seat in range(s.top.size):
        s.top[seat] = NO_TILE
    for fire in range(s.fire_at.size):
        s.fire_at[fire] = NO_CELL
    s.phase = PLACE
    s.at = NO_CELL
    s.placed = NO_CELL
    s.winner = NOBODY


@kernel
def push_top(s, seat, tile):
    """Put a tile on top of a pile."""
    s.next[tile] = s.top[seat]
    if s.top[seat] == NO_TILE:
        s.bottom[seat] = tile
    s.top[seat] = tile


@kernel
def deal(s, rng):
    """Deal a cleared record: ``floor(45 / players)`` tiles each, five in hand, leftovers side by side in the base."""
    order = np.empty(TILES, dtype=np.uint8)
    shuffled(ALL, order, rng)
    share = TILES // s.players
    n = 0
    for seat in range(s.players):
        for _ in range(HAND):
            s.hand[seat] |= bit(order[n])
            n += 1
        for _ in range(share - HAND):
            push_top(s, seat, order[n])
            n += 1
        s.held[seat] = share
        s.unknown[seat] = share - HAND
    column = 0
    for leftover in range(n, TILES):
        if has(FIRES, order[leftover]):
            s.out |= bit(order[leftover])
        else:
            put(s, order[leftover], CENTRE + column)
            column += 1


@kernel
def conceal(s, seat):
    """Cut the record down to what ``seat`` knows.

    Unknown are the hands of the others but for the tiles everybody knows, and of every pile, the own one too, the
    tiles that are still from the deal. Links between tiles that lie in no pile, or nowhere, tell of the past: they are
    wiped out.
    """
    for other in range(s.players):
        if other != seat:
            unknown = s.hand[other] & ~s.known[other]
            s.hidden[other] += popcount(unknown)
            s.hand[other] = s.known[other]
            s.unseen |= unknown
        for _ in range(s.unknown[other]):
            if s.top[other] != NO_TILE:
                s.unseen |= bit(s.top[other])
                s.top[other] = s.next[s.top[other]]
        if s.top[other] == NO_TILE:
            s.bottom[other] = NO_TILE
    links = np.full(TILES, NO_TILE, dtype=np.uint8)
    for other in range(s.players):
        tile = s.top[other]
        while tile != NO_TILE:
            links[tile] = s.next[tile]
            tile = s.next[tile]
    s.next[:] = links


@kernel
def redeal(s, rng):
    """Fill a concealed record with a uniform random arrangement of the unseen tiles over the unknown places."""
    order = np.empty(TILES, dtype=np.uint8)
    n = shuffled(s.unseen, order, rng)
    s.unseen = ZERO
    for seat in range(s.players):
        for _ in range(s.hidden[seat]):
            n -= 1
            s.hand[seat] |= bit(order[n])
        s.hidden[seat] = 0
        for _ in range(s.unknown[seat]):
            n -= 1
            push_top(s, seat, order[n])
