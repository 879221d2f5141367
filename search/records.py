"""Records of games: written after play, and played again to see that they hold what they claim."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..solver.errors import InputError
from ..solver.fields import check_rules, kind_of, list_of, obj, optional, require, shown
from ..solver.position import Observation, Position, read, replay

FIELDS = ("game", "rules", "start", "moves", "players", "result", "seed", "end", "every")
"""Fields of a record: those of the formats page, and what a record may hold besides to be checked against."""


def make_record(start: Position, moves: Sequence[str], players: Sequence[str], seed: int | None) -> dict[str, Any]:
    """The record of a game; ``result`` is every seat's share of the win, or null when the game was left."""
    first = start.to_dict()
    last = replay(start, moves)[-1] if moves else start
    return {
        "game": first["game"],
        "rules": first["rules"],
        "start": first,
        "moves": list(moves),
        "players": list(players),
        "result": list(last.payoff()) if last.is_over else None,
        "seed": seed,
    }


@contextmanager
def within(place: str) -> Iterator[None]:
    """Put ``place`` in front of the field that an error names."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}{error.field}", error.expected) from None


def _same(claimed: Any, actual: dict[str, Any], field: str) -> None:
    """Check a position that a record claims, field by field."""
    claimed = obj(claimed, field)
    for name, value in actual.items():
        if name not in claimed or claimed[name] != value:
            got = shown(claimed[name]) if name in claimed else "nothing"
            raise InputError(f"{field}.{name}", f"expected {value!r}, where the moves lead; got {got}")


def _check_result(result: Any, last: Position) -> None:
    """A finished game has one result; one that was left or forfeited has none."""
    shares = list(last.payoff()) if last.is_over else None
    is_right = result is None if shares is None else result == shares and bool not in map(type, result)
    if not is_right:
        expected = f"{shares}, where the moves lead" if shares else "null, the game is not over"
        raise InputError("result", f"expected {expected}; got {shown(result)}")


def _check_every(record: dict[str, Any], positions: Sequence[Position]) -> None:
    """Check the positions that a record claims to come to, one after each move."""
    claims = list_of(record, "every", dict)
    if len(claims) != len(positions):
        raise InputError("every", f"expected {len(positions)}, the position after each move; got {len(claims)}")
    for i, (claimed, position) in enumerate(zip(claims, positions, strict=True)):
        _same(claimed, position.to_dict(), f"every[{i}]")


def _check_claims(record: dict[str, Any], positions: Sequence[Position], last: Position) -> None:
    """Check all that a record says besides its start and its moves, as far as it says it."""
    if "players" in record:
        list_of(record, "players", str, last.players)
    if "seed" in record:
        optional(record, "seed", int)
    if "every" in record:
        _check_every(record, positions)
    if "end" in record:
        _same(record["end"], last.to_dict(), "end")
    if "result" in record:
        _check_result(record["result"], last)


def start_of(record: Any) -> Position:
    """The full position that a record starts from.

    Raises:
        InputError: there is none, or ``game`` and ``rules`` say something else.
    """
    record = obj(record, "record")
    if "game" in record and not {"start", "moves"} & record.keys() and record.keys() - {*FIELDS}:
        raise InputError("record", "expected a game with its start and moves, this is a position; see mess show")
    described = obj(require(record, "start"), "start")
    with within("start."):
        start = read(described)
    if isinstance(start, Observation):
        raise InputError("start", "expected the whole truth, this is what one seat sees")
    first = start.to_dict()
    if record.get("game", first["game"]) != first["game"]:
        raise InputError("game", f"expected {first['game']!r} as in start, got {shown(record['game'])}")
    if "rules" in record:
        given, options = obj(record["rules"], "rules"), start.game.OPTIONS
        # what the deal drew, as colours removed, is told among the rules too, and is no option
        rules = {name: value for name, value in given.items() if name in first["rules"] and name not in options}
        rules |= check_rules(options, {name: value for name, value in given.items() if name not in rules})
        for name, value in first["rules"].items():
            if rules.get(name, value) != value:
                raise InputError(f"rules.{name}", f"expected {value!r} as in start, got {shown(rules[name])}")
    return start


def positions_of(record: Any) -> tuple[Position, list[Position]]:
    """Where a record starts, and the position after each of its moves.

    Raises:
        InputError: the first field that is wrong; of an illegal move its index, and what was legal.
    """
    start = start_of(record)
    moves = require(record, "moves")
    if not isinstance(moves, list):
        raise InputError("moves", f"expected a list, got {kind_of(moves)}")
    positions = replay(start, moves)
    _check_claims(record, positions, positions[-1] if positions else start)
    return start, positions
