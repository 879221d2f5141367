"""Meeple stacking as the rules tell it: no speed, no sharing with the product, one function a clause."""

from collections.abc import Callable, Iterator
from functools import cache
from math import exp
from typing import Any

Position = dict[str, Any]
Rules = dict[str, Any]
Builder = dict[str, Any]
Rows = tuple[int, ...]

BUILDER: Builder = {
    "place_seconds": {"quick": 1.5, "careful": 3.0},
    "row_seconds": 0.25,
    "clear_seconds": 2.0,
    "slip": {"quick": 0.020, "careful": 0.006, "power": 1.5},
    "fall": {"same": 0.6, "one": 0.25, "two": 0.1, "floor": 0.05},
    "hit": 0.05,
}
PACES = {"q": "quick", "c": "careful"}
SECONDS = {"points": 120, "higher": 45}

TICKS = 4
"""In a second."""
MEEPLES = 99
WIDEST = 18
"""Meeples that stand beside each other on the mat."""
FIRST_BASE, LAST_BASE = 3, 13
# What is to act where no seat is: the hands of the builder, or nobody, since the game is over.
HANDS, NOBODY = -1, None


# The rules and the deal


def rules_of(
    players: int = 1,
    mode: str = "points",
    support: str = "bridge",
    shared_mat: bool = False,
    turns: int = 1,
    seconds: int | None = None,
    builder: Builder = BUILDER,
) -> Rules:
    """All rules of a game, those not given as they are by default."""
    rules = {
        "players": players,
        "mode": mode,
        "support": support,
        "shared_mat": shared_mat,
        "turns": turns,
        "seconds": SECONDS.get(mode) if seconds is None else seconds,
        "builder": builder,
    }
    if not are_sound(rules):
        raise ValueError(f"rules: {rules}")
    return rules


def are_sound(rules: Rules) -> bool:
    """A shared mat needs several players who build at once, and only `points` counts turns."""
    return (
        rules["players"] in range(1, 7)
        and rules["mode"] in SECONDS
        and rules["support"] in ("bridge", "column")
        and (not rules["shared_mat"] or (rules["players"] > 1 and rules["mode"] == "points"))
        and rules["turns"] in (range(1, 21) if rules["mode"] == "points" else [1])
        and rules["seconds"] in range(1, 601)
    )


def deal(**rules: Any) -> Position:
    """Round 1; should the clock be too short to place anything at all, it is over with everything else at once."""
    complete = rules_of(**rules)
    seats = range(complete["players"])
    position = {
        "game": "meeples",
        "rules": complete,
        "rows": None,
        "ticks": None,
        "scores": [0 for _ in seats],
        "round": 1,
        "out": [],
        "phase": "build",
        "action": None,
        "turn": 0,
        "to_act": 0,
        "winner": None,
    }
    return settled(cleared(position))


# Seats


def seats_in(position: Position) -> list[int]:
    return [seat for seat in range(position["rules"]["players"]) if seat not in position["out"]]


def rows_of(position: Position, seat: int) -> list[int]:
    """One player's rows are not wrapped in a list of seats."""
    return position["rows"] if position["rules"]["players"] == 1 else position["rows"][seat]


def ticks_of(position: Position, seat: int) -> int:
    return position["ticks"] if position["rules"]["players"] == 1 else position["ticks"][seat]


def with_build(position: Position, seat: int, rows: list[int], ticks: int) -> Position:
    """One seat's rows and ticks replaced."""
    if position["rules"]["players"] == 1:
        return position | {"rows": rows, "ticks": ticks}

    def changed(values: list, value: object) -> list:
        return [*values[:seat], value, *values[seat + 1 :]]

    return position | {"rows": changed(position["rows"], rows), "ticks": changed(position["ticks"], ticks)}


def cleared(position: Position) -> Position:
    """Every mat empty, and the whole clock for all who are in."""
    clock = TICKS * position["rules"]["seconds"]
    if position["rules"]["players"] == 1:
        return position | {"rows": [], "ticks": clock}
    seats = range(position["rules"]["players"])
    ticks = [0 if seat in position["out"] else clock for seat in seats]
    return position | {"rows": [[] for _ in seats], "ticks": ticks}


# Walls


