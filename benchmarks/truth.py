"""What bots make of positions whose worth is known: of Pylos, from its solution."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any

import numpy as np

from ..search.bot import make
from ..solver import pylos
from ..solver.errors import InputError
from ..solver.position import Position, read
from ..solver.pylos.notation import blank
from ..solver.pylos.perfect import Outcome, outcomes, solution_of
from ..solver.pylos.rules import settle
from ..solver.pylos.solution import position_of
from ..solver.pylos.state import COLOURS
from ..solver.pylos.table import Table
from ..solver.rng import below, stream
from .crew import default_workers
from .match import Bar
from .stats import wilson
from .workers import ordered

BANDS = ((0, 9), (10, 19), (20, 29))
"""Numbers of balls that are told apart."""
TRIES = 100
"""Positions drawn at most for one that is wanted: with few balls there may be none."""
CHUNK = 8
"""Positions that a worker is given at a time."""


def _table(rules: dict[str, Any]) -> Table:
    table = solution_of(rules)
    if not isinstance(table, Table):
        raise InputError("plan", "expected a solution of these rules; mess solve pylos makes one")
    return table


def boards(rules: dict[str, Any], seed: int, each: int, wanted: Callable[[Position], bool]) -> Iterator[Position]:
    """Random positions that somebody can move in, ``each`` of every number of balls if so many are found.

    Every entry of the solution with so many balls is as likely: every colouring, up to symmetry.

    Raises:
        InputError: these rules are not solved.
    """
    table = _table(rules)
    ix = table.ix
    bounds = [int(first) for first in ix.first[0]] + [ix.total // ix.sides]
    for balls in range(int(ix.balls[-1]) + 1):
        rng = stream(seed, "boards", balls)
        start, stop = (bounds[int(np.searchsorted(ix.balls, n))] for n in (balls, balls + 1))
        found = 0
        for _ in range(TRIES * each):
            own, other, seat = position_of(ix, start + int(below(rng, stop - start)))
            states = blank(rules)
            states[0].balls[seat], states[0].balls[1 - seat], states[0].turn = own, other, seat
            settle(states[0])
            position = Position(pylos, states)
            if not position.is_over and wanted(position):
                yield position
                found += 1
                if found == each:
                    break


def _told(position: Position) -> dict[str, Outcome]:
    """What comes of every move; the position must be solved."""
    return dict(zip(position.moves(), outcomes(position) or (), strict=True))


Task = list[tuple[int, dict[str, Any]]]
"""Positions with their numbers, as text that can be sent to another process."""


def _tasks(positions: Sequence[Position]) -> list[Task]:
    numbered = [(number, position.to_dict()) for number, position in enumerate(positions)]
    return [numbered[start : start + CHUNK] for start in range(0, len(numbered), CHUNK)]


def _choices(spec: str, seed: int, task: Task) -> list[str]:
    """What a bot chooses in each of some positions."""
    bot = make(spec, pylos.NAME)
    views = [(number, read({**told, "seat": COLOURS.index(told["board"][-1])})) for number, told in task]
    return [bot.choose(view, stream(seed, "bot", number)) for number, view in views]


def _share(hits: list[bool]) -> dict[str, float] | None:
    """Share of hits with its 95 % interval; None where there is nothing to tell."""
    return wilson(sum(hits), len(hits))._asdict() if hits else None


def keeping(
    rules: dict[str, Any], bots: Sequence[str], each: int, seed: int, workers: int | None, progress: bool
) -> dict[str, Any]:
    """How often bots choose a move that keeps what the position is worth.

    Args:
        rules: checked rules, solved.
        bots: as text.
        each: random positions of every number of balls.
        seed: of the positions, and of the bots.
        workers: processes, by default one a core.
        progress: show a bar on a terminal.
    """
    positions = list(boards(rules, seed, each, lambda position: True))
    told = [_told(position) for position in positions]
    worth = [max(outcomes.values(), key=lambda outcome: outcome.liking).value for outcomes in told]
    open_to_error = [len({outcome.value for outcome in outcomes.values()}) > 1 for outcomes in told]
    balls = [int(position.state.balls[0] | position.state.balls[1]).bit_count() for position in positions]
    tasks = _tasks(positions)
    rows = []
    with Bar(total=len(positions) * len(bots), unit="position", disable=None if progress else True) as bar:
        for spec in bots:
            chosen: list[str] = []
            with closing(ordered(partial(_choices, spec, seed), tasks, workers or default_workers())) as answers:
                for moves in answers:
                    chosen += moves
                    bar.update(len(moves))
            kept = [told[i][move].value == worth[i] for i, move in enumerate(chosen)]
            choice = [(balls[i], hit) for i, hit in enumerate(kept) if open_to_error[i]]
            bands = [_share([hit for n, hit in choice if low <= n <= high]) for low, high in BANDS]
            rows.append(
                {"bot": spec, "all": _share(kept), "choice": _share([hit for _, hit in choice]), "bands": bands}
            )
    return {
        "kind": "keeping",
        "game": pylos.NAME,
        "rules": rules,
        "seed": seed,
        "positions": len(positions),
        "choices": sum(open_to_error),
        "bands": BANDS,
        "rows": rows,
    }


def _ends(against: str, seed: int, task: Task) -> list[tuple[bool, int]]:
    """Whether perfect play wins from each of some positions, and the plies it takes."""
    perfect, other = make("perfect", pylos.NAME), make(against, pylos.NAME)
    ends = []
    for number, told in task:
        position = read(told)
        assert isinstance(position, Position)
        seat, plies = position.to_act, 0
        streams = [stream(seed, "perfect", number), stream(seed, "bot", number)]
        while not position.is_over:
            away = int(position.to_act != seat)
            bot = (perfect, other)[away]
            position = position.play(bot.choose(position.observe(position.to_act), streams[away]))
            plies += 1
        ends.append((position.payoff()[seat] == 1.0, plies))
    return ends


def converting(
    rules: dict[str, Any], bots: Sequence[str], each: int, seed: int, workers: int | None, progress: bool
) -> dict[str, Any]:
    """How many won positions perfect play wins against each of some bots; arguments as for ``keeping``."""

    def won(position: Position) -> bool:
        return any(outcome.value == "win" for outcome in _told(position).values())

    positions = list(boards(rules, seed, each, won))
    promised = [
        min(outcome.plies for outcome in _told(position).values() if outcome.value == "win") for position in positions
    ]
    tasks = _tasks(positions)
    rows = []
    with Bar(total=len(positions) * len(bots), unit="game", disable=None if progress else True) as bar:
        for spec in bots:
            ends: list[tuple[bool, int]] = []
            with closing(ordered(partial(_ends, spec, seed), tasks, workers or default_workers())) as played:
                for games in played:
                    ends += games
                    bar.update(len(games))
            late = sum(plies > most for (_, plies), most in zip(ends, promised, strict=True))
            rows.append(
                {
                    "bot": spec,
                    "games": len(ends),
                    "won": sum(is_won for is_won, _ in ends),
                    "late": late,
                    "plies": max(plies for _, plies in ends),
                }
            )
    return {"kind": "converting", "game": pylos.NAME, "rules": rules, "bot": "perfect", "seed": seed, "rows": rows}
