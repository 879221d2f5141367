"""Advice, solutions and fitted builders in words and tables for a terminal."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .advice import Advice, MoveAdvice

if TYPE_CHECKING:
    from ..solver.exact.solution import Solution
    from ..solver.meeples.fit import Fit, Parameter

CHEATING = "CHEATING: this search was shown what is hidden (--open)."


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def advice_table(
    advice: Advice, cheating: bool = False, first: int | None = None, numbers: dict[str, int] | None = None
) -> RenderableType:
    """Moves ranked, with win probability or points, what a search adds to them, expected mess and why.

    Args:
        advice: what a search said.
        cheating: say that it saw what is hidden.
        first: how many moves to list; None for all.
        numbers: what to call each move, as another list does; by default the rank.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    cells: dict[str, Callable[[MoveAdvice], str]] = {"move": lambda move: move.move}
    if all(move.points is None for move in advice.moves):
        cells["win %"] = lambda move: _percent(move.win)
    else:
        cells["points"] = lambda move: "" if move.points is None else f"{move.points:.2f}"
    if advice.iterations:
        if "win %" in cells:
            cells["95 % interval"] = lambda move: f"{_percent(move.low)} to {_percent(move.high)}"
        cells["visits"] = lambda move: str(move.visits)
    if any(move.mess is not None for move in advice.moves):
        cells["mess"] = lambda move: "" if move.mess is None else f"{move.mess:.1f}"
    cells["why"] = lambda move: move.why
    for column in ("", *cells):
        left = column in ("move", "why")
        table.add_column(column, justify="left" if left else "right", no_wrap=column != "why", header_style="bold")
    for rank, move in enumerate(advice.moves[:first], 1):
        style = "bold" if move.move == advice.best else ""
        number = numbers[move.move] if numbers else rank
        table.add_row(*(Text(cell, style=style) for cell in (str(number), *(cell(move) for cell in cells.values()))))
    searched = f", {advice.iterations} iterations, {advice.worlds} worlds" if advice.iterations else ""
    summary = (
        f"{advice.game}, seat {advice.seat} to decide: {advice.method}{searched}, {advice.seconds:.1f} s, "
        f"seed {advice.seed}"
    )
    more = [Text(f"and {len(advice.moves) - first} more")] if first and first < len(advice.moves) else []
    return Group(*([Text(CHEATING, style="bold red")] if cheating else []), Text(summary), table, *more)


def summary_table(summary: dict[str, Any]) -> RenderableType:
    """What the solution of a whole game comes to: the start, and wins, losses and draws by balls on the board."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("balls", "wins", "losses", "draws"):
        table.add_column(column, justify="right", header_style="bold")
    for balls, counts in enumerate(summary["by_balls"]):
        table.add_row(str(balls), *(f"{count:,}" for count in counts))
    plies = "" if summary["plies"] is None else f" in {summary['plies']}"
    rules = ", ".join(f"{name} {value}" for name, value in summary["rules"].items())
    return Group(
        Text(f"{summary['game']}, {rules}"),
        Text(f"the start is a {summary['value']}{plies} for the first player; {summary['boards']:,} boards,"),
        Text(f"the longest win or loss takes {summary['longest']} plies"),
        table,
        Text(f"{summary['positions']:,} positions, {summary['sweeps']} sweeps, {summary['seconds']:.0f} s"),
    )


def solution_text(solution: "Solution") -> str:
    """Outcome and line of a solution, on one line each."""
    outcome: dict[str, Any] = {
        "win": f"seat {solution.seat} wins",
        "loss": f"seat {solution.seat} loses",
        "draw": "a draw",
        "unknown": f"not proven either way within {solution.nodes} positions",
    }
    if solution.points is not None:
        lead = sum(solution.points) - len(solution.points) * solution.points[solution.seat]
        how = f"leads by {lead}" if lead > 0 else f"trails by {-lead}" if lead else "is level"
        text = f"seat {solution.seat} {how}; points {', '.join(map(str, solution.points))}"
        return f"{text}\n{' '.join(solution.line)}"
    turns = "" if solution.turns is None else f" in {solution.turns} turn{'s' if solution.turns != 1 else ''}"
    text = f"{outcome[solution.outcome]}{turns}"
    return f"{text}\n{' '.join(solution.line)}" if solution.line else text


def _range_text(part: "Parameter") -> str:
    """The 95 % interval of a parameter, as far as it has ends."""
    most = 1.0 if part.name.startswith(("fall.", "hit")) else None
    low, high = f"{part.low:.4g}", "" if part.high is None else f"{part.high:.4g}"
    if part.high == most:
        return "" if part.low == 0.0 else f"at least {low}"
    return f"at most {high}" if part.low == 0.0 else f"{low} to {high}"


def fit_table(fit: "Fit") -> RenderableType:
    """The numbers of a fitted builder with their 95 % intervals, and what the builder has of them."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("", "estimate", "95 % interval", "builder"):
        table.add_column(column, justify="right" if column else "left", no_wrap=True, header_style="bold")
    for part in fit.parameters:
        value: Any = fit.builder.to_dict()
        for name in part.name.split("."):
            value = value[name]
        estimate = "not determined" if part.estimate is None else f"{part.estimate:.4g}"
        table.add_row(*map(Text, (part.name, estimate, _range_text(part), f"{value:.4g}")))
    spread = "" if fit.spread is None else f", seconds spread by {_percent(fit.spread)} %"
    count = f"{fit.attempts} attempt{'s' if fit.attempts != 1 else ''}, {fit.slips} slip{'s' if fit.slips != 1 else ''}"
    return Group(Text(f"{count}{spread}; log-likelihood {fit.log_likelihood:.2f}"), table)
