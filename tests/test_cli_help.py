"""Help texts, letter by letter, and how fast and light the command line starts.

After a wanted change of a text: ``UPDATE_HELP=1 pytest tests/test_cli_help.py``, then read the difference.
"""

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from mess.search import cli
from mess_command import OWN, mess

HELP = Path(__file__).parent / "data" / "cli"
COMMANDS = (
    *("", "deal", "show", "moves", "replay", "hint", "explain", "solve", "score", "play", "check", "perft", "games"),
    *("serve", "bots", "meeples"),
)
INNER = ("bots list", "bots make", "meeples fit", "meeples simulate")


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize("command", COMMANDS + INNER)
def test_help(command):
    result = mess(*command.split(), "--help")
    file = HELP / f"help-{command.replace(' ', '-') or 'mess'}.txt"
    if os.environ.get("UPDATE_HELP"):
        file.write_text(result.out, encoding="utf-8")
    assert (result.code, result.err) == (0, "")
    assert result.out == file.read_text(encoding="utf-8")


def test_every_command_is_in_the_main_help():
    listed = mess().out.split("Commands:")[1].splitlines()
    assert [line.split()[0] for line in listed if line.strip()] == list(COMMANDS[1:])


def test_version():
    result = mess("--version")
    assert result.code == 0
    assert result.out.startswith("mess 0.")


def test_help_loads_nothing_heavy():
    script = (
        "import sys; from mess.search import cli; cli.run(['--help'])\n"
        "heavy = {'numba', 'numpy', 'llvmlite', 'multiprocess', 'scipy', 'tqdm', 'matplotlib'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "play" in result.stdout


def test_commands_of_others_that_leave_are_left_out(monkeypatch, tmp_path):
    (tmp_path / "abc_commands.py").write_text("raise SystemExit(3)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    result = mess("--version", entries=[EntryPoint("other", "abc_commands:commands", cli.GROUP), *OWN])
    assert result.code == 0
    assert result.err == "mess: warning: commands of abc_commands:commands left out, SystemExit: 3\n"


def test_broken_commands_of_others_are_left_out():
    broken = EntryPoint("other", "nowhere_at_all:commands", cli.GROUP)
    wrong = EntryPoint("wrong", "json:nothing", cli.GROUP)
    result = mess("--version", entries=[broken, *OWN, wrong])
    assert result.code == 0
    assert result.err.splitlines() == [
        "mess: warning: commands of nowhere_at_all:commands left out, "
        "ModuleNotFoundError: No module named 'nowhere_at_all'",
        "mess: warning: commands of json:nothing left out, AttributeError: module 'json' has no attribute 'nothing'",
    ]
