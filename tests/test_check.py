"""mess check: what it finds, and that it finds nothing where there is nothing."""

import json

import pytest
from mess.search import checking
from mess.search.checking import Checker
from mess.solver.errors import InputError
from mess.solver.rng import stream
from mess_command import mess


@pytest.fixture(autouse=True)
def few_games(monkeypatch, tmp_path):
    """Two opponents, and games of a few decisions."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(checking, "MOST_DECISIONS", 12)
    monkeypatch.setattr(checking, "SEARCH", "mcts@5")

    def write(text):
        (tmp_path / "my_bot.py").write_text(text)
        return "my_bot.py"

    return write


def check(*options, game="flaming"):
    result = mess("check", *options, *(["--game", game] if game else []))
    return result


def found(text, few_games, *options):
    """Exit code and report of a strategy."""
    result = check(few_games(text), "--json", *options)
    return result.code, json.loads(result.out)


def test_a_clean_strategy(few_games):
    result = check(few_games("GAME = 'odin'\ndef choose(o, moves, rng):\n    return rng.choice(moves)\n"), game=None)
    assert (result.code, result.err) == (0, "") or "compiling once" in result.err
    assert "FOUND" not in result.out and result.out.count(" ok ") == 5
    assert "all look alike to it" in result.out


def test_errors_and_illegal_moves_are_counted_with_their_lines(few_games):
    code, report = found(
        "def choose(o, moves):\n    if len(moves) % 2:\n        return 'x'\n    return moves[99]\n", few_games
    )
    assert code == 1 and not report["clean"]
    assert list(report["illegal"]) == ["my_bot.py, line 1: expected a legal move, chose 'x'"]
    assert list(report["errors"]) == ["my_bot.py, line 4: IndexError: list index out of range"]
    assert sum(report["illegal"].values()) + sum(report["errors"].values()) == report["decisions"]
    assert report["players"] == [2, 3, 6]


def test_what_it_prints_is_not_in_the_report(few_games):
    code, report = found("def choose(o, moves):\n    print('thinking')\n    return moves[0]\n", few_games)
    assert (code, report["clean"]) == (0, True)


def test_other_output_of_the_process_of_its_own_is_told(few_games):
    text = (
        "import atexit, os\nif os.environ.get('PYTHONHASHSEED'):\n    atexit.register(lambda: os.write(1, b'bye'))"
        "\n\ndef choose(o, moves):\n    return moves[0]\n"
    )
    few_games(text)
    checker = Checker("my_bot.py", "flaming", 1)
    checker.play(0)
    with pytest.raises(InputError, match="expected answers in a process of its own; got other output"):
        checker.ask_elsewhere()


def test_slowness(few_games):
    code, report = found(
        "import time\ndef choose(o, moves):\n    time.sleep(0.02)\n    return moves[0]\n", few_games, "--slow", "15ms"
    )
    assert (code, report["slow"]) == (1, report["decisions"])
    assert report["slowest"] >= report["median"] >= 0.02


CHANGING = {
    "made anew and asked the same": "import random\ndef choose(o, moves):\n    return random.choice(moves)\n",
    "asked the same twice": (
        "n = []\ndef choose(o, moves):\n    n.append(1)\n    return moves[len(n) // 2 % len(moves)]\n"
    ),
    "asked the same in another process": "def choose(o, moves):\n    return next(iter(set(moves)))\n",
}


@pytest.mark.parametrize(("what", "text"), CHANGING.items(), ids=CHANGING)
def test_answers_that_change(few_games, what, text):
    code, report = found(text, few_games)
    assert code == 1
    assert what in report["changed"]


def test_an_object_may_keep_what_it_saw(few_games):
    few_games(
        "class A:\n    def __init__(self):\n        self.n = 0\n    def choose(self, o, moves):\n"
        "        self.n += 1\n        return moves[self.n % len(moves)]\n"
    )
    result = check("my_bot.py:A", "--json")
    assert result.code == 0 and json.loads(result.out)["changed"] == {}


def test_built_in_bots_and_bots_that_cheat():
    assert check("level1").code == 0
    result = check("mcts@5:open=1")
    assert result.code == 1
    assert "it is shown what is hidden" in result.out


def test_observations_that_depend_on_what_is_hidden_would_be_seen(monkeypatch):
    from mess.solver.position import Position

    checker = Checker("random", "flaming", 0)
    monkeypatch.setattr(Position, "observe", lambda self, seat: self)
    from mess.solver.game import deal

    view = deal("flaming", 0)
    states = view.states()
    from mess.solver import game as kernels
    from mess.solver.position import Observation

    kernels.conceal(states[0], 0)
    checker._deal_worlds(Observation(view.game, states, 0), int(stream(0)[0]))
    assert checker.report.unlike == checking.WORLDS
    assert not checker.report.is_clean(1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["gone.py"], "gone.py: expected a file that can be read"),
        (["random", "--deals", "0"], "deals: expected a whole number of at least 1, got 0"),
        (["random", "--slow", "x"], "slow: expected a time of more than 0"),
        (["nobody"], "bot: expected one of random, "),
    ],
)
def test_wrong_input(options, message):
    result = check(*options)
    assert result.code == 2
    assert result.err.startswith(f"mess: {message}")


def test_what_it_is_for_must_be_known():
    result = check("random", game=None)
    assert (result.code, result.err) == (2, "mess: game: expected --game; random does not say what it is for\n")


def test_a_game_with_a_slow_bot_is_left_early(tmp_path, monkeypatch):
    monkeypatch.setattr("mess.search.checking.MOST_SECONDS", 0.02)
    path = tmp_path / "slow.py"
    path.write_text(
        "import time\n\ndef choose(seen, moves):\n    time.sleep(0.015)\n    return moves[0]\n", encoding="utf-8"
    )
    checker = Checker(str(path), "flaming", 0)
    checker.play(0)
    assert 2 <= checker.report.decisions <= 3
