"""The protocol over standard input and output, with a real process."""

import json
import random
import signal
import subprocess
import sys

import pytest
from mess.search.serving.stdio import Lines
from mess.search.waiting import COMPILING
from mess.solver.game import deal

COMMAND = [sys.executable, "-c", "from mess.search.cli import main; main()", "serve", "--searches", "1"]
START = deal("pylos", 0).to_dict()


def start(*more):
    return subprocess.Popen(
        [*COMMAND, *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(*lines, more=()):
    """All answers to some lines, by id."""
    server = start(*more)
    out, err = server.communicate("".join(lines), timeout=120)
    assert (server.returncode, complaints(err)) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


def complaints(err):
    """What was said on standard error, but for the note that kernels are compiled once."""
    return "".join(text for text in err.splitlines(keepends=True) if COMPILING not in text)


def line(id, type, **fields):
    return json.dumps({"id": id, "type": type, **fields}) + "\n"


def test_every_line_is_answered_also_the_last_without_its_end():
    answers = run(
        line(1, "new", game="pylos"),
        "\n",
        "no json\n",
        line(2, "advise", view=START, iterations=100, method="mcts"),
        line(3, "games"),
        '{"id": 4, "type": "info"}',
    )
    assert sorted(str(answer["id"]) for answer in answers) == ["1", "2", "3", "4", "None"]
    assert [answer["type"] for answer in answers if answer["id"] == 2] == ["advise"]


def test_a_line_that_is_too_long_is_refused_and_the_next_is_heard():
    answers = run("x" * 300_000 + "\n", line(1, "info"), more=("--request-bytes", "1000"))
    assert [answer.get("field", answer["id"]) for answer in answers] == ["request", 1]


def test_lines_come_whole_however_they_are_cut():
    text = b"".join(b"%d" % number * number + b"\n" for number in range(60)) + b"rest"
    expected = text.split(b"\n")
    rng = random.Random(1)
    lines, found, rest = Lines(1000), [], text
    while rest:
        cut = rng.randint(1, 9)
        found += lines.of(rest[:cut])
        rest = rest[cut:]
    assert found + lines.last() == expected


@pytest.mark.parametrize("cut", [1, 7, 100])
def test_of_a_long_line_only_the_start_is_kept(cut):
    text = b"a" * 50 + b"\nb\n" + b"c" * 50
    lines, found = Lines(10), []
    for i in range(0, len(text), cut):
        found += lines.of(text[i : i + cut])
    found += lines.last()
    assert [len(one) > 10 for one in found] == [True, False, True]
    assert found[1] == b"b"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_all_answers(number):
    server = start()
    server.stdin.write(line(1, "advise", view=START, iterations=1_000_000, method="mcts", report_every=0.05))
    server.stdin.flush()
    assert json.loads(server.stdout.readline())["partial"]
    server.send_signal(number)
    out, err = server.communicate(timeout=60)
    last = json.loads(out.splitlines()[-1])
    assert (last["id"], last["partial"], last["stopped"]) == (1, False, True)
    assert (server.returncode, err) == (0, "")


def test_a_reader_that_goes_away_ends_it_quietly():
    server = start()
    server.stdout.close()
    server.stdin.write(line(1, "games") * 50)
    server.stdin.close()
    assert server.wait(timeout=60) == 0
    assert complaints(server.stderr.read()) == ""


def test_what_a_bot_prints_is_no_answer(tmp_path):
    path = tmp_path / "talker.py"
    path.write_text("print('at the start')\n\ndef choose(seen, moves):\n    print('in thought')\n    return moves[0]\n")
    server = start("--bot", str(path))
    out, err = server.communicate(line(1, "move", view=START, bot=str(path)), timeout=120)
    assert [json.loads(text)["move"] for text in out.splitlines()] == ["1a1"]
    assert {"at the start\n", "in thought\n"} <= set(complaints(err).splitlines(keepends=True))


@pytest.mark.parametrize("is_heard", [True, False])
def test_a_reader_that_goes_away_in_a_search_ends_it(is_heard):
    server = start("--seconds", "3600s")
    server.stdin.write(line(1, "advise", view=START, seconds=3000, method="mcts", report_every=0.05))
    server.stdin.flush()
    assert json.loads(server.stdout.readline())["partial"]
    server.stdout.close()
    if not is_heard:
        server.stdin.close()
    assert server.wait(timeout=60) == 0


def test_without_standard_input_it_says_so():
    command = ["sh", "-c", '"$@" <&-', "sh", *COMMAND]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (2, "mess: standard input: expected it to be open\n")


@pytest.mark.parametrize(
    ("option", "value"),
    [("--searches", "0"), ("--seconds", "never"), ("--http", "here"), ("--http", "127.0.0.1:99999"), ("--token", "x")],
)
def test_wrong_options_are_one_line(option, value):
    done = subprocess.run(
        [*COMMAND, option, value], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"mess: {option.removeprefix('--')}: expected ")
    assert done.stderr.count("\n") == 1
