"""Everything a user can get wrong: one line that names the field and what was expected, and exit code 2."""

import json
import os
import shlex
import subprocess
import sys

import pytest
from mess.search import files
from mess.search.bot import names
from mess.solver.game import deal
from mess.solver.position import read
from mess_command import CASES, mess

START = deal("flaming", 5)
RECORD = json.loads((CASES / "flaming.jsonl").read_text(encoding="utf-8").splitlines()[2])
SHARES = [float(seat == RECORD["end"]["winner"]) for seat in range(RECORD["rules"]["players"])]


def changed(**fields):
    return json.dumps(START.to_dict() | fields)


def without(field):
    return json.dumps({name: value for name, value in START.to_dict().items() if name != field})


def record(**fields):
    return json.dumps(RECORD | fields)


def left(**fields):
    """The record of a game of two that was left after its first move."""
    return json.dumps({"start": START.to_dict(), "moves": START.moves()[:1]} | fields)


def two_tiles_alike():
    data = START.to_dict()
    data["hands"][0][1] = data["hands"][0][0]
    return json.dumps(data)


PHASE = "phase: expected one of place, fall, die, over, got {}"
TIME = "time: expected a time of more than 0 and at most an hour, as 2s or 500ms, got {!r}"
STDIN = "standard input: "
CASES_OF_ERROR = {
    # arguments, standard input, the line
    "no file": ("moves nowhere.json", "", "nowhere.json: expected a file that can be read; no such file or directory"),
    "folder": ("show .", "", ".: expected a file that can be read; is a directory"),
    "empty": ("show -", "", STDIN + "expected JSON; there is nothing"),
    "blank": ("replay -", "\n \n", STDIN + "expected JSON; there is nothing"),
    "no JSON": ("show -", "[1,\n2,]", STDIN + "expected JSON; expecting value, line 2 column 3"),
    "cut off": ("show -", '{"game": "fla', STDIN + "expected JSON; unterminated string starting at, line 1 column 10"),
    "two": ("show -", "{} {}", STDIN + "expected JSON; extra data, line 1 column 4"),
    "bytes": ("show -", b'{"game":\n"\xff"}', STDIN + "expected UTF-8 text; it is not, in line 2"),
    "deep": ("show -", "[" * 100_000, STDIN + "expected JSON that is less deeply nested"),
    "NaN": ("show -", '{"turns": NaN}', STDIN + "expected JSON; NaN is no number of JSON"),
    "infinity": ("moves -", '{"turns": -Infinity}', STDIN + "expected JSON; -Infinity is no number of JSON"),
    "digits": (
        "show -",
        '{"turns": ' + "1" * 5000 + "}",
        STDIN + "expected JSON; Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits",
    ),
    "list": ("show -", "[]", "position: expected a JSON object, got a list"),
    "null": ("show -", "null", "position: expected a JSON object, got null"),
    "truth": ("show -", "true", "position: expected a JSON object, got true"),
    "number": ("show -", "0.5", "position: expected a JSON object, got a number"),
    "text": ("show -", '"flaming"', "position: expected a JSON object, got a string"),
    "object": ("show -", changed(board={}), "board: expected a list, got an object"),
    "null inside": ("show -", changed(phase=[None, True]), PHASE.format("[null, true]")),
    "key twice": (
        "moves -",
        changed()[:-1] + ', "turn": 0}',
        STDIN + "expected each field of an object once, 'turn' is there twice",
    ),
    "key inside twice": (
        "moves -",
        changed().replace('{"players": 2', '{"players": 2, "players": 2'),
        STDIN + "expected each field of an object once, 'players' is there twice",
    ),
    "no name": ("show ''", "", "file '': expected a file that can be read; no such file or directory"),
    "record": (
        "hint -",
        json.dumps(RECORD),
        STDIN + "expected a position, this is the record of a game; see mess replay",
    ),
    "no game": ("show -", without("game"), "game: expected the name of a game"),
    "other game": (
        "show -",
        changed(game="chess\n"),
        "game: expected one of flaming, odin, pylos, meeples, got 'chess\\n'",
    ),
    "no hands": ("show -", without("hands"), "hands: expected this field, it is missing"),
    "twice": ("moves -", two_tiles_alike(), "hands[0][1]: {0} is already in hands[0][0], expected each tile once"),
    "to act": ("moves -", changed(to_act=1), "to_act: expected 0, got 1"),
    "seat": ("show - --seat 2", str(START), "seat: expected a seat from 0 to 1, got 2"),
    "negative seat": ("show - --seat -1", str(START), "seat: expected a seat from 0 to 1, got -1"),
    "other seat": (
        "show - --seat 1",
        str(START.observe(0)),
        "seat: expected 0, the file is what this seat sees; got 1",
    ),
    "deal what": ("deal chess", "", "game: expected one of flaming, odin, pylos, meeples, got 'chess'"),
    "players": ("deal flaming --players 7", "", "rules.players: expected one of 2, 3, 4, 5, 6, got 7"),
    "preset": ("deal flaming --preset x", "", "rules.preset: expected one of 'bga', 'german', got 'x'"),
    "deal seat": ("deal flaming --seed 1 --seat 2", "", "seat: expected a seat from 0 to 1, got 2"),
    "bots of what": ("bots chess", "", "game: expected one of flaming, odin, pylos, meeples, got 'chess'"),
    # budgets are looked at before the position
    "no time": ("hint - --time 0", "", TIME.format("0")),
    "negative time": ("hint - --time -1s", "", TIME.format("-1s")),
    "long time": ("hint - --time 2000m", "", TIME.format("2000m")),
    "odd time": ("hint - --time 1e3", "", TIME.format("1e3")),
    "no iterations": ("hint - --iterations 0", "", "iterations: expected a whole number of at least 1, got 0"),
    "negative": ("hint - --iterations -5", "", "iterations: expected a whole number of at least 1, got -5"),
    "both": (
        "hint - --time 1 --iterations 5",
        "",
        "iterations: expected a time or a number of iterations, got both",
    ),
    "method": ("hint - --method x", "", "method: expected one of mcts, pimc, alphabeta, got 'x'"),
    "workers": ("hint - --workers 0", "", "workers: expected a whole number of at least 1, got 0"),
    "nodes": ("solve - --nodes -1", "", "nodes: expected a whole number of at least 1, got -1"),
    # whose advice
    "not to decide": ("hint - --seat 1", str(START), "seat: expected 0, the seat to decide; got 1"),
    "sees, not decides": (
        "hint -",
        str(START.observe(1)),
        "seat: expected what seat 0 sees, the seat to decide; got seat 1",
    ),
    "open": ("hint - --open", str(START.observe(0)), "open: expected a full position, this is what one seat sees"),
    "over": (
        "hint -",
        json.dumps(RECORD["end"]),
        "to_act: expected a position where a seat decides; the game is over",
    ),
    "hidden": (
        "solve -",
        str(START.observe(0)),
        "unknown[0]: expected 0, the whole truth is needed: 17 tiles of the pile are hidden",
    ),
    "solved": ("solve -", json.dumps(RECORD["end"]), "phase: expected a game that is not over"),
    # play
    "what bot": (
        "play flaming --seed 1 --bots x",
        "",
        "bot: expected one of {5}, a bot file *.toml, or code *.py or *.py:NAME; got 'x'",
    ),
    "play seat": ("play flaming --seat 2 --seed 1", "", "seat: expected a seat from 0 to 1, got 2"),
    "play bots": (
        "play flaming --seed 1 --players 4 --bots a,b",
        "",
        "bots: expected 3, one a seat but yours, got 2",
    ),
    "play record": (
        "play flaming --seed 1 --record no/where.json",
        "",
        "no/where.json: expected a file that can be written; there is no folder no",
    ),
    "play hint": ("play flaming --seed 1 --hint-time x", "", TIME.replace("time: ", "hint-time: ", 1).format("x")),
    # records
    "no start": ("replay -", '{"moves": []}', "start: expected this field, it is missing"),
    "no moves": ("replay -", json.dumps({"start": START.to_dict()}), "moves: expected this field, it is missing"),
    "odd moves": ("replay -", record(moves="L"), "moves: expected a list, got a string"),
    "record of list": ("replay -", "[1]", "record: expected a JSON object, got a list"),
    "start": ("replay -", record(start={}), "start.game: expected the name of a game"),
    "start seen": (
        "replay -",
        record(start=START.observe(0).to_dict()),
        "start: expected the whole truth, this is what one seat sees",
    ),
    "record game": ("replay -", record(game="odin"), "game: expected 'flaming' as in start, got 'odin'"),
    "result": ("replay -", record(result=[0.5, 0.5]), "result: expected [{1}], where the moves lead; got [0.5, 0.5]"),
    "end": (
        "replay -",
        record(end=RECORD["end"] | {"turns": 3}),
        "end.turns: expected {2}, where the moves lead; got 3",
    ),
    "end cut": (
        "replay -",
        record(end={"game": "flaming"}),
        "end.rules: expected {3}, where the moves lead; got nothing",
    ),
    "position": (
        "replay -",
        str(START),
        "record: expected a game with its start and moves, this is a position; see mess show",
    ),
    "record's key twice": (
        "replay -",
        record()[:-1] + ', "moves": []}',
        STDIN + "expected each field of an object once, 'moves' is there twice",
    ),
    "result of a word": (
        "replay -",
        record(result="banana"),
        "result: expected [{1}], where the moves lead; got 'banana'",
    ),
    "result of truths": (
        "replay -",
        record(result=[share == 1 for share in SHARES]),
        f"result: expected [{{1}}], where the moves lead; got {json.dumps([share == 1 for share in SHARES])}",
    ),
    "result of none": ("replay -", record(result=None), "result: expected [{1}], where the moves lead; got null"),
    "result too soon": (
        "replay -",
        left(result=[1.0, 0.0]),
        "result: expected null, the game is not over; got [1.0, 0.0]",
    ),
    "result of a word too soon": (
        "replay -",
        left(result="banana"),
        "result: expected null, the game is not over; got 'banana'",
    ),
    "players a number": ("replay -", left(players=5), "players: expected a list, got a number"),
    "a player too few": ("replay -", left(players=["a"]), "players: expected 2 entries, one a seat, got 1"),
    "a player null": ("replay -", left(players=["a", None]), "players[1]: expected a string, got null"),
    "seed of text": ("replay -", left(seed="x"), "seed: expected a whole number or null, got 'x'"),
    "seed of list": ("replay -", left(seed=[]), "seed: expected a whole number or null, got []"),
    "every of text": ("replay -", left(every="x"), "every: expected a list, got a string"),
    "every too short": ("replay -", left(every=[]), "every: expected 1, the position after each move; got 0"),
    "second line cut off": (
        "replay -",
        json.dumps(RECORD) + '\n{"start": \n',
        STDIN + "expected JSON; expecting value, line 2 column 10",
    ),
    "second record": (
        "replay -",
        json.dumps(RECORD) + "\n\n" + record(moves=["R60@5,5"]),
        "line 3: moves[0]: expected one of {4}; got 'R60@5,5'",
    ),
    "second line": (
        "replay -",
        json.dumps(RECORD) + "\n{]",
        STDIN + "expected JSON; expecting property name enclosed in double quotes, line 2 column 2",
    ),
    "move of number": ("replay -", record(moves=[7]), "moves[0]: expected one of {4}; got 7"),
}


