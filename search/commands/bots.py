"""The commands about bots: listed with what they were measured to be worth, and written as files."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ...solver.errors import InputError
from ..files import print_json
from ..options import AsJson

LIST = "list"
NOT_MEASURED, YARDSTICK = "not measured", "what others are measured against"


class ListedByDefault(TyperGroup):
    """A group whose name alone, or with something that is none of its commands, is its command ``list``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``list`` in front where no command is named."""
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = [LIST, *args]
        return super().parse_args(ctx, args)


def list_bots(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Name of a game; by default all.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the bots that play a game, what they do, and how strong they were measured to be."""
    from ...solver.game import NAMES
    from ..bot import prose
    from ..bots.find import plugins
    from ..bots.strengths import measured

    rows = [
        {"game": one, "bot": name, "settings": text, "strength": [row.__dict__ for row in measured(one, name)]}
        for one in (NAMES if game is None else (game,))
        for name, text in prose(one).items()
    ]
    # nothing of a plug-in is run before one is named
    rows += [{"game": None, "bot": name, "settings": f"plug-in, {at.value}"} for name, at in plugins().items()]
    if as_json:
        print_json(rows)
        return
    _print(rows)


def _print(rows: list[dict[str, Any]]) -> None:
    """A line a bot: its name and what it does; below it what was measured."""
    from ..bots.levels import level_of
    from ..bots.strengths import Strength, is_yardstick

    for row in rows:
        print(f"{row['game'] or 'any game'} {row['bot']}: {row['settings']}")
        if row["game"]:
            for told in row["strength"]:
                found = Strength(**told)
                is_itself = found.bot == row["bot"] or level_of(row["bot"]) is not None
                print(f"    {'wins' if is_itself else found.bot} {found.text}")
            if not row["strength"]:
                print(f"    {YARDSTICK if is_yardstick(row['game'], row['bot']) else NOT_MEASURED}")


def make(
    game: Annotated[str, typer.Option(metavar="GAME", help="Game that it plays.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="What it is called.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE.toml", help="File to write.")],
    level: Annotated[int | None, typer.Option(metavar="N", help="Level, from 1 to 10.", show_default=False)] = None,
    bot: Annotated[str | None, typer.Option(metavar="BOT", help="Instead of a level a bot, as mcts@500.")] = None,
    blunder: Annotated[
        float | None, typer.Option(metavar="P", help="Probability that a move is any legal one.", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Write a bot of your own to a file, which then can be named wherever a bot can."""
    from ..bots import files

    if out.suffix != files.ENDING:
        raise InputError("out", f"expected a file *{files.ENDING}, by which it is known for a bot; got {out}")
    given = {"name": name, "game": game, "level": level, "bot": bot, "blunder": blunder}
    made = files.read({key: value for key, value in given.items() if value is not None})
    made.make(made.name)
    files.save(made, str(out), force)
    print(f"{out}: {made.name} plays {made.game}, {made.bot}", file=sys.stderr)


def register(app: typer.Typer) -> None:
    """Add the group ``bots`` to a command line."""
    group = typer.Typer(cls=ListedByDefault, help="List the bots, or write one of your own to a file.")
    group.command(LIST)(list_bots)
    group.command("make")(make)
    app.add_typer(group, name="bots")
