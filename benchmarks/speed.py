"""How fast it is and how much memory it takes: medians over repeats, on one core, in one run."""

import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from ..search.search import advise
from ..solver.game import deal
from ..solver.position import Position
from ..solver.rng import stream
from . import meeples, odin, pylos
from .playouts import random_games, redeals

GAME = "flaming"
DEALS, SEARCHED = 32, 4
MAIN = f"from {__package__.rpartition('.')[0]}.search.cli import main; main()"
WHOLE_GAMES = "mcts, random playouts to the end, 2 players"
"""The search that is held against those of peers, whose playouts go to the end too."""
SEARCHES: dict[str, dict[str, Any]] = {
    WHOLE_GAMES: {"playout": "random", "cutoff": 0},
    "mcts, smallest-mess playouts to the end, 2 players": {"playout": "smallest-mess", "cutoff": 0},
    "mcts, random playouts cut off as by default, 2 players": {"playout": "random"},
    "mcts, smallest-mess playouts cut off as by default, 2 players": {"playout": "smallest-mess"},
}
LEAVE_STATUS = """
import atexit, os, shutil
if os.path.exists("/proc/self/status"):
    atexit.register(shutil.copy, "/proc/self/status", os.environ["MESS_STATUS"])
"""
"""Put before a program: at its end it leaves what the system says of it in a file."""


class Row(NamedTuple):
    """One measurement: the median of its repeats, and their range."""

    name: str
    value: float
    unit: str
    low: float
    high: float
    repeats: int


def row(name: str, unit: str, values: list[float]) -> Row:
    """The median of some values."""
    return Row(name, statistics.median(values), unit, min(values), max(values), len(values))


def rate(name: str, unit: str, work: Callable[[], float], repeats: int) -> Row:
    """What ``work`` says it did, a second; run once before, for what has to be compiled or loaded."""
    work()
    values = []
    for _ in range(repeats):
        started = time.perf_counter()
        done = work()
        values.append(done / (time.perf_counter() - started))
    return row(name, unit, values)


def _records(positions: list[Position], seat: int | None = None) -> np.ndarray:
    """The records of positions, or of what a seat sees of them, in one array."""
    views = positions if seat is None else [position.observe(seat) for position in positions]
    states = np.empty(len(views), dtype=positions[0].game.DTYPE)
    for i, view in enumerate(views):
        states[i] = view.state
    return states


def _deals(rules: dict[str, Any]) -> list[Position]:
    return [deal(GAME, seed, **rules) for seed in range(DEALS)]


def engine(repeats: int, games: int) -> list[Row]:
    """Random play and new deals, in the engine alone."""
    rows = []
    tables: list[tuple[str, dict[str, Any]]] = [(f"{n} players", {"players": n}) for n in (2, 3, 4, 6)]
    tables.append(("2 players, german", {"players": 2, "preset": "german"}))
    tables.append(("2 players, curse and special fire", {"players": 2, "curse": True, "special_fire": True}))
    for name, rules in tables:
        positions = _deals(rules)
        starts, rng = _records(positions), stream(0, "speed", name)
        work = starts[:1].copy()
        play = partial(random_games, starts, work, rng, games)
        rows.append(rate(f"random play, {name}", "decisions/s", play, repeats))
    positions = _deals({"players": 2})
    concealed, rng, times = _records(positions, 0), stream(0, "speed", "redeal"), 200 * games

    def redeal() -> float:
        redeals(concealed, work, rng, times)
        return times

    work = concealed[:1].copy()
    rows.append(rate("redeal, 2 players", "deals/s", redeal, repeats))
    return rows


def decisions_per_game(games: int) -> float:
    """Mean decisions of a random game of two."""
    starts = _records(_deals({"players": 2}))
    return random_games(starts, starts[:1].copy(), stream(0, "speed", "length"), games) / games


def searches(repeats: int, iterations: int) -> list[Row]:
    """The whole search at the first decision of games of two, where playouts are longest."""
    views = [position.observe(position.to_act) for position in _deals({"players": 2})[:SEARCHED]]
    rows = []
    for name, options in SEARCHES.items():

        def search(options: dict[str, Any] = options) -> float:
            spent = 0
            for view in views:
                spent += advise(view, iterations=iterations, options=options, seed=spent).iterations
            return spent

        rows.append(rate(name, "iterations/s", search, repeats))
    return rows


def other_games(repeats: int) -> list[Row]:
    """Odin, meeple stacking, and what is particular to Pylos."""
    works = [*odin.works(), *pylos.works(), *meeples.works()]
    rows = [rate(name, unit, work, repeats) for name, unit, work in works]
    name, from_python, in_kernels = pylos.probes(repeats)
    return [
        *rows,
        row(f"probe of a solution from Python, Pylos, {name}", "µs", [1e6 * seconds for seconds in from_python]),
        *(
            row(f"probe of a solution in kernels, {number} at a time, Pylos, {name}", "ns", [1e9 * s for s in seconds])
            for number, seconds in in_kernels.items()
        ),
    ]


