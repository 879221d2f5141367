"""The commands on people's hands: fit a builder to a log of attempts, and make such a log up."""

import json
import math
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from ...solver.errors import InputError
from .. import options
from ..files import builder_file, read_text, warn, warn_of_fields, write_text

if TYPE_CHECKING:
    from ...solver.meeples.builder import Builder
    from ...solver.meeples.fit import Fit

FEW_SLIPS = 20
"""Slips below which a fitted builder is hardly to be relied on."""
MOST_ATTEMPTS = 1_000_000
MOST_JITTER = 1.0


def _builder(text: str) -> "Builder":
    from ...solver.meeples.builder import read_builder

    return read_builder(builder_file(text))


def _toml(fitted: "Fit", base: str) -> str:
    """The builder as a file that says where its numbers come from."""
    from ...solver.meeples.builder import write_toml

    left_open = ", ".join(part.name for part in fitted.parameters if part.estimate is None)
    return (
        f"# Fitted by mess meeples fit to {fitted.attempts} attempts with {fitted.slips} slips.\n"
        f"# Not determined by them, from {json.dumps(base)}: {left_open}.\n\n{write_toml(fitted.builder)}"
    )


def fit(
    file: Annotated[str, typer.Argument(metavar="LOG.csv", help='Attempts; "-" reads them from stdin.')],
    base: Annotated[
        str,
        typer.Option("--base", metavar="NAME|FILE.toml", help="Builder with what the log does not determine."),
    ] = "steady",
    out: Annotated[str | None, typer.Option(metavar="FILE.toml", help="File for the builder.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Fit a builder to a log of attempts, with 95 % intervals.

    The log is CSV with the header row,pace,seconds,outcome,fallen_to: row from 1, pace quick or careful, seconds with
    the clearing after a slip, outcome ok or slip, and after a slip the lowest row that fell.
    """
    assumed = _builder(base)
    from ...solver.meeples.attempts import read_log
    from ...solver.meeples.fit import fit as fit_builder

    log, ignored = read_log(read_text(file, "CSV"))
    warn_of_fields(ignored)
    fitted = fit_builder(log, assumed)
    if fitted.slips < FEW_SLIPS:
        warn(f"{fitted.slips} slips are few: the intervals tell how little they say; {FEW_SLIPS} or more are better")
    if out is not None:
        write_text(out, _toml(fitted, base))
    if as_json:
        print(json.dumps(fitted.to_dict(), separators=(",", ":")))
        return
    from ..screen import console
    from ..tables import fit_table

    console(sys.stdout).print(fit_table(fitted))


def simulate(
    builder: Annotated[str, typer.Option(metavar="NAME|FILE.toml", help="Whose hands.")] = "steady",
    attempts: Annotated[int, typer.Option(metavar="N", help="How many attempts.")] = 400,
    highest: Annotated[int, typer.Option(metavar="ROW", help="Rows are drawn from 1 to this one.")] = 8,
    jitter: Annotated[
        float, typer.Option(metavar="SHARE", help="Spread of the seconds, as a share of them (lognormal).")
    ] = 0.1,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed; without one it is drawn, and told.")] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE.csv", help="File for the log, instead of stdout.")] = None,
) -> None:
    """Make up a log of attempts by the model: rows and paces drawn uniformly."""
    options.positive(attempts, "attempts", MOST_ATTEMPTS)
    if not (math.isfinite(jitter) and 0.0 <= jitter <= MOST_JITTER):
        raise InputError("jitter", f"expected a number from 0 to {MOST_JITTER:g}, got {jitter}")
    import numpy as np

    from ...solver.meeples.attempts import simulate as make_up
    from ...solver.meeples.attempts import write_log
    from ...solver.meeples.state import MEEPLES
    from ...solver.rng import stream

    options.positive(highest, "highest", MEEPLES)
    chosen = options.any_seed() if seed is None else seed
    rng = np.random.default_rng(int(stream(chosen, "attempts")[0]))
    text = write_log(make_up(_builder(builder), attempts, rng, highest, jitter))
    if seed is None:
        print(f"seed {chosen}", file=sys.stderr)
    if out is None:
        print(text, end="")
    else:
        write_text(out, text)


def _root(context: typer.Context) -> None:
    """Meeple stacking: fit a builder to a person's hands, or make up a log of attempts."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def register(app: typer.Typer) -> None:
    """Add these to a command line, under ``meeples``."""
    ours = typer.Typer(rich_markup_mode=None)
    ours.callback(invoke_without_command=True)(_root)
    for command in (fit, simulate):
        ours.command()(command)
    app.add_typer(ours, name="meeples")
