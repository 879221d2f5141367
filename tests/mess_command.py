"""Runs ``mess`` inside the test's own process, with bots and a search made up where a test wants no real ones."""

import io
import sys
import types
from contextlib import redirect_stderr, redirect_stdout
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import typer
from mess.benchmarks import commands
from mess.search import bot, cli, table
from mess.search.advice import Advice, MoveAdvice
from typer.testing import CliRunner

CASES = Path(__file__).parent / "data" / "cases"
OWN = [EntryPoint("search", "mess.search.commands:register", cli.GROUP)]


class Output(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def lines(self):
        return self.out.splitlines()


def as_stdin(text):
    """A standard input that holds ``text`` (or bytes)."""
    content = text if isinstance(text, bytes) else text.encode()
    return io.TextIOWrapper(io.BufferedReader(io.BytesIO(content)), encoding="utf-8")


def mess(*arguments, stdin="", entries=OWN):
    """Exit code and output of ``mess ARGUMENTS``, with the commands of these entry points."""
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = as_stdin(stdin)
    try:
        found = mock.patch.object(cli, "entry_points", return_value=entries)
        with found, redirect_stdout(out), redirect_stderr(err):
            code = cli.run([str(argument) for argument in arguments])
    finally:
        sys.stdin = before
    return Output(code, out.getvalue(), err.getvalue())


class FirstMove:
    """A bot that makes the first legal move and keeps what it was shown."""

    def __init__(self, name):
        self.name = name
        self.open = "open" in name
        self.shown = []

    def choose(self, view, rng):
        self.shown.append(view)
        return view.moves()[0]


class Broken(FirstMove):
    def choose(self, view, rng):
        raise ZeroDivisionError("no\nidea")


class Illegal(FirstMove):
    def choose(self, view, rng):
        return "R60@9,9"


def use_made_up(monkeypatch, **bots):
    """Let ``make`` find these bots, and ``advise`` rank moves by nothing; the calls of both."""
    calls = []

    def make(spec, game):
        made = bots.get(spec, FirstMove)(spec)
        calls.append(made)
        return made

    def advise(view, *, iterations=None, seconds=None, seed=0, method=None, open=False, workers=1, options=None):
        calls.append({"view": view, "iterations": iterations, "seconds": seconds, "seed": seed, "workers": workers})
        ranked = tuple(MoveAdvice(move, 0.5, 0.4, 0.625, 10, 0.5, 1.25, "it fits") for move in view.moves())
        return Advice(
            "flaming", view.to_act, ranked, ranked[0].move, iterations or 7, 3, seconds or 0.5, seed, method or "mcts"
        )

    search = types.ModuleType("mess.search.search")
    search.advise = advise
    monkeypatch.setitem(sys.modules, "mess.search.search", search)
    monkeypatch.setattr("mess.search.search", search, raising=False)
    monkeypatch.setattr(bot, "make", make)
    monkeypatch.setattr(bot, "prose", lambda game: {"first": "the first move", "second": "none"})
    monkeypatch.setattr(table, "find", make)
    return calls


def bench(*arguments, env=None):
    """What came of ``mess ARGUMENTS``, with the commands of benchmarks alone; errors are kept in ``exception``."""
    app = typer.Typer()
    commands.register(app)
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env=env)
