"""Text and JSON of meeple stacking, both ways."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..errors import InputError
from ..fields import (
    Open,
    check_rules,
    chosen_move,
    integer,
    list_of,
    member,
    obj,
    optional,
    require,
    shown,
    strangers,
    whole,
)
from ..game import CHANCE
from ..record import legal_texts, members, plain
from .builder import NAMES, PACES, TICKS, Builder, read_builder
from .rules import begin_round, goal, is_done, legal, settle
from .state import (
    BUILD,
    DTYPE,
    FIRST_BASE,
    HANDS,
    HIGHER,
    HIT,
    LAST_BASE,
    MAX_MOVES,
    MEEPLES,
    MODES,
    MOST_POINTS,
    MOST_SECONDS,
    MOST_TURNS,
    OK,
    OVER,
    PHASES,
    POINTS,
    SEATS,
    SECONDS,
    STOP,
    SUPPORTS,
)
from .wall import is_pyramid, points, widest


@lru_cache(64)
def _name(builder: Builder) -> str | None:
    return builder.name()


def told(builder: Builder) -> Any:
    """A builder as rules tell it: by its name where it comes with the package."""
    return _name(builder) or builder.to_dict()


OPTIONS: dict[str, Any] = {
    "players": tuple(range(1, SEATS + 1)),
    "mode": MODES,
    "support": SUPPORTS,
    "shared_mat": (False, True),
    "turns": whole(1, MOST_TURNS, 1),
    "seconds": whole(1, MOST_SECONDS, lambda rules: SECONDS[rules["mode"]]),
    "builder": Open(
        f"{', '.join(NAMES)}, or an object", NAMES[0], lambda given, field: told(read_builder(given, field))
    ),
}
FIELDS = (
    *("game", "rules", "seat", "rows", "ticks", "scores", "round", "out", "phase", "action", "turn", "to_act"),
    "winner",
)
HIT_SIGN = "!"
SLIP = "slip"


def read_rules(rules: dict[str, Any]) -> dict[str, Any]:
    """Checked rules; ``InputError`` names the first that is wrong or does not go with the others."""
    checked = check_rules(OPTIONS, rules)
    if checked["shared_mat"] and (checked["mode"] != "points" or checked["players"] == 1):
        raise InputError("rules.shared_mat", "expected true only in points, with 2 players or more")
    if checked["mode"] == "higher" and checked["turns"] != 1:
        raise InputError("rules.turns", f"expected 1 in higher, which ends by itself, got {checked['turns']}")
    return checked


def blank(rules: dict[str, Any]) -> np.ndarray:
    """The start under checked rules, as a record array of length one."""
    rules = read_rules(rules)
    states = np.zeros(1, dtype=DTYPE).view(np.recarray)
    state = states[0]
    set_builder(state, read_builder(rules["builder"]))
    state.players = rules["players"]
    state.mode = MODES.index(rules["mode"])
    state.support = SUPPORTS.index(rules["support"])
    state.shared = rules["shared_mat"]
    state.turns = rules["turns"]
    state.full = TICKS * rules["seconds"]
    state.lap = 1
    state.scale = 1.0
    begin_round(state)
    return states


def set_builder(state: Any, builder: Builder) -> None:
    """Give a record the hands of a builder."""
    state.place[:] = builder.place
    state.row, state.clear = builder.row, builder.clear
    state.slip[:] = builder.slip
    state.power = builder.power
    state.fall[:] = builder.fall
    state.hit = builder.hit


def builder_of(state: Any) -> Builder:
    """The builder of a record."""
    return Builder(
        place=tuple(state.place.tolist()),
        row=int(state.row),
        clear=int(state.clear),
        slip=tuple(state.slip.tolist()),
        power=float(state.power),
        fall=tuple(state.fall.tolist()),
        hit=float(state.hit),
    )


def rules_of(state: Any) -> dict[str, Any]:
    """The rules a record is played by; a builder of the package by its name."""
    return {
        "players": int(state.players),
        "mode": MODES[state.mode],
        "support": SUPPORTS[state.support],
        "shared_mat": bool(state.shared),
        "turns": int(state.turns),
        "seconds": int(state.full) // TICKS,
        "builder": told(builder_of(state)),
    }


# --- moves ---


def action_text(action: int) -> str:
    """``3c``, or ``stop``."""
    return "stop" if action == STOP else f"{action >> 1}{PACES[action & 1][0]}"


def move_text(state: Any, move: int) -> str:
    """``3c``, ``stop``; of chance ``ok``, ``slip2``, ``slip2!`` where a neighbour's pyramid was hit."""
    if state.phase != HANDS:
        return action_text(move)
    return "ok" if move == OK else f"{SLIP}{move >> 1}{HIT_SIGN if move & HIT else ''}"