def meeples_in(rows: Rows | list[int], row: int) -> int:
    """Rows count from 1; those above the top have none."""
    return rows[row - 1] if row <= len(rows) else 0


def room(rows: Rows | list[int], row: int, support: str) -> int:
    """How many meeples may stand in a row: on two neighbours each, on one each, or on the mat."""
    if row == 1:
        return WIDEST
    return meeples_in(rows, row - 1) - (1 if support == "bridge" else 0)


def goal(base: int) -> list[int]:
    """The full pyramid of this base."""
    return list(range(base, 0, -1))


def may_place(rows: Rows | list[int], row: int, support: str, base: int | None) -> bool:
    """Room in the row, a meeple left, and no more meeples in the row than the goal has there, if there is one."""
    wanted = room(rows, row, support) if base is None else min(room(rows, row, support), meeples_in(goal(base), row))
    return meeples_in(rows, row) < wanted and sum(rows) < MEEPLES


def placed(rows: Rows | list[int], row: int) -> list[int]:
    higher = [*rows, 0] if row > len(rows) else list(rows)
    return [meeples + (row == number) for number, meeples in enumerate(higher, 1)]


def fallen(rows: Rows | list[int], start: int) -> list[int]:
    """Without this row and all above it."""
    return list(rows[: start - 1])


def points(rows: Rows | list[int], support: str) -> int:
    """A meeple in row k scores k, but only those linked with each other by standing on each other."""
    height = len(rows)
    if support == "column":
        return height * (height + 1) // 2
    if height < 2:
        return height
    linked = rows[1] + 1
    return linked + sum(row * meeples_in(rows, row) for row in range(2, height + 1))


# Time and hands


def whole_ticks(seconds: float) -> int:
    ticks = int(TICKS * seconds)
    assert ticks == TICKS * seconds, f"not a number of ticks: {seconds}"
    return ticks


def needed(builder: Builder, row: int, pace: str) -> int:
    """The ticks that a placing takes."""
    return whole_ticks(builder["place_seconds"][PACES[pace]]) + (row - 1) * whole_ticks(builder["row_seconds"])


def left_after(builder: Builder, ticks: int, row: int, pace: str, slipped: bool) -> int:
    """Clearing takes what is left if it is less than it should take."""
    left = ticks - needed(builder, row, pace)
    return max(0, left - whole_ticks(builder["clear_seconds"])) if slipped else left


def slip(builder: Builder, row: int, pace: str) -> float:
    """How likely a placing goes wrong."""
    if row == 1:
        return 0.0
    return 1 - exp(-builder["slip"][PACES[pace]] * (row - 1) ** builder["slip"]["power"])


def falls(builder: Builder, row: int) -> dict[int, float]:
    """From which row all fall on a slip, the highest first, with the share of each; row 1 stands."""
    shares: dict[int, float] = {}
    for start, name in ((row, "same"), (row - 1, "one"), (row - 2, "two"), (2, "floor")):
        start = max(2, start)
        shares[start] = shares.get(start, 0) + builder["fall"][name]
    return dict(sorted(shares.items(), reverse=True))


def action(move: str) -> tuple[int, str]:
    """Row and pace."""
    return int(move[:-1]), move[-1]


def placings(rules: Rules, rows: Rows | list[int], ticks: int, base: int | None) -> list[str]:
    """Every placing that finishes in the time left."""
    return [
        f"{row}{pace}"
        for row in range(1, len(rows) + 2)
        for pace in PACES
        if may_place(rows, row, rules["support"], base) and needed(rules["builder"], row, pace) <= ticks
    ]


# A shared mat


def neighbours(position: Position, seat: int) -> set[int]:
    """The next seat still in on each side; of two players left each is the only neighbour of the other."""
    around = seats_in(position)
    place = around.index(seat)
    return {around[place - 1], around[(place + 1) % len(around)]} - {seat}


def in_reach(position: Position, seat: int) -> list[int]:
    """The neighbours that have something standing."""
    return [other for other in neighbours(position, seat) if rows_of(position, other)]


def hit(position: Position, seat: int) -> float:
    """How likely a slip of this seat hits at least one other pyramid."""
    if not position["rules"]["shared_mat"]:
        return 0.0
    return 1 - (1 - position["rules"]["builder"]["hit"]) ** len(in_reach(position, seat))


