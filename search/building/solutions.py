"""What the exact solver of meeple stacking comes to, as objects for JSON: points, higher, contests, walls."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, groupby
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from ...solver.meeples import best, contest
from ...solver.meeples.builder import PACES, TICKS, Builder
from ...solver.meeples.dynamic import Solution
from ...solver.meeples.notation import action_text, told
from ...solver.meeples.state import CAREFUL, FIRST_BASE, LAST_BASE, STOP, SUPPORTS
from ...solver.meeples.walls import EMPTY, Rows, best_wall, with_one_more

BUCKET = 10
"""Seconds of time left that are told together."""
QUANTILES = (10, 50, 90)
LEAST_CHANCE = 1e-12
"""Final scores rarer than this are left out."""


def peak_memory() -> float | None:
    """Most megabytes that this process has used so far; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1e6 if sys.platform == "darwin" else 1e3), 1)


def _cost(began: float) -> dict[str, Any]:
    return {"took_seconds": round(time.perf_counter() - began, 2), "memory_mb": peak_memory()}


def compact(moves: Sequence[str]) -> str:
    """Moves with runs counted, ``6×1q 5×2q``."""
    return " ".join(f"{len(list(run))}×{move}" for move, run in groupby(moves))


class Line(NamedTuple):
    """What is done while nothing slips.

    Attributes:
        moves: compact.
        rows: the wall then.
        left: ticks left then.
        chance: that nothing slips.
    """

    moves: str
    rows: Rows
    left: int
    chance: float


def line_of(solution: Solution) -> Line:
    """The line of a policy from the empty cloth with all the time."""
    moves: list[str] = []
    rows: Rows = ()
    left, chance = solution.ticks, 1.0
    while (action := solution.best_action(rows, left)) != STOP:
        moves.append(action_text(action))
        rows = with_one_more(rows, action >> 1)
        left -= int(solution.clock.ticks[action - 2])
        chance *= 1.0 - float(solution.clock.slip[action - 2])
    return Line(compact(moves), rows, left, chance)


