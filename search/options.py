"""Options of the command line: the rules of all games, and those that are more than a number or a word."""

import functools
import inspect
import math
import re
import secrets
from collections.abc import Callable
from typing import Annotated, Any

import typer

from ..solver.errors import InputError
from .files import builder_file

SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "": 1.0}
LONGEST = 3600.0
DEFAULT_SECONDS = 2.0
MOST = 10**12
"""Largest count that an option takes."""


def duration(text: str, field: str = "time") -> float:
    """Seconds that ``2s``, ``500ms``, ``1.5`` or ``1m`` stand for; more than 0, at most an hour."""
    match = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*([a-z]*)\s*", text, re.ASCII)
    seconds = float(match[1]) * SECONDS.get(match[2], math.nan) if match else math.nan
    if not 0 < seconds <= LONGEST:
        raise InputError(field, f"expected a time of more than 0 and at most an hour, as 2s or 500ms, got {text!r}")
    return seconds


def positive(value: int, field: str, most: int = MOST) -> int:
    """``value`` if it is at least 1, and not more than anything could ever use."""
    if value < 1:
        raise InputError(field, f"expected a whole number of at least 1, got {value}")
    if value > most:
        raise InputError(field, f"expected a whole number of at most {most}, got {value}")
    return value


def budget(time: str | None, iterations: int | None) -> dict[str, Any]:
    """Arguments of a search for its budget: ``--time`` or ``--iterations``, by default two seconds."""
    if time is not None and iterations is not None:
        raise InputError("iterations", "expected a time or a number of iterations, got both")
    if iterations is not None:
        return {"iterations": positive(iterations, "iterations")}
    return {"seconds": DEFAULT_SECONDS if time is None else duration(time)}


def bot_list(text: str) -> list[str]:
    """Names of bots separated by commas; a bot's own options, ``mcts:open=1,turns=8``, stay with it."""
    bots: list[str] = []
    for piece in text.split(","):
        if bots and ":" in bots[-1] and re.match(r"\s*[\w-]+=", piece):
            bots[-1] += f",{piece.strip()}"
        else:
            bots.append(piece.strip())
    return bots


Players = Annotated[int | None, typer.Option(metavar="N", help="Number of players.", show_default=False)]
Preset = Annotated[str | None, typer.Option(metavar="NAME", help="Rules of the game: bga or german.")]
Curse = Annotated[bool | None, typer.Option("--curse", help="Flaming Pyramids: play with the curse.")]
SpecialFire = Annotated[bool | None, typer.Option("--special-fire", help="Flaming Pyramids: fires roll a die.")]
Limit = Annotated[str | None, typer.Option(metavar="POINTS", help="Odin: 15, 10, 20 or one-hand.")]
Goat = Annotated[bool | None, typer.Option("--goat", help="Odin: play with the goat.", show_default=False)]
Variant = Annotated[str | None, typer.Option(metavar="NAME", help="Pylos: beginner, standard or expert.")]
EmptyReserve = Annotated[str | None, typer.Option(metavar="NAME", help="Pylos: may-raise or loses.")]
TakeBack = Annotated[str | None, typer.Option(metavar="NAME", help="Pylos: must or may.")]
Size = Annotated[int | None, typer.Option(metavar="N", help="Pylos: side of the base, 4, 3 or 2.", show_default=False)]
Mode = Annotated[str | None, typer.Option(metavar="NAME", help="Meeples: points or higher.")]
Support = Annotated[str | None, typer.Option(metavar="NAME", help="Meeples: bridge or column.")]
SharedMat = Annotated[
    bool | None, typer.Option("--shared-mat", help="Meeples: all build on one mat.", show_default=False)
]
Turns = Annotated[int | None, typer.Option(metavar="N", help="Meeples: turns of points.", show_default=False)]
Seconds = Annotated[int | None, typer.Option(metavar="N", help="Meeples: seconds of a turn.", show_default=False)]
BuilderOption = Annotated[
    str | None, typer.Option("--builder", metavar="NAME|FILE.toml", help="Meeples: steady, beginner, expert or a file.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
TWO_SIDED = ("pylos",)
"""Games with two sides and nothing hidden: alpha-beta plays them, and they can be solved whole."""

RULES: dict[str, Any] = {
    "players": Players,
    "preset": Preset,
    "curse": Curse,
    "special_fire": SpecialFire,
    "limit": Limit,
    "goat": Goat,
    "variant": Variant,
    "empty_reserve": EmptyReserve,
    "take_back": TakeBack,
    "size": Size,
    "mode": Mode,
    "support": Support,
    "shared_mat": SharedMat,
    "turns": Turns,
    "seconds": Seconds,
    "builder": BuilderOption,
}
"""Options of commands that are rules of some game."""


def rules_of(asked: dict[str, Any]) -> dict[str, Any]:
    """The rules among the arguments of a command, those that were asked for; the game fills in the others."""
    rules = {name: asked[name] for name in RULES if asked.get(name) is not None}
    if str(rules.get("limit", "")).isdecimal():
        rules["limit"] = int(rules["limit"])
    if "builder" in rules:
        rules["builder"] = builder_file(rules["builder"])
    return rules


def with_rules(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command an option for each of these rules, for all there are by default, where it takes ``rules``."""

    def wrap(command: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(command, eval_str=True)
        offered = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=RULES[name])
            for name in names or RULES
        ]

        @functools.wraps(command)
        def asked(**given: Any) -> Any:
            rules = rules_of({option.name: given.pop(option.name) for option in offered})
            return command(rules=rules, **given)

        plain = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in signature.parameters.values()]
        at = [parameter.name for parameter in plain].index("rules")
        asked.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*plain[:at], *offered, *plain[at + 1 :]]
        )
        return asked

    return wrap


def any_seed() -> int:
    """A seed that nobody chose, short enough to type."""
    return secrets.randbelow(10**9)
