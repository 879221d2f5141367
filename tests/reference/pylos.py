"""Pylos as the rules tell it: no speed, no sharing with the product, one function a clause."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

# Level, file and rank, each from 1: tuples sort in cell order, as their names do.
Cell = tuple[int, int, int]
Cells = Mapping[Cell, str]
Taken = tuple[Cell, ...]
# The cells of the side to move, those of the other, and the colour to move.
Position = tuple[frozenset[Cell], frozenset[Cell], str]
Values = dict[Position, tuple[str, int | None]]

OTHER = {"w": "b", "b": "w"}
# Both colours together fill the pyramid, and light, who moves first, has the odd ball.
BALLS = {4: {"w": 15, "b": 15}, 3: {"w": 7, "b": 7}, 2: {"w": 3, "b": 2}}


class Rules(NamedTuple):
    """The options of the game; those after the size only serve to ask what the expert rules might mean."""

    variant: str = "standard"
    empty_reserve: str = "may-raise"
    take_back: str = "must"
    size: int = 4
    square3: bool = True
    take_moved: bool = True
    second_free_before: bool = False


@dataclass(frozen=True)
class State:
    """The reserves follow from the board, the end of the game from the moves that are left."""

    rules: Rules
    cells: Cells
    turn: str


# The pyramid


@cache
def pyramid(size: int) -> tuple[Cell, ...]:
    """All cells, each level one shorter than the one below, the apex last."""
    return tuple(
        (level, file, rank)
        for level in range(1, size + 1)
        for file in range(1, size - level + 2)
        for rank in range(1, size - level + 2)
    )


def apex(size: int) -> Cell:
    return size, 1, 1


@cache
def below(cell: Cell) -> frozenset[Cell]:
    """The four cells that a cell above level 1 rests on: a 2x2 square."""
    level, file, rank = cell
    if level == 1:
        return frozenset()
    return frozenset((level - 1, f, r) for f in (file, file + 1) for r in (rank, rank + 1))


@cache
def above(cell: Cell) -> frozenset[Cell]:
    """The cells that would rest on this one, those beyond the edge too: they are never filled."""
    level, file, rank = cell
    return frozenset((level + 1, f, r) for f in (file - 1, file) for r in (rank - 1, rank))


def is_open(cells: Cells, cell: Cell) -> bool:
    return cell not in cells and all(support in cells for support in below(cell))


def is_free(cells: Cells, cell: Cell) -> bool:
    return cell in cells and not any(on in cells for on in above(cell))


def own(cells: Cells, colour: str) -> frozenset[Cell]:
    return frozenset(cell for cell, owner in cells.items() if owner == colour)


def without(cells: Cells, *gone: Cell) -> dict[Cell, str]:
    return {cell: colour for cell, colour in cells.items() if cell not in gone}


def name(cell: Cell) -> str:
    level, file, rank = cell
    return f"{level}{'abcd'[file - 1]}{rank}"


def named(text: str) -> Cell:
    return int(text[0]), "abcd".index(text[1]) + 1, int(text[2])


# Squares and rows


@cache
def squares(rules: Rules) -> tuple[frozenset[Cell], ...]:
    """Every cell above level 1 has one below it, and there are no others."""
    found = [below(cell) for cell in pyramid(rules.size) if cell[0] > 1]
    return tuple(square for square in found if rules.square3 or all(level != 3 for level, _, _ in square))


@cache
def rows(rules: Rules) -> tuple[frozenset[Cell], ...]:
    """Whole rows and columns of levels 1 and 2, as long as they hold three balls or more."""
    found = []
    for level in (1, 2):
        side = range(1, rules.size - level + 2)
        if len(side) >= 3:
            found += [frozenset((level, file, rank) for file in side) for rank in side]
            found += [frozenset((level, file, rank) for rank in side) for file in side]
    return tuple(found)


@cache
def figures(rules: Rules) -> tuple[frozenset[Cell], ...]:
    """What is worth taking balls back."""
    return {"beginner": (), "standard": squares(rules), "expert": squares(rules) + rows(rules)}[rules.variant]


def completes(rules: Rules, cells: Cells, moved: Cell) -> bool:
    """The figure must hold the ball just moved, so it was not there before."""
    colour = cells[moved]
    return any(moved in figure and all(cells.get(cell) == colour for cell in figure) for figure in figures(rules))


# Moves


def start(rules: Rules) -> State:
    return State(rules, MappingProxyType({}), "w")


def reserve(state: State, colour: str) -> int:
    return BALLS[state.rules.size][colour] - len(own(state.cells, colour))


def places(state: State) -> Iterator[Cell]:
    if reserve(state, state.turn):
        yield from (cell for cell in pyramid(state.rules.size) if is_open(state.cells, cell))


def raises(state: State) -> Iterator[tuple[Cell, Cell]]:
    """Open means open after the ball has left, so none climbs on a square it is part of."""
    for origin in own(state.cells, state.turn):
        if is_free(state.cells, origin):
            rest = without(state.cells, origin)
            for target in pyramid(state.rules.size):
                if target[0] > origin[0] and is_open(rest, target):
                    yield origin, target


def takings(rules: Rules, cells: Cells, moved: Cell) -> set[Taken]:
    """The balls that may be taken back once the ball has moved: each choice in cell order, so a pair comes once."""
    if not completes(rules, cells, moved):
        return {()}

    mover = cells[moved]

    def takeable(cells: Cells) -> set[Cell]:
        free = {cell for cell in own(cells, mover) if is_free(cells, cell)}
        return free if rules.take_moved else free - {moved}

    ones = takeable(cells)
    choices: set[Taken] = {(one,) for one in ones}
    for first in ones:
        for second in takeable(without(cells, first)):
            if second in ones or not rules.second_free_before:
                choices.add(tuple(sorted((first, second))))
    # Only where the ball just moved stays can there be nothing to take; then nothing is taken.
    return choices if choices and rules.take_back == "must" else choices | {()}


def moves(state: State) -> Iterator[str]:
    """All moves of a game that has not ended by an apex or an empty reserve."""
    for target in places(state):
        yield from endings(state, state.cells, name(target), target)
    for origin, target in raises(state):
        yield from endings(state, without(state.cells, origin), f"{name(origin)}-{name(target)}", target)


def endings(state: State, rest: Cells, stem: str, target: Cell) -> Iterator[str]:
    for taken in takings(state.rules, {**rest, target: state.turn}, target):
        yield stem + ("x" + ",".join(map(name, taken)) if taken else "")


def legal(state: State) -> list[str]:
    if apex(state.rules.size) in state.cells:
        return []
    if state.rules.empty_reserve == "loses" and not reserve(state, state.turn):
        return []
    return sorted(moves(state))


def winner(state: State) -> str | None:
    """Whoever holds the apex; else who has to move and can't has lost."""
    if apex(state.rules.size) in state.cells:
        return state.cells[apex(state.rules.size)]
    return None if legal(state) else OTHER[state.turn]


