"""The command line ``mess``: finds its commands, and turns every error into one line.

Nothing heavy is imported here before a command runs: ``mess --help`` has to answer at once.
"""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points, version
from typing import Annotated, Any

import typer

from ..solver.errors import InputError
from .files import one_line, warn

GROUP = "mess.commands"
WRONG_INPUT, STOPPED = 2, 130
LONGEST_LINE = 4000

Version = Annotated[bool, typer.Option("--version", help="Show the version and exit.")]


def _root(context: typer.Context, show_version: Version = False) -> None:
    """Opponents, hints and solvers for games about pyramids and shedding.

    Positions and records are JSON files; "-" stands for standard input.
    """
    if show_version:
        print(f"mess {version('smallest-mess')}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


def build() -> typer.Typer:
    """The command line with the commands of every installed package.

    An entry point of the group ``mess.commands`` names a function that adds commands to a ``typer.Typer``; one that
    fails is left out with a warning.
    """
    app = typer.Typer(
        name="mess",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback(invoke_without_command=True)(_root)
    found = entry_points(group=GROUP)
    for entry in sorted(found, key=lambda entry: (not entry.value.startswith("mess.search"), entry.name)):
        try:
            entry.load()(app)
        except (Exception, SystemExit) as error:
            warn(f"commands of {entry.value} left out, {type(error).__name__}: {_one_line(str(error))}")
    return app


def _one_line(text: str) -> str:
    """``text`` on one line of bounded length, without characters that would move the cursor."""
    line = one_line(text)
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"


def _complain(text: str) -> int:
    print(f"mess: {_one_line(text)}", file=sys.stderr)
    return WRONG_INPUT


def _usage(error: Any) -> int:
    """A wrong option or command: the parser's message, and where to read on."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "mess"
    return _complain(f"{error.format_message().rstrip('.')}; see {path} --help")


def _unwritten(error: OSError | SystemExit) -> int:
    """What could not be written: whoever stopped reading has seen enough, anything else is told in a line."""
    cause = error.__context__ if isinstance(error, SystemExit) else error
    if not isinstance(cause, OSError) or cause.filename is not None:
        raise error
    # the interpreter must not try to flush the rest
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(cause, BrokenPipeError):
        return 0
    return _complain(f"standard output: expected room to write; {(cause.strerror or str(cause)).lower()}")


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, by default the one this process was started with; its exit code."""
    if sys.stdout is None:
        return _complain("standard output: expected it to be open")
    try:
        code = build()(args=arguments, prog_name="mess", standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        return _complain(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return STOPPED
    except (OSError, SystemExit) as error:
        return _unwritten(error)
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return _usage(error)
    return code if isinstance(code, int) else 0


def main() -> None:
    """The command ``mess``."""
    sys.exit(run())
