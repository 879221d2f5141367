"""The protocol's messages: what a client may send and what it gets, as the types that parse and write them.

The page PROTOCOL.md and the JSON Schema are made from these types, so that neither can say anything else.
"""

import re
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ...solver.errors import InputError
from ...solver.fields import kind_of, shown

VERSION = 1
"""Of the protocol: grows when a message means something else than before."""
MAX_ID = 200
PERSPECTIVE = "the seat to act"

Id: TypeAlias = Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[str, Meta(max_length=MAX_ID)]
Move: TypeAlias = Annotated[str, Meta(max_length=2000)]
Name: TypeAlias = Annotated[str, Meta(max_length=MAX_ID)]


def _told(text: str) -> Meta:
    return Meta(description=text)


GameId: TypeAlias = Annotated[Name | UnsetType, _told("A game that the server keeps.")]
View: TypeAlias = Annotated[
    dict[str, Any] | UnsetType, _told("A position, or what a seat sees of one, instead of a kept game.")
]
Ply: TypeAlias = Annotated[
    Annotated[int, Meta(ge=0)] | UnsetType,
    _told("Look at the kept game after so many moves, chance included; by default after all."),
]
Seat: TypeAlias = Annotated[Annotated[int, Meta(ge=0, le=7)] | UnsetType, _told("By default the seat to act.")]
Seed: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]
Iterations: TypeAlias = Annotated[
    Annotated[int, Meta(ge=1)] | UnsetType, _told("How many iterations to think; the same number and seed repeat.")
]
Thinking: TypeAlias = Annotated[
    Annotated[float, Meta(gt=0)] | UnsetType, _told("How long to think instead; one second if neither is given.")
]
Level: TypeAlias = Annotated[int, Meta(ge=1, le=10)]
Priority: TypeAlias = Annotated[
    Annotated[int, Meta(ge=-100, le=100)], _told("Waiting searches with a higher one go first, else the earlier.")
]


class Request(Struct, kw_only=True, tag_field="type", tag=str.lower):
    """What all requests have: ``type`` says which it is."""

    id: Annotated[Id, _told("Comes back with every answer; none in use by another request of this client.")]


class New(Request):
    """Keep a game: a fresh deal, a position, a record, or another kept game from some ply on."""

    game: Annotated[Name | UnsetType, _told("Name of a game, to deal a fresh one.")] = UNSET
    rules: Annotated[dict[str, Any] | UnsetType, _told("Rules that differ from the defaults.")] = UNSET
    seed: Annotated[Seed | UnsetType, _told("Of the deal and of chance; by default drawn, and told.")] = UNSET
    position: Annotated[dict[str, Any] | UnsetType, _told("A full position to start from.")] = UNSET
    record: Annotated[dict[str, Any] | UnsetType, _told("A record to play through.")] = UNSET
    copy: Annotated[Name | UnsetType, _told("A kept game to branch off, after ``ply`` moves.")] = UNSET
    ply: Ply = UNSET
    chance: Annotated[
        Literal["server", "client"],
        _told("Who says what dice, deals and hands do: the server draws it after each move, or the client plays it."),
    ] = "server"


class Legal(Request):
    """The legal moves; what chance may do where chance is to act."""

    game_id: GameId = UNSET
    view: View = UNSET
    ply: Ply = UNSET


class Play(Request):
    """Make a move."""

    move: Annotated[Move | UnsetType, _told("The move; without one, where chance is to act, the server draws.")] = UNSET
    game_id: GameId = UNSET
    view: Annotated[
        dict[str, Any] | UnsetType, _told("A full position instead; the answer then holds the one after the move.")
    ] = UNSET
    tell: Annotated[bool, _told("Tell in words what the moves bring about.")] = False


class Undo(Request):
    """Take moves back, and what chance did after them."""

    game_id: Name
    count: Annotated[Annotated[int, Meta(ge=1)], _told("How many decisions to take back.")] = 1
    seat: Annotated[
        Annotated[int, Meta(ge=0, le=7)] | UnsetType,
        _told("Count the decisions of this seat alone, so that it decides again."),
    ] = UNSET


class Observe(Request):
    """What a seat sees."""

    game_id: GameId = UNSET
    view: View = UNSET
    ply: Ply = UNSET
    seat: Seat = UNSET


class Record(Request):
    """The record of a kept game that is over, or that the client has shown in full itself."""

    game_id: Name
    players: Annotated[list[Name] | UnsetType, _told("Names of who plays, one a seat.")] = UNSET


class Forget(Request):
    """Keep a game no longer."""

    game_id: Name