# Moves


def base_of(position: Position) -> int | None:
    """The base that this round asks for."""
    return position["round"] + FIRST_BASE - 1 if position["rules"]["mode"] == "higher" else None


def placings_of(position: Position, seat: int) -> list[str]:
    return placings(position["rules"], rows_of(position, seat), ticks_of(position, seat), base_of(position))


def chances(position: Position) -> dict[str, float]:
    """What the hands may make of the action, in order, with the probability of each."""
    assert position["phase"] == "hands", position["phase"]
    builder, seat = position["rules"]["builder"], position["turn"]
    row, pace = action(position["action"])
    slipping, hitting = slip(builder, row, pace), hit(position, seat)
    found = {"ok": 1 - slipping}
    for start, share in falls(builder, row).items():
        found[f"slip{start}"] = slipping * share * (1 - hitting)
        found[f"slip{start}!"] = slipping * share * hitting
    return {outcome: chance for outcome, chance in found.items() if chance > 0}


def legal(position: Position) -> list[str]:
    """The moves of the seat to act or the outcomes of its action, in canonical order; nothing when it is over."""
    if position["phase"] == "over":
        return []
    if position["phase"] == "hands":
        return list(chances(position))
    return [*placings_of(position, position["turn"]), "stop"]


def play(position: Position, move: str) -> Position:
    """Nothing changes on the mat or on the clock before it is known what came of an action."""
    assert move in legal(position), f"illegal move {move!r}; legal: {' '.join(legal(position))}"
    if position["phase"] == "hands":
        return came_out(position, move)
    if move == "stop":
        seat = position["turn"]
        return settled(with_build(position, seat, rows_of(position, seat), 0))
    return position | {"phase": "hands", "action": move, "to_act": HANDS}


def came_out(position: Position, outcome: str) -> Position:
    seat, builder = position["turn"], position["rules"]["builder"]
    if outcome.endswith("!"):
        return settled(thrown_out(position, seat))
    rows, (row, pace) = rows_of(position, seat), action(position["action"])
    slipped = outcome != "ok"
    rows = fallen(rows, int(outcome.removeprefix("slip"))) if slipped else placed(rows, row)
    left = left_after(builder, ticks_of(position, seat), row, pace, slipped)
    return settled(with_build(position, seat, rows, left))


def thrown_out(position: Position, seat: int) -> Position:
    """Who hits another's pyramid is out for the whole game; the other's is put up again as it stood."""
    return with_build(position, seat, [], 0) | {"out": sorted([*position["out"], seat])}


# Whose turn it is, and the end of a round


def done(position: Position, seat: int) -> bool:
    """Nothing more can be placed by this seat: it is out, it has no time or no room, or the goal stands."""
    return seat in position["out"] or not placings_of(position, seat)


def next_seat(position: Position) -> int | None:
    """Who has most time left where all build at once; one after another where they build ever higher."""
    waiting = [seat for seat in seats_in(position) if not done(position, seat)]
    if not waiting:
        return None
    if position["rules"]["mode"] == "higher":
        return min(waiting)
    return min(waiting, key=lambda seat: (-ticks_of(position, seat), seat))


def settled(position: Position) -> Position:
    """The next seat to act, or the end of the round when there is none, or of the game when one is left in it."""
    if position["rules"]["shared_mat"] and len(seats_in(position)) == 1:
        return over(position, seats_in(position))
    seat = next_seat(position)
    if seat is None:
        return end_round(position)
    return position | {"phase": "build", "action": None, "turn": seat, "to_act": seat}


def over(position: Position, winner: list[int]) -> Position:
    """All stays as it was when the last move had been made."""
    return position | {"phase": "over", "action": None, "to_act": NOBODY, "winner": winner}


def next_round(position: Position) -> Position:
    return settled(cleared(position) | {"round": position["round"] + 1})


def end_round(position: Position) -> Position:
    return end_of_turn(position) if position["rules"]["mode"] == "points" else end_of_base(position)


def scored(position: Position, more: dict[int, int]) -> Position:
    return position | {"scores": [score + more.get(seat, 0) for seat, score in enumerate(position["scores"])]}


