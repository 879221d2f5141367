"""``mess solve meeples`` and ``mess score``: numbers known from elsewhere, files, and what can be asked wrongly."""

import csv
import io
import json
import os
import subprocess
import sys
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
import pytest
from mess.benchmarks.building import render_building
from mess.search.building import solutions as building
from mess.search.building.tables import MOST_BINS, bins, representative
from mess.solver.game import deal
from mess.solver.meeples import best
from mess.solver.meeples.builder import TICKS, builtin, write_toml
from mess.solver.meeples.contest import race
from mess.solver.meeples.state import BRIDGE, SUPPORTS
from mess_command import mess
from reference import meeples as naive

STEADY = builtin("steady")
EXPERT = builtin("expert")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder of its own; nothing is left to compile, whatever was run before."""
    from mess.solver import jit

    monkeypatch.setattr(jit, "FOLDER", None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def solved(*arguments):
    """The JSON of ``mess solve meeples``."""
    result = mess("solve", "meeples", *arguments, "--json")
    assert result.code == 0, result.err
    return json.loads(result.out)


def naive_rules(builder, support, mode="points", seconds=20):
    return naive.rules_of(mode=mode, support=support, seconds=seconds, builder=builder.to_dict())


# --- points ---


@pytest.mark.parametrize(("seconds", "points"), [(20, 18.395335), (60, 58.130508)])
def test_points_of_another_programme(seconds, points):
    summary = solved("points", "--seconds", seconds)
    assert summary["points"] == pytest.approx(points, abs=5e-7)
    assert summary["mean"] == pytest.approx(summary["points"])
    assert list(summary) == [
        *("game", "solved", "seconds", "support", "builder", "points", "first", "mean", "deviation", "distribution"),
        *("line", "stops", "by_time", "shorter", "walls", "took_seconds", "memory_mb"),
    ]
    chances = summary["distribution"]
    assert sum(chances.values()) == pytest.approx(1)
    assert sum(int(score) * chance for score, chance in chances.items()) == pytest.approx(points, abs=1e-6)
    assert sum(entry["stops"] for entry in summary["by_time"]) == pytest.approx(1)


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("builder", ["steady", "beginner"])
def test_first_steps_and_shorter_times_are_the_naive_ones(support, builder):
    summary = solved("points", "--seconds", 12, "--support", support, "--builder", builder)
    rules = naive_rules(builtin(builder), support)
    assert summary["first"] == pytest.approx(naive.action_values(rules, [], 12 * TICKS))
    assert summary["shorter"] == pytest.approx({"10": naive.best_points(rules, [], 10 * TICKS)})


def test_line_is_what_best_play_does_while_nothing_slips():
    line = solved("points", "--seconds", 20)["line"]
    moves = [move for part in line["moves"].split() for move in int(part[:-3]) * [part[-2:]]]
    assert building.compact(moves) == line["moves"]
    rules = naive_rules(STEADY, "bridge")
    rows, ticks, chance = [], 20 * TICKS, 1.0
    for move in moves:
        values = naive.action_values(rules, rows, ticks)
        assert values[move] == pytest.approx(max(values.values()))
        row, pace = naive.action(move)
        ticks = naive.left_after(rules["builder"], ticks, row, pace, slipped=False)
        chance *= 1 - naive.slip(rules["builder"], row, pace)
        rows = naive.placed(rows, row)
    assert (rows, ticks / TICKS) == (line["rows"], line["seconds_left"])
    assert line["points"] == naive.points(rows, "bridge")
    assert line["chance"] == pytest.approx(chance)


def test_course_adds_up():
    plan = building.solve_points(STEADY, 20, BRIDGE, 1)
    course = plan.course
    at_work, stopped = course.at_work(), course.has_stopped()
    busy = at_work.sum(axis=0) + stopped
    assert (busy <= 1 + 1e-9).all()
    assert at_work[0, -1] == pytest.approx(1)
    # what is neither is clearing up
    slips = float((course.begun @ plan.solution.clock.slip).sum())
    assert 0 < (1 - busy).sum() <= slips * STEADY.clear + 1e-9
    begun = plan.summary["by_time"]
    assert sum(entry["placements"] for entry in begun) == pytest.approx(float(course.begun.sum()))
    assert [(entry["from"], entry["to"]) for entry in begun] == [(20, 10), (10, 0)]


def test_quantiles_are_of_the_time_left_when_it_stops():
    plan = building.solve_points(STEADY, 20, BRIDGE, 1)
    lefts = np.repeat(np.arange(81), np.round(plan.course.stopped * 100_000).astype(int)) / TICKS
    for per_cent, seconds in plan.summary["stops"].items():
        assert seconds == np.quantile(lefts, int(per_cent) / 100, method="inverted_cdf")


def test_without_a_bar(here):
    script = "from mess.search import cli; cli.main()"
    command = [sys.executable, "-c", script, "solve", "meeples", "points", "--seconds", "20", "--json"]
    environment = os.environ | {"TQDM_DISABLE": "1"}
    result = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(result.stdout)["points"] == pytest.approx(18.395335, abs=5e-7)


def test_no_time_for_anything():
    summary = solved("points", "--seconds", 1)
    assert (summary["points"], summary["first"], summary["line"]["moves"]) == (0.0, {"stop": 0.0}, "")
    assert summary["distribution"] == {"0": 1.0}
    assert summary["by_time"][0]["slip"] is None
    assert "it places\nnothing" in mess("solve", "meeples", "points", "--seconds", 1).out


def test_points_are_told():
    result = mess("solve", "meeples", "points", "--seconds", 20, "--workers", 1)
    assert (result.code, "ticks" in result.err) == (0, True)
    for text in ("18.395335 points", "81.52 %", "2×1q 1×2q", "first step: 1q 18.3953", "70 walls"):
        assert text in result.out


@pytest.mark.parametrize("scores", [range(1), range(20), range(7, 28), range(200), (3, 455), (0, 4950)])
def test_bins_are_few_and_lose_nothing(scores):
    chances = {str(score): 1 / len(scores) for score in scores} | {"5000": 1e-9}
    steps = bins(chances)
    assert len(steps) <= MOST_BINS
    assert sum(chance for _, _, chance in steps) == pytest.approx(1)
    assert all(after[0] == before[1] + 1 for before, after in pairwise(steps))


# --- files ---


def test_summary_as_a_result():
    result = mess("solve", "meeples", "points", "--seconds", 20, "--out", "a.json", "--json")
    kept = json.loads(Path("a.json").read_text(encoding="utf-8"))
    assert list(kept)[:3] == ["kind", "title", "command"]
    assert kept["kind"] == "building"
    assert kept["title"] == "Meeples solved: points, 20 s, bridge, steady"
    assert kept["command"] == "mess solve meeples points --seconds 20 --out a.json"
    assert {name: kept[name] for name in list(kept)[3:]} == json.loads(result.out)
    assert "18.395335 points" in render_building(kept)


def test_policy_as_a_table():
    assert mess("solve", "meeples", "points", "--seconds", 12, "--out", "a.csv").code == 0
    text = Path("a.csv").read_bytes().decode()
    assert "\r" not in text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == ["rows", "seconds_left", "chance", "move", "points"]
    assert (rows[0]["rows"], rows[0]["seconds_left"], float(rows[0]["chance"])) == ("", "12", 1.0)
    rules = naive_rules(STEADY, "bridge")
    for row in rows:
        wall = [int(count) for count in row["rows"].split()]
        values = naive.action_values(rules, wall, int(row["seconds_left"]) * TICKS)
        assert float(row["points"]) == pytest.approx(max(values.values()), abs=1e-6)
        assert values[row["move"]] == pytest.approx(max(values.values()))
        assert float(row["chance"]) >= 1e-6
    for _, group in groupby(rows, key=lambda row: row["seconds_left"]):
        chances = [float(row["chance"]) for row in group]
        assert sum(chances) <= 1 + 1e-6
        assert chances == sorted(chances, reverse=True)


def test_policy_as_arrays():
    assert mess("solve", "meeples", "points", "--seconds", 12, "--out", "a.npz").code == 0
    held = np.load("a.npz")
    about = json.loads(str(held["about"]))
    assert {name: about[name] for name in ("seconds", "support", "builder", "ticks_a_second")} == {
        "seconds": 12,
        "support": "bridge",
        "builder": "steady",
        "ticks_a_second": TICKS,
    }
    assert held["actions"].shape == (12 * TICKS + 1, len(held["walls"]))
    assert (held["actions"].dtype, held["walls"].dtype) == (np.uint8, np.uint8)
    solution = best.solve(STEADY, 12 * TICKS, BRIDGE, policy=True).solve()
    for i, rows in enumerate(held["walls"].tolist()):
        wall = [count for count in rows if count]
        assert held["points"][i] == naive.points(wall, "bridge")
        assert held["actions"][20, i] == solution.best_action(tuple(wall), 20)


def test_plot_is_the_same_every_time(here):
    pytest.importorskip("matplotlib")
    for name in ("a.svg", "b.svg"):
        assert mess("solve", "meeples", "points", "--seconds", 20, "--out", name).code == 0
    first = (here / "a.svg").read_bytes()
    assert first == (here / "b.svg").read_bytes()
    assert b"<svg" in first
    assert b"dc:date" not in first
    assert b"Meeples solved: points, 20 s, bridge, steady" in first


def test_without_matplotlib(here):
    script = (
        "import sys; sys.modules['matplotlib'] = None; from mess.search import cli\n"
        "sys.exit(cli.run(['solve', 'meeples', 'points', '--seconds', '5', '--out', 'a.svg']))"
    )
    result = subprocess.run([sys.executable, "-c", script], cwd=here, capture_output=True, text=True, check=False)
    line = "mess: matplotlib: expected it to be installed: pip install 'smallest-mess[plots]'\n"
    assert (result.returncode, result.stdout, result.stderr) == (2, "", line)


def test_builder_from_a_file(here):
    (here / "me.toml").write_text(write_toml(EXPERT))
    assert solved("points", "--seconds", 10, "--builder", "me.toml")["builder"] == "expert"


# --- higher ---


@pytest.mark.parametrize("support", SUPPORTS)
def test_chances_to_finish_are_the_naive_ones(support):
    summary = solved("higher", "--seconds", 14, "--support", support)
    rules = naive_rules(STEADY, support, "higher")
    bases = {entry["base"]: entry for entry in summary["players"][0]["bases"]}
    assert list(bases) == list(range(3, 14))
    for base in (3, 4):
        assert bases[base]["chance"] == pytest.approx(naive.finish_chance(rules, base, [], 14 * TICKS))
    assert 0 < bases[3]["line_chance"] <= bases[3]["chance"] <= 1
    assert bases[13] == {"base": 13, "chance": 0.0, "line": None, "line_chance": None, "seconds": None}
    assert "shares" not in summary


def test_seconds_where_it_is_finished():
    """With just the time for it, it either takes all of that or fails."""
    fastest = sum((4 - row) * STEADY.least_ticks(row) for row in (1, 2, 3)) / TICKS
    entry = solved("higher", "--seconds", int(np.ceil(fastest)))["players"][0]["bases"][0]
    assert fastest <= entry["seconds"] <= np.ceil(fastest)
    assert entry["line"] == "3×1q 2×2q 1×3q"


def test_shares_of_several_players():
    summary = solved("higher", "--seconds", 20, "--builder", "steady,expert,steady")
    chances = [[entry["chance"] for entry in player["bases"]] for player in summary["players"]]
    assert summary["shares"] == pytest.approx(race(chances))
    assert summary["shares"][0] == summary["shares"][2] < summary["shares"][1]
    alike = solved("higher", "--seconds", 12, "--players", 6)
    assert alike["shares"] == pytest.approx([1 / 6] * 6)
    result = mess("solve", "meeples", "higher", "--seconds", 20, "--builder", "steady,expert", "--out", "a.json")
    assert result.code == 0
    for text in ("share of wins", "player 2  expert", "3×1q 2×2q 1×3c"):
        assert text in result.out
    kept = json.loads(Path("a.json").read_text(encoding="utf-8"))
    assert kept["command"] == "mess solve meeples higher --seconds 20 --builder steady,expert --out a.json"
    assert "| `expert` |" in render_building(kept)


# --- contests ---


def test_contest_of_two_alike_is_even():
    summary = solved("contest", "--seconds", 8, "--turns", 2)
    assert summary["low"] - 1e-9 <= 0.5 <= summary["high"] + 1e-9
    assert summary["plain"]["share"] == pytest.approx(0.5)
    assert summary["converged"]
    assert [turn["turn"] for turn in summary["by_turn"]] == [1, 2]
    assert [len(turn["gaps"]) for turn in summary["by_turn"]] == [1, 15]
    middle = summary["by_turn"][1]["gaps"][7]
    assert list(middle) == ["gap", "low", "high", "points", "deviation", "plain", "answers"]
    assert (middle["gap"], middle["plain"]) == (0, pytest.approx(0.5))


def test_who_plays_for_points_only_is_told_exactly():
    summary = solved("contest", "--seconds", 10, "--builder", "steady,expert")
    ends = [building.solve_points(builder, 10, BRIDGE, 1).summary for builder in (STEADY, EXPERT)]
    share = sum(
        first * second * (1.0 if int(a) > int(b) else 0.5 if a == b else 0.0)
        for a, first in ends[0]["distribution"].items()
        for b, second in ends[1]["distribution"].items()
    )
    assert summary["plain"]["share"] == pytest.approx(share)
    assert summary["plain"]["points"] == pytest.approx([end["points"] for end in ends])
    assert summary["plain"]["deviation"] == pytest.approx([end["deviation"] for end in ends])


def test_contest_is_told():
    result = mess("solve", "meeples", "contest", "--seconds", 8, "--turns", 2, "--out", "a.json")
    for text in ("share of wins of the first: 50.00 %", "turn 2", "if both play for points only: 50.00 %"):
        assert text in result.out
    assert "turn 2 of 2" in result.err
    kept = json.loads(Path("a.json").read_text(encoding="utf-8"))
    assert kept["title"] == "Meeples solved: contest, 2 turns, 8 s, bridge, steady"
    assert "Turn 2:" in render_building(kept)


def test_representative_gaps():
    gaps = [{"gap": gap} for gap in range(-40, 171)]
    shown = [entry["gap"] for entry in representative(gaps)]
    assert (len(shown), shown[0], shown[-1], 0 in shown) == (13, -40, 170, True)
    assert representative(gaps[38:43]) == gaps[38:43]
    assert [entry["gap"] for entry in representative(gaps[40:])][:2] == [0, 28]


# --- walls ---


@pytest.mark.parametrize(
    ("meeples", "support", "points"), [(12, "bridge", 23), (23, "bridge", 59), (23, "column", 276)]
)
def test_best_walls(meeples, support, points):
    summary = solved("wall", "--meeples", meeples, "--support", support)
    assert summary["points"] == points == naive.points(summary["rows"], support)
    assert sum(summary["rows"]) <= meeples


def test_walls_of_all_meeples():
    bridge, column = solved("wall"), solved("wall", "--support", "column")
    assert (bridge["points"], sum(bridge["rows"])) == (491, 99)
    assert (column["points"], column["rows"]) == (4950, [1] * 99)
    assert naive.points(bridge["rows"], "bridge") == 491
    drawn = mess("solve", "meeples", "wall", "--meeples", 12)
    assert (drawn.code, drawn.err, drawn.lines[-1]) == (0, "", "23 points")
    assert "  4" in drawn.out


@pytest.mark.parametrize(
    ("arguments", "points"),
    [
        ("5,4,2,1", 23),
        ("5,1", 4),
        ("5", 1),
        ("3, 2", 7),
        ("2,2,1 --support column", 6),
        ("14,13,12,11,10,9,8,7,5", 381),
    ],
)
def test_score(arguments, points):
    rows, *rest = arguments.split(" --")
    result = mess("score", rows, *(f"--{rest[0]}".split() if rest else []))
    if "column" not in arguments:
        assert points == naive.points([int(count) for count in rows.split(",")], "bridge")
    assert result == (0, f"{points}\n", "")


# --- positions ---


def position(**rules):
    return str(deal("meeples", 0, **rules))


def test_position_of_one_builder():
    result = mess("solve", "-", stdin=position(seconds=20))
    assert result.lines[0] == "18.3953 points to be expected under best play: 1q"
    assert result.lines[1:] == ["1q    18.3953", "1c    17.5954", "stop  0.0000"]
    told = json.loads(mess("solve", "meeples", "-", "--json", stdin=position(seconds=20)).out)
    assert (told["best"], told["points"]) == ("1q", pytest.approx(18.395335, abs=5e-7))
    higher = mess("solve", "-", stdin=position(seconds=12, mode="higher"))
    assert "rounds to be expected" in higher.lines[0]
    assert higher.lines[1].startswith("Finishes with")


def test_position_nobody_can_judge():
    result = mess("solve", "-", stdin=position(players=2))
    line = "mess: rules.players: expected 1, only who builds alone has best moves; got 2\n"
    assert (result.code, result.out, result.err) == (2, "", line)
    hands = deal("meeples", 0).play("1q")
    result = mess("solve", "-", stdin=str(hands))
    assert result.err == "mess: phase: expected build, the builder must be the one to decide\n"
    over = deal("meeples", 0, seconds=2).play("stop")
    assert mess("solve", "-", stdin=str(over)).err == "mess: phase: expected a game that is not over\n"


# --- errors ---

KINDS = "expected one of points, higher, contest, wall, or a position of meeples; got"
POINTS = "no option of mess solve meeples points; expected --seconds, --builder, --support, --workers, --out"
BUILDERS = "builder: expected one of steady, beginner, expert, or a file *.toml; got 'bob'"
ERRORS = {
    # arguments of mess, the line
    "no kind": ("solve meeples", f"kind: {KINDS} nothing"),
    "what kind": ("solve meeples pointz", f"kind: {KINDS} 'pointz'"),
    "no file": ("solve meeples no.json", "no.json: expected a file that can be read; no such file or directory"),
    "turns": ("solve meeples points --turns 2", f"turns: {POINTS}"),
    "size": ("solve meeples points --size 3", f"size: {POINTS}"),
    "nodes": ("solve meeples points --nodes 3", f"nodes: {POINTS}"),
    "empty reserve": ("solve meeples points --empty-reserve loses", f"empty-reserve: {POINTS}"),
    "higher's": (
        "solve meeples higher --workers 1",
        "workers: no option of mess solve meeples higher; expected --seconds, --builder, --support, --players, --out",
    ),
    "wall's": (
        "solve meeples wall --seconds 1",
        "seconds: no option of mess solve meeples wall; expected --support, --meeples",
    ),
    "no seconds": ("solve meeples points --seconds 0", "seconds: expected a whole number from 1 to 600, got 0"),
    "long": ("solve meeples contest --seconds 601", "seconds: expected a whole number from 1 to 600, got 601"),
    "support": ("solve meeples wall --support x", "support: expected one of bridge, column, got 'x'"),
    "builder": ("solve meeples points --builder bob", BUILDERS),
    "last builder": ("solve meeples higher --builder steady,bob", BUILDERS),
    "two builders": ("solve meeples points --builder steady,expert", "builder: expected one, got 2"),
    "three": ("solve meeples contest --builder steady,expert,steady", "builder: expected one or two, got 3"),
    "players": ("solve meeples higher --players 7", "players: expected a whole number from 1 to 6, got 7"),
    "other players": (
        "solve meeples higher --players 3 --builder steady,expert",
        "builder: expected one, or 3, one a player; got 2",
    ),
    "no turns": ("solve meeples contest --turns 0", "turns: expected a whole number from 1 to 20, got 0"),
    "meeples": ("solve meeples wall --meeples 100", "meeples: expected a whole number from 1 to 99, got 100"),
    "workers": ("solve meeples points --workers 0", "workers: expected a whole number of at least 1, got 0"),
    "ending": (
        "solve meeples points --out a.txt",
        "out: expected a file that ends in .json, .csv, .npz or .svg, got 'a.txt'",
    ),
    "higher's ending": (
        "solve meeples higher --out a.csv",
        "out: expected a file that ends in .json or .svg, got 'a.csv'",
    ),
    "folder": (
        "solve meeples points --out no/a.csv",
        "no/a.csv: expected a file that can be written; there is no folder no",
    ),
    "not of pylos": (
        "solve pylos --seconds 5",
        "rules.seconds: no such rule, expected one of variant, empty_reserve, take_back, size",
    ),
    "of walls only": ("solve pylos --meeples 5", "meeples: expected this option only with mess solve meeples wall"),
    "score too wide": ("score 5,5", "rows[1]: expected 1 to 4 on the row below, got 5"),
    "score too many": ("score 100", "rows: expected at most 99 meeples, got 100"),
    "score none": ("score 5,0", "rows[1]: expected 1 to 4 on the row below, got 0"),
    "score on top": ("score 1,1", "rows[1]: expected no more rows, got 1"),
    "score wide": ("score 19", "rows[0]: expected 1 to 18 on the cloth, got 19"),
    "score word": ("score 5,x", "rows[1]: expected a whole number, got 'x'"),
    "score long": (f"score {'9' * 70}", f"rows[0]: expected a whole number, got '{'9' * 27}...{'9' * 28}'"),
    "score support": ("score 5 --support x", "support: expected one of bridge, column, got 'x'"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_error(name):
    arguments, line = ERRORS[name]
    assert mess(*arguments.split()) == (2, "", f"mess: {line}\n")