class Advise(Request):
    """Judge every move for the seat to act, which is all that the search is shown."""

    game_id: GameId = UNSET
    view: View = UNSET
    ply: Ply = UNSET
    iterations: Iterations = UNSET
    seconds: Thinking = UNSET
    seed: Seed = 0
    method: Annotated[Name | UnsetType, _told("mcts, pimc or alphabeta; by default what is best for the game.")] = UNSET
    options: Annotated[dict[str, Any] | UnsetType, _told("Options of the search, as of a bot's name.")] = UNSET
    level: Annotated[Level | UnsetType, _told("Taken and ignored: a weak opponent gets no weaker hints.")] = UNSET
    report_every: Annotated[
        Annotated[float, Meta(ge=0.05)] | UnsetType, _told("Seconds between partial answers; none by default.")
    ] = UNSET
    only: Annotated[list[Move] | UnsetType, _told("Judge no other moves than these.")] = UNSET
    avoid: Annotated[list[Move] | UnsetType, _told("Judge all but these.")] = UNSET
    priority: Priority = 0


class MoveBy(Request, tag="move"):
    """Let a bot decide; it is shown what the seat to act sees."""

    game_id: GameId = UNSET
    view: View = UNSET
    bot: Annotated[Name | UnsetType, _told("Name of a bot, as mcts@2000; see ``games``.")] = UNSET
    level: Annotated[Level | UnsetType, _told("A bot of this strength instead.")] = UNSET
    seed: Annotated[
        Seed | UnsetType, _told("The same position and seed repeat; by default the kept game's, for a view 0.")
    ] = UNSET
    play: Annotated[bool, _told("Make the move in the kept game, too.")] = False
    tell: Annotated[bool, _told("With ``play``: tell in words what the moves bring about.")] = False
    priority: Priority = 0


class Stop(Request):
    """End a search of this client: it answers with what it has."""

    target: Annotated[Id, _told("The id of the request.")]


class Info(Request):
    """About the server: versions, limits, and how busy it is."""


class Games(Request):
    """The games, their rules, and their bots."""


AnyRequest: TypeAlias = New | Legal | Play | Undo | Observe | Record | Forget | Advise | MoveBy | Stop | Info | Games
REQUESTS: tuple[type[Request], ...] = get_args(AnyRequest)


class Answer(Struct, kw_only=True, tag_field="type", tag=lambda name: name.removesuffix("Answer").lower()):
    """What all answers have: ``type`` is that of the request."""

    id: Id
    warnings: Annotated[list[str] | UnsetType, _told("Fields that nobody knows, and that were ignored.")] = UNSET


class Told(Struct):
    """What a move brought about."""

    move: str
    by: Annotated[int, _told("The seat, or -1 for chance.")]
    text: Annotated[list[str], _told("Clauses in English; seats are called by their numbers.")]


ToAct: TypeAlias = Annotated[int | None, _told("The seat to decide, -1 where chance is, null when the game is over.")]
Kept: TypeAlias = Annotated[str | UnsetType, _told("The kept game, where it was one.")]


class NewAnswer(Answer):
    """A kept game."""

    game_id: str
    game: str
    rules: dict[str, Any]
    players: Annotated[int, _told("Number of seats.")]
    seed: Annotated[
        int | None,
        _told("Null where the server drew it, since it would tell what is hidden; the record tells it in the end."),
    ]
    ply: Annotated[int, _told("Moves made, chance included.")]
    to_act: ToAct
    chance: Annotated[list[str], _told("What chance did at once.")]
    result: Annotated[list[float] | None, _told("Each seat's share of the win; null unless the game is over.")]


class LegalAnswer(Answer):
    """Legal moves."""

    moves: list[str]
    to_act: ToAct


class PlayAnswer(Answer):
    """Where a move led."""

    to_act: ToAct
    result: Annotated[list[float] | None, _told("Each seat's share of the win; null unless the game is over.")]
    chance: Annotated[list[str], _told("What chance did after the move.")]
    game_id: Kept = UNSET
    ply: Annotated[int | UnsetType, _told("Moves made in the kept game, chance included.")] = UNSET
    position: Annotated[dict[str, Any] | UnsetType, _told("Where a view was sent: the position after the move.")] = (
        UNSET
    )
    told: list[Told] | UnsetType = UNSET


class UndoAnswer(Answer):
    """Where the game is again."""

    game_id: str
    ply: int
    to_act: ToAct


class ObserveAnswer(Answer):
    """What a seat sees."""

    observation: dict[str, Any]
    to_act: ToAct
    game_id: Kept = UNSET
    ply: Annotated[int | UnsetType, _told("After so many moves of the kept game.")] = UNSET
    plies: Annotated[int | UnsetType, _told("Moves made in the kept game in all.")] = UNSET


class RecordAnswer(Answer):
    """A record."""

    record: dict[str, Any]


class ForgetAnswer(Answer):
    """The game is forgotten."""

    game_id: str


class AdviseAnswer(Answer):
    """Advice; a partial answer is followed by others, the last of which is not partial."""

    advice: Annotated[
        dict[str, Any], _told("As the formats write it: moves with win, low, high, why …, the best first.")
    ]
    perspective: Annotated[str, _told("Whose chances all probabilities are.")] = PERSPECTIVE
    partial: bool = False
    stopped: Annotated[bool, _told("Whether it was ended before its budget was used.")] = False