def play(state: State, move: str) -> State:
    if move not in legal(state):
        raise ValueError(f"illegal move {move!r}; legal: {' '.join(legal(state))}")
    return after(state, move)


def after(state: State, move: str) -> State:
    """The state after a move that is known to be legal."""
    stem, _, taken = move.partition("x")
    *origin, target = map(named, stem.split("-"))
    back = [named(cell) for cell in taken.split(",") if cell]
    cells = without({**without(state.cells, *origin), target: state.turn}, *back)
    return State(state.rules, MappingProxyType(cells), OTHER[state.turn])


def perft(state: State, depth: int) -> int:
    """The number of ways to play exactly `depth` plies: a game that ends sooner counts for none."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(legal(state))
    return sum(perft(after(state, move), depth - 1) for move in legal(state))


# Text


def to_text(state: State) -> str:
    """Levels from the base, in each the ranks from 1 upward, in a rank the files from a, then the side to move."""
    size = state.rules.size
    levels = []
    for level in range(1, size + 1):
        side = range(1, size - level + 2)
        levels.append(",".join("".join(state.cells.get((level, file, rank), ".") for file in side) for rank in side))
    return f"{'/'.join(levels)} {state.turn}"


def from_text(text: str, rules: Rules) -> State:
    board, turn = text.split(" ")
    cells = {
        (level, file, rank): colour
        for level, ranks in enumerate(board.split("/"), 1)
        for rank, files in enumerate(ranks.split(","), 1)
        for file, colour in enumerate(files, 1)
        if colour != "."
    }
    state = State(rules, MappingProxyType(cells), turn)
    # A board of another shape does not come back as it was.
    if turn not in OTHER or not set(cells.values()) <= set(OTHER) or to_text(state) != text:
        raise ValueError(f"not a board of size {rules.size}: {text!r}")
    if any(support not in cells for cell in cells for support in below(cell)):
        raise ValueError(f"a ball hangs in the air: {text!r}")
    if any(reserve(state, colour) < 0 for colour in OTHER):
        raise ValueError(f"too many balls of a colour: {text!r}")
    return state


# The whole game


def position(state: State) -> Position:
    """The state as the side to move sees it; where both have as many balls the colours don't matter."""
    balls = BALLS[state.rules.size]
    turn = "w" if balls["w"] == balls["b"] else state.turn
    return own(state.cells, state.turn), own(state.cells, OTHER[state.turn]), turn