def end_of_turn(position: Position) -> Position:
    """Everybody who is in scores; after the last turn most points win, shared by all who have them."""
    support, inside = position["rules"]["support"], seats_in(position)
    position = scored(position, {seat: points(rows_of(position, seat), support) for seat in inside})
    if position["round"] < position["rules"]["turns"]:
        return next_round(position)
    most = max(position["scores"][seat] for seat in inside)
    return over(position, [seat for seat in inside if position["scores"][seat] == most])


def end_of_base(position: Position) -> Position:
    """Who has not built the goal is out; if all fail together, all who were in until now win."""
    inside, base = seats_in(position), base_of(position)
    assert base is not None
    through = [seat for seat in inside if rows_of(position, seat) == goal(base)]
    out = sorted({*range(position["rules"]["players"])} - {*through})
    position = scored(position, dict.fromkeys(through, 1)) | {"out": out}
    if not through:
        return over(position, inside)
    if base == LAST_BASE or (len(through) == 1 and position["rules"]["players"] > 1):
        return over(position, through)
    return next_round(position)


# One build alone, by trying everything


def values(
    rules: Rules, rows: Rows | list[int], ticks: int, worth: Callable[[Rows], float], base: int | None = None
) -> dict[str, float]:
    """What each move is expected to end in, in canonical order, when the rest of the build goes for the most worth."""
    known: dict[tuple[Rows, int], float] = {}

    def best(rows: Rows, ticks: int) -> float:
        if (rows, ticks) not in known:
            known[rows, ticks] = max(tried(rows, ticks).values())
        return known[rows, ticks]

    def tried(rows: Rows, ticks: int) -> dict[str, float]:
        each = {move: expected(rows, ticks, *action(move)) for move in placings(rules, rows, ticks, base)}
        return each | {"stop": worth(rows)}

    @cache
    def hands(row: int, pace: str) -> tuple[float, dict[int, float]]:
        return slip(rules["builder"], row, pace), falls(rules["builder"], row)

    def expected(rows: Rows, ticks: int, row: int, pace: str) -> float:
        slipping, shares = hands(row, pace)
        good = best(tuple(placed(rows, row)), left_after(rules["builder"], ticks, row, pace, slipped=False))
        if not slipping:
            return good
        left = left_after(rules["builder"], ticks, row, pace, slipped=True)
        bad = sum(share * best(tuple(fallen(rows, start)), left) for start, share in shares.items())
        return (1 - slipping) * good + slipping * bad

    return tried(tuple(rows), ticks)


def best_utility(rules: Rules, rows: Rows | list[int], ticks: int, utility: Callable[[int], float]) -> float:
    """The most that the utility of the points of this build can be expected to be."""
    return max(values(rules, rows, ticks, lambda rows: utility(points(rows, rules["support"]))).values())


def action_values(rules: Rules, rows: Rows | list[int], ticks: int) -> dict[str, float]:
    """The points of this build that each move is expected to lead to under best play after it."""
    return values(rules, rows, ticks, lambda rows: points(rows, rules["support"]))


def best_points(rules: Rules, rows: Rows | list[int], ticks: int) -> float:
    return max(action_values(rules, rows, ticks).values())


def finish_values(rules: Rules, base: int, rows: Rows | list[int], ticks: int) -> dict[str, float]:
    """How likely each move leads to the goal under best play after it."""
    return values(rules, rows, ticks, lambda rows: float(list(rows) == goal(base)), base)


def finish_chance(rules: Rules, base: int, rows: Rows | list[int], ticks: int) -> float:
    return max(finish_values(rules, base, rows, ticks).values())


# Walls without a clock


def walls(meeples: int, support: str) -> Iterator[Rows]:
    """Every wall of at most so many meeples."""

    def over_rows(rows: Rows, left: int) -> Iterator[Rows]:
        yield rows
        for more in range(1, min(left, room(rows, len(rows) + 1, support)) + 1):
            yield from over_rows((*rows, more), left - more)

    return over_rows((), meeples)


def best_wall(meeples: int, support: str) -> tuple[int, Rows]:
    """The most points that a wall can have; among walls of as many, one of the fewest meeples, then the widest."""
    best = max(walls(meeples, support), key=lambda rows: (points(rows, support), -sum(rows), rows))
    return points(best, support), best
