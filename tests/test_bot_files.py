"""Bot files: written, read, played, and every way they can be wrong."""

import tomllib

import pytest
from mess.benchmarks.match import match
from mess.benchmarks.plans import CHARACTERS
from mess.search.bot import make
from mess.search.bots.files import BotFile, parse, personalities
from mess.search.bots.find import find, game_of
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.rng import stream
from mess_command import mess

VIEW = deal("flaming", 3).observe(0)


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def make_file(*options, out="ember.toml"):
    return mess("bots", "make", "--game", "flaming", "--name", "Ember", "-o", out, *options)


def test_a_level_becomes_a_file_that_plays_by_its_name(tmp_path):
    assert make_file("--level", 4).code == 0
    assert (tmp_path / "ember.toml").read_text() == 'name = "Ember"\ngame = "flaming"\nlevel = 4\n'
    bot = find("ember.toml", "flaming")
    assert bot.name == "Ember"
    assert bot.choose(VIEW, stream(1)) == make("level4", "flaming").choose(VIEW, stream(1))
    assert game_of("ember.toml") == "flaming"
    result = match("flaming", ["ember.toml", "random"], deals=1, workers=1, progress=False)
    assert result.bots == ("Ember", "random") and result.sources[0]


def test_nothing_is_replaced_unless_that_is_asked_for(tmp_path):
    assert make_file("--level", 4).code == 0
    again = make_file("--bot", "mcts@50", "--blunder", 0.25)
    assert (again.code, again.err) == (2, "mess: out: expected a new file, ember.toml exists; --force replaces it\n")
    assert make_file("--bot", "mcts@50", "--blunder", 0.25, "--force").code == 0
    assert tomllib.loads((tmp_path / "ember.toml").read_text())["blunder"] == 0.25
    assert [path.name for path in tmp_path.iterdir()] == ["ember.toml"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "level: expected a level or a bot, one of the two"),
        (["--level", 3, "--bot", "random"], "level: expected a level or a bot, one of the two"),
        (["--level", 11], "level: expected a whole number from 1 to 10, got 11"),
        (["--level", 3, "--blunder", 2], "blunder: expected a number from 0 to 1, got 2.0"),
        (["--bot", "my_bot.py"], "bot: expected one of random, "),
        (["--bot", "mcts@0"], "iterations: expected a whole number from 1 to 100000000, got 0"),
        (["--level", 3, "-o", "x.txt"], "out: expected a file *.toml, by which it is known for a bot; got x.txt"),
        (["--level", 3, "-o", "no/x.toml"], "out: expected a file that can be written, no/x.toml: no such file"),
        (["--level", 3, "--name", " "], "name: expected 1 to 60 printable characters"),
        (["--level", 3, "--game", "chess"], "game: expected one of flaming, odin, pylos, meeples, got 'chess'"),
    ],
)
def test_what_cannot_be_made(tmp_path, options, message):
    result = make_file(*options)
    assert result.code == 2
    assert result.err.startswith(f"mess: {message}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "bot",
    [
        BotFile('Em"ber \\ é', "odin", "mcts@500:cutoff=0", 0.5),
        BotFile("Ash", "flaming", "mcts@20", 0.0, 0.25, {"fires": 1.5, "height": -2.0}, "likes ashes"),
        BotFile("Nine", "pylos", "level9"),
    ],
    ids=lambda bot: bot.bot,
)
def test_files_say_what_they_were_made_of(bot):
    assert parse(bot.to_toml().encode(), "x") == bot


GOOD = 'name = "E"\ngame = "flaming"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff", "ember.toml: expected UTF-8 text"),
        (b"x = ", "ember.toml: expected TOML; invalid value"),
        (b"x = " + b"[" * 10_000, "ember.toml: expected TOML"),
        (b"x = " + b"1" * 5_000, "ember.toml: expected TOML"),
        (GOOD, "ember.toml: level: expected a level or a bot"),
        (GOOD + "levle = 1", "ember.toml: levle: no such field, expected one of name, game, prose, level"),
        (GOOD + "level = true", "ember.toml: level: expected a whole number from 1 to 10, got true"),
        (GOOD + "level = 1\nblunder = nan", "ember.toml: blunder: expected a number from 0 to 1, got nan"),
        (GOOD + "level = 1\nslack = 0.1", "ember.toml: slack: expected a taste that it is for"),
        (GOOD + "level = 1\n[taste]\nfires = 1", "ember.toml: taste: expected a bot that searches, one of mcts, pimc"),
        (GOOD + 'bot = "mcts"\n[taste]\nfire = 1', "ember.toml: taste.fire: no such field, expected one of coals"),
        (GOOD + 'bot = "mcts"\n[taste]\nfires = "1"', "ember.toml: taste.fires: expected a number from -1000 to 1000"),
        (GOOD + 'bot = "mcts:open=1"\n[taste]\nfires = 1', "ember.toml: taste: expected a search that is not shown"),
        (GOOD + 'bot = "ember.toml"', "ember.toml: bot: expected one of random, "),
        (GOOD.replace("flaming", "odin") + 'bot = "mcts"\n[taste]\nfires = 1', "bot: ember.toml is for odin, expected"),
        (GOOD.replace('"E"', "7") + "level = 1", "ember.toml: name: expected a string, got 7"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path, text, message):
    (tmp_path / "ember.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as raised:
        find("ember.toml", "flaming")
    assert str(raised.value).startswith(message)


def test_tastes_are_for_games_that_tell_of_them(tmp_path):
    (tmp_path / "x.toml").write_text('name = "X"\ngame = "odin"\nbot = "mcts"\n[taste]\nfires = 1\n')
    with pytest.raises(InputError, match="taste: expected a game whose moves bring things about, one of flaming"):
        find("x.toml", "odin")


def test_files_are_for_the_command_line_only(tmp_path):
    make_file("--level", 4)
    (tmp_path / "my_bot.py").write_text("raise SystemExit\n")
    for spec in ("ember.toml", "my_bot.py", "my_bot.py:x"):
        with pytest.raises(InputError, match="expected one of random"):
            make(spec, "flaming")


def test_personalities_can_be_named():
    assert {"arsonist", "mason", "miser"} <= set(personalities())
    assert tuple(personalities()) == CHARACTERS
    for name, bot in personalities().items():
        assert bot.prose and bot.taste and make(name, bot.game).name == name
