"""Flaming Pyramids as the rules tell it: no speed, no sharing with the product, one function a clause."""

import json
import random
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, permutations
from typing import Any

Position = dict[str, Any]
Cell = tuple[int, int]
Cells = dict[Cell, str]

STRAW, WOOD, STONE = (2, 4, 6), (10, 20, 30, 40), (60, 100, 120)
COALS, TORCHES = ("G1", "Y1"), ("R7", "B7")
TILES = (*(f"{colour}{weight}" for colour in "RBGY" for weight in STRAW + WOOD + STONE), *COALS, *TORCHES, "M")
# A coal burns straw, a torch burns straw and wood; coals and torches are not fuel.
FUEL = dict.fromkeys(COALS, STRAW) | dict.fromkeys(TORCHES, STRAW + WOOD)
# The canonical order ends G1 Y1 R7 B7 M, as TILES does.
canonical = TILES.index

HAND = 5
LONGEST = 1000
DICE = ["d1", "d2", "d3", "d4", "d5", "d6"]


# Tiles and cells


def weight(tile: str) -> int:
    return 200 if tile == "M" else int(tile[1:])


def colours(tile: str) -> set[str]:
    """The millstone counts as all four colours."""
    return set("RBGY") if tile == "M" else {tile[0]}


def scan(cells: Iterable[Cell]) -> list[Cell]:
    """Rows from top to bottom, in a row from left to right."""
    return sorted(cells, key=lambda cell: (-cell[0], cell[1]))


def supports(cells: Cells, cell: Cell) -> list[Cell]:
    """A cell above the bottom row rests on these, left then right."""
    r, c = cell
    return [below for below in ((r - 1, c), (r - 1, c + 1)) if r >= 1 and below in cells]


def touching(cells: Cells, cell: Cell) -> set[Cell]:
    """Side by side, or one rests on the other."""
    r, c = cell
    return {(r, c - 1), (r, c + 1), (r - 1, c), (r - 1, c + 1), (r + 1, c - 1), (r + 1, c)} & cells.keys()


def spread(cells: Cells, start: Cell, among: set[Cell]) -> set[Cell]:
    """Every cell of `among` reached from `start` by steps between touching cells of `among`."""
    reached: set[Cell] = set()
    edge = [start]
    while edge:
        fresh = (touching(cells, edge.pop()) & among) - reached
        reached |= fresh
        edge.extend(fresh)
    return reached


def fits(cells: Cells, cell: Cell) -> bool:
    tile, below = cells[cell], [cells[support] for support in supports(cells, cell)]
    if cell[0] == 0:
        return True
    alike = any(colours(tile) & colours(other) or weight(tile) == weight(other) for other in below)
    return alike and weight(tile) <= sum(map(weight, below))


def burning(cells: Cells, source: Cell) -> set[Cell]:
    """Every burnable tile reached from the fire tile by touching burnable tiles."""
    fuel = {cell for cell, tile in cells.items() if tile not in FUEL and weight(tile) in FUEL[cells[source]]}
    return spread(cells, source, fuel)


def fires(cells: Cells) -> list[Cell]:
    """Torches first, then coals, each kind in scan order."""
    return [cell for kind in (TORCHES, COALS) for cell in scan(cells) if cells[cell] in kind]


# Position and moves


def deal(
    players: int,
    preset: str = "bga",
    curse: bool = False,
    special_fire: bool = False,
    rng: random.Random | None = None,
) -> Position:
    tiles = list(TILES)
    (rng or random.Random()).shuffle(tiles)
    share = len(tiles) // players
    dealt = [tiles[seat * share : (seat + 1) * share] for seat in range(players)]
    left = tiles[players * share :]
    # A coal or torch among the leftovers is out of the game; the others close up.
    base = [tile for tile in left if tile not in FUEL]
    return {
        "game": "flaming",
        "rules": {"players": players, "preset": preset, "curse": curse, "special_fire": special_fire},
        "board": [base] if base else [],
        "hands": [sorted(tiles[:HAND], key=canonical) for tiles in dealt],
        "piles": [tiles[HAND:] for tiles in dealt],
        "unknown": [share - HAND] * players,
        "known": [[] for _ in dealt],
        "out": sorted(set(left) - set(base), key=canonical),
        "turn": 0,
        "charged": 0,
        "to_act": 0,
        "phase": "place",
        "at": None,
        "placed": None,
        "rolled": [],
        "turns": 0,
        "winner": None,
    }


def cells_of(board: list[list[str]]) -> Cells:
    return {(r, c): tile for r, row in enumerate(board) for c, tile in enumerate(row) if tile != "."}


def spots(cells: Cells, preset: str) -> set[Cell]:
    if not cells:
        return {(0, 0)}
    base = [c for r, c in cells if r == 0]
    gaps = {(0, c) for c in range(min(base), max(base))} - cells.keys()
    nests = {(r + 1, c) for r, c in cells if (r, c + 1) in cells} - cells.keys()
    must = nests if preset == "german" else nests | gaps
    return must or gaps | {(0, min(base) - 1), (0, max(base) + 1)}


