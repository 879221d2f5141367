"""Tables made from results, and the plans that make results."""

import json

import pytest
from fake_bots import Chancer, Picky
from mess.benchmarks import blocks, measure, plans
from mess.benchmarks.ladder import Ladder
from mess.benchmarks.plans import Plan
from mess.benchmarks.report import refresh, render_matches, render_solutions, render_speed
from mess.benchmarks.tables import number, rules_text
from mess.benchmarks.tune import candidates
from mess.solver.errors import InputError

README = """# Title

<!-- results:flaming-tiny -->
old
<!-- /results -->

Words between.

<!-- results:speed -->
<!-- /results -->
The end.
"""
TINY = Plan("A tiny plan", ("chancer", "picky"), 3, 1, {"curse": True})


def standing(bot, share, low, high, expected=0.5, mess=10.0):
    rating = {"value": None if share == 1 else 100.0, "low": 0.0, "high": None}
    differs = not low <= expected <= high
    row = {"bot": bot, "share": share, "low": low, "high": high, "expected": expected, "differs": differs}
    return row | {"mess": mess, "forfeits": 0, "elo": rating}


def pair(spec, share, low, high):
    rules = {"players": 2, "preset": "bga", "curse": False, "special_fire": True}
    facts = {"game": "flaming", "rules": rules, "seed": 5, "deals": 40, "players": 2, "specs": [spec, "smallest-mess"]}
    return facts | {"bots": [standing(spec, share, low, high), standing("smallest-mess", 1 - share, 1 - high, 1 - low)]}


def measurement(name="play"):
    return {"name": name, "value": 1.5e7, "unit": "decisions/s", "low": 9876.0, "high": 2e7, "repeats": 3}