def filled(line):
    """The line with what depends on the deal put in."""
    end = RECORD["end"]
    facts = [
        START.to_dict()["hands"][0][0],
        str(SHARES)[1:-1],
        str(end["turns"]),
        repr(end["rules"]),
        " ".join(read(RECORD["start"]).moves()),
        ", ".join(names("flaming")),
    ]
    for i, fact in enumerate(facts):
        line = line.replace(f"{{{i}}}", fact)
    return line


@pytest.mark.parametrize("name", CASES_OF_ERROR)
def test_error(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    arguments, stdin, line = CASES_OF_ERROR[name]
    result = mess(*shlex.split(arguments), stdin=stdin)
    assert result.err == f"mess: {filled(line)}\n"
    assert result.code == 2


@pytest.mark.parametrize(
    ("arguments", "begin", "end"),
    [
        ("frob", "No such command 'frob'", "see mess --help"),
        ("moves", "Missing argument 'POSITION.json'", "see mess moves --help"),
        ("moves a b", "Got unexpected extra argument", "see mess moves --help"),
        ("hint a --tim 3", "No such option: --tim", "see mess hint --help"),
        ("deal flaming --seed x", "Invalid value for '--seed'", "see mess deal --help"),
        ("deal flaming --seed", "Option '--seed' requires an argument", "see mess --help"),
    ],
)
def test_wrong_usage_is_one_line_and_where_to_read_on(arguments, begin, end):
    result = mess(*arguments.split())
    assert (result.code, result.out) == (2, "")
    assert len(result.err.splitlines()) == 1
    assert result.err.startswith(f"mess: {begin}")
    assert result.err.endswith(f"; {end}\n")


def test_file_is_named_in_the_error(tmp_path):
    file = tmp_path / "bad.json"
    file.write_text("{")
    assert mess("show", file).err.startswith(f"mess: {file}: expected JSON; ")


def test_unreadable_name():
    assert mess("show", "a\0b").err == "mess: a\\x00b: expected a file that can be read; embedded null byte\n"


@pytest.mark.parametrize("command", ["moves", "show", "hint", "replay"])
def test_standard_input_that_is_closed(command, monkeypatch):
    monkeypatch.setattr("mess_command.as_stdin", lambda text: None)
    result = mess(command, "-")
    assert (result.code, result.out) == (2, "")
    assert result.err == f"mess: {STDIN}expected a file that can be read; it is closed\n"


def test_record_of_a_game_that_was_left_may_say_so():
    assert mess("replay", "-", stdin=left(result=None, seed=None, players=["a", "b"])).code == 0
    assert mess("replay", "-", stdin=left(seed=7, every=[START.play(START.moves()[0]).to_dict()])).code == 0


def test_long_position_and_long_file(monkeypatch, tmp_path):
    monkeypatch.setattr(files, "POSITION_BYTES", 2_000_000)
    monkeypatch.setattr(files, "FILE_BYTES", 3_000_000)
    long = json.dumps({"start": "x" * 2_000_000})
    assert mess("show", "-", stdin=long).err == f"mess: {STDIN}expected at most 2 MB of JSON, it is longer\n"
    assert mess("replay", "-", stdin=long).err == f"mess: {STDIN}expected at most 2 MB of JSON, it is longer\n"
    file = tmp_path / "many.jsonl"
    file.write_text(("\n" * 1_000_000) * 3 + "\n")
    assert mess("replay", file).err == f"mess: {file}: expected at most 3 MB, it is longer\n"


def test_records_before_a_wrong_one_are_played(tmp_path):
    result = mess("replay", "-", stdin=json.dumps(RECORD) + "\n{}")
    assert json.loads(result.out) == RECORD["end"]
    assert result.err.endswith("mess: line 2: start: expected this field, it is missing\n")


def test_messages_are_one_line_of_bounded_length(tmp_path):
    result = mess("show", "-", stdin=changed(game="x\x1b[2J" * 100_000))
    assert result.code == 2
    assert len(result.err) < 5000
    assert "\x1b" not in result.err


def test_reader_that_leaves_early_is_no_error():
    command = [sys.executable, "-c", "from mess.search.cli import main; main()"]
    read_end, write_end = os.pipe()
    os.close(read_end)
    result = subprocess.run([*command, "games"], stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    assert "Error" not in result.stderr.replace("ModuleNotFoundError", "")
