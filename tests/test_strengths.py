"""What the package keeps of results: how strong bots are, made by the report and listed by mess bots."""

import json

import pytest
from fake_bots import Chancer, Picky
from mess.benchmarks import blocks, measure, plans
from mess.benchmarks.ladder import Ladder, render_compact, render_levels, strengths
from mess.benchmarks.report import STRENGTHS, refresh
from mess.search.bots import levels
from mess.search.bots import strengths as kept
from mess.search.bots.strengths import Strength, measured
from mess_command import mess
from test_report import pair

PICTURES = ["results/flaming-levels.svg", "results/levels.svg"]


def ladder_of(*shares):
    steps = [
        pair("mcts@9", share, share - 0.125, 1.0) | {"finished": 40, "decisions": 9.0, "command": "x"}
        for share in shares
    ]
    for step in steps:
        step["bots"][0]["forfeits"] = 0
    return {"kind": "levels", "title": "Levels", "matches": steps}


@pytest.fixture
def root(tmp_path):
    """A folder with a page, a result, and the place that strengths are kept in."""
    (tmp_path / "README.md").write_text("<!-- results:levels -->\n<!-- /results -->\n")
    (tmp_path / "results").mkdir()
    (tmp_path / STRENGTHS).parent.mkdir(parents=True)
    (tmp_path / "results" / "flaming-levels.json").write_text(json.dumps(ladder_of(*[0.75] * 10)))
    return tmp_path


def test_report_keeps_strengths_and_check_names_them_when_stale(root):
    stale = ["README.md, levels", *PICTURES, "results/README.md", STRENGTHS]
    assert refresh(root, check=True) == stale
    assert not (root / STRENGTHS).exists()
    assert refresh(root) == stale
    assert refresh(root, check=True) == []
    rows = json.loads((root / STRENGTHS).read_text())
    assert len(rows) == 10
    text = "75.0 % (62.5 to 100.0) against smallest-mess, 2 players, 40 deals, special_fire true"
    assert Strength(**rows[0]).text == text
    (root / STRENGTHS).write_text((root / STRENGTHS).read_text().replace("0.75", "0.76"))
    assert refresh(root, check=True) == [STRENGTHS]
    (root / STRENGTHS).unlink()
    assert refresh(root, check=True) == [STRENGTHS]


def test_where_there_is_no_package_nothing_is_kept(root):
    (root / STRENGTHS).parent.rmdir()
    assert refresh(root) == ["README.md, levels", *PICTURES, "results/README.md"]


def test_bots_that_were_shown_hidden_cards_are_not_among_them():
    document = {"kind": "matches", "matches": [pair("mcts@9", 0.7, 0.6, 0.8), pair("mcts@9:open=1", 1.0, 0.9, 1.0)]}
    rows = strengths({"flaming-x": document, "speed": {"kind": "speed"}})
    told = [(row["bot"], row["result"], row["rules"]) for row in rows]
    assert told == [("mcts@9", "flaming-x", {"special_fire": True})]


def test_tables_of_levels():
    document = ladder_of(0.75, 0.625)
    lines = render_levels(document).splitlines()
    assert lines[2] == "| 1 | `mcts@9` | 75.0 % | 62.5 – 100.0 | ▲ | +100 | 40 | 0 |"
    assert "at least 62.5 % against the one below, and by the lower ends of the intervals at least 50.0 %" in lines[-1]
    compact = render_compact([ladder_of(*[0.75] * 10)] * 2).splitlines()
    assert compact[0] == "| level | flaming | flaming |"
    assert compact[11] == "| 10 | 75.0 % (62.5 – 100.0) | 75.0 % (62.5 – 100.0) |"


def test_a_ladder_is_played_as_planned(tmp_path, monkeypatch):
    monkeypatch.setattr(blocks, "find", lambda spec, game: {"random": Picky}.get(spec, Chancer)(name=spec))
    monkeypatch.setitem(plans.PLANS["flaming"], "levels", Ladder("Steps", (2,) + (1,) * 9))
    assert measure.run("flaming", "levels", tmp_path, workers=1, progress=False)
    document = json.loads((tmp_path / "flaming-levels.json").read_text())
    assert document["command"] == "mess measure flaming --plan levels"
    assert [tuple(step["specs"]) for step in document["matches"]] == [levels.pair("flaming", n) for n in levels.LEVELS]
    assert document["matches"][0]["specs"][1] == "random"
    assert [step["finished"] for step in document["matches"]] == [2] + [1] * 9


def row(bot, against="greedy", players=2, result="odin-x", share=0.5):
    return Strength("odin", bot, against, share, 0.25, 0.75, players, 9, {}, result)


def test_what_is_listed_of_a_bot(monkeypatch):
    upper, lower = levels.pair("odin", 5)
    rows = (
        row("mcts@50", players=4),
        row("mcts@50", players=3),
        row("mcts:cutoff=0"),
        row("mctsx"),
        row(upper, lower, result="odin-levels", share=0.875),
        row(lower, "other than now", result="odin-levels"),
        row("high"),
    )
    monkeypatch.setattr(kept, "strengths", lambda: rows)
    assert [(one.bot, one.players) for one in measured("odin", "mcts")] == [("mcts@50", 3), ("mcts:cutoff=0", 2)]
    assert [one.share for one in measured("odin", "level5")] == [0.875]
    assert measured("odin", "level4") == []
    assert measured("flaming", "high") == []
    out = mess("bots", "odin").lines
    at = next(i for i, line in enumerate(out) if line.startswith("odin level5: "))
    assert out[at + 1].startswith("    wins 87.5 % (25.0 to 75.0) against ")
    at = next(i for i, line in enumerate(out) if line.startswith("odin greedy: "))
    assert out[at + 1] == "    what others are measured against"
    told = json.loads(mess("bots", "odin", "--json").out)
    assert [len(one["strength"]) for one in told if one["bot"] == "mcts"] == [2]


def test_what_was_measured_is_there_without_results():
    """The file that is installed with the package can be read, and tells of every game."""
    assert {row.game for row in kept.strengths()} == {"flaming", "odin", "pylos", "meeples"}