def move_texts(state: Any, moves: Sequence[int]) -> list[str]:
    """Moves as ``move_text`` writes them."""
    return [move_text(state, move) for move in moves]


def read_move(state: Any, text: Any) -> int:
    """The legal move that ``text`` names; ``InputError`` lists what was legal when there is none."""
    return chosen_move(text, legal_texts(state, legal, MAX_MOVES, move_texts))


# --- positions ---


def write(state: Any, seat: int | None) -> dict[str, Any]:
    """The JSON object of a record; nothing is hidden, so a seat sees the same."""
    state = plain(state)
    players = state.players
    rows = [state.rows[i, : state.height[i]].tolist() for i in range(players)]
    ticks = state.ticks[:players].tolist()
    return {
        "game": "meeples",
        "rules": rules_of(state),
        **({} if seat is None else {"seat": seat}),
        "rows": rows if players > 1 else rows[0],
        "ticks": ticks if players > 1 else ticks[0],
        "scores": state.scores[:players].tolist(),
        "round": int(state.lap),
        "out": members(state.out),
        "phase": PHASES[state.phase],
        "action": action_text(int(state.action)) if state.phase == HANDS else None,
        "turn": int(state.turn),
        "to_act": {BUILD: int(state.turn), HANDS: CHANCE}.get(int(state.phase)),
        "winner": members(state.winners) if state.phase == OVER else None,
    }


def check_rows(rows: Any, field: str, support: int, base: int = 0) -> list[int]:
    """The rows of a wall that can stand; ``base`` is that of the goal, 0 without one.

    Raises:
        InputError: names the row that is wrong, and what the rows allow.
    """
    values = list_of({field: rows}, field, int)
    if sum(values) > MEEPLES:
        raise InputError(field, f"expected at most {MEEPLES} meeples, got {sum(values)}")
    for i, value in enumerate(values):
        most = int(widest(np.array(values[:i], dtype=np.uint8), i + 1, support, base))
        if not 1 <= value <= most:
            where = "on the row below" if i else "on the cloth"
            expected = f"1 to {most} {where}" if most > 0 else "no more rows"
            raise InputError(f"{field}[{i}]", f"expected {expected}, got {shown(value)}")
    return values


