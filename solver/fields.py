"""Reading fields of JSON objects, with errors that name the field and what was expected."""

import reprlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .errors import InputError


class _Short(reprlib.Repr):
    """Python's short form of a value, but for the words that JSON has its own for."""

    def repr_bool(self, value: bool, level: int) -> str:
        return "true" if value else "false"

    def repr_NoneType(self, value: None, level: int) -> str:  # noqa: N802
        return "null"


_SHORT = _Short()
_SHORT.maxstring = 60
_SHORT.maxother = 60


def shown(value: Any) -> str:
    """A value as an error quotes it: on one line, and cut short when it is long or deep."""
    return _SHORT.repr(value)


def _name(kind: type) -> str:
    names = {
        list: "a list",
        dict: "an object",
        str: "a string",
        int: "a whole number",
        float: "a number",
        bool: "true or false",
    }
    return names.get(kind, f"a {kind.__name__}")


def kind_of(value: Any) -> str:
    """What JSON calls a value: a list, an object, null."""
    if value is None or isinstance(value, bool):
        return shown(value)
    return "a number" if isinstance(value, int | float) else _name(type(value))


def obj(value: Any, field: str) -> dict[str, Any]:
    """``value`` if it is a JSON object."""
    if not isinstance(value, dict):
        raise InputError(field or "position", f"expected a JSON object, got {kind_of(value)}")
    return value


def require(data: dict[str, Any], field: str, path: str = "") -> Any:
    """The value of a field that must be there; ``path`` is what an error puts before its name."""
    if field not in data:
        raise InputError(f"{path}{field}", "expected this field, it is missing")
    return data[field]


def only(data: dict[str, Any], known: Sequence[str], path: str = "") -> None:
    """Check that there is no field but the known ones."""
    for field in data:
        if field not in known:
            raise InputError(f"{path}{shown(field)[1:-1]}", f"no such field, expected one of {', '.join(known)}")


def value_of(data: dict[str, Any], field: str, kind: type) -> Any:
    """A value of one kind."""
    value = require(data, field)
    if type(value) is not kind:
        raise InputError(field, f"expected {_name(kind)}, got {shown(value)}")
    return value


def integer(data: dict[str, Any], field: str, low: int, high: int) -> int:
    """A whole number in ``[low, high]``."""
    value = require(data, field)
    if type(value) is not int or not low <= value <= high:
        raise InputError(field, f"expected a whole number from {low} to {high}, got {shown(value)}")
    return value


def number(data: dict[str, Any], field: str, low: float, high: float, path: str = "") -> float:
    """A number in ``[low, high]``."""
    value = require(data, field, path)
    if type(value) not in (int, float) or not low <= value <= high:
        raise InputError(f"{path}{field}", f"expected a number from {low:g} to {high:g}, got {shown(value)}")
    return float(value)


def _list(data: dict[str, Any], field: str, length: int | None) -> list[Any]:
    values = require(data, field)
    if not isinstance(values, list):
        raise InputError(field, f"expected a list, got {kind_of(values)}")
    if length is not None and len(values) != length:
        raise InputError(field, f"expected {length} entries, one a seat, got {len(values)}")
    return values


def list_of(data: dict[str, Any], field: str, kind: type, length: int | None = None) -> list[Any]:
    """A list of values of one kind, of a given length if one is given."""
    values = _list(data, field, length)
    for i, value in enumerate(values):
        if type(value) is not kind:
            raise InputError(f"{field}[{i}]", f"expected {_name(kind)}, got {shown(value)}")
    return values


def numbers(data: dict[str, Any], field: str, kind: type, length: int, low: int, high: int) -> tuple:
    """So many numbers in ``[low, high]``; whole ones, or with the kind ``float`` any."""
    values = _list(data, field, length)
    for i, value in enumerate(values):
        if type(value) not in (int, kind) or not low <= value <= high:
            raise InputError(f"{field}[{i}]", f"expected {_name(kind)} from {low} to {high}, got {shown(value)}")
    return tuple(map(kind, values))


def optional(data: dict[str, Any], field: str, kind: type) -> Any:
    """A value of one kind, or None for null; the field must be there."""
    value = require(data, field)
    if value is not None and type(value) is not kind:
        raise InputError(field, f"expected {_name(kind)} or null, got {shown(value)}")
    return value


def member(data: dict[str, Any], field: str, choices: Sequence[str]) -> str:
    """One of some strings."""
    value = require(data, field)
    if not isinstance(value, str) or value not in choices:
        raise InputError(field, f"expected one of {', '.join(choices)}, got {shown(value)}")
    return value


def strangers(data: Any, known: Sequence[str]) -> list[str]:
    """Fields of a JSON object that nothing knows: they are ignored, which a tool may want to say."""
    return [field for field in data if field not in known] if isinstance(data, dict) else []


def chosen_move(text: Any, legal: dict[str, int]) -> int:
    """The move of ``legal``, by text, that ``text`` names; ``InputError`` lists what was legal when there is none."""
    if not isinstance(text, str) or text not in legal:
        choice = "no move, the game is over" if not legal else "one of " + " ".join(legal)
        raise InputError("move", f"expected {choice}; got {shown(text)}")
    return legal[text]


class Open(NamedTuple):
    """A rule with more values than a list could tell.

    Attributes:
        prose: what it takes.
        default: its value where none is given, as ``read`` would return it, or what makes it out of the rules before.
        read: checks a value, given the field that it stands in, and returns it as the game wants it.
    """

    prose: str
    default: Any
    read: Callable[[Any, str], Any]


def whole(low: int, high: int, default: Any) -> Open:
    """A rule that is a whole number in ``[low, high]``."""

    def read(value: Any, field: str) -> int:
        if type(value) is int and low <= value <= high:
            return value
        raise InputError(field, f"expected a whole number from {low} to {high}, got {shown(value)}")

    return Open(f"{low} to {high}", default, read)


def check_rules(options: dict[str, Any], rules: dict[str, Any]) -> dict[str, Any]:
    """``rules`` with defaults filled in; ``InputError`` names the first that is unknown or has a wrong value.

    ``options`` tells for every rule the values it may have, the default first, or how to read one (``Open``).
    """
    for name in rules:
        if name not in options:
            raise InputError(f"rules.{shown(name)[1:-1]}", f"no such rule, expected one of {', '.join(options)}")
    checked: dict[str, Any] = {}
    for name, allowed in options.items():
        if isinstance(allowed, Open):
            default = allowed.default(checked) if callable(allowed.default) else allowed.default
            checked[name] = allowed.read(rules[name], f"rules.{name}") if name in rules else default
            continue
        value = rules.get(name, allowed[0])
        if not any(type(value) is type(choice) and value == choice for choice in allowed):
            choices = ", ".join(map(shown, allowed))
            raise InputError(f"rules.{name}", f"expected one of {choices}, got {shown(value)}")
        checked[name] = value
    return checked
