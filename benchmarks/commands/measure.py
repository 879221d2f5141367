"""The commands measure, bench and report: what is in results/, and how it comes there."""

import json
from pathlib import Path
from typing import Annotated

import typer

from ...solver.errors import InputError
from . import INTERRUPTED, AsJson, Game, Quiet, Results, Workers, print_as_json


def measure(
    game: Game,
    plan: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Which plan; may be given again.")] = None,
    deals: Annotated[int | None, typer.Option(metavar="N", help="Deals of every match; by default as planned.")] = None,
    workers: Workers = None,
    results: Results = Path("results"),
    quiet: Quiet = False,
) -> None:
    """Play the matches of a plan and write their summary under results/; without a plan, list the plans."""
    from ..measure import run
    from ..plans import plans

    if not plan:
        for name, entry in plans(game).items():
            typer.echo(f"{name:16} {entry.title}")
        return
    for name in plan:
        plans(game, name)
    for name in plan:
        if not run(game, name, results, deals, workers, progress=not quiet):
            typer.echo("interrupted; the same command continues", err=True)
            raise typer.Exit(INTERRUPTED)


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Few repeats, and nothing that compiles afresh.")] = False,
    peers: Annotated[bool, typer.Option("--peers", help="Measure OpenSpiel too; needs the extra 'openspiel'.")] = False,
    serving: Annotated[
        bool, typer.Option("--serving", help="Measure the service instead; needs the extra 'http'.")
    ] = False,
    openspiel: Annotated[
        bool,
        typer.Option("--openspiel", help="Play OpenSpiel's IS-MCTS on the same games instead; needs its extra."),
    ] = False,
    lab: Annotated[
        bool, typer.Option("--lab", help="Measure workers and a cluster instead; needs the extra 'cluster'.")
    ] = False,
    as_json: AsJson = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="File for the measurements.")] = None,
    quiet: Quiet = False,
) -> None:
    """Measure speed and memory: medians over repeats."""
    from ..files import write_text
    from ..tables import print_speed

    kinds = {"peers": peers, "serving": serving, "openspiel": openspiel, "lab": lab}
    wanted = [name for name, asked in kinds.items() if asked]
    if len(wanted) > 1:
        raise InputError(wanted[0], f"expected one of {', '.join(f'--{name}' for name in wanted)}, not more")
    command = " ".join(["mess bench", *["--quick"] * quick, *(f"--{name}" for name in wanted)])
    command += f" --out {out}" if out else ""
    if serving:
        from ..serving import measure as measure_service

        document = measure_service(quick=quick, command=command, progress=not quiet)
    elif openspiel:
        from ..openspiel import measure as measure_openspiel

        document = measure_openspiel(quick=quick, command=command, progress=not quiet)
    elif lab:
        from ..lab import measure as measure_lab

        document = measure_lab(quick=quick, command=command, progress=not quiet)
    else:
        from ..speed import measure as measure_speed

        document = measure_speed(quick=quick, peers=peers, command=command, progress=not quiet)
    if out is not None:
        write_text(out, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    if as_json:
        print_as_json(document)
    else:
        print_speed(document)


def report(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 if a table or picture is stale.")
    ] = False,
    history: Annotated[
        bool, typer.Option("--history", help="First write results/history.json from git: how results changed.")
    ] = False,
    root: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder with README.md and results/.")] = Path(),
) -> None:
    """Write the tables of README.md and results/README.md, and pictures, from the files in results/."""
    from ..report import look_back, refresh

    if history:
        if check:
            raise InputError("history", "expected --history or --check, which writes nothing; not both")
        look_back(root)
    stale = refresh(root, check=check)
    for name in stale:
        typer.echo(f"{'stale' if check else 'written'}: {name}")
    if not stale:
        typer.echo("all tables and pictures are those of results/")
    if check and stale:
        raise typer.Exit(1)