def legal(position: Position) -> list[str]:
    match position["phase"]:
        case "place":
            hand = position["hands"][position["to_act"]]
            where = spots(cells_of(position["board"]), position["rules"]["preset"])
            return sorted(f"{tile}@{r},{c}" for tile in hand for r, c in where)
        case "fall":
            return ["L", "R"]
        case "die":
            return DICE
    return []


def play(position: Position, move: str) -> Position:
    if move not in legal(position):
        raise ValueError(f"illegal move {move!r}; legal: {' '.join(legal(position))}")
    now = json.loads(json.dumps(position))
    cells = cells_of(now.pop("board"))
    for mark in ("at", "placed"):
        now[mark] = now[mark] and tuple(now[mark])
    {"place": place, "fall": fall, "die": burn}[now["phase"]](now, cells, move)
    now.update(phase="place", at=None)
    resolve(now, cells)
    return written(now, cells)


def written(now: Position, cells: Cells) -> Position:
    """The position with columns renumbered so that the smallest in use is 0, fields in their order."""
    first = min((c for _, c in cells), default=0)
    height = max((r + 1 for r, _ in cells), default=0)
    width = [max((c - first + 1 for r, c in cells if r == row), default=0) for row in range(height)]
    board = [[cells.get((r, c + first), ".") for c in range(width[r])] for r in range(height)]
    for mark in ("at", "placed"):
        now[mark] = now[mark] and [now[mark][0], now[mark][1] - first]
    return {"game": now["game"], "rules": now["rules"], "board": board} | now


def place(now: Position, cells: Cells, move: str) -> None:
    seat, (tile, spot) = now["turn"], move.split("@")
    r, c = map(int, spot.split(","))
    now["hands"][seat].remove(tile)
    if tile in now["known"][seat]:
        now["known"][seat].remove(tile)
    cells[r, c] = tile
    now["placed"] = (r, c)


def fall(now: Position, cells: Cells, move: str) -> None:
    """One step, L to (r-1, c) or R to (r-1, c+1)."""
    r, c = now["at"]
    target = (r - 1, c + (move == "R"))
    assert target not in cells, "all L/R targets are empty"
    cells[target] = lift(now, cells, (r, c))


def burn(now: Position, cells: Cells, move: str) -> None:
    """The die of the special fire: 1 to 4 the fuel is taken, 5 all around, 6 smoke; 4 and 5 end the fire tile."""
    source, eyes = now["at"], int(move[1])
    now["rolled"] = sorted([*now["rolled"], cells[source]], key=canonical)
    if eyes <= 4:
        take(now, cells, scan(burning(cells, source)))
    if eyes == 5:
        take(now, cells, scan(touching(cells, source)))
    if eyes in (4, 5):
        leave(now, cells, [source])


def lift(now: Position, cells: Cells, cell: Cell) -> str:
    """The tile placed this turn counts as placed only while it lies where it was placed."""
    if now["placed"] == cell:
        now["placed"] = None
    return cells.pop(cell)


def take(now: Position, cells: Cells, taken: list[Cell]) -> None:
    """Every tile taken goes to the bottom of the charged player's pile."""
    now["piles"][now["charged"]] += [lift(now, cells, cell) for cell in taken]


def leave(now: Position, cells: Cells, gone: list[Cell]) -> None:
    now["out"] = sorted(now["out"] + [lift(now, cells, cell) for cell in gone], key=canonical)


# Mayhem: each event says whether it happened


def resolve(now: Position, cells: Cells) -> None:
    events = (free_air, collapse, explosion, special_fire if now["rules"]["special_fire"] else fire, curse)
    # The first event in this order; then again from the top of the list.
    while any(event(now, cells) for event in events):
        if now["phase"] != "place":
            return
    end_turn(now)


def ask_fall(now: Position, cell: Cell) -> None:
    """The charged player also makes every L/R choice."""
    now.update(phase="fall", at=cell, to_act=now["charged"])


def free_air(now: Position, cells: Cells) -> bool:
    for cell in scan(cells):
        if cell[0] >= 1 and not supports(cells, cell):
            ask_fall(now, cell)
            return True
    return False


def collapse(now: Position, cells: Cells) -> bool:
    for cell in scan(cells):
        if not fits(cells, cell):
            take(now, cells, supports(cells, cell))
            # A collapsing tile no longer counts as placed, even before the side is chosen.
            if now["placed"] == cell:
                now["placed"] = None
            ask_fall(now, cell)
            return True
    return False


def explosion(now: Position, cells: Cells) -> bool:
    hot = set(fires(cells))
    for cell in scan(hot):
        if touching(cells, cell) & hot:
            group = spread(cells, cell, hot)
            around = set().union(*(touching(cells, member) for member in group)) - group
            take(now, cells, scan(around))
            leave(now, cells, scan(group))
            return True
    return False


def fire(now: Position, cells: Cells) -> bool:
    for cell in fires(cells):
        if lost := burning(cells, cell):
            take(now, cells, scan(lost))
            leave(now, cells, [cell])
            return True
    return False


