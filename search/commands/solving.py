"""Solving a game whole from the command line: progress, files, checks."""

import json
import sys
import zlib
from pathlib import Path
from typing import Any

from tqdm import tqdm

from ...solver.errors import InputError
from ...solver.exact.solution import Solution
from ...solver.fields import check_rules, shown
from ...solver.game import load
from ...solver.position import Observation, Position
from ..options import TWO_SIDED

SAMPLE = 2_000
ALPHABETA_NODES = 1_000_000
CHECKS = ("sample", "all")


class Bar:
    """Tells how far a sweep is, and what it came to; nobody knows how many there will be."""

    def __init__(self) -> None:
        self._bar: Any = None

    def begin(self, sweep: int, positions: int) -> None:
        """A sweep begins."""
        self._bar = tqdm(total=positions, desc=f"sweep {sweep}", unit=" positions", unit_scale=True, file=sys.stderr)

    def advance(self, positions: int) -> None:
        """So many positions more are done."""
        self._bar.total = max(self._bar.total, self._bar.n + positions)
        self._bar.update(positions)

    def end(self, looked: int, changed: int) -> None:
        """The sweep is over."""
        self._bar.set_postfix_str(f"{changed:,} changed")
        self._bar.close()


def whole_truth(view: Position | Observation) -> Position:
    """The only position that a view can be; ``InputError`` when there are several, or nobody is to move."""
    truth = view.game.whole_truth(view)
    if truth.is_over:
        raise InputError("phase", "expected a game that is not over")
    return truth


def solve_position(truth: Position, nodes: int | None) -> Solution:
    """Prove what can be proven of a position, looking at so many others or a few more, or as many as the game needs."""
    if truth.game.NAME in TWO_SIDED:
        return _from_table(truth) or _from_alphabeta(truth, nodes or ALPHABETA_NODES)
    return truth.game.solve(truth, nodes or truth.game.SOLVE_NODES)


def _from_table(truth: Position) -> Solution | None:
    """What a solution of the whole game says, and a line as far as it knows; None without one."""
    outcomes = truth.game.outcomes(truth)
    if outcomes is None:
        return None
    moves = dict(zip(truth.moves(), outcomes, strict=True))
    best = max(outcomes, key=lambda outcome: outcome.liking)
    line: list[str] = []
    position, told = truth, outcomes
    while best.plies is not None and told and not position.is_over:
        move = max(zip(position.moves(), told, strict=True), key=lambda pair: pair[1].liking)[0]
        line.append(move)
        position = position.play(move)
        told = None if position.is_over else position.game.outcomes(position)
    judged = {move: outcome.value for move, outcome in moves.items()}
    return Solution(truth.to_act, best.value, best.plies, tuple(line), 0, judged)


def _from_alphabeta(truth: Position, nodes: int) -> Solution:
    """What alpha-beta proves; it knows no draws, since nothing but going round makes one."""
    from ..alphabeta import DECIDED, WIN, look_ahead

    found = look_ahead(truth, nodes=nodes, every=True)
    names = ["win" if score > DECIDED else "loss" if score < -DECIDED else "unknown" for score in found.scores]
    best = found.scores[found.best]
    outcome = names[found.best]
    plies = None if outcome == "unknown" else WIN - abs(best)
    line = (truth.moves()[found.best],) if outcome == "win" else ()
    judged = dict(zip(truth.moves(), names, strict=True))
    return Solution(truth.to_act, outcome, plies, line, found.nodes, judged)


def solve_game(
    game: str, rules: dict[str, Any], workers: int, check: str | None = None, book: str | None = None
) -> dict[str, Any]:
    """Solve a game under some rules, or check the solution that there is; what it comes to.

    ``book`` is a folder for an opening book.

    Raises:
        InputError: the game cannot be solved whole, there is no room, or a check fails.
    """
    if game != "pylos":
        raise InputError("game", f"expected a game that can be solved whole, pylos; got {game}")
    if check is not None and check not in CHECKS:
        raise InputError("check", f"expected one of {', '.join(CHECKS)}, got {shown(check)}")
    from ...solver.pylos.solution import check_all, check_sample, solve
    from ...solver.pylos.table import Table, file_of, write_book

    checked = check_rules(load(game).OPTIONS, rules)
    path = file_of(checked)
    table = solve(checked, workers, Bar()) if check is None and not path.exists() else Table(path, checked)
    if check == "sample":
        with tqdm(total=SAMPLE, desc="positions", file=sys.stderr) as bar:
            check_sample(table, SAMPLE, 0, bar.update)
    elif check == "all":
        check_all(table, workers, Bar())
    if book is not None:
        write_book(table, Path(book))
    header = table.header
    made = {"sweeps": len(header["history"]), "seconds": header["seconds"], "workers": header["workers"]}
    checksum = zlib.crc32(json.dumps(header["crc32"]).encode())
    return {"game": game, "rules": checked, **header["summary"], **made, "checksum": f"{checksum:08x}"}


def judge_position(truth: Position) -> dict[str, Any]:
    """What every move of one who builds alone leads to, and the best.

    Raises:
        InputError: several play, or hands are at work.
    """
    if truth.players > 1:
        raise InputError("rules.players", f"expected 1, only who builds alone has best moves; got {truth.players}")
    outcomes = truth.game.outcomes(truth)
    if outcomes is None:
        raise InputError("phase", "expected build, the builder must be the one to decide")
    judged = dict(zip(truth.moves(), outcomes, strict=True))
    best = max(judged, key=lambda move: judged[move].liking)
    return {
        "game": truth.game.NAME,
        "mode": truth.to_dict()["rules"]["mode"],
        "points": judged[best].points,
        "best": best,
        "moves": {move: outcome.points for move, outcome in judged.items()},
        "told": judged[best].told,
    }
