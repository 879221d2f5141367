"""The commands: on positions and records, hints and play, bots, solutions, people's hands, and the service."""

import typer

from . import bots, check, explain, games, hands, serve, solve


def register(app: typer.Typer) -> None:
    """Add all of them to a command line."""
    for command in (
        *(games.deal, games.show, games.moves, games.replay, games.hint, explain.explain, solve.solve, solve.score),
        *(games.play, check.check, games.perft, games.games, serve.serve),
    ):
        app.command()(command)
    bots.register(app)
    hands.register(app)