def special_fire(now: Position, cells: Cells) -> bool:
    """Fire only from placing: the placed tile is the fire, or touches it as its fuel; one roll a fire tile a turn."""
    placed = now["placed"]
    for cell in fires(cells):
        fuel = burning(cells, cell)
        lit = placed in fuel & touching(cells, cell) or (placed == cell and fuel)
        if lit and cells[cell] not in now["rolled"]:
            now.update(phase="die", at=cell, to_act=-1)
            return True
    return False


def curse(now: Position, cells: Cells) -> bool:
    if not now["rules"]["curse"]:
        return False
    for cell in scan(cells):
        below = supports(cells, cell)
        if len(below) == 2 and all(weight(cells[support]) == weight(cells[cell]) for support in below):
            now["charged"] = (now["turn"] - 1) % now["rules"]["players"]
            take(now, cells, [cell, *below])
            return True
    return False


def end_turn(now: Position) -> None:
    seat = now["turn"]
    hand, pile, known = now["hands"][seat], now["piles"][seat], now["known"][seat]
    while len(hand) < HAND and pile:
        hand.append(pile.pop(0))
        # A tile drawn from the known part of the pile is known to be in that hand until it is played.
        if now["unknown"][seat]:
            now["unknown"][seat] -= 1
        else:
            known.append(hand[-1])
    hand.sort(key=canonical)
    known.sort(key=canonical)
    now.update(turns=now["turns"] + 1, placed=None, rolled=[])
    if not hand:
        now["winner"] = seat
    elif now["turns"] == LONGEST:
        now["winner"] = "draw"
    over = now["winner"] is not None
    turn = seat if over else (seat + 1) % now["rules"]["players"]
    now.update(turn=turn, charged=turn, to_act=None if over else turn, phase="over" if over else "place")


# Knowledge


def observe(position: Position, seat: int) -> Position:
    """Hidden are what other hands hold beyond the known, and what is left of the deal in every pile, the own too."""
    hands = [
        hand if owner == seat else known + ["?"] * (len(hand) - len(known))
        for owner, (hand, known) in enumerate(zip(position["hands"], position["known"], strict=True))
    ]
    piles = [
        ["?"] * hidden + pile[hidden:] for hidden, pile in zip(position["unknown"], position["piles"], strict=True)
    ]
    return json.loads(json.dumps(position | {"hands": hands, "piles": piles, "seat": seat}))


def worlds(observation: Position) -> Iterator[Position]:
    """Every arrangement of the unseen tiles over the unknown places: hands are sets, pile tops are sequences."""
    seen = chain(*observation["board"], *observation["hands"], *observation["piles"], observation["out"])
    unseen = sorted(set(TILES) - set(seen), key=canonical)
    return arrangements({key: value for key, value in observation.items() if key != "seat"}, unseen)


def arrangements(partial: Position, unseen: list[str]) -> Iterator[Position]:
    for owner, hand in enumerate(partial["hands"]):
        if missing := hand.count("?"):
            for dealt in combinations(unseen, missing):
                hands = partial["hands"].copy()
                hands[owner] = sorted([*(tile for tile in hand if tile != "?"), *dealt], key=canonical)
                yield from arrangements(partial | {"hands": hands}, [tile for tile in unseen if tile not in dealt])
            return
    for order in permutations(unseen):
        tops = iter(order)
        piles = [[next(tops) if tile == "?" else tile for tile in pile] for pile in partial["piles"]]
        yield json.loads(json.dumps(partial | {"piles": piles}))


# Questions about what a move leads to


def mess(position: Position, move: str) -> float:
    """Least expected number of tiles that the seat to act takes to the end of the turn, dice averaged."""
    seat, turns = position["to_act"], position["turns"]
    reckoned: dict[str, float] = {}

    def held(position: Position) -> int:
        return len(position["hands"][seat]) + len(position["piles"][seat])

    def after(position: Position, move: str) -> float:
        then = play(position, move)
        return held(then) - held(position) + (position["phase"] == "place") + rest(then)

    def rest(position: Position) -> float:
        # Once a curse charges somebody else, nothing more comes to this seat in this turn.
        if position["turns"] > turns or position["charged"] != seat:
            return 0
        key = json.dumps([position[field] for field in ("board", "at", "placed", "rolled")])
        if key not in reckoned:
            taken = [after(position, choice) for choice in legal(position)]
            reckoned[key] = sum(taken) / len(taken) if position["to_act"] == -1 else min(taken)
        return reckoned[key]

    return float(after(position, move))


def wins(position: Position, seat: int, turns: int) -> bool:
    """Can `seat` force a win within `turns` more finished turns, all other seats and the dice against it?"""
    horizon = position["turns"] + turns

    def forced(position: Position) -> bool:
        if position["phase"] == "over" or position["turns"] == horizon:
            return position["winner"] == seat
        outcomes = (forced(play(position, move)) for move in legal(position))
        return any(outcomes) if position["to_act"] == seat else all(outcomes)

    return forced(position)
