"""The commands match, measure, bench and report."""

import json
from pathlib import Path
from typing import Annotated

import typer

from ...search.options import with_rules
from ...solver.errors import InputError
from . import INTERRUPTED, AsJson, Cluster, Game, Opening, Quiet, Results, Rules, Workers, print_as_json

DEALS, MOST_OF_TEST = 50, 100_000
"""Deals of a match, and the most of a sequential test, unless told otherwise."""


@with_rules()
def match_command(
    game: Game,
    bots: Annotated[
        list[str], typer.Argument(metavar="BOT", help="Such as mcts@2000 or my_bot.py; fewer than players take turns.")
    ],
    deals: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Deals, by default 50, each with every rotation of the bots; the most of --sprt."
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Play until it is decided whether the first bot is better by LOW or by HIGH: of two players Elo, of "
            "more points of win share above an equal one, in percent.",
        ),
    ] = None,
    alpha: Annotated[float, typer.Option(metavar="P", help="Of --sprt: chance of a wrong HIGH.")] = 0.05,
    beta: Annotated[float, typer.Option(metavar="P", help="Of --sprt: chance of a wrong LOW.")] = 0.05,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed; the same seed gives the same games.")] = 0,
    *,
    rules: Rules,
    opening: Opening = None,
    workers: Workers = None,
    cluster: Cluster = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for finished deals; continues an earlier run.")
    ] = None,
    control: Annotated[
        bool,
        typer.Option(
            "--control", help="Take known luck out of the first bot's share; meeples. Plays all games once more."
        ),
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play bots against each other on duplicate deals: who wins how often, and how sure that is."""
    if control:
        from ..variance import check_control

        setup = check_control(game, bots, seed, rules, opening)
    from ..match import match
    from ..tables import interval, match_json, percent, print_match

    if deals is None:
        deals = DEALS if sprt is None else MOST_OF_TEST
    result = match(
        game,
        bots,
        deals=deals,
        seed=seed,
        rules=rules,
        opening=opening,
        workers=workers,
        cluster=cluster,
        out=out,
        progress=not quiet,
        sprt=sprt,
        alpha=alpha,
        beta=beta,
    )
    is_interrupted = len(result.blocks) < deals and not (result.test and result.test.verdict.accepted)
    share = None
    if control and not is_interrupted:
        from ..variance import control as without_luck

        share = without_luck(setup, result.blocks, workers, progress=not quiet)
    if as_json:
        print_as_json(match_json(result) | ({"control": share._asdict()} if share else {}))
    else:
        print_match(result)
        if share:
            typer.echo(
                f"luck taken out, {result.bots[0]}: {percent(share.value)}, "
                f"95 % interval {interval(share.low, share.high)}"
            )
    if is_interrupted:
        typer.echo(f"interrupted after {len(result.blocks)} of {deals} deals", err=True)
        raise typer.Exit(INTERRUPTED)


def measure_command(
    game: Game,
    plan: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Which plan; may be given again.")] = None,
    deals: Annotated[int | None, typer.Option(metavar="N", help="Deals of every match; by default as planned.")] = None,
    workers: Workers = None,
    results: Results = Path("results"),
    quiet: Quiet = False,
) -> None:
    """Play the matches of a plan and write their summary under results/; without a plan, list the plans."""
    from ..plans import plans, run

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


def bench_command(
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
    from ..report import write_text
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
        from ..speed import measure

        document = measure(quick=quick, peers=peers, command=command, progress=not quiet)
    if out is not None:
        write_text(out, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    if as_json:
        print_as_json(document)
    else:
        print_speed(document)


def report_command(
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
    if check and stale:
        raise typer.Exit(1)