class _Reader:
    """Reads one position."""

    def __init__(self, data: dict[str, Any], rules: dict[str, Any]) -> None:
        self.data = data
        self.states = blank(rules)
        self.state = self.states[0]
        self.players = int(self.state.players)

    def a_seat(self, field: str, values: list[Any]) -> list[tuple[str, Any]]:
        """Name and value of each seat's entry."""
        if self.players == 1:
            return [(field, values)]
        if not isinstance(values, list) or len(values) != self.players:
            raise InputError(field, f"expected a list of {self.players} entries, one a seat, got {shown(values)}")
        return [(f"{field}[{seat}]", value) for seat, value in enumerate(values)]

    def rounds(self) -> None:
        """The round, who is out, and the points so far."""
        state, data = self.state, self.data
        last = LAST_BASE - FIRST_BASE + 1 if state.mode == HIGHER else int(state.turns)
        state.lap = integer(data, "round", 1, last)
        out = list_of(data, "out", int) if "out" in data else []
        if out != sorted(set(out)) or any(not 0 <= seat < self.players for seat in out):
            raise InputError("out", f"expected different seats from 0 to {self.players - 1} in order, got {shown(out)}")
        if out and not (state.mode == HIGHER or state.shared):
            raise InputError("out", "expected nobody, in these rules all stay in")
        state.out = sum(1 << seat for seat in out)
        scores = list_of(data, "scores", int, self.players)
        most = last * MOST_POINTS if state.mode == POINTS else last
        for seat, score in enumerate(scores):
            if not 0 <= score <= most:
                raise InputError(f"scores[{seat}]", f"expected a whole number from 0 to {most}, got {shown(score)}")
            if state.mode == POINTS and score and state.lap == 1 and data.get("phase") != "over":
                raise InputError(f"scores[{seat}]", f"expected 0 in the first round, got {score}")
            self._check_passed(seat, score, seat in out)
        state.scores[: self.players] = scores

    def _check_passed(self, seat: int, score: int, is_out: bool) -> None:
        """In ``higher`` a score tells the rounds passed: all before this one, for those who are in."""
        if self.state.mode != HIGHER:
            return
        passed = int(self.state.lap) - 1
        is_over = self.data.get("phase") == "over"
        if not is_out and not passed <= score <= passed + is_over:
            raise InputError(f"scores[{seat}]", f"expected {passed}, the rounds passed, got {score}")
        most = passed if is_over else passed - 1
        if is_out and score > most:
            raise InputError(f"scores[{seat}]", f"expected at most {most} of one who is out, got {score}")

    def walls(self) -> None:
        """What stands on every cloth, and the time left."""
        state = self.state
        base = int(state.lap) + FIRST_BASE - 1 if state.mode == HIGHER else 0
        for seat, (field, rows) in enumerate(self.a_seat("rows", require(self.data, "rows"))):
            values = check_rows(rows, field, int(state.support), base)
            state.rows[seat] = 0
            state.rows[seat, : len(values)] = values
            state.height[seat], state.used[seat] = len(values), sum(values)
        for seat, (field, ticks) in enumerate(self.a_seat("ticks", require(self.data, "ticks"))):
            if type(ticks) is not int or not 0 <= ticks <= state.full:
                raise InputError(field, f"expected a whole number from 0 to {state.full}, got {shown(ticks)}")
            state.ticks[seat] = ticks
            self._check_time(seat, field)
        state.present = sum(1 << seat for seat in range(self.players)) & ~int(state.out)

    def _check_inside(self) -> None:
        """While the game goes on there must be players for it; who is out has nothing any more."""
        state, inside = self.state, self.inside()
        fewest = min(2, self.players)
        if len(inside) < fewest:
            raise InputError("out", f"expected at least {fewest} still in while the game goes on")
        for seat in range(self.players):
            if seat not in inside and (state.height[seat] or state.ticks[seat]):
                field = "rows" if state.height[seat] else "ticks"
                raise InputError(f"{field}[{seat}]", "expected nothing of one who is out")
        if state.mode == HIGHER:
            waiting = False
            for seat in inside:
                if waiting and (state.height[seat] or state.ticks[seat] != state.full):
                    raise InputError(f"rows[{seat}]", "expected nothing yet, one player builds after the other")
                waiting = waiting or not is_done(state, seat)

    def _check_time(self, seat: int, field: str) -> None:
        """There must have been time to build what stands."""
        state, builder = self.state, builder_of(self.state)
        rows = state.rows[seat, : state.height[seat]].tolist()
        took = sum(count * builder.least_ticks(row) for row, count in enumerate(rows, 1))
        if took + int(state.ticks[seat]) > int(state.full):
            raise InputError(field, f"expected at most {max(0, int(state.full) - took)} after {took} for the wall")

    def phase(self) -> None:
        """What is going on, and who is at it."""
        state, data = self.state, self.data
        state.phase = PHASES.index(member(data, "phase", PHASES))
        state.turn = integer(data, "turn", 0, self.players - 1) if "turn" in data else 0
        if state.phase == OVER:
            self.over()
            return
        if optional({"winner": None} | data, "winner", list) is not None:
            raise InputError("winner", "expected null, the game is not over")
        action = optional({"action": None} | data, "action", str)
        self._check_inside()
        state.phase = BUILD
        told = int(state.turn)
        begun = int(state.lap)
        settle(state)
        if state.phase != BUILD or state.lap != begun:
            raise InputError("ticks", "expected time for somebody to build, or the phase over")
        if "turn" in data and told != state.turn:
            raise InputError("turn", f"expected {int(state.turn)}, the seat to build, got {told}")
        if data["phase"] == "hands":
            texts = {
                text: move for text, move in legal_texts(state, legal, MAX_MOVES, move_texts).items() if move != STOP
            }
            if action not in texts:
                raise InputError("action", f"expected one of {' '.join(texts)}; got {shown(action)}")
            state.action, state.phase = texts[action], HANDS
        elif action is not None:
            raise InputError("action", f"expected null while nobody's hands are at work, got {shown(action)}")
        self.to_act(int(state.turn) if state.phase == BUILD else CHANCE)

    def over(self) -> None:
        """The end: who has won is as the scores tell."""
        state, data = self.state, self.data
        self._check_end()
        winner = list_of(data, "winner", int)
        if winner != sorted(set(winner)) or not winner or any(not 0 <= seat < self.players for seat in winner):
            raise InputError("winner", f"expected seats from 0 to {self.players - 1} in order, got {shown(winner)}")
        self._check_winner(winner)
        state.winners = sum(1 << seat for seat in winner)
        if self.data.get("action") is not None:
            raise InputError("action", f"expected null, the game is over; got {shown(self.data['action'])}")
        self.to_act(None)

    def _check_end(self) -> None:
        """The last round must have been built to its end, and be in the scores."""
        state = self.state
        inside = self.inside()
        if state.shared and len(inside) == 1:
            return
        done = all(is_done(state, seat) for seat in inside)
        base = int(goal(state))
        finished = [seat for seat in inside if is_pyramid(state.rows[seat], int(state.height[seat]), base)]
        if base:
            decided = not inside or base == LAST_BASE or (len(inside) == 1 < self.players)
            over = decided and finished == inside
        else:
            over = state.lap == state.turns and done
        if not over:
            raise InputError("phase", "expected build, the game goes on with what is told of it")
        for seat in inside if not base else ():
            least = int(points(state.rows[seat], int(state.height[seat]), int(state.support)))
            if state.scores[seat] < least:
                raise InputError(f"scores[{seat}]", f"expected at least the {least} points of the wall")

    def inside(self) -> list[int]:
        """The seats that are still in."""
        return [seat for seat in range(self.players) if not int(self.state.out) >> seat & 1]

    def _check_winner(self, winner: list[int]) -> None:
        state = self.state
        scores = state.scores[: self.players].tolist()
        inside = self.inside()
        if state.mode == POINTS:
            expected = [seat for seat in inside if scores[seat] == max(scores[seat] for seat in inside)]
        else:
            most = int(state.lap) - (0 if inside else 1)
            expected = inside or [seat for seat in range(self.players) if scores[seat] == most]
        if winner != expected:
            raise InputError("winner", f"expected {shown(expected)}, got {shown(winner)}")

    def to_act(self, expected: int | None) -> None:
        """``to_act`` follows from the rest."""
        given = self.data.get("to_act", expected)
        if type(given) is not type(expected) or given != expected:
            wanted = "null" if expected is None else expected
            raise InputError("to_act", f"expected {wanted}, got {shown(self.data['to_act'])}")


def parse(data: Any) -> tuple[np.ndarray, int | None]:
    """Record (array of one) and observer of a JSON object; the observer is None when it names no seat.

    Raises:
        InputError: the first field that is wrong, and what was expected.
    """
    data = obj(data, "")
    member(data, "game", ("meeples",))
    rules = read_rules(obj(require(data, "rules"), "rules"))
    reader = _Reader(data, rules)
    seat = None if data.get("seat") is None else integer(data, "seat", 0, reader.players - 1)
    reader.rounds()
    reader.walls()
    reader.phase()
    return reader.states, seat


def unknown_fields(data: Any) -> list[str]:
    """Fields of a JSON object that a position has not: they are ignored, which a tool may want to say."""
    return strangers(data, FIELDS)
