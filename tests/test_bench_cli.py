"""Commands for matches, measuring and reports, as typed."""

import json
import os
import re
import signal
import sys
import types

import pytest
from fake_bots import Chancer, Faulty, Picky
from mess.benchmarks import blocks, commands, plans
from mess.benchmarks import match as match_module
from mess.benchmarks.files import write_text
from mess.benchmarks.match import load
from mess.search import cli as main
from mess.solver.errors import InputError
from mess_command import bench as mess

MADE_UP = {"chancer": Chancer, "picky": Picky, "faulty": Faulty}


@pytest.fixture(autouse=True)
def _made_up_bots(monkeypatch):
    def make(spec, game):
        if spec not in MADE_UP:
            raise InputError("bot", f"expected one of {', '.join(MADE_UP)}, got {spec!r}")
        return MADE_UP[spec](name=spec)

    monkeypatch.setattr(blocks, "find", make)
    monkeypatch.setenv("COLUMNS", "120")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("match", ["GAME BOT...", "--deals N", "--preset NAME", "--out FILE"]),
        ("measure", ["GAME", "--plan NAME", "--workers N", "--results FOLDER"]),
        ("bench", ["--out FILE"]),
        ("report", ["--root FOLDER"]),
    ],
)
def test_help_names_what_every_argument_is(command, words, capsys):
    assert main.run([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert not [word for word in words if word not in text.replace("{", "").replace("}", "")]
    assert not re.search(r"<\w+|\b(INTEGER|PATH|TEXT)\b", text.split("Options:")[1])


def test_match_ends_with_a_table(tmp_path):
    result = mess("match", "flaming", "chancer", "picky", "--deals", 2, "--seed", 4, "--workers", 1)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].strip() == "flaming: players 2, preset bga"
    for word in ("bot", "win share", "95 % interval", "Elo", "mess"):
        assert word in lines[2]
    assert "forfeits" not in lines[2]
    assert "an equal share is 50.0 %" in result.stdout
    assert "chancer" in lines[4] and "picky" in lines[5] and "50.0 %" in lines[4]
    assert "4 games on 2 deals" in lines[-1] and "seed 4" in lines[-1] and "games/s" in lines[-1]


def test_match_passes_its_options_on_and_prints_json(tmp_path):
    out = tmp_path / "match"
    options = ["--players", 3, "--preset", "german", "--curse", "--special-fire", "--deals", 1, "--out", out, "--json"]
    result = mess("match", "flaming", "chancer", "faulty", *options, "--workers", 1, "--quiet")
    assert result.exit_code == 0 and result.stderr == ""
    summary = json.loads(result.stdout)
    assert summary["rules"] == {"players": 3, "preset": "german", "curse": True, "special_fire": True}
    assert (summary["games"], summary["finished"], summary["seed"]) == (3, 1, 0)
    assert "elo" not in summary["bots"][0]
    assert load(out).summary().items() <= summary.items()
    again = mess("match", "flaming", "chancer", "faulty", *options[:-1], "--workers", 1)
    assert (
        "all from the file" in again.stdout and "forfeit: faulty, deal 0, rotation 0: raised ValueError" in again.stdout
    )


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["chess", "chancer", "picky"], "game"),
        (["flaming", "chancer", "nobody"], "bot"),
        (["flaming", "chancer"], "bots"),
        (["flaming", "chancer", "picky", "--deals", "-3"], "deals"),
        (["flaming", "chancer", "picky", "--deals", "99999999999999999999"], "deals"),
        (["flaming", "chancer", "picky", "--workers", "0"], "workers"),
        (["flaming", "chancer", "picky", "--players", "9"], "rules.players"),
        (["flaming", "chancer", "picky", "--preset", "swiss"], "rules.preset"),
        (["flaming", "chancer", "picky", "--out", "/no/such/folder/x"], "out"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(arguments, field, capsys):
    assert main.run(["match", *arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"mess: {field}: ") and output.err.count("\n") == 1


def test_an_interrupted_match_shows_what_there_is(monkeypatch):
    def stop(setup, block):
        if block:
            raise KeyboardInterrupt
        return blocks.play_block(setup, block)

    monkeypatch.setattr(match_module, "play_block", stop)
    result = mess("match", "flaming", "chancer", "picky", "--workers", 1)
    assert result.exit_code == commands.INTERRUPTED
    assert "2 games on 1 deals" in result.stdout
    assert "interrupted after 1 of 50 deals" in result.stderr


def test_a_killed_worker_ends_the_match_in_one_line_and_the_file_goes_on(tmp_path, monkeypatch, capsys):
    def die_at(setup, block):
        if block == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return blocks.play_block(setup, block)

    arguments = ["match", "flaming", "chancer", "picky", "--deals", "3", "--quiet", "--out"]
    assert main.run([*arguments, str(tmp_path / "whole"), "--workers", "1"]) == 0
    monkeypatch.setattr(match_module, "play_block", die_at)
    capsys.readouterr()
    assert main.run([*arguments, str(tmp_path / "match"), "--workers", "2"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("mess: workers: ") and output.err.count("\n") == 1
    monkeypatch.undo()
    monkeypatch.setattr(blocks, "find", lambda spec, game: MADE_UP[spec](name=spec))
    assert (tmp_path / "whole").read_bytes().startswith((tmp_path / "match").read_bytes())
    assert main.run([*arguments, str(tmp_path / "match")]) == 0
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "match").read_bytes()


def test_measure_lists_plans_and_plays_one(tmp_path, monkeypatch):
    monkeypatch.setitem(
        plans.PLANS["flaming"], "tiny", plans.Plan("A tiny plan", ("chancer",), 2, 900, against="picky")
    )
    listed = mess("measure", "flaming").stdout.splitlines()
    assert "tiny             A tiny plan" in listed and len(listed) == len(plans.PLANS["flaming"])
    result = mess("measure", "flaming", "--plan", "tiny", "--deals", 1, "--results", tmp_path, "--workers", 1)
    assert result.exit_code == 0, result.output
    document = json.loads((tmp_path / "flaming-tiny.json").read_text())
    assert (document["title"], document["matches"][0]["deals"]) == ("A tiny plan", 1)
    assert document["command"] == "mess measure flaming --plan tiny --deals 1"
    assert isinstance(mess("measure", "flaming", "--plan", "none").exception, InputError)
    assert isinstance(mess("measure", "flaming", "--plan", "tiny", "--results", "/proc/x").exception, InputError)


def test_report_writes_and_checks(tmp_path):
    (tmp_path / "README.md").write_text("<!-- results:s -->\n<!-- /results -->\n")
    (tmp_path / "results").mkdir()
    document = {"kind": "speed", "machine": {}, "rows": [], "ratios": [], "notes": []}
    write_text(tmp_path / "results" / "s.json", json.dumps(document))
    stale = mess("report", "--check", "--root", tmp_path)
    assert (stale.exit_code, stale.stdout) == (1, "stale: README.md, s\nstale: results/README.md\n")
    assert mess("report", "--root", tmp_path).stdout.startswith("written: README.md, s")
    fresh = mess("report", "--check", "--root", tmp_path)
    assert (fresh.exit_code, fresh.stdout) == (0, "all tables and pictures are those of results/\n")


def test_bench_passes_its_options_on(tmp_path, monkeypatch):
    def measure(quick, peers, command, progress):
        asked.update(quick=quick, peers=peers, command=command, progress=progress)
        rows = [{"name": "play", "value": 2e6, "unit": "decisions/s", "low": 1.0, "high": 3.0, "repeats": 3}]
        ratios, machine = [{"name": "ours to theirs", "value": 12.0}], {"cpu": "some"}
        return {"kind": "speed", "machine": machine, "rows": rows, "ratios": ratios, "notes": ["A note."]}

    asked = {}
    speed = types.ModuleType("mess.benchmarks.speed")
    speed.measure = measure
    monkeypatch.setitem(sys.modules, "mess.benchmarks.speed", speed)
    out = tmp_path / "speed.json"
    result = mess("bench", "--quick", "--peers", "--out", out, "--quiet")
    assert result.exit_code == 0, result.output
    command = f"mess bench --quick --peers --out {out}"
    assert asked == {"quick": True, "peers": True, "command": command, "progress": False}
    assert json.loads(out.read_text())["kind"] == "speed"
    assert "2 M" in result.stdout and "12" in result.stdout and "A note." in result.stdout
    assert json.loads(mess("bench", "--json", "--quiet").stdout)["kind"] == "speed"
