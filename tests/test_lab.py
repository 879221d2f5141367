"""Workers and a cluster measured: what is held against what."""

import pytest
from mess.benchmarks import lab
from mess.benchmarks.report import render_speed
from mess.search import cli


def test_all_play_the_same_deals_and_ratios_are_of_one_repeat(monkeypatch):
    monkeypatch.setattr(lab, "MATCHES", {"tiny": lab.Match("odin", ("greedy", "random"), 12)})
    document = lab.measure(quick=True, command="mess bench --lab", progress=False)
    assert [row["name"] for row in document["rows"]] == [
        "tiny, one worker",
        "tiny, two workers",
        "tiny, Dask, two workers",
    ]
    assert all(row["low"] > 0 and row["repeats"] == 3 for row in document["rows"])
    text = render_speed(document)
    assert "Measured on as many cores as workers: cpu" in text and "tiny: greedy against random, odin." in text
    assert "| tiny, two workers to one |" in text


def test_a_ratio_is_the_median_of_pairs():
    assert lab._ratio("x", [2.0, 30.0, 8.0], [1.0, 10.0, 2.0]) == {"name": "x", "value": 3.0}


@pytest.mark.parametrize("other", ["--serving", "--peers"])
def test_one_thing_is_measured_at_a_time(other, capsys):
    assert cli.run(["bench", "--lab", other]) == 2
    assert f"expected one of {other}, --lab, not more" in capsys.readouterr().err
