"""Reading positions of Flaming Pyramids: every check names the field and what was expected."""

from itertools import chain
from typing import Any

import numpy as np

from ..errors import InputError
from ..fields import check_rules, integer, list_of, member, obj, optional, require, shown, strangers
from .board import CENTRE, FIRST_COLUMN, MAX_HEIGHT, MAX_WIDTH, NO_CELL, STRIDE, row_of
from .notation import HIDDEN, OPTIONS, blank, codes, place_of
from .rules import has_support, put, settle, to_act
from .state import (
    DIE,
    DRAWN,
    FALL,
    HAND,
    NOBODY,
    OVER,
    PHASES,
    PLACE,
    TURN_LIMIT,
)
from .tiles import ALL, EMPTY, FIRES, FIRST_FIRE, INDEX, TILES
from .worlds import push_top

CURSED = 3
"""Tiles that a curse takes."""

FIELDS = (
    *("game", "rules", "seat", "board", "hands", "piles", "unknown", "known", "out", "turn", "charged", "to_act"),
    *("phase", "at", "placed", "rolled", "turns", "winner"),
)


def _index(code: Any) -> int | None:
    return INDEX.get(code) if isinstance(code, str) else None


class _Reader:
    """Reads one position; every check names the field and what was expected."""

    def __init__(self, data: dict[str, Any], rules: dict[str, Any], seat: int | None) -> None:
        self.data, self.seat = data, seat
        self.seats = range(rules["players"])
        self.states = blank(rules)
        self.state = self.states[0]
        self.where: dict[int, str] = {}

    def tile(self, field: str, code: Any) -> int:
        """The tile called ``code``, seen for the first time."""
        tile = _index(code)
        if tile is None:
            raise InputError(field, f"expected a tile such as R60, B2, G1, R7 or M, got {shown(code)}")
        if tile in self.where:
            raise InputError(field, f"{code} is already in {self.where[tile]}, expected each tile once")
        self.where[tile] = field
        return tile

    def may_hide(self, field: str, allowed: bool) -> None:
        if self.seat is None:
            raise InputError(field, 'expected every tile: "?" needs a "seat", and is not the whole truth')
        if not allowed:
            raise InputError(field, 'expected a tile, "?" only stands for what the seat does not know')

    def cell_at(self, row: int, column: int) -> int:
        return STRIDE * row + self.left + column

    def board(self) -> None:
        rows = list_of(self.data, "board", list)
        if len(rows) > MAX_HEIGHT:
            raise InputError("board", f"expected at most {MAX_HEIGHT} rows, got {len(rows)}")
        self.left = min(CENTRE, FIRST_COLUMN + MAX_WIDTH - max(map(len, rows), default=0))
        if rows and not rows[-1]:
            raise InputError(f"board[{len(rows) - 1}]", "expected no empty row on top")
        for r, row in enumerate(rows):
            if len(row) > MAX_WIDTH:
                raise InputError(f"board[{r}]", f"expected at most {MAX_WIDTH} columns, got {len(row)}")
            if row and row[-1] == ".":
                raise InputError(f"board[{r}]", 'expected no "." at the end of a row')
            for c, code in enumerate(row):
                if code != ".":
                    put(self.state, self.tile(f"board[{r}][{c}]", code), self.cell_at(r, c))
        if rows and not any(row and row[0] != "." for row in rows):
            raise InputError("board", "expected the leftmost tile in column 0")

    def hands(self) -> None:
        hands = list_of(self.data, "hands", list, len(self.seats))
        for seat, hand in enumerate(hands):
            if len(hand) > HAND:
                raise InputError(f"hands[{seat}]", f"expected at most {HAND} tiles, got {len(hand)}")
            for i, code in enumerate(hand):
                field = f"hands[{seat}][{i}]"
                if code == HIDDEN:
                    self.may_hide(field, seat != self.seat)
                    self.state.hidden[seat] += 1
                else:
                    self.state.hand[seat] |= np.uint64(1 << self.tile(field, code))

    def piles(self) -> None:
        piles = list_of(self.data, "piles", list, len(self.seats))
        for seat, (pile, unknown) in enumerate(zip(piles, list_of(self.data, "unknown", int, len(piles)), strict=True)):
            if not 0 <= unknown <= len(pile):
                raise InputError(f"unknown[{seat}]", f"expected 0 to {len(pile)} tiles of the pile, got {unknown}")
            for i, code in reversed(list(enumerate(pile))):
                field = f"piles[{seat}][{i}]"
                if code == HIDDEN:
                    self.may_hide(field, i < unknown)
                elif self.seat is not None and i < unknown:
                    raise InputError(field, f'expected "?" in the {unknown} tiles on top that nobody knows')
                else:
                    push_top(self.state, seat, self.tile(field, code))
            self.state.unknown[seat] = unknown
            self.state.held[seat] = len(pile) + len(self.data["hands"][seat])

    def known(self) -> None:
        for seat, tiles in enumerate(list_of(self.data, "known", list, len(self.seats))):
            for i, code in enumerate(tiles):
                field = f"known[{seat}][{i}]"
                tile = _index(code)
                if tile is None or not int(self.state.hand[seat]) >> tile & 1:
                    raise InputError(field, f"expected a tile of hands[{seat}], got {shown(code)}")
                if int(self.state.known[seat]) >> tile & 1:
                    raise InputError(field, f"expected each tile once, {code} is there twice")
                self.state.known[seat] |= np.uint64(1 << tile)
            if self.seat not in (None, seat) and self.state.known[seat] != self.state.hand[seat]:
                raise InputError(f"hands[{seat}]", f'expected the tiles of known[{seat}], then "?"')

    def out(self) -> None:
        for i, code in enumerate(list_of(self.data, "out", str)):
            tile = self.tile(f"out[{i}]", code)
            if not int(FIRES) >> tile & 1:
                raise InputError(f"out[{i}]", f"expected a coal or torch, nothing else leaves the game; got {code}")
            self.state.out |= np.uint64(1 << tile)

    def all_tiles(self) -> None:
        unseen = int(ALL) & ~sum(1 << tile for tile in self.where)
        absent = int(self.state.hidden.sum()) + (0 if self.seat is None else int(self.state.unknown.sum()))
        if unseen.bit_count() != absent:
            missing = " ".join(codes(unseen)) or "none"
            raise InputError(
                "board, hands, piles, out",
                f'expected all {TILES} tiles, with {absent} of them as "?"; not found: {missing}',
            )
        self.state.unseen = unseen

    def cell(self, field: str) -> int:
        value = optional(self.data, field, list)
        if value is None:
            return NO_CELL
        if len(value) != 2 or not all(type(number) is int for number in value):
            raise InputError(field, f"expected [row, column] or null, got {shown(value)}")
        row, column = value
        cell = self.cell_at(row, column)
        on_board = 0 <= row < MAX_HEIGHT and 0 <= column < MAX_WIDTH and row_of(cell) == row
        if not on_board or self.state.grid[cell] == EMPTY:
            raise InputError(field, f"expected the cell of a tile on the board, got {shown(value)}")
        return cell

    def clock(self) -> None:
        s, n = self.state, len(self.seats)
        s.turn = integer(self.data, "turn", 0, n - 1)
        s.charged = integer(self.data, "charged", 0, n - 1)
        s.phase = PHASES.index(member(self.data, "phase", PHASES))
        cursed = s.curse and s.phase in (FALL, DIE) and s.charged == (int(s.turn) - 1) % n
        if s.charged != s.turn and not cursed:
            raise InputError(
                "charged", f"expected the seat whose turn it is, {s.turn}, or in a turn with a curse the one before"
            )
        s.turns = integer(self.data, "turns", 0, TURN_LIMIT)
        s.at = self.cell("at")
        s.placed = self.cell("placed")
        for i, code in enumerate(list_of(self.data, "rolled", str)):
            if code not in codes(FIRES) or not s.special_fire or code in self.data["rolled"][:i]:
                raise InputError(
                    f"rolled[{i}]", f"expected coals and torches under special_fire, once, got {shown(code)}"
                )
            if self.where.get(INDEX[code], "hands").startswith("hands"):
                raise InputError(f"rolled[{i}]", f"expected a tile that rolled this turn, {code} is not from the board")
            s.rolled |= 1 << (INDEX[code] - FIRST_FIRE)
        winner = require(self.data, "winner")
        if winner is not None and winner != "draw":
            winner = integer(self.data, "winner", 0, n - 1)
        s.winner = {None: NOBODY, "draw": DRAWN}.get(winner, winner)
        decider = require(self.data, "to_act")
        expected = None if s.phase == OVER else int(to_act(s))
        if type(decider) is not type(expected) or decider != expected:
            raise InputError("to_act", f"expected {'null' if expected is None else expected}, got {shown(decider)}")

    def phase(self) -> None:
        """The fields that a phase needs."""
        s = self.state
        if (s.at == NO_CELL) != (s.phase not in (FALL, DIE)):
            raise InputError("at", "expected a cell when a tile falls or burns, else null")
        if s.phase in (PLACE, OVER) and (s.placed != NO_CELL or s.rolled):
            raise InputError("placed" if s.placed != NO_CELL else "rolled", "expected nothing between two turns")
        if (s.phase == OVER) == (s.winner == NOBODY):
            raise InputError("winner", 'expected a seat or "draw" when the game is over, else null')
        if s.phase == OVER:
            if s.winner == DRAWN and s.turns < TURN_LIMIT:
                raise InputError("winner", f"expected no draw before {TURN_LIMIT} turns")
            if s.winner != DRAWN and (s.held[s.winner] or s.winner != s.turn):
                raise InputError("winner", "expected the seat that moved last and has neither hand nor pile")
        elif s.turns >= TURN_LIMIT:
            raise InputError("turns", f"expected fewer than {TURN_LIMIT} in a game that goes on")

    def counts(self) -> None:
        """Turns, and what every seat holds after them: a turn is one tile placed, and draws until the hand has five."""
        s, n = self.state, len(self.seats)
        expected = (int(s.turns) - int(s.phase == OVER)) % n
        if s.turn != expected:
            raise InputError("turn", f"expected {expected} after {s.turns} turns, got {s.turn}")
        for seat in self.seats:
            is_placing = seat == s.turn and s.phase in (FALL, DIE)
            self.hand(seat, is_placing)
            self.dealt(seat, is_placing, turns=(int(s.turns) - seat + n - 1) // n)
        if s.charged != s.turn and len(self.data["piles"][s.charged]) - s.unknown[s.charged] < CURSED:
            raise InputError(f"piles[{s.charged}]", f"expected the {CURSED} tiles of the curse")
        if s.turns == 0 and s.phase == PLACE and (s.height > 1 or "." in chain(*self.data["board"])):
            raise InputError("board", "expected what the deal left over, side by side, before the first turn")

    def hand(self, seat: int, is_placing: bool) -> None:
        """A hand as full as its pile lets it be; a seat that is placing has yet to draw."""
        field, full = f"hands[{seat}]", HAND - is_placing
        hand, pile = len(self.data["hands"][seat]), len(self.data["piles"][seat])
        if hand > full:
            raise InputError(field, f"expected at most {full} tiles, one of {HAND} is placed; got {hand}")
        if is_placing or hand == full:
            return
        if hand == 0 and seat != self.state.winner:
            raise InputError(field, "expected a tile: a seat without any at the end of its turn has won")
        if pile and not (pile >= CURSED and self.may_be_cursed(seat)):
            raise InputError(field, f"expected {full} tiles as long as there is a pile, got {hand}")

    def dealt(self, seat: int, is_placing: bool, turns: int) -> None:
        """What a seat must still have of the deal after so many turns of its own: nobody knows those tiles.

        As long as a pile lasts, a turn places one tile and draws one, and what is left of the deal is drawn first.
        """
        hand, known, pile = (len(self.data[field][seat]) for field in ("hands", "known", "piles"))
        undrawn = TILES // len(self.seats) - HAND - turns
        if self.state.unknown[seat] != max(0, undrawn):
            raise InputError(f"unknown[{seat}]", f"expected {max(0, undrawn)} after {turns} turns of this seat")
        unplayed = max(0, HAND - is_placing + min(0, undrawn))
        if hand < unplayed:
            raise InputError(f"hands[{seat}]", f"expected at least {unplayed} tiles, from the deal; got {hand}")
        if known > hand - unplayed:
            raise InputError(f"known[{seat}]", f"expected at most {hand - unplayed}: {unplayed} are from the deal")
        has_moved = turns > 0 or is_placing
        if pile > max(0, undrawn) and not has_moved and not self.may_be_cursed(seat):
            raise InputError(f"piles[{seat}]", f"expected {undrawn} tiles, nothing has been taken yet; got {pile}")

    def may_be_cursed(self, seat: int) -> bool:
        """Whether a seat may have been charged by a curse since it last drew: then its hand was not refilled."""
        s, n = self.state, len(self.seats)
        if s.phase in (FALL, DIE) and s.charged == seat != s.turn:
            return True
        last, follower = (int(s.turns) - 1) % n, (seat + 1) % n
        return bool(s.curse) and seat != last and s.turns > follower

    def pyramid(self) -> None:
        """A pyramid that is in the phase it is said to be in."""
        s = self.state
        if s.phase == FALL:
            if row_of(int(s.at)) == 0 or has_support(s, int(s.at)):
                raise InputError("at", "expected a tile with nothing under it, which is the one that falls")
            return
        probe = self.states.copy().view(np.recarray)
        settle(probe[0])
        unmoved = (probe[0].rows == s.rows).all()
        if s.phase == DIE:
            if probe[0].phase != DIE or probe[0].at != s.at or not unmoved:
                raise InputError("at", "expected the coal or torch that is next to roll the die")
            return
        if probe[0].phase == FALL and unmoved:
            raise InputError(
                "board", f"expected no tile in free air between two turns, see {list(place_of(s, probe[0].at))}"
            )
        if probe[0].phase != PLACE or not unmoved:
            raise InputError("board", "expected a pyramid without misfits, fires and explosions between two turns")
        s.suspect[:] = 0


def parse(data: Any) -> tuple[np.ndarray, int | None]:
    """Record (array of one) and observer of a JSON object; the observer is None when it is the whole truth.

    Raises:
        InputError: the first field that is wrong, and what was expected.
    """
    data = obj(data, "")
    member(data, "game", ("flaming",))
    rules = check_rules(OPTIONS, obj(require(data, "rules"), "rules"))
    seat = None if data.get("seat") is None else integer(data, "seat", 0, rules["players"] - 1)
    reader = _Reader(data, rules, seat)
    reader.board()
    reader.hands()
    reader.piles()
    reader.known()
    reader.out()
    reader.all_tiles()
    reader.clock()
    reader.phase()
    reader.counts()
    reader.pyramid()
    return reader.states, seat


def unknown_fields(data: Any) -> list[str]:
    """Fields of a JSON object that a position has not: they are ignored, which a tool may want to say."""
    return strangers(data, FIELDS)
