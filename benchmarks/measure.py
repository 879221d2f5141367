"""Plans carried out: what is planned is played, and written down under results/."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..solver.fields import check_rules
from ..solver.game import load
from .blocks import MOST_DEALS
from .crew import check_count, crew
from .files import make_folder, write_text
from .ladder import KIND, Ladder
from .match import match
from .plans import Plan, PoolPlan, TruthPlan, TuningPlan, plans
from .rate import open_pool, rate, summary
from .result import MatchResult
from .tune import tune


def _block_file(folder: Path, game: str, bots: list[str], plan: Plan) -> Path:
    """Where a match keeps its blocks: plans that share a match share its file."""
    key = json.dumps([game, bots, plan.rules, plan.deals, plan.seed], sort_keys=True)
    slug = re.sub(r"[^a-z0-9]+", "-", f"{game}-{plan.players}p-{bots[0]}")
    return folder / f"{slug}-{hashlib.sha256(key.encode()).hexdigest()[:8]}.jsonl"


def _matches(game: str, plan: Plan, folder: Path, workers: int | None, progress: bool) -> dict[str, Any] | None:
    """Play the matches of a plan, blocks kept in ``folder``; None when it was interrupted."""
    played: list[MatchResult] = []
    for bot in plan.bots:
        bots = [bot] + [plan.against] * (plan.players - 1)
        out = _block_file(folder, game, bots, plan)
        options: dict[str, Any] = {"deals": plan.deals, "seed": plan.seed, "rules": plan.rules, "workers": workers}
        result = match(game, bots, out=out, progress=progress, **options)
        if len(result.blocks) < plan.deals:
            return None
        played.append(result)
    summaries = [
        {"specs": [bot, plan.against]} | result.summary() for bot, result in zip(plan.bots, played, strict=True)
    ]
    return {"kind": "matches", "matches": summaries}


def _steps(game: str, ladder: Ladder, *options: Any) -> dict[str, Any] | None:
    """Play the matches of a ladder as ``_matches`` does; None when it was interrupted."""
    found = []
    for (bot, below), deals in zip(ladder.pairs(game), ladder.deals, strict=True):
        step = _matches(game, Plan(ladder.title, (bot,), 2, deals, ladder.rules, ladder.seed, below), *options)
        if step is None:
            return None
        found += step["matches"]
    return {"kind": KIND, "matches": found}


def _rated(game: str, plan: PoolPlan, folder: Path, workers: int | None, progress: bool) -> dict[str, Any] | None:
    """Play the pool of a plan, its files in a folder of their own; None when it was interrupted."""
    with crew(workers) as work:
        pool = open_pool(game, plan.bots, plan.players, plan.rules, plan.seed, None, folder / f"{game}-ratings")
        if not rate(pool, plan.deals, work, progress=progress):
            return None
        return summary(pool, work, plan.anchor, progress)


def _tuned(game: str, plan: TuningPlan, folder: Path, workers: int | None, progress: bool) -> dict[str, Any] | None:
    """Race and test as planned, the files in a folder of their own; None when it was interrupted."""
    tuning = replace(plan.tuning, deals=plan.deals)
    try:
        return tune(tuning, folder=folder / f"{game}-tuning", workers=workers, progress=progress)
    except KeyboardInterrupt:
        return None


PLAYED: dict[type, Callable[..., dict[str, Any] | None]] = {
    Plan: _matches,
    Ladder: _steps,
    PoolPlan: _rated,
    TuningPlan: _tuned,
}
"""How plans are played whose finished blocks are kept."""


def run(
    game: str,
    name: str,
    results: Path,
    deals: int | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> bool:
    """Play a plan and write ``GAME-NAME.json`` under ``results``; finished blocks are kept in ``results/blocks``.

    Args:
        game, name: which plan.
        results: folder of results.
        deals: deal blocks of every match, or positions of every number of balls, if not as planned.
        workers: processes, by default one a core.
        progress: show a bar on a terminal.

    Returns:
        Whether it was finished; the next run goes on from where the matches of this one were interrupted.

    Raises:
        InputError: no such plan, or not a number of deals; or the folder cannot be written, or a file in it belongs
            to another version of this package.
    """
    plan = plans(game, name)[name]
    command = f"mess measure {game} --plan {name}"
    if deals is not None:
        count = check_count("deals", deals, MOST_DEALS)
        if isinstance(plan, Ladder):
            plan = replace(plan, deals=(count,) * len(plan.deals))
        else:
            plan = replace(plan, deals=count)
        command += f" --deals {deals}"
    make_folder(results / "blocks", "results")
    if not isinstance(plan, TruthPlan):
        found = PLAYED[type(plan)](game, plan, results / "blocks", workers, progress)
        if found is None:
            return False
    else:
        rules = check_rules(load(game).OPTIONS, plan.rules)
        try:
            found = plan.measure(rules, plan.bots, plan.deals, plan.seed, workers, progress)
        except KeyboardInterrupt:
            return False
    document = {"kind": found.pop("kind"), "title": plan.title, "command": command, **found}
    path = results / f"{game}-{name}.json"
    write_text(path, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    return True
