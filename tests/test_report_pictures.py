"""Pictures of results: what is in them, that they are the same every time, and when they are stale."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from mess.benchmarks.drawing import draw, is_drawn
from mess.benchmarks.pictures import Mark, of_all_levels, picture
from mess.benchmarks.report import look_back, refresh
from mess.search import cli
from mess.solver.errors import InputError

RULES = {"players": 2, "preset": "bga", "curse": False, "special_fire": False}


def match(bot, share, mess=7.5, field=None):
    row = {"bot": bot, "share": share, "low": share - 0.1, "high": share + 0.1, "expected": 0.5, "differs": False}
    row |= {"mess": mess, "mess_low": mess - 1, "mess_high": mess + 1, "forfeits": 0}
    row |= {"elo": {"value": 0.0, "low": None, "high": None}}
    other = row | {"bot": "douse", "share": 1 - share, "mess": 20.0, "mess_low": None, "mess_high": None}
    facts = {"game": "flaming", "rules": RULES, "seed": 0, "deals": 4, "players": 2, "decisions": 80.5}
    return facts | {"specs": [bot, "douse"], "bots": [row, other]}


def matches(*played, **options):
    return {"kind": "matches", "title": "A title", "command": "mess measure", "matches": list(played)} | options


DOTS = matches(match("mcts@50", 0.75), match("random", 0.25), match("mcts@100:open=1", 0.5))
CURVE = matches(match("mcts@2000:cutoff=0", 0.75), match("mcts@500:cutoff=0", 0.5))
LEVELS = matches(*(match(f"level{level}", level / 20) for level in range(1, 11)), kind="levels")
REGRET = {
    "kind": "regret",
    "title": "Lost",
    "optimum": 100.0,
    "rows": [
        {"bot": "random", "regret": 90.0, "low": 80.0, "high": 95.0, "best": 0.1},
        {"bot": "tower", "regret": 2.0, "low": None, "high": None, "best": 0.5},
    ],
}


@pytest.fixture
def root(tmp_path):
    """A folder with results of a match and of levels, all up to date."""
    (tmp_path / "results").mkdir()
    (tmp_path / "README.md").write_text("Nothing is marked.\n")
    write(tmp_path, "one", DOTS)
    write(tmp_path, "steps", LEVELS)
    assert refresh(tmp_path) == [
        *("results/one.svg", "results/steps.svg", "results/levels.svg"),
        "results/README.md",
    ]
    return tmp_path


def write(root, name, document):
    (root / "results" / f"{name}.json").write_text(json.dumps(document))


def files(root):
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_bots_are_rows_and_a_search_by_budget_is_a_curve():
    drawn = picture(DOTS)
    assert (drawn.rows, drawn.budgets) == (("mcts@50", "random", "mcts@100:open=1"), None)
    shares, cost, length = drawn.panels
    assert shares.series[0].marks == (Mark(75, 65, 85), Mark(25, 15, 35), Mark(50, 40, 60))
    assert (shares.reference, shares.is_share) == (50, True)
    assert [series.marks[0] for series in cost.series] == [Mark(7.5, 6.5, 8.5), Mark(20.0)]
    assert length.series[0].marks == (Mark(80.5),) * 3
    drawn = picture(CURVE)
    assert drawn.budgets == (500, 2000)
    assert [mark.value for mark in drawn.panels[0].series[0].marks] == [50, 75]
    assert picture(matches(match("mcts@50", 0.5))).budgets is None
    assert picture(matches(match("mcts@50", 0.5), match("pimc@60", 0.5))).budgets is None


def test_levels_regret_and_ratings():
    drawn = picture(LEVELS)
    assert drawn.rows[::9] == ("1 level1", "10 level10")
    assert drawn.panels[0].series[0].marks[9].value == 50
    together = of_all_levels([LEVELS, LEVELS])
    assert (len(together.panels), together.rows[9]) == (2, "10")
    drawn = picture(REGRET)
    assert (drawn.rows, drawn.panels[1].series[0].marks) == (("tower",), (Mark(50),))
    rows = [
        {"bot": "douse", "rating": 80.0, "low": 60.0, "high": 90.0, "bound": False},
        {"bot": "random", "rating": -900.0, "low": -910.0, "high": -890.0, "bound": True},
    ]
    drawn = picture({"kind": "ratings", "game": "flaming", "players": 3, "anchor": None, "ratings": rows})
    assert drawn.panels[0].series[0].marks == (Mark(80, 60, 90), Mark(-900))
    assert draw(drawn)
    assert picture({"kind": "speed"}) is None


@pytest.mark.parametrize("document", [DOTS, CURVE, LEVELS, REGRET], ids=["dots", "curve", "levels", "regret"])
def test_a_drawing_is_the_same_every_time_and_tells_its_numbers(document, tmp_path):
    drawn = picture(document)
    image = draw(drawn)
    assert image == draw(drawn)
    text = image.decode()
    assert f">{drawn.title}</text>" in text and "<dc:date>" not in text
    assert all(f">{panel.label}</text>" in text for panel in drawn.panels)
    path = tmp_path / "drawing.svg"
    path.write_bytes(image)
    assert is_drawn(drawn, path)
    assert not is_drawn(drawn._replace(title="Another"), path)
    path.write_bytes(b"\xff")
    assert not is_drawn(drawn, path)


def test_a_picture_is_stale_when_its_numbers_changed_and_only_then(root):
    assert refresh(root, check=True) == []
    before = files(root)
    drawn = root / "results" / "one.svg"
    # as another version of matplotlib would draw it
    drawn.write_text(drawn.read_text().replace("#1f77b4", "#1f77b5"))
    assert refresh(root) == []
    drawn.write_bytes(before[drawn])
    write(root, "one", matches(match("mcts@50", 0.76), *DOTS["matches"][1:]))
    assert refresh(root, check=True) == ["results/one.svg", "results/README.md"]
    assert drawn.read_bytes() == before[drawn]
    refresh(root)
    assert drawn.read_bytes() != before[drawn]
    write(root, "one", DOTS)
    refresh(root)
    assert files(root) == before
    drawn.unlink()
    assert refresh(root, check=True) == ["results/one.svg"]


def test_results_show_their_pictures(root):
    overview = (root / "results" / "README.md").read_text()
    assert re.findall(r"\((\w+\.svg)\)", overview) == ["one.svg", "steps.svg", "levels.svg"]


def test_without_what_draws_them_pictures_are_left_out_in_one_line(root, monkeypatch, capsys):
    shown = (root / "results" / "README.md").read_text()
    write(root, "two", CURVE)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert refresh(root) == ["results/README.md"]
    warning = capsys.readouterr().err
    assert warning.startswith("mess: warning: left out two.svg; ") and warning.count("\n") == 1
    assert "pip install 'smallest-mess[plots]'" in warning
    overview = (root / "results" / "README.md").read_text()
    assert "two.svg" not in overview and "one.svg" in overview and overview != shown
    assert refresh(root, check=True) == ["results/two.svg", "results/README.md"]


def test_the_committed_pictures_are_those_of_the_results():
    assert not [name for name in refresh(Path(__file__).parent.parent, check=True) if name.endswith(".svg")]


def git(root, *arguments):
    names = ["-c", "user.name=somebody", "-c", "user.email=some@body"]
    subprocess.run(["git", "-C", str(root), *names, *arguments], check=True, capture_output=True)


def test_history_is_what_git_tells(root):
    git(root, "init", "-q")
    for title, share in (("First", 0.5), ("Same", 0.5), ("Better", 0.75)):
        write(root, "one", matches(match("mcts@50", share), match("random", 0.25)))
        git(root, "add", "--all")
        git(root, "commit", "-q", "--allow-empty", "-m", title)
    look_back(root)
    document = json.loads((root / "results" / "history.json").read_text())
    assert [commit["title"] for commit in document["commits"]] == ["First", "Better"]
    assert [row["name"] for row in document["rows"]] == ["one: mcts@50"]
    assert [value["value"] for value in document["rows"][0]["values"].values()] == [0.5, 0.75]
    assert refresh(root) == ["results/history.svg", "results/one.svg", "results/README.md"]
    overview = (root / "results" / "README.md").read_text()
    assert "| one: mcts@50 | 0.5 | 0.75 | 1.50 |" in overview and "![history, drawn](history.svg)" in overview
    marks = [series.marks for series in picture(document).panels[0].series]
    assert marks == [(Mark(1),), (Mark(1.5),)]


def test_without_history_one_line_says_so(root, capsys):
    before = files(root)
    assert cli.run(["report", "--history", "--root", str(root)]) == 2
    assert cli.run(["report", "--history", "--check", "--root", str(root)]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"mess: history: expected {root}/results in a git repository with its history; ")
    assert second.startswith("mess: history: expected --history or --check")
    assert files(root) == before
    with pytest.raises(InputError, match="history: expected"):
        look_back(root)
