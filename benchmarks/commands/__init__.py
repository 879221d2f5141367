"""Commands of the command line: what strategies are worth, and how fast everything is."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

INTERRUPTED = 130

Rules = dict[str, Any]
Game = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game; see mess games.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Workers = Annotated[int | None, typer.Option(metavar="N", help="Processes; by default one a core.")]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on the workers of a Dask scheduler, tcp://HOST:PORT.")
]
Results = Annotated[Path, typer.Option(metavar="FOLDER", help="Folder of results.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Seed; the same seed gives the same games.")]
Folder = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Folder for the match files; goes on with what is there.")
]
Opening = Annotated[
    int | None,
    typer.Option(metavar="PLIES", help="Random plies before the bots begin; by default 4 for Pylos, else none."),
]


def register(app: typer.Typer) -> None:
    """Register the commands of this package on the one app."""
    from .match import match
    from .measure import bench, measure, report
    from .rate import rate
    from .tune import tune

    app.command("match")(match)
    app.command("rate")(rate)
    app.command("tune")(tune)
    app.command("measure")(measure)
    app.command("bench")(bench)
    app.command("report")(report)


def print_as_json(data: Any) -> None:
    """Print one line of JSON."""
    typer.echo(json.dumps(data, ensure_ascii=False))