SPEED = {
    "kind": "speed",
    "title": "Speed",
    "command": "mess bench",
    "machine": {"cpu": "some", "cores": 2},
    "rows": [measurement()],
    "ratios": [{"name": "ours to theirs", "value": 12.34}],
    "notes": ["A note."],
}


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A folder with a README, and results of a tiny plan played by made-up bots and of made-up speed."""
    monkeypatch.setattr(blocks, "find", lambda spec, game: {"picky": Picky}.get(spec, Chancer)(name=spec))
    monkeypatch.setitem(plans.PLANS["flaming"], "tiny", TINY)
    (tmp_path / "README.md").write_text(README)
    assert measure.run("flaming", "tiny", tmp_path / "results", workers=1, progress=False)
    (tmp_path / "results" / "speed.json").write_text(json.dumps(SPEED))
    return tmp_path


def test_a_plan_writes_the_same_summary_again_without_playing(root, monkeypatch):
    summary = root / "results" / "flaming-tiny.json"
    before = summary.read_text()
    summary.unlink()
    monkeypatch.setattr(blocks, "play_game", None)
    measure.run("flaming", "tiny", root / "results", workers=1, progress=False)
    assert summary.read_text() == before
    document = json.loads(before)
    assert document["command"] == "mess measure flaming --plan tiny"
    assert [match["specs"] for match in document["matches"]] == [
        ["chancer", "smallest-mess"],
        ["picky", "smallest-mess"],
    ]
    assert [row["bot"] for row in document["matches"][1]["bots"]] == ["picky", "smallest-mess", "smallest-mess"]
    assert not {"seconds", "fresh"} & set(document["matches"][0])


def test_report_fills_the_marked_tables_and_check_names_what_is_stale(root):
    stale = ["README.md, flaming-tiny", "README.md, speed", "results/flaming-tiny.svg", "results/README.md"]
    assert refresh(root, check=True) == stale
    assert (root / "README.md").read_text() == README
    assert not (root / "results" / "README.md").exists()
    assert refresh(root) == stale
    assert refresh(root, check=True) == []
    text = (root / "README.md").read_text()
    assert "old" not in text and "\n\nWords between.\n\n" in text and text.endswith("<!-- /results -->\nThe end.\n")
    assert "| `chancer` |" in text and "flaming, players 3, preset bga, curse; 1 deals" in text
    overview = (root / "results" / "README.md").read_text()
    assert "`results/flaming-tiny.json`, made by `mess measure flaming --plan tiny`" in overview

    (root / "README.md").write_text(text.replace("15 M", "99 M"))
    assert refresh(root, check=True) == ["README.md, speed"]
    (root / "results" / "speed.json").write_text(json.dumps(SPEED | {"notes": ["Another."]}))
    (root / "README.md").write_text(text)
    assert refresh(root, check=True) == ["README.md, speed", "results/README.md"]


def test_table_of_matches():
    text = render_matches({"matches": [pair("mcts@9", 0.7, 0.6, 0.8), pair("mcts@9:open=1", 1.0, 0.9, 1.0)]})
    lines = text.splitlines()
    assert lines[2] == "| `mcts@9` | 70.0 % | 60.0 – 80.0 | 50.0 % | ▲ | +100 | 10.0 | 10.0 | 0 |"
    assert lines[3].split(" | ")[5] == "+∞"
    assert "flaming, players 2, preset bga, special fire; 40 deals" in text
    assert "`mcts@9` goes 40 % of the way from an even match to the ceiling" in text
    assert "the way" not in render_matches({"matches": [pair("mcts@9", 0.7, 0.6, 0.8)]})


def test_table_of_speed():
    text = render_speed(SPEED)
    assert "| play | 15 M decisions/s | 9.88 k – 20 M |" in text
    assert "| ours to theirs | 12.3 |" in text
    assert text.endswith("\nMeasured on one core: cpu some, cores 2.\n\nA note.\n")


def test_table_of_solutions():
    solved = {"value": "loss", "plies": 36, "longest": 38, "boards": 1_000, "sweeps": 2, "seconds": 207.6}
    solved |= {"by_balls": [[1, 2, 3], [0, 5, 40]]}
    drawn = solved | {"value": "draw", "plies": None}
    rules = [
        {"variant": variant, "empty_reserve": "loses", "size": size}
        for variant, size in (("expert", 3), ("expert", 4), ("beginner", 4))
    ]
    lines = render_solutions([drawn | {"rules": rules[0]}, drawn | {"rules": rules[1]}, solved | {"rules": rules[2]}])
    assert lines.splitlines()[2:5] == [
        "| beginner, loses, base of 4 | loss in 36 | 38 | 43 | 1,000 | 2 | 208 |",
        "| expert, loses, base of 4 | draw | 38 | 43 | 1,000 | 2 | 208 |",
        "| expert, loses, base of 3 | draw | 38 | 43 | 1,000 | 2 | 208 |",
    ]


def test_numbers_and_rules_in_words():
    assert [number(x) for x in (0.1234, 12, 999, 12345, 2.5e6)] == ["0.123", "12", "999", "12.3 k", "2.5 M"]
    assert rules_text({"players": 2, "curse": False, "special_fire": True}) == "players 2, special fire"


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("README.md", README.replace("results:speed", "results:sped"), "expected a file results/sped.json"),
        ("README.md", README.replace("<!-- /results -->", "", 1), "half is missing to `<!-- results:flaming-tiny"),
        ("README.md", README + "<!-- results:speed -->\n", "other half is missing to `<!-- results:speed -->`"),
        ("README.md", README.replace("speed -->", "speed --> "), "other half is missing to `<!-- results:speed --> `"),
        ("README.md", README.replace("results:speed", "results: speed"), "missing to `<!-- results: speed -->`"),
        ("README.md", README + "<!-- /results -->\n", "other half is missing to `<!-- /results -->`"),
        ("README.md", README.encode() + b"\xff", "README.md: it is no UTF-8 text"),
        ("README.md", None, "README.md: expected a file that can be read"),
        ("results/speed.json", "[]", "speed.json: expected an object whose kind"),
        ("results/speed.json", '{"kind": []}', "speed.json: expected an object whose kind"),
        ("results/speed.json", json.dumps(SPEED | {"machine": []}), "speed.json: expected every field"),
        ("results/speed.json", "{", "speed.json: expected an object whose kind"),
        ("results/speed.json", "[" * 100_000, "speed.json: expected an object whose kind"),
        ("results/speed.json", '{"kind": "speed"}', "speed.json: expected every field"),
        ("results/flaming-tiny.json", '{"kind": "matches", "matches": []}', "tiny.json: expected every field"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_written(root, file, content, message):
    if content is None:
        (root / file).unlink()
    else:
        (root / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    with pytest.raises(InputError, match=message):
        refresh(root)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_plans_are_sound():
    for game in plans.PLANS:
        for name, plan in plans.plans(game).items():
            if isinstance(plan, Ladder):
                assert len(plan.deals) == len(plan.pairs(game)) and min(plan.deals) > 1
                continue
            assert plan.title and plan.deals > 1
            if isinstance(plan, plans.TuningPlan):
                assert plan.tuning.game == game and len(candidates(plan.tuning)) == plan.tuning.candidates
                continue
            assert len(set(plan.bots)) == len(plan.bots), name
            if isinstance(plan, Plan):
                assert 2 <= plan.players <= 6 and plan.against not in plan.bots, name
    with pytest.raises(InputError, match="plan: expected one of policies-2p"):
        plans.plans("flaming", "none")
    with pytest.raises(InputError, match="game: expected one of flaming, odin, pylos"):
        plans.plans("chess")
