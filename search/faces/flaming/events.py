"""Flaming Pyramids told in words: what one move brings about, until the next decision.

All of it is public: the tiles that a move moves, burns and brings down depend on nothing hidden, so a full position
and an observation tell the same. The draw at the end of a turn is left out.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ....solver.flaming.board import NO_CELL
from ....solver.flaming.notation import board_rows, pile_tiles, place_of
from ....solver.flaming.rules import act, legal
from ....solver.flaming.state import DIE, FALL, MAX_MOVES, PLACE, TURN_LIMIT
from ....solver.flaming.tiles import CODES, FIRE, INDEX, STRAW, WOOD, material
from ....solver.position import Observation, Position
from ....solver.record import members

Cell = tuple[int, int]
Board = dict[Cell, str]

AROUND = ((1, -1), (1, 0), (0, -1), (0, 1), (-1, 0), (-1, 1))
TORCHES = ("R7", "B7")
FACES = {"1": "burn", "2": "burn", "3": "burn", "4": "burn", "5": "blast", "6": "smoke"}


@dataclass(frozen=True)
class Event:
    """One thing that happens to the pyramid.

    Attributes:
        kind: first ``"place"``, ``"left"``, ``"right"`` (a tile falls), or of a die ``"burn"``, ``"blast"``,
            ``"smoke"``; then ``"explosion"``, ``"fire"``, ``"curse"``, ``"collapse"``, ``"air"`` (a tile has nothing
            under it), ``"die"`` (it is to be rolled); at last ``"win"`` or ``"draw"``.
        tiles: the tiles that do it; of a curse the one on top.
        taken: the tiles taken, in the order they are.
        seat: who takes them, or who wins.
        text: the move that began it.
    """

    kind: str
    tiles: tuple[str, ...]
    taken: tuple[str, ...]
    seat: int
    text: str


def _board(rows: list[list[str]]) -> Board:
    return {(r, c): code for r, row in enumerate(rows) for c, code in enumerate(row) if code != "."}


def _touching(cells: Iterable[Cell]) -> set[Cell]:
    return {(r + dr, c + dc) for r, c in cells for dr, dc in AROUND}


def _reached(start: Cell, through: set[Cell]) -> set[Cell]:
    """The cells of ``through`` that are connected with ``start`` by touching."""
    reached = {start}
    while more := (_touching(reached) & through) - reached:
        reached |= more
    return reached - {start}


def _scan(cells: Iterable[Cell]) -> list[Cell]:
    return sorted(cells, key=lambda cell: (-cell[0], cell[1]))


def _is_fire(code: str) -> bool:
    return material(INDEX[code]) == FIRE


def _burning(board: Board, cell: Cell) -> set[Cell]:
    fuels = (STRAW, WOOD) if board[cell] in TORCHES else (STRAW,)
    return _reached(cell, {other for other, code in board.items() if material(INDEX[code]) in fuels})


class _Teller:
    """Splits what one move did, as the engine left it, into events in the order of the rules."""

    def __init__(self, view: Observation | Position, move: str, code: int) -> None:
        state = view.state
        states = np.array([state]).view(np.recarray)
        after = states[0]
        act(after, code)
        self.move = move
        self.board = _board(board_rows(state))
        self.turn, self.charged, self.after = int(state.turn), int(state.charged), after
        self.left_game = {CODES[tile] for tile in members(int(after.out) & ~int(state.out))}
        self.taken: list[tuple[str, int]] = []
        for seat in (self.turn, (self.turn - 1) % view.players):
            gained = pile_tiles(after, seat)[len(pile_tiles(state, seat)) :]
            self.taken += [(CODES[tile], seat) for tile in gained]
        self.events: list[Event] = []

    def add(self, kind: str, tiles: Iterable[str], taken: int = 0) -> None:
        """Note an event that takes the next ``taken`` of the tiles taken."""
        gone, self.taken = self.taken[:taken], self.taken[taken:]
        codes = tuple(code for code, _ in gone)
        self.board = {cell: code for cell, code in self.board.items() if code not in codes}
        seat = gone[0][1] if gone else self.charged
        self.events.append(Event(kind, tuple(tiles), codes, seat, self.move))

    def leave(self, tiles: Iterable[str]) -> None:
        gone = set(tiles)
        self.board = {cell: code for cell, code in self.board.items() if code not in gone}
        self.left_game -= gone

    def begin(self, at: Cell | None) -> None:
        """The move itself; ``at`` is the cell that falls or burns before it."""
        if at is None:
            code, _, place = self.move.partition("@")
            row, column = map(int, place.split(","))
            self.board[row, column] = code
            self.add("place", [code])
        elif self.move in ("L", "R"):
            code = self.board.pop(at)
            self.board[at[0] - 1, at[1] + (self.move == "R")] = code
            self.add("left" if self.move == "L" else "right", [code])
        else:
            kind, fire = FACES[self.move[1]], self.board[at]
            around = _touching([at]) & self.board.keys() if kind == "blast" else _burning(self.board, at)
            self.add(kind, [fire], 0 if kind == "smoke" else len(around))
            if self.move in ("d4", "d5"):
                self.leave([fire])

    def explosions(self) -> None:
        fires = {cell for cell, code in self.board.items() if _is_fire(code)}
        for cell in _scan(fires):
            group = {cell} | _reached(cell, fires)
            codes = [self.board[one] for one in _scan(group) if one in self.board]
            if len(codes) > 1 and self.left_game.issuperset(codes):
                self.add("explosion", codes, len((_touching(group) - group) & self.board.keys()))
                self.leave(codes)

    def fires(self) -> None:
        burnt_out = [cell for cell in _scan(self.board) if self.board[cell] in self.left_game]
        for cell in sorted(burnt_out, key=lambda cell: self.board[cell] not in TORCHES):
            fire = self.board[cell]
            self.add("fire", [fire], len(_burning(self.board, cell)))
            self.leave([fire])

    def rest(self) -> None:
        """A collapse takes at most two tiles and ends the move, so three and more left are the work of a curse."""
        while len(self.taken) >= 3:
            self.add("curse", [self.taken[0][0]], 3)
        if self.after.phase == FALL:
            falls = CODES[int(self.after.grid[int(self.after.at)])]
            self.add("collapse" if self.taken else "air", [falls], len(self.taken))
        elif self.after.phase == DIE:
            self.add("die", [CODES[int(self.after.grid[int(self.after.at)])]])
        elif self.after.phase == PLACE and not self.after.held[self.turn]:
            self.events.append(Event("win", (), (), self.turn, self.move))
        elif self.after.phase == PLACE and self.after.turns + 1 >= TURN_LIMIT:
            self.events.append(Event("draw", (), (), self.turn, self.move))


def _told(view: Observation | Position, move: str, code: int) -> list[Event]:
    teller = _Teller(view, move, code)
    at = int(view.state.at)
    teller.begin(None if at == NO_CELL else place_of(view.state, at))
    teller.explosions()
    teller.fires()
    teller.rest()
    return teller.events


def events(view: Observation | Position, move: str) -> list[Event]:
    """What ``move`` brings about, until somebody decides again.

    Raises:
        InputError: the move is not legal.
    """
    return _told(view, move, view.game.read_move(view.state, move))


def outlook(view: Observation | Position) -> dict[str, list[Event]]:
    """What each of the legal moves brings about."""
    codes = np.empty(MAX_MOVES, dtype=np.int32)
    legal_codes = [int(code) for code in codes[: legal(view.state, codes)]]
    return {move: _told(view, move, code) for code in legal_codes if (move := view.game.move_text(view.state, code))}


# --- in words ---


def seat_name(seat: int) -> str:
    """How a seat is called when it has no name."""
    return f"seat {seat}"


def _listed(codes: Iterable[str]) -> str:
    *most, last = codes
    return f"{', '.join(most)} and {last}" if most else last


def _takes(taken: tuple[str, ...]) -> str:
    return _listed(taken) if taken else "nothing"


def sentence(event: Event, name: Callable[[int], str] = seat_name) -> str:
    """One clause in the present tense, without a full stop."""
    tile = event.tiles[0] if event.tiles else ""
    match event.kind:
        case "place":
            return f"{tile} fits" if not event.text.partition("@")[2].startswith("0,") else f"{tile} lies in the base"
        case "left" | "right":
            return f"{tile} falls to the {event.kind}"
        case "burn":
            end = ", goes out" if event.text == "d4" else ""
            return f"{tile} rolls {event.text[1]}, burns {_takes(event.taken)}{end}"
        case "blast":
            return f"{tile} rolls 5, explodes and brings down {_takes(event.taken)}"
        case "smoke":
            return f"{tile} rolls 6, only smokes"
        case "explosion":
            return f"{_listed(event.tiles)} explode and bring down {_takes(event.taken)}"
        case "fire":
            return f"{tile} burns {_takes(event.taken)}"
        case "curse":
            return f"a curse: {_takes(event.taken)} go to {name(event.seat)}"
        case "collapse":
            return f"{tile} does not fit and brings down {_takes(event.taken)}"
        case "air":
            return f"{tile} has nothing under it"
        case "die":
            return f"{tile} is to roll the die"
        case "win":
            return f"{name(event.seat)} {'win' if name(event.seat) == 'you' else 'wins'} with no tile left"
    return f"a draw after {TURN_LIMIT} turns"


def clauses(told: list[Event], name: Callable[[int], str] = seat_name) -> list[str]:
    """What a move brought about, a clause an event, and how many tiles were taken by whom."""
    if len(told) > 1 and told[0].kind == "place" and told[1].kind not in ("win", "die"):
        told = told[1:]
    texts = [sentence(event, name) for event in told]
    for seat in dict.fromkeys(event.seat for event in told if event.taken):
        taken = sum(len(event.taken) for event in told if event.seat == seat)
        total = f"{taken} tile{'s' if taken > 1 else ''} taken by {name(seat)}"
        texts.insert(len(texts) - (told[-1].kind in ("win", "draw")), total)
    return texts


def tell(view: Observation | Position, move: str, name: Callable[[int], str] = seat_name) -> list[str]:
    """Clauses that tell what the legal ``move`` brings about; ``name`` calls a seat."""
    return clauses(events(view, move), name)


def why(view: Observation | Position, move: str) -> str:
    """One sentence on what the legal ``move`` brings about."""
    text = "; ".join(tell(view, move))
    return f"{text[0].upper()}{text[1:]}."
