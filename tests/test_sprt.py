"""Sequential tests: the ratio against plain maximisation, how often they err, and matches that they end."""

import json
import math

import numpy as np
import pytest
from mess.benchmarks.match import load, match
from mess.benchmarks.sprt import FEWEST, PRIOR, Test, Verdict, log_likelihood_ratio, read_hypotheses, told
from mess.benchmarks.stats import share_of_elo
from mess.solver.errors import InputError
from mess_command import bench as mess
from scipy.optimize import minimize

PAIRS = np.array([0, 0.25, 0.5, 0.75, 1])


def likeliest(values, counts, mean):
    """The highest log-likelihood of a distribution with a mean, found without knowing its form."""
    start = np.full(len(values), 1 / len(values))
    found = minimize(
        lambda p: -(counts * np.log(p)).sum(),
        start,
        jac=lambda p: -counts / p,
        bounds=[(1e-9, 1)] * len(values),
        constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": lambda p: p @ values - mean}],
        options={"ftol": 1e-13, "maxiter": 2000},
        method="SLSQP",
    )
    assert found.success
    return -found.fun


@pytest.mark.parametrize("counts", [[3, 20, 50, 24, 3], [1, 1, 1, 1, 1], [40, 9, 2, 30, 19], [0, 0, 10, 0, 4]])
def test_the_ratio_is_that_of_the_likeliest_distributions(counts):
    low, high = share_of_elo(0), share_of_elo(20)
    seen = np.array(counts) > 0
    ratio = log_likelihood_ratio(PAIRS[seen], np.array(counts, dtype=float)[seen], low, high)
    values = PAIRS[seen | np.isin(PAIRS, (0, 1))]
    counted = np.array(counts, dtype=float)[np.isin(PAIRS, values)] + PRIOR
    assert ratio == pytest.approx(likeliest(values, counted, high) - likeliest(values, counted, low), abs=2e-4)


def test_the_ratio_on_literal_counts():
    """Near the middle it is what a normal distribution gives: N (b - a) (2 mean - a - b) / (2 variance)."""
    counts = np.array([30.0, 210, 500, 220, 40])
    a, b = share_of_elo(0), share_of_elo(5)
    mean = counts @ PAIRS / 1000
    variance = counts @ (PAIRS - mean) ** 2 / 1000
    normal = 1000 * (b - a) * (2 * mean - a - b) / (2 * variance)
    assert mean == 0.5075
    assert (
        log_likelihood_ratio(PAIRS, counts, a, b) == pytest.approx(normal, rel=0.03) == pytest.approx(0.634, abs=0.001)
    )
    assert log_likelihood_ratio(PAIRS, counts[::-1], 1 - b, 1 - a) == pytest.approx(
        -log_likelihood_ratio(PAIRS, counts, a, b)
    )


def test_bounds_are_those_of_wald():
    asked = read_hypotheses("0, 10", 2)
    assert asked.bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert asked.means == pytest.approx((0.5, 0.51439), abs=1e-5)
    assert read_hypotheses("-5,10.5", 3).means == pytest.approx((1 / 3 - 0.05, 1 / 3 + 0.105))


@pytest.mark.parametrize(("truth", "wrong"), [("low", "high"), ("high", "low")])
def test_it_errs_as_seldom_as_it_says(truth, wrong):
    """Blocks of two games on one deal, which agree more than games do; 5 % of errors, within what chance allows."""
    rng = np.random.default_rng(5)
    asked = read_hypotheses("0,60", 2)
    mean = asked.means[truth == "high"]
    ends = []
    for _ in range(250):
        test = Test(asked)
        while test.verdict.accepted is None:
            strength = np.clip(rng.normal(mean, 0.12, 20), 0, 1)
            test.add((rng.random(20) < strength) * 0.5 + (rng.random(20) < strength) * 0.5)
        ends.append(test.verdict)
    assert sum(end.accepted == wrong for end in ends) / 250 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 250)
    assert min(end.blocks for end in ends) >= FEWEST
    # a plain match as sure as this of a difference as large needs some 230 blocks
    assert np.mean([end.blocks for end in ends]) < 180


def test_what_is_decided_stays_decided():
    test = Test(read_hypotheses("0,10", 2))
    for _ in range(FEWEST - 1):
        assert test.add([1.0]).accepted is None
    verdict = test.add([1.0] * 500 + [0.0] * 5000)
    assert verdict.accepted == "high" and verdict.blocks < 500
    assert test.add([0.0] * 5000) == verdict
    assert "decided for +10 and against +0 Elo" in told(test.asked, test.verdict)
    assert "undecided between +0 and +10 Elo" in told(test.asked, Verdict(0, None, 0))


@pytest.mark.parametrize(
    ("text", "players", "message"),
    [
        ("10", 2, "sprt: expected two numbers, the smaller first, such as 0,10; got '10'"),
        ("10,0", 2, "the smaller first"),
        ("5,5", 2, "the smaller first"),
        ("0,nan", 2, "expected two numbers"),
        ("0,2001", 2, "expected at most 2000 Elo"),
        ("0,80", 3, "above -33.3 and below 66.7"),
    ],
)
def test_wrong_hypotheses(text, players, message):
    with pytest.raises(InputError, match=message):
        read_hypotheses(text, players)
    with pytest.raises(InputError, match=r"alpha: expected a probability above 0 and below 0\.5, got 0\.5"):
        read_hypotheses("0,10", 2, alpha=0.5)


def test_a_match_ends_when_it_is_decided(tmp_path):
    """With the same block for any number of workers, and at once when its file decides already."""
    asked = {"deals": 5000, "sprt": "0,60", "rules": {"players": 2}, "progress": False}
    result = match("flaming", ["douse", "smallest-mess"], workers=1, out=tmp_path / "one", **asked)
    assert result.test.verdict.accepted == "high"
    assert result.test.verdict.blocks == len(result.blocks) < 500
    match("flaming", ["douse", "smallest-mess"], workers=2, out=tmp_path / "two", **asked)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    again = match("flaming", ["douse", "smallest-mess"], workers=1, out=tmp_path / "one", **asked)
    assert (again.fresh, again) == (0, result)
    assert len(load(tmp_path / "one").blocks) == len(result.blocks)
    more = match("flaming", ["douse", "smallest-mess"], workers=1, out=tmp_path / "one", **(asked | {"sprt": "0,20"}))
    assert more.fresh > 0 and more.blocks[: len(result.blocks)] == result.blocks


def test_on_the_command_line(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    run = mess("match", "flaming", "douse", "random", "smallest-mess", "--sprt", "-10,10", "--workers", "1", "--json")
    summary = json.loads(run.stdout)
    assert run.exit_code == 0
    assert summary["sprt"] == {
        "low": -10.0,
        "high": 10.0,
        "players": 3,
        "alpha": 0.05,
        "beta": 0.05,
        "ratio": pytest.approx(3, abs=1),
        "accepted": "high",
        "blocks": summary["finished"],
    }
    text = mess("match", "flaming", "random", "douse", "--sprt", "0,50", "--workers", "1", "--quiet").stdout
    assert "random: decided for +0 and against +50 Elo" in text
    assert mess("match", "flaming", "random", "douse", "--sprt", "5").exit_code != 0
    assert str(mess("match", "flaming", "random", "douse", "--alpha", "0.1").exception).startswith("alpha: ")
    short = mess("match", "flaming", "random", "douse", "--players", "3", "--sprt", "0,5")
    assert str(short.exception).startswith("bots: expected a bot for each of 3 seats")