class Course:
    """What a policy does while the time runs out; a ``visit`` of ``Solution.ends``.

    Attributes:
        begun: float64[ticks + 1, A], chance that each action of the clock is begun with so many ticks left.
        stopped: float64[ticks + 1], chance that it stops then.
        reached: at every whole second, from the most, ticks left, walls (int64[n]) and their chances (float64[n]).
    """

    def __init__(self, solution: Solution) -> None:
        self.clock, self.ticks = solution.clock, solution.ticks
        self.begun = np.zeros((solution.ticks + 1, len(solution.clock.moves)))
        self.stopped = np.zeros(solution.ticks + 1)
        self.reached: list[tuple[int, np.ndarray, np.ndarray]] = []

    def __call__(self, left: int, now: np.ndarray, chosen: np.ndarray) -> None:
        """Hear of one tick."""
        walls = np.flatnonzero(now)
        chances = now[walls]
        by_action = np.bincount(chosen[walls], chances, minlength=2 + len(self.clock.moves))
        self.stopped[left], self.begun[left] = by_action[STOP], by_action[2:]
        if left % TICKS == 0:
            self.reached.append((left, walls, chances))

    def at_work(self) -> np.ndarray:
        """Chance of working on each row, float64[rows, ticks]: column ``t`` from ``t + 1`` to ``t`` ticks left."""
        total = np.vstack([np.zeros(len(self.clock.moves)), np.cumsum(self.begun, axis=0)])
        tick = np.arange(self.ticks)
        shares = np.zeros((len(self.clock.moves) // 2, self.ticks))
        for k, took in enumerate(self.clock.ticks):
            shares[k // 2] += total[np.minimum(tick + took, self.ticks) + 1, k] - total[tick + 1, k]
        return shares

    def has_stopped(self) -> np.ndarray:
        """Chance that it has stopped, float64[ticks], columns as of ``at_work``."""
        return np.cumsum(self.stopped[::-1])[::-1][1:]

    def quantiles(self) -> dict[str, float]:
        """Seconds left when it stops, by the per cent of ``QUANTILES``."""
        total = np.cumsum(self.stopped)
        places = np.searchsorted(total, np.array(QUANTILES) / 100 - LEAST_CHANCE)
        return {str(per_cent): float(left) / TICKS for per_cent, left in zip(QUANTILES, places, strict=True)}

    def by_time(self) -> list[dict[str, Any]]:
        """What is tried, by the seconds left: from the start, ``BUCKET`` seconds at a time.

        Of each: how many placements are begun; of these the mean chance to slip, the share of careful ones and the
        mean row, None where nothing is tried; and the chance that it stops.
        """
        pace, row = self.clock.moves & 1, self.clock.moves >> 1
        buckets = []
        for low in reversed(range(0, self.ticks, BUCKET * TICKS)):
            high = min(low + BUCKET * TICKS, self.ticks)
            first = low + (low > 0)
            begun = self.begun[first : high + 1].sum(axis=0)
            tried = float(begun.sum())
            told: dict[str, Any] = {"from": high / TICKS, "to": low / TICKS, "placements": tried}
            for name, what in (("slip", self.clock.slip), ("careful", pace == CAREFUL), ("row", row)):
                told[name] = float(begun @ what) / tried if tried > LEAST_CHANCE else None
            buckets.append(told | {"stops": float(self.stopped[first : high + 1].sum())})
        return buckets


@dataclass(frozen=True)
class Plan:
    """The best way to build for points.

    Attributes:
        solution: with its policy.
        course: what it does.
        empty: float64[ticks + 1], what to expect of an empty cloth with so many ticks left.
        values: by ticks left, at whole seconds, what to expect of the first walls; empty where not asked for.
        summary: for JSON.
    """

    solution: Solution
    course: Course
    empty: np.ndarray
    values: dict[int, np.ndarray]
    summary: dict[str, Any]


def _moments(points: np.ndarray, chances: np.ndarray) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean = float(points @ chances)
    return mean, float(np.sqrt(max(float(points**2 @ chances) - mean**2, 0.0)))


def solve_points(builder: Builder, seconds: int, support: int, workers: int, keep_values: bool = False) -> Plan:
    """The most points to be expected, what earns them, and what comes of it.

    Args:
        builder: whose hands.
        seconds: of the turn.
        support: ``BRIDGE`` or ``COLUMN``.
        workers: threads.
        keep_values: keep values at whole seconds.
    """
    began = time.perf_counter()
    ticks = TICKS * seconds
    solution = best.solve(builder, ticks, support, policy=True)
    walls = solution.walls
    empty = np.zeros(ticks + 1)
    values: dict[int, np.ndarray] = {}
    # a bar that is turned off does not count
    clock = count()
    with tqdm(total=ticks + 1, desc="ticks", unit=" ticks", file=sys.stderr) as bar:

        def hear(done: int) -> None:
            left = next(clock)
            line = solution.values[left % solution.window, :, 0]
            empty[left] = line[EMPTY]
            if keep_values and left % TICKS == 0:
                values[left] = line[: walls.until(ticks - left)].copy()
            bar.update(done)

        solution.solve(workers, hear)
    course = Course(solution)
    ends = np.bincount(walls.points, solution.ends(visit=course))
    mean, deviation = _moments(np.arange(len(ends)), ends)
    starts = [int(solution.clock.moves[k]) for k in range(len(PACES)) if solution.clock.ticks[k] <= ticks]
    first = {action_text(move): solution.action_value((), move, ticks) for move in [*starts, STOP]}
    line = line_of(solution)
    summary = {
        "game": "meeples",
        "solved": "points",
        "seconds": seconds,
        "support": SUPPORTS[support],
        "builder": told(builder),
        "points": float(empty[ticks]),
        "first": first,
        "mean": mean,
        "deviation": deviation,
        "distribution": {str(i): float(chance) for i, chance in enumerate(ends) if chance > LEAST_CHANCE},
        "line": {
            "moves": line.moves,
            "rows": list(line.rows),
            "points": int(walls.points[walls.find(line.rows)]),
            "seconds_left": line.left / TICKS,
            "chance": line.chance,
        },
        "stops": course.quantiles(),
        "by_time": course.by_time(),
        "shorter": {str(left // TICKS): float(empty[left]) for left in range(BUCKET * TICKS, ticks, BUCKET * TICKS)},
        "walls": len(walls.rows),
        **_cost(began),
    }
    return Plan(solution, course, empty, values, summary)


# --- higher ---


def _base(builder: Builder, base: int, ticks: int, support: int) -> dict[str, Any]:
    """The chance to finish a base in time and what has it; of the time, only where it is finished."""
    solution = contest.finishing(builder, base, ticks, support)
    goal = solution.walls.goal
    chance = solution.value((), ticks)
    if chance == 0.0:
        return {"base": base, "chance": 0.0, "line": None, "line_chance": None, "seconds": None}
    finished = np.zeros(ticks + 1)

    def hear(left: int, now: np.ndarray, chosen: np.ndarray) -> None:
        finished[left] = now[goal].sum()

    solution.ends(visit=hear)
    took = float(finished @ (ticks - np.arange(ticks + 1))) / float(finished.sum()) / TICKS
    line = line_of(solution)
    return {"base": base, "chance": chance, "line": line.moves, "line_chance": line.chance, "seconds": took}


def solve_higher(builders: Sequence[Builder], seconds: int, support: int) -> dict[str, Any]:
    """How surely each base is finished in time, by each builder; and of several builders the shares of wins."""
    began = time.perf_counter()
    bases: dict[Builder, list[dict[str, Any]]] = {}
    different = list(dict.fromkeys(builders))
    with tqdm(total=len(different) * (LAST_BASE - FIRST_BASE + 1), desc="bases", unit=" bases", file=sys.stderr) as bar:
        for builder in different:
            bases[builder] = []
            for base in range(FIRST_BASE, LAST_BASE + 1):
                if bases[builder] and bases[builder][-1]["chance"] == 0.0:
                    bases[builder].append(bases[builder][-1] | {"base": base})
                else:
                    bases[builder].append(_base(builder, base, TICKS * seconds, support))
                bar.update(1)
    chances = [[entry["chance"] for entry in bases[builder]] for builder in builders]
    players = [
        {"builder": told(builder), "rounds": float(np.cumprod(own).sum()), "bases": bases[builder]}
        for builder, own in zip(builders, chances, strict=True)
    ]
    shares = {"shares": contest.race(chances)} if len(builders) > 1 else {}
    return {
        "game": "meeples",
        "solved": "higher",
        "seconds": seconds,
        "support": SUPPORTS[support],
        "players": players,
        **shares,
        **_cost(began),
    }


# --- contests ---


class _TurnBar:
    """A bar over the gaps of a turn, and one more for every turn."""

    def __init__(self, turns: int) -> None:
        self.turns, self.left = turns, turns
        self.bar: Any = None

    def __call__(self, settled: int, gaps: int) -> None:
        """Hear of gaps that are settled."""
        if self.bar is None:
            name = f"turn {self.left} of {self.turns}" if self.turns > 1 else "gaps"
            self.bar = tqdm(total=gaps, desc=name, unit=" gaps", file=sys.stderr)
        self.bar.update(settled - self.bar.n)
        if settled == gaps:
            self.close()
            self.left -= 1

    def close(self) -> None:
        """Leave the bar as it is."""
        if self.bar is not None:
            self.bar.close()
        self.bar = None


def _share(differences: np.ndarray, lowest: int, gap: int) -> float:
    """Chance to be ahead in the end, a tie counting half; ``differences`` from ``lowest`` up are added to ``gap``."""
    final = gap + lowest + np.arange(len(differences))
    return float(differences[final > 0].sum() + differences[final == 0].sum() / 2)


def solve_contest(
    builders: tuple[Builder, Builder], seconds: int, support: int, turns: int, workers: int
) -> dict[str, Any]:
    """A contest of two who both want to win, beside what comes of it where both just play for points."""
    began = time.perf_counter()
    ticks = TICKS * seconds
    bar = _TurnBar(turns)
    try:
        solved = contest.solve_contest(builders, ticks, support, turns, workers, bar)
    finally:
        bar.close()
    by_builder = {}
    for builder in dict.fromkeys(builders):
        side = contest.Side(builder, ticks, support, workers)
        by_builder[builder] = side.best(np.arange(side.most + 1.0)[None])[1][0]
    plain = [by_builder[builder] for builder in builders]
    moments = [_moments(np.arange(len(points)), points) for points in plain]
    one_turn, lowest = np.convolve(plain[0], plain[1][::-1]), 1 - len(plain[1])
    differences, told_turns = np.ones(1), []
    for to_go, turn in enumerate(reversed(solved), 1):
        differences = np.convolve(differences, one_turn)
        gaps = [
            {
                "gap": gap,
                "low": float(turn.low[i]),
                "high": float(turn.high[i]),
                "points": turn.mean[i].tolist(),
                "deviation": turn.spread[i].tolist(),
                "plain": _share(differences, to_go * lowest, gap),
                "answers": int(turn.answers[i]),
            }
            for i, gap in enumerate(turn.gaps.tolist())
        ]
        told_turns.append({"turn": turns - to_go + 1, "converged": turn.has_converged, "gaps": gaps})
    start = next(gap for gap in told_turns[-1]["gaps"] if gap["gap"] == 0)
    return {
        "game": "meeples",
        "solved": "contest",
        "seconds": seconds,
        "support": SUPPORTS[support],
        "turns": turns,
        "builders": [told(builder) for builder in builders],
        "share": (start["low"] + start["high"]) / 2,
        "low": start["low"],
        "high": start["high"],
        "converged": all(turn["converged"] for turn in told_turns),
        "plain": {
            "share": start["plain"],
            "points": [mean for mean, _ in moments],
            "deviation": [deviation for _, deviation in moments],
        },
        "by_turn": told_turns[::-1],
        **_cost(began),
    }


def solve_wall(meeples: int, support: int) -> dict[str, Any]:
    """The wall of so many meeples that is worth most, without a clock."""
    points, rows = best_wall(meeples, support)
    return {
        "game": "meeples",
        "solved": "wall",
        "meeples": meeples,
        "support": SUPPORTS[support],
        "points": points,
        "rows": list(rows),
    }