def _peak(status: Path, usage: Any) -> float:
    """Peak memory in MB that a process left in ``status``; what its parent counted where there is no such file.

    On Linux the parent's count will not do: a new process starts with the peak of the one that started it.
    """
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    if found:
        return int(found[1]) / 1024
    return usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _run(arguments: list[str], cache: Path | None = None) -> tuple[float, float, str]:
    """Seconds, peak memory in MB and output of a command in a process of its own."""
    environment = os.environ | ({} if cache is None else {"NUMBA_CACHE_DIR": str(cache)})
    with tempfile.TemporaryFile() as output, tempfile.TemporaryDirectory() as folder:
        status = Path(folder) / "status"
        started = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-c", LEAVE_STATUS + arguments[0], *arguments[1:]],
            env=environment | {"MESS_STATUS": str(status)},
            stdout=output,
            stderr=subprocess.DEVNULL,
        )
        _, code, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(code)
        output.seek(0)
        text = output.read().decode()
        memory = _peak(status, usage)
    if process.returncode != 0:
        raise RuntimeError(f"{arguments[1:]} ended with {process.returncode}")
    return seconds, memory, text


def start_up(repeats: int) -> list[Row]:
    """Imports and help, each in a fresh process."""
    root = __package__.rpartition(".")[0]
    commands = {
        "mess --help": [MAIN, "--help"],
        "import of bots and search": [f"import {root}.search.bot, {root}.search.search"],
        "python alone": ["pass"],
    }
    return [row(name, "s", [_run(command)[0] for _ in range(repeats)]) for name, command in commands.items()]


def hints(repeats: int, cold: bool) -> list[Row]:
    """Latency beyond the budget, and peak memory, of ``mess hint`` on what a seat sees at the start of a game."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        position = folder / "position.json"
        position.write_text(str(deal(GAME, 0, players=2).observe(0)), encoding="utf-8")

        def latency(cache: Path | None, *budget: str) -> tuple[float, float]:
            seconds, memory, text = _run([MAIN, "hint", str(position), *budget, "--json"], cache)
            return seconds - json.loads(text)["seconds"], memory

        if cold:
            started = time.perf_counter()
            latency(folder / "cache", "--iterations", "100")
            rows.append(row("first hint ever, compiling, 100 iterations", "s", [time.perf_counter() - started]))
        latency(None, "--iterations", "100")
        runs = [latency(None, "--time", "2s") for _ in range(repeats)]
        rows.append(row("later hint, beyond its 2 s", "s", [seconds for seconds, _ in runs]))
        rows.append(row("peak memory of a 2 s hint", "MB", [memory for _, memory in runs]))
    return rows


def solving(repeats: int) -> list[Row]:
    """Time and memory of the exact solution of meeple stacking, as a command in a process of its own."""
    runs = [_run([MAIN, *meeples.SOLVING])[:2] for _ in range(repeats)]
    return [
        row("solve meeples points, 120 s, two threads", "s", [seconds for seconds, _ in runs]),
        row("peak memory of that", "MB", [memory for _, memory in runs]),
    ]


def machine() -> dict[str, Any]:
    """What it was measured on; nothing that names the machine."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = info.read_text(encoding="utf-8", errors="replace").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
        "package": version("smallest-mess"),
    }


def ratios(rows: list[Row], length: float) -> list[dict[str, Any]]:
    """Our play and search to every peer's, game for game and decision for decision.

    Args:
        rows: all measurements.
        length: decisions of a random game of two, which every iteration of a search to the end makes too.
    """
    values = {row.name: row.value for row in rows}
    play, search = values["random play, 2 players"], values[WHOLE_GAMES]
    ours = {
        "playouts/s": play / length,
        "decisions/s in playouts": play,
        "search iterations/s": search,
        "decisions/s in search": search * length,
    }
    found = []
    for name, value in values.items():
        peer, _, what = name.rpartition(", ")
        if what in ours and peer.startswith("OpenSpiel"):
            found.append({"name": f"{what} to those of {peer}", "value": ours[what] / value})
    return found


def measure(quick: bool = False, peers: bool = False, command: str = "mess bench", progress: bool = True) -> dict:
    """Measure everything.

    Args:
        quick: fewer repeats, and no compiling afresh.
        peers: OpenSpiel too, on the same core right after.
        command: what made this, for the file.
        progress: show a bar on a terminal.

    Raises:
        InputError: peers are asked for and not installed.
    """
    repeats, games, iterations = (3, 500, 300) if quick else (7, 4000, 2000)
    parts: list[Callable[[], list[Row]]] = [
        lambda: engine(repeats, games),
        lambda: searches(repeats, iterations),
        lambda: other_games(repeats),
        lambda: start_up(repeats),
        lambda: solving(1 if quick else 3),
        lambda: hints(1 if quick else 3, cold=not quick),
    ]
    if peers:
        from .peers import openspiel, require

        require()
        parts.append(lambda: openspiel(repeats, quick))
    rows: list[Row] = []
    for part in tqdm(parts, unit="part", disable=None if progress else True):
        rows += part()
    length = decisions_per_game(games)
    notes = [f"A random game of two has {length:.0f} decisions; a playout from its start makes as many."]
    if peers:
        notes.append("Ratios to peers: random playouts to the end on both sides; their games are other games.")
    return {
        "kind": "speed",
        "title": "Speed",
        "command": command,
        "quick": quick,
        "machine": machine(),
        "rows": [measured._asdict() for measured in rows],
        "ratios": ratios(rows, length),
        "notes": notes,
    }
