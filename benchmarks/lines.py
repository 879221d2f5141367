"""What a match's file says: a header, then a line a block. It is read as strictly as it is written."""

import json
from typing import Any

from ..search.records import within
from ..solver.errors import InputError
from ..solver.fields import check_rules, integer, list_of, numbers, obj, only, optional, require, shown, value_of
from ..solver.game import load
from .blocks import COSTS, MOST_DEALS, MOST_PLIES, Block, Cost, Forfeit, Game, readable, seating

FORMAT = 2
HEADER = ("format", "game", "rules", "bots", "seed", "opening", "deals", "package", "repeatable", "sources")
BLOCK = ("deal", "games")
GAME = ("seats", "payoffs", "decisions", "mess", "forfeit")
FORFEIT = ("bot", "seat", "reason")
MOST = 1_000_000_000
"""Largest count of decisions or tiles; no game comes near it, and sums of so many are exact."""
ROUNDING = 1e-9


def line(data: dict[str, Any]) -> bytes:
    """One object as one line."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _same(field: str, value: Any, wanted: Any) -> None:
    """Check a value that the rest of the file leaves no choice."""
    if type(value) is not type(wanted) or value != wanted:
        raise InputError(field, f"expected {json.dumps(wanted)}, got {shown(value)}")


def header_of(data: Any) -> dict[str, Any]:
    """The header that a JSON value is; ``InputError`` names the first field that is wrong."""
    _same("format", obj(data, "header").get("format"), FORMAT)
    only(data, HEADER)
    game = load(value_of(data, "game", str))
    told = {"sources": _sources(data)} if "sources" in data else {}
    return {
        "format": FORMAT,
        "game": game.NAME,
        "rules": check_rules(game.OPTIONS, value_of(data, "rules", dict)),
        "bots": list_of(data, "bots", str),
        "seed": value_of(data, "seed", int),
        "opening": integer(data, "opening", 0, MOST_PLIES),
        "deals": integer(data, "deals", 1, MOST_DEALS),
        "package": value_of(data, "package", str),
        "repeatable": value_of(data, "repeatable", bool),
    } | told


def _sources(data: dict[str, Any]) -> list[str | None]:
    """Of every bot what tells that its file has changed, null for those without one."""
    sources = require(data, "sources")
    if not isinstance(sources, list) or len(sources) != len(list_of(data, "bots", str)):
        raise InputError("sources", "expected a list, an entry for every bot")
    for i, source in enumerate(sources):
        if source is not None and type(source) is not str:
            raise InputError(f"sources[{i}]", f"expected a string or null, got {shown(source)}")
    return sources


def block_of(data: Any, header: dict[str, Any], deal: int) -> Block:
    """The block of a deal that a JSON value is.

    Args:
        data: the value.
        header: of the same file: it settles the seats, how many games there are, and whether they tell of mess.
        deal: number of the deal, as many as there are lines before it.

    Raises:
        InputError: names the first field that is wrong.
    """
    only(obj(data, "block"), BLOCK)
    _same("deal", require(data, "deal"), deal)
    games = list_of(data, "games", dict, header["rules"].get("players"))
    if len(games) < max(2, len(header["bots"])):
        raise InputError("games", f"expected one a seat, and a seat for each of {len(header['bots'])} bots")
    read = []
    for rotation, game in enumerate(games):
        with within(f"games[{rotation}]."):
            seats = seating(len(games), len(header["bots"]), rotation)
            read.append(_game_of(game, seats, COSTS.get(header["game"])))
    return Block(deal, tuple(read))


def _game_of(data: dict[str, Any], seats: tuple[int, ...], cost: Cost | None) -> Game:
    only(data, GAME)
    players = len(seats)
    _same("seats", list_of(data, "seats", int, players), list(seats))
    payoffs = numbers(data, "payoffs", float, players, 0, 1)
    if abs(sum(payoffs) - 1) > ROUNDING:
        raise InputError("payoffs", f"expected shares of one win, their sum is {sum(payoffs)}")
    if not all(share == 0 or _is_part(share, players) for share in payoffs):
        raise InputError("payoffs", f"expected wins shared equally, got {shown(payoffs)}")
    decisions = integer(data, "decisions", 0, MOST)
    if cost is None:
        _same("mess", require(data, "mess"), None)
    mess = numbers(data, "mess", cost.kind, players, 0, MOST) if cost is not None else None
    lost = optional(data, "forfeit", dict)
    if lost is None:
        return Game(seats, payoffs, decisions, mess, None)
    with within("forfeit."):
        forfeit = _forfeit_of(lost, seats)
    if payoffs[forfeit.seat] > 0:
        raise InputError("payoffs", f"expected nothing for seat {forfeit.seat}, which forfeited")
    return Game(seats, payoffs, decisions, mess, forfeit)


def _is_part(share: float, players: int) -> bool:
    """Whether a share is that of one of several winners."""
    return share >= 1 / players - ROUNDING and abs(1 / share - round(1 / share)) <= ROUNDING * players


def _forfeit_of(data: dict[str, Any], seats: tuple[int, ...]) -> Forfeit:
    only(data, FORFEIT)
    seat = integer(data, "seat", 0, len(seats) - 1)
    _same("bot", require(data, "bot"), seats[seat])
    reason = value_of(data, "reason", str)
    if reason != readable(reason):
        raise InputError("reason", "expected one short line")
    return Forfeit(seats[seat], seat, reason)