class MoveAnswer(Answer):
    """What a bot plays; after ``play`` where that led."""

    move: str
    bot: str
    seat: Annotated[int, _told("For whom it decided.")]
    to_act: ToAct | UnsetType = UNSET
    result: list[float] | UnsetType | None = UNSET
    chance: list[str] | UnsetType = UNSET
    game_id: Kept = UNSET
    ply: int | UnsetType = UNSET
    told: list[Told] | UnsetType = UNSET


class StopAnswer(Answer):
    """Whether there was such a search to stop."""

    stopped: bool


class InfoAnswer(Answer):
    """About the server."""

    name: str
    version: str
    protocol: int
    limits: dict[str, float]
    load: Annotated[dict[str, float], _told("Games kept, searches running and waiting, their waiting time, …")]


class GameInfo(Struct):
    """A game."""

    name: str
    about: str
    rules: Annotated[dict[str, Any], _told("For each rule its values, the default first, or a text.")]
    bots: Annotated[dict[str, str], _told("Names and what they do.")]
    levels: Annotated[int, _told("Levels from 1 up to this.")]


class GamesAnswer(Answer):
    """All games."""

    games: list[GameInfo]


class Failure(Struct, kw_only=True):
    """What was wrong with a request: its only answer."""

    id: Annotated[Id | None, _told("Null where the request had none that could be read.")]
    error: Annotated[str, _told("What was expected.")]
    field: Annotated[str, _told("The field that is wrong, with its path, or the part of the server.")]


ANSWERS: tuple[type[Struct], ...] = (
    *(NewAnswer, LegalAnswer, PlayAnswer, UndoAnswer, ObserveAnswer, RecordAnswer, ForgetAnswer),
    *(AdviseAnswer, MoveAnswer, StopAnswer, InfoAnswer, GamesAnswer, Failure),
)
_TYPES = {str(kind.__struct_config__.tag): kind for kind in REQUESTS}
_FIELDS = {kind: frozenset(("type", *kind.__struct_fields__)) for kind in REQUESTS}
_decode = msgspec.json.Decoder().decode
encode = msgspec.json.Encoder().encode
"""JSON of an answer, in bytes on one line."""
_MISSING = re.compile(r"Object missing required field `(\w+)`")
_PLACE = re.compile(r" - at `\$\.?(.*)`$")
_KINDS = {
    "`int`": "a whole number",
    "`float`": "a number",
    "`str`": "a string",
    "`bool`": "true or false",
    "`object`": "an object",
    "`array`": "a list",
    "`null`": "null",
}


class RequestError(InputError):
    """A request that cannot be read; ``id`` is what it calls itself, or None."""

    def __init__(self, id: int | str | None, field: str, expected: str) -> None:
        super().__init__(field, expected)
        self.id = id


def _in_words(id: int | str, message: str) -> RequestError:
    """What the parser says of a wrong field, as all errors here are worded."""
    place = _PLACE.search(message)
    field = place[1] if place else ""
    text = message[: place.start()] if place else message
    if missing := _MISSING.match(text):
        return RequestError(id, ".".join(filter(None, (field, missing[1]))), "expected this field, it is missing")
    for kind, words in _KINDS.items():
        text = text.replace(kind, words)
    return RequestError(id, field or "request", f"{text[:1].lower()}{text[1:]}")


def _id_of(data: dict[str, Any]) -> int | str:
    id = data.get("id")
    if (type(id) is str and len(id) <= MAX_ID) or (type(id) is int and abs(id) <= 2**53):
        return id
    if "id" not in data:
        raise RequestError(None, "id", "expected this field, it is missing")
    raise RequestError(
        None, "id", f"expected a whole number or a string of at most {MAX_ID} characters, got {shown(id)}"
    )


def parse(raw: bytes | str) -> tuple[Request, list[str]]:
    """A request, and the fields in it that nobody knows.

    Raises:
        RequestError: it cannot be read; names the first field that is wrong.
    """
    try:
        data = _decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise RequestError(None, "request", f"expected JSON; {str(error)[:200].rstrip('.').lower()}") from None
    if type(data) is not dict:
        raise RequestError(None, "request", f"expected a JSON object, got {kind_of(data)}")
    id = _id_of(data)
    name = data.get("type")
    kind = _TYPES.get(name) if type(name) is str else None
    if kind is None:
        raise RequestError(id, "type", f"expected one of {', '.join(_TYPES)}, got {shown(name)}")
    try:
        request = msgspec.convert(data, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise _in_words(id, str(error)) from None
    unknown = data.keys() - _FIELDS[kind]
    return request, [shown(field)[1:-1] for field in data if field in unknown] if unknown else []


def schema() -> dict[str, Any]:
    """The JSON Schema of the protocol: what a request is, and what an answer is."""
    types, components = msgspec.json.schema_components((AnyRequest, *ANSWERS), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"mess protocol {VERSION}",
        "oneOf": [{"title": "request", **types[0]}, {"title": "answer", "anyOf": list(types[1:])}],
        "$defs": components,
    }
