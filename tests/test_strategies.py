"""Strategies out of files and of installed packages: what they are given, and what is said of those that fail."""

import json
from importlib.metadata import EntryPoint

import pytest
from mess.benchmarks.match import load, match
from mess.search.bots import find as finding
from mess.search.bots.find import find, game_of
from mess.search.bots.strategy import StrategyError
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.rng import stream
from mess_command import mess

VIEW = deal("flaming", 3).observe(0)


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes a file into the folder that the test runs in."""
    monkeypatch.chdir(tmp_path)

    def write(text, name="my_bot.py"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


def ask(spec, view=VIEW, seed=1):
    return find(spec, "flaming").choose(view, stream(seed))


def test_a_function_gets_the_observation_and_the_moves(written, tmp_path):
    spec = written(
        "import json\n\ndef choose(observation, moves):\n"
        "    json.dump([observation, moves], open('seen.json', 'w'))\n    first = moves[0]\n"
        "    moves.clear()\n    observation.clear()\n    return first\n"
    )
    assert ask(spec) == VIEW.moves()[0]
    assert json.loads((tmp_path / "seen.json").read_text()) == [VIEW.to_dict(), VIEW.moves()]
    assert VIEW.moves()


def test_chance_comes_from_the_stream_of_the_bot(written):
    spec = written("def choose(observation, moves, rng):\n    return rng.choice(moves)\n")
    bot, rng = find(spec, "flaming"), stream(1)
    drawn = [bot.choose(VIEW, rng) for _ in range(20)]
    assert len(set(drawn)) > 3
    bot, rng = find(spec, "flaming"), stream(1)
    assert drawn == [bot.choose(VIEW, rng) for _ in range(20)]


def test_an_object_keeps_what_it_saw_over_one_game(written):
    spec = written(
        "class Counter:\n    def __init__(self):\n        self.asked = 0\n"
        "    def choose(self, observation, moves):\n        self.asked += 1\n        return moves[self.asked]\n"
    )
    bot = find(f"{spec}:Counter", "flaming")
    assert [bot.choose(VIEW, stream(0)) for _ in range(3)] == VIEW.moves()[1:4]
    assert ask(f"{spec}:Counter") == VIEW.moves()[1]


def test_a_file_is_run_afresh_for_every_bot(written):
    spec = written("asked = []\ndef choose(o, moves):\n    asked.append(1)\n    return moves[len(asked)]\n")
    assert ask(spec) == ask(spec) == VIEW.moves()[1]


def test_which_function_plays(written):
    two = "def one(o, moves):\n    return moves[0]\ndef _help():\n    pass\n"
    assert ask(written(two)) == VIEW.moves()[0]
    written(two + "def two(o, moves):\n    return moves[1]\nfrom json import dumps\n")
    assert ask("my_bot.py:two") == VIEW.moves()[1]
    with pytest.raises(InputError, match=r"line 1: expected choose.* or one of one, two to be named as my_bot.py:one"):
        find("my_bot.py", "flaming")
    assert ask(written(two + "def choose(o, moves):\n    return moves[2]\n")) == VIEW.moves()[2]


BROKEN = {
    "syntax": ("def choose(o, moves):\n    return (\n", "my_bot.py, line 2: SyntaxError: '(' was never closed"),
    "tabs": ("if True:\n\tx = 1\n        y = 2\n", "my_bot.py, line 3: TabError: "),
    "import": ("x = 1\nimport nothing_of_the_kind\n", "my_bot.py, line 2: ModuleNotFoundError: No module named"),
    "exit": ("import sys\nsys.exit('bye')\n", "my_bot.py, line 2: SystemExit: bye"),
    "empty": ("", "my_bot.py, line 1: expected choose(observation, moves), or a function in it"),
    "one argument": ("\ndef choose(moves):\n    pass\n", "my_bot.py, line 2: expected (observation, moves), or"),
    "game": ("GAME = 'chess'\n", "my_bot.py, line 1: GAME: expected one of flaming, odin, pylos, meeples, got 'chess'"),
    "zeros": ("x = '\0'\n", "my_bot.py, line 1: "),
}


@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_fails_is_told_in_a_line(written, text, message):
    result = mess("match", "flaming", written(text), "random", entries=COMMANDS)
    assert result.code == 2
    assert result.err.startswith(f"mess: {message}")
    assert len(result.err.splitlines()) == 1


COMMANDS = [
    EntryPoint("search", "mess.search.commands:register", "mess.commands"),
    EntryPoint("benchmarks", "mess.benchmarks.commands:register", "mess.commands"),
]

WRONG = {
    "raises": ("    def f():\n        return {}['x']\n    return f()", "my_bot.py, line 4: KeyError: 'x'"),
    "deep in others": ("    import json\n    return json.loads('{')", "my_bot.py, line 4: JSONDecodeError: "),
    "illegal": ("    return 'X9@0,0'", "my_bot.py, line 2: expected a legal move, chose 'X9@0,0'"),
    "nothing": ("    pass", "my_bot.py, line 2: expected one of the moves, a string; chose null"),
    "number": ("    return 7", "my_bot.py, line 2: expected one of the moves, a string; chose 7"),
    "for ever": ("    return choose(o, moves)", "my_bot.py, line 3: RecursionError: "),
    "exits": ("    raise SystemExit", "my_bot.py, line 3: SystemExit"),
    "lines": ("    raise ValueError('a\\nb')", "my_bot.py, line 3: ValueError: a b"),
}


@pytest.mark.parametrize(("body", "message"), WRONG.values(), ids=WRONG)
def test_a_strategy_that_fails_names_its_line_and_forfeits(written, body, message):
    spec = written(f"\ndef choose(o, moves):\n{body}\n")
    with pytest.raises(StrategyError) as raised:
        ask(spec)
    assert str(raised.value).startswith(message)
    result = match("flaming", [spec, "random"], deals=1, workers=1, progress=False)
    assert [forfeit.reason.startswith(message) for _, _, forfeit in result.forfeits()] == [True, True]
    assert result.standings()[0].share == 0


def test_play_tells_the_line_too(written, tmp_path):
    (tmp_path / "inner").mkdir()
    spec = written("def choose(o, moves):\n    return None\n", "inner/my_bot.py")
    result = mess("play", "flaming", "--seed", 5, "--bots", spec, "--seat", 1, stdin="1\n")
    assert result.code == 1
    assert (
        "seat 0 (inner/my_bot.py) forfeits the game: inner/my_bot.py, line 1: expected one of the moves" in result.out
    )


@pytest.mark.parametrize(
    ("text", "spec", "message"),
    [
        ("", "gone.py", "gone.py: expected a file that can be read; no such file"),
        ("class A:\n    pass\n", "my_bot.py:A", "line 1: expected a method choose.observation, moves. of A"),
        ("class A:\n    def __init__(self):\n        1 / 0\n", "my_bot.py:A", "line 3: ZeroDivisionError"),
        ("x = 1\n", "my_bot.py:x", "line 1: expected a function or class x in it"),
        ("x = 1\n", "my_bot.py:y", "line 1: expected a function or class y in it"),
        ("GAME = 'odin'\ndef f(o, m):\n    pass\n", "my_bot.py", "my_bot.py is for odin, expected one for flaming"),
    ],
)
def test_what_is_no_strategy(written, text, spec, message):
    written(text)
    with pytest.raises(InputError, match=message):
        find(spec, "flaming")


def test_what_it_prints_goes_where_errors_go(written, capsys):
    spec = written("print('at the start')\ndef choose(o, moves):\n    print('in thought')\n    return moves[0]\n")
    assert ask(spec) == VIEW.moves()[0]
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "at the start\nin thought\n")


def test_what_it_raises_can_be_printed(written):
    spec = written("def choose(o, moves):\n    raise ValueError('\\ud800 \\x1b[31m')\n")
    with pytest.raises(StrategyError) as raised:
        ask(spec)
    assert str(raised.value) == r"my_bot.py, line 2: ValueError: \ud800 \x1b[31m"


def test_the_game_it_is_for(written):
    assert game_of(written("GAME = 'odin'\ndef f(o, m):\n    pass\n")) == "odin"
    assert game_of(written("def f(o, m):\n    pass\n")) is None
    assert game_of("mcts@50") is None


FIRST = "def choose(observation, moves):\n    return moves[0]\n"


def test_a_match_of_files_is_resumed_only_with_the_same_content(written, tmp_path):
    options = {"workers": 1, "progress": False, "out": "run.jsonl"}
    spec = written(FIRST)
    whole = match("flaming", [spec, "random"], deals=2, **options)
    assert whole.sources[0] and whole.sources[1:] == (None,)
    assert load("run.jsonl") == whole
    assert json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])["sources"] == list(whole.sources)
    written(FIRST + "# better\n")
    with pytest.raises(InputError, match=r"^out: run.jsonl: expected the bots of this match, my_bot.py changed$"):
        match("flaming", [spec, "random"], deals=2, **options)
    written(FIRST)
    assert match("flaming", [spec, "random"], deals=2, **options) == whole


def test_files_are_the_same_in_other_processes(written):
    spec = written("def choose(observation, moves, rng):\n    return rng.choice(moves)\n")
    alone, crew = (match("flaming", [spec, "random"], deals=3, workers=n, progress=False) for n in (1, 2))
    assert alone.blocks == crew.blocks


def test_a_file_that_changes_during_a_match_ends_it(written):
    spec = written("def choose(o, moves):\n    open('my_bot.py', 'a').write('#')\n    return moves[0]\n")
    with pytest.raises(InputError, match=r"expected my_bot\.py to stay as it was when the match began"):
        match("flaming", [spec, "random"], deals=2, workers=1, progress=False)


def test_sources_in_a_file_are_checked(written, tmp_path):
    match("flaming", [written(FIRST), "random"], deals=1, workers=1, progress=False, out="run.jsonl")
    head, *rest = (tmp_path / "run.jsonl").read_text().splitlines(keepends=True)
    for sources, message in (("7", "an entry for every bot"), ("[null]", "an entry"), ("[null,7]", r"sources\[1\]")):
        changed = json.loads(head) | {"sources": json.loads(sources)}
        (tmp_path / "run.jsonl").write_text("".join([json.dumps(changed) + "\n", *rest]))
        with pytest.raises(InputError, match=message):
            load("run.jsonl")


def test_a_plugin_is_loaded_when_it_is_named(monkeypatch, written, tmp_path):
    written(
        FIRST + "class Last:\n    GAME = 'flaming'\n    def choose(self, o, moves):\n        return moves[-1]\n",
        "abc_first.py",
    )
    written("raise ImportError('not this one')\n", "abc_broken.py")
    written("raise SystemExit(3)\n", "abc_leaving.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = [
        EntryPoint("first", "abc_first:choose", finding.GROUP),
        EntryPoint("last", "abc_first:Last", finding.GROUP),
        EntryPoint("broken", "abc_broken:choose", finding.GROUP),
        EntryPoint("leaving", "abc_leaving:choose", finding.GROUP),
        EntryPoint("module", "abc_first", finding.GROUP),
    ]
    monkeypatch.setattr(finding, "entry_points", lambda group: found if group == finding.GROUP else [])
    assert (ask("first"), ask("last")) == (VIEW.moves()[0], VIEW.moves()[-1])
    assert (game_of("first"), game_of("last")) == (None, "flaming")
    with pytest.raises(InputError, match="last is for flaming, expected one for odin"):
        find("last", "odin")
    with pytest.raises(
        InputError, match="expected the plug-in broken to load, abc_broken:choose; ImportError: not this"
    ):
        find("broken", "flaming")
    with pytest.raises(InputError, match="expected the plug-in leaving to load, abc_leaving:choose; SystemExit: 3"):
        find("leaving", "flaming")
    with pytest.raises(InputError, match="line 1: expected a function or a class, got <module"):
        find("module", "flaming")
    assert "any game first: plug-in, abc_first:choose" in mess("bots").out
    with pytest.raises(
        InputError,
        match=r"expected one of random, .*, first, last, broken, leaving, module, a bot file \*.toml, or code",
    ):
        find("second", "flaming")
