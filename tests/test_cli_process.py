"""``mess`` as a process of its own: interrupts, signals, and output that nobody can or wants to read."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from mess.search import cli
from mess.search.waiting import interruptible
from mess.solver.game import deal

HEARS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
# where the tests run in the background, a shell has made what they start deaf to interrupts
COMMAND = [sys.executable, "-c", f"{HEARS}; from mess.search.cli import main; main()"]
PATIENCE = 20.0
"""Seconds after which something counts as deaf; far more than it takes."""
NEVER = 90_000_000
"""More iterations than fit into any patience."""

needs_full_device = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")


def run(*arguments, **options):
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)


def stopped(arguments, how, started, **options):
    """A process that is sent a signal once ``started`` says so: its exit code and output."""
    process = subprocess.Popen([*COMMAND, *map(str, arguments)], text=True, **options)
    deadline = time.monotonic() + 300
    while not started() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(how)
    try:
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, out, err


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_ends_a_search_at_once(tmp_path, workers):
    position = tmp_path / "position.json"
    position.write_text(str(deal("flaming", 1)))
    assert run("hint", position, "--iterations", 1).returncode == 0
    began = time.monotonic()
    code, out, err = stopped(
        ["hint", position, "--iterations", NEVER, "--workers", workers],
        signal.SIGINT,
        lambda: time.monotonic() - began > 4,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert (code, out, err) == (cli.STOPPED, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_game_that_is_ended_is_kept(tmp_path, how):
    out_file = tmp_path / "out.txt"
    with out_file.open("w") as out:
        options = {"stdin": subprocess.PIPE, "stdout": out, "stderr": subprocess.STDOUT, "cwd": tmp_path}
        command = [*COMMAND, "play", "flaming", "--bots", "random", "--seed", "5"]
        process = subprocess.Popen(command, text=True, **options)
        process.stdin.write("1\n")
        process.stdin.flush()
        deadline = time.monotonic() + 300
        while out_file.read_text().count("Your move") < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(how)
        assert process.wait(PATIENCE) == 0
    assert json.loads((tmp_path / "mess-games.jsonl").read_text())["moves"]


@needs_full_device
@pytest.mark.parametrize("command", ["--help", "games", "deal flaming --seed 1", "show -", "moves -"])
def test_a_full_device_is_one_line(command):
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [*COMMAND, *command.split()],
            input=str(deal("flaming", 1)),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
        )
    assert result.returncode == cli.WRONG_INPUT
    assert result.stderr == "mess: standard output: expected room to write; no space left on device\n"


@pytest.mark.slow
def test_a_game_is_kept_when_the_screen_is_gone(tmp_path):
    command = [*COMMAND, "play", "flaming", "--bots", "random", "--seed", "5"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    process.stdin.write("1\n")
    process.stdin.flush()
    seen = b""
    while seen.count(b"Your move") < 2:
        seen += os.read(process.stdout.fileno(), 1 << 16)
    process.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write("1\n1\n")
        process.stdin.close()
    assert process.wait(PATIENCE) == 0
    assert "Traceback" not in process.stderr.read()
    assert json.loads((tmp_path / "mess-games.jsonl").read_text())["moves"]


def test_readers_that_stop_are_no_error():
    read, write = os.pipe()
    os.close(read)
    for command in (["games"], ["--help"]):
        result = subprocess.run([*COMMAND, *command], stdout=write, stderr=subprocess.PIPE, text=True, timeout=300)
        assert (result.returncode, result.stderr) == (0, "")
    os.close(write)


def test_a_closed_output_is_one_line():
    result = subprocess.run([*COMMAND, "games"], stderr=subprocess.PIPE, text=True, preexec_fn=lambda: os.close(1))
    assert (result.returncode, result.stderr) == (2, "mess: standard output: expected it to be open\n")


def test_interruptible_work_returns_and_raises():
    assert interruptible(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)
