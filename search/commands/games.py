"""The commands on positions and records, hints and play. Kernels are imported when a command runs."""

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...solver.errors import InputError
from .. import options
from ..files import print_json, read_position, read_records, warn_of_fields
from ..options import AsJson
from ..waiting import compiling, interruptible

if TYPE_CHECKING:
    from ...solver.position import Observation, Position

Game = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; see mess games.")]
File = Annotated[str, typer.Argument(metavar="POSITION.json", help='Position or observation; "-" reads it from stdin.')]
Rules = dict[str, Any]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Seed; without one it is drawn, and told.")]

MAX_DEPTH = 30


def as_seen(view: "Position | Observation", seat: int | None) -> "Position | Observation":
    """What ``seat`` sees of ``view``; without a seat the view itself."""
    from ...solver.position import Observation

    if seat is None:
        return view
    if not isinstance(view, Observation):
        return view.observe(seat)
    if view.seat != seat:
        raise InputError("seat", f"expected {view.seat}, the file is what this seat sees; got {seat}")
    return view


def _deal(name: str, rules: dict[str, Any], seed: int | None) -> "tuple[Position, int]":
    from ...solver.game import deal

    chosen = options.any_seed() if seed is None else seed
    return deal(name, chosen, **rules), chosen


def _tell_seed(chosen: int, asked: int | None) -> None:
    """Tell a seed that nobody asked for, so that the deal can be had again."""
    if asked is None:
        print(f"seed {chosen}", file=sys.stderr)


@options.with_rules()
def deal(
    game: Game,
    *,
    rules: Rules,
    seed: Seed = None,
    seat: Annotated[int | None, typer.Option(metavar="S", help="Print only what this seat sees.")] = None,
) -> None:
    """Deal a game and print the position."""
    start, chosen = _deal(game, rules, seed)
    seen = as_seen(start, seat)
    _tell_seed(chosen, seed)
    print_json(seen.to_dict())


def show(
    position: File,
    seat: Annotated[int | None, typer.Option(metavar="S", help="Draw only what this seat sees.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colours, ASCII only.")] = False,
) -> None:
    """Draw a position."""
    view = as_seen(read_position(position), seat)
    from ..faces import face
    from ..screen import console, is_plain

    screen = console(sys.stdout, plain)
    screen.print(face(view.game.NAME).picture(view.to_dict(), view.moves(), plain=is_plain(screen)))


def moves(position: File, as_json: AsJson = False) -> None:
    """Print every legal move, one a line."""
    legal = read_position(position).moves()
    if as_json:
        print_json(legal)
    else:
        print("".join(f"{move}\n" for move in legal), end="")


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help='Record, or one a line; "-" reads from stdin.')],
    every: Annotated[bool, typer.Option("--every", help="Print the position after each move.")] = False,
) -> None:
    """Play records again and print where each ends."""
    from .. import records

    unknown: dict[str, None] = {}
    for entry in read_records(file):
        with records.within(f"{entry.where}: " if entry.where else ""):
            start, positions = records.positions_of(entry.data)
        unknown |= dict.fromkeys(name for name in entry.data if name not in records.FIELDS)
        unknown |= dict.fromkeys(f"start.{name}" for name in start.game.unknown_fields(entry.data["start"]))
        for position in positions if every else (positions or [start])[-1:]:
            print_json(position.to_dict())
    warn_of_fields(list(unknown))


def _to_advise(view: "Position | Observation", seat: int | None, open_cards: bool) -> "Position | Observation":
    """What a search is shown: what the seat to act sees, or with open cards everything."""
    from ...solver.position import CHANCE, NO_ONE, Observation

    if view.to_act in (CHANCE, NO_ONE):
        state = "the game is over" if view.to_act == NO_ONE else "chance does"
        raise InputError("to_act", f"expected a position where a seat decides; {state}")
    if seat is not None and seat != view.to_act:
        raise InputError("seat", f"expected {view.to_act}, the seat to decide; got {seat}")
    if isinstance(view, Observation):
        if open_cards:
            raise InputError("open", "expected a full position, this is what one seat sees")
        if view.seat != view.to_act:
            raise InputError("seat", f"expected what seat {view.to_act} sees, the seat to decide; got seat {view.seat}")
        return view
    return view if open_cards else view.observe(view.to_act)