def state_of(position: Position, rules: Rules) -> State:
    mine, others, turn = position
    cells = dict.fromkeys(mine, turn) | dict.fromkeys(others, OTHER[turn])
    return State(rules, MappingProxyType(cells), turn)


def boards(cells: dict[Cell, str], left: list[Cell]) -> Iterator[dict[Cell, str]]:
    """Every way to fill some of the cells that are left, supports first."""
    if not left:
        yield cells
        return
    yield from boards(cells, left[1:])
    if is_open(cells, left[0]):
        for colour in OTHER:
            yield from boards({**cells, left[0]: colour}, left[1:])


def every_position(rules: Rules) -> set[Position]:
    """All supported boards with an empty apex and no more balls of a colour than there are, reached or not."""
    found = set()
    for cells in boards({}, [cell for cell in pyramid(rules.size) if cell != apex(rules.size)]):
        for turn in OTHER:
            state = State(rules, MappingProxyType(cells), turn)
            if all(reserve(state, colour) >= 0 for colour in OTHER):
                found.add(position(state))
    return found


def graph(rules: Rules, roots: Iterable[Position]) -> dict[Position, set[Position]]:
    """The positions that one move leads to, for the roots and everything that follows from them."""
    following: dict[Position, set[Position]] = {}
    # Equal positions are kept once, or the graph would not fit into memory.
    same = {root: root for root in roots}
    waiting = list(same)
    while waiting:
        here = waiting.pop()
        state = state_of(here, rules)
        following[here] = set()
        for move in legal(state):
            there = position(after(state, move))
            if there not in same:
                same[there] = there
                waiting.append(there)
            following[here].add(same[there])
    return following


def values(rules: Rules, roots: Iterable[Position]) -> Values:
    """Value for the side to move and plies to the end: shortest wins, longest losses, draws without a length.

    Sweep number n finds what ends in n plies, since it builds on earlier sweeps alone.
    """
    following = graph(rules, roots)
    found: Values = {}
    plies = 0
    unsolved = set(following)
    while True:
        fresh: Values = {}
        for here in unsolved:
            next_values = [found[there][0] if there in found else None for there in following[here]]
            if "loss" in next_values:
                fresh[here] = ("win", plies)
            elif all(value == "win" for value in next_values):
                fresh[here] = ("loss", plies)
        if not fresh:
            break
        found |= fresh
        unsolved -= fresh.keys()
        plies += 1
    top = apex(rules.size)
    solved = found | dict.fromkeys(unsolved, ("draw", None))
    return {here: value for here, value in solved.items() if top not in here[0] | here[1]}


def solve(rules: Rules) -> Values:
    """Every position with an empty apex that can be reached from the start."""
    return values(rules, [position(start(rules))])


def solve_every(rules: Rules) -> Values:
    """Every position with an empty apex, whether it can be reached or not."""
    return values(rules, every_position(rules))