def hint(
    position: File,
    time: Annotated[
        str | None, typer.Option(metavar="TIME", help="Time to think, as 2s or 500ms.  [default: 2s]")
    ] = None,
    iterations: Annotated[int | None, typer.Option(metavar="N", help="Iterations to think, instead of a time.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Same seed and iterations, same advice.")] = 0,
    seat: Annotated[int | None, typer.Option(metavar="S", help="Insist that this seat decides.")] = None,
    method: Annotated[
        str | None, typer.Option(metavar="NAME", help="mcts, pimc, or alphabeta for Pylos.  [default: table, or mcts]")
    ] = None,
    open_cards: Annotated[
        bool, typer.Option("--open", help="Show the search what is hidden: that is cheating.")
    ] = False,
    workers: Annotated[int, typer.Option(metavar="N", help="Processes that think.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Rank the legal moves by a search.

    The search knows what the seat to decide sees, and nothing else.
    """
    limit = options.budget(time, iterations)
    options.positive(workers, "workers")
    from ..search import advise
    from ..settings import METHODS, check_method

    if method is not None and method not in METHODS:
        raise InputError("method", f"expected one of {', '.join(METHODS)}, got {method!r}")
    view = _to_advise(read_position(position), seat, open_cards)
    if method is not None:
        check_method(method, view.game.NAME)
    with compiling(f"hint-{view.game.NAME}-{method}") as is_first:
        if is_first:
            # or compiling would use up the time to think
            advise(view, iterations=1, method=method, open=open_cards)
        advice = advise(view, **limit, seed=seed, method=method, open=open_cards, workers=workers)
    if as_json:
        print_json(advice.to_dict())
        return
    from ..screen import console
    from ..tables import advice_table

    console(sys.stdout).print(advice_table(advice, cheating=open_cards))


@options.with_rules("variant", "empty_reserve", "take_back", "size")
def perft(
    game: Game,
    depth: Annotated[int, typer.Option(metavar="N", help="Plies.")],
    board: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Board to start from; by default the start.")
    ] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count for every first move, too.")] = False,
    *,
    rules: Rules,
) -> None:
    """Count the games of so many plies; the last line is the number."""
    from ...solver.game import deal, load
    from ...solver.position import read

    if not 0 <= depth <= MAX_DEPTH:
        raise InputError("depth", f"expected a whole number from 0 to {MAX_DEPTH}, got {depth}")
    if not hasattr(load(game), "perft"):
        raise InputError("game", f"expected a game whose moves can be counted, as pylos; got {game}")
    start = deal(game, 0, **rules)
    if board is not None:
        start = read(start.to_dict() | {"board": board})  # type: ignore[assignment]
    count = start.game.perft
    if divide and depth > 0:
        for move in start.moves():
            after = start.play(move)
            print(f"{move}: {interruptible(partial(count, after.state, depth - 1))}")
    print(interruptible(partial(count, start.state, depth)))


@options.with_rules()
def play(
    game: Game,
    bots: Annotated[
        str, typer.Option(metavar="NAMES", help="Bots or files of them, separated by commas, or one for all.")
    ] = "mcts",
    seat: Annotated[int, typer.Option(metavar="S", help="Your seat; seat 0 begins.")] = 0,
    record: Annotated[str, typer.Option(metavar="FILE", help="The game is added to this file.")] = "mess-games.jsonl",
    *,
    rules: Rules,
    seed: Seed = None,
    hint_time: Annotated[str, typer.Option(metavar="TIME", help="Time to think for a hint.")] = "1s",
    report: Annotated[bool, typer.Option("--report", help="Meeples: you tell what your hands did.")] = False,
) -> None:
    """Play in the terminal against bots."""
    think = options.duration(hint_time, "hint-time")
    from .. import table

    start, chosen = _deal(game, rules, seed)
    seated = table.sit_down(start, chosen, options.bot_list(bots), seat, record, think, report)
    _tell_seed(chosen, seed)
    raise typer.Exit(table.play(seated, record))


def games() -> None:
    """List the games and their rules."""
    from ...solver.fields import Open
    from ...solver.game import NAMES, load

    for name in NAMES:
        game = load(name)
        print(f"{name}: {(game.__doc__ or '').strip().splitlines()[0]}")
        for option, values in game.OPTIONS.items():
            told = values.prose if isinstance(values, Open) else ", ".join(str(value).lower() for value in values)
            print(f"  {option}: {told}")
