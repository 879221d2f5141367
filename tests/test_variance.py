"""What duplicate deals save and what luck taken out saves: literal counts, and that nothing is shifted by it."""

import json

import numpy as np
import pytest
from mess.benchmarks import measure, plans, variance
from mess.benchmarks.blocks import play_block, play_game
from mess.benchmarks.match import match, set_up
from mess.benchmarks.report import render_savings
from mess.benchmarks.stats import t_interval
from mess.solver.errors import InputError
from mess.solver.game import CHANCE, OUTCOMES, chances, deal
from mess.solver.rng import stream
from mess_command import OWN, EntryPoint, mess

RULES = {"players": 2, "seconds": 40}
ALL = [*OWN, EntryPoint("benchmarks", "mess.benchmarks.commands:register", OWN[0].group)]
WIN, LOSS = [1.0, 1.0], [0.0, 0.0]


@pytest.mark.parametrize(
    ("scores", "ratio"),
    [
        ([[1, 0], [0, 1], [1, 0], [0, 1]], 0.0),
        ([WIN, LOSS, WIN, LOSS], 2.0),
        ([WIN, LOSS, [1, 0], [0, 1]], 1.0),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], 0.0),
        ([[1, 1, 1], [0, 0, 0]], 3.0),
    ],
)
def test_games_needed_by_duplicate_deals_in_literal_counts(scores, ratio):
    assert variance.duplicate_ratio(np.array(scores, dtype=float)) == pytest.approx(ratio)


def test_scores_that_never_vary_need_no_ratio():
    always = np.ones((4, 2))
    assert np.isnan(variance.duplicate_ratio(always)) and np.isnan(variance.control_ratio(always, always))
    told = variance._bootstrapped(variance.duplicate_ratio, always)
    assert told == {"value": None, "low": None, "high": None}


def test_scores_that_are_all_luck_are_corrected_to_what_is_left():
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(60, 2))
    scores = 0.5 + 0.25 * luck
    assert variance.control_ratio(scores, luck) == pytest.approx(0.0, abs=1e-12)
    assert variance.control_ratio(scores, np.zeros((60, 2))) == 1.0
    assert variance.control_ratio(scores, rng.normal(size=(60, 2))) == pytest.approx(1.0, abs=0.2)


def test_no_block_has_a_say_in_its_own_correction():
    rng = np.random.default_rng(2)
    scores, luck = rng.random(40), rng.normal(size=40)
    before = variance.corrected(scores, luck) - scores
    scores[7] += 5.0
    after = variance.corrected(scores, luck) - scores
    same = np.isclose(before, after)
    assert same[7::10].all() and not same[8]
    assert (variance.corrected(scores[:9], luck[:9]) == scores[:9]).all()


def test_intervals_of_corrected_scores_hold_the_truth():
    rng = np.random.default_rng(3)
    held, means = 0, []
    for _ in range(1500):
        luck = rng.normal(size=40)
        # what luck does is not linear, and spreads unevenly
        scores = 0.4 + 0.2 * luck**3 / 5 + rng.normal(size=40) * 0.05 * (1 + luck**2)
        share, low, high = t_interval(variance.corrected(scores, luck))
        means.append(share)
        held += low <= 0.4 <= high
    assert np.mean(means) == pytest.approx(0.4, abs=4 * np.std(means) / np.sqrt(1500))
    assert 0.93 < held / 1500 < 0.97


@pytest.mark.parametrize(
    "rules", [{"players": 2}, {"players": 3, "shared_mat": True}, {"players": 2, "mode": "higher"}]
)
def test_luck_is_expected_to_be_none_at_every_chance(rules):
    position, rng, found = deal("meeples", 0, seconds=45, **rules), stream(4, "test"), 0
    moves, weights = np.empty(position.game.MAX_MOVES, dtype=np.int32), np.empty(OUTCOMES)
    while not position.is_over:
        if position.to_act == CHANCE:
            count = chances(position.state, moves, weights)
            each = [variance.luck_of(position, position.game.move_text(position.state, int(m))) for m in moves[:count]]
            assert weights[:count] @ np.array(each) == pytest.approx(np.zeros(position.players), abs=1e-12)
            found += count > 1 and np.abs(each).max() > 1e-3
            position = position.play(position.roll(rng))
        else:
            tall = [move for move in position.moves() if move.endswith("q")] or position.moves()
            position = position.play(tall[-1])
    assert found > 3


def test_blocks_are_those_of_a_match():
    setup, _ = set_up("meeples", ["tower", "one-step"], 3, RULES)
    measured = variance.measure_block(setup, 5)
    assert measured.block == play_block(setup, 5)
    assert measured.scores.tolist() == [game.payoffs[game.seats.index(0)] for game in measured.block.games]


@pytest.fixture(scope="module")
def many():
    """Scores and luck of many short games."""
    setup, _ = set_up("meeples", ["tower", "one-step"], 11, RULES)
    blocks = [variance.measure_block(setup, deal) for deal in range(300)]
    return np.stack([block.scores for block in blocks]), np.stack([block.luck for block in blocks])


def test_taking_luck_out_shifts_nothing(many):
    scores, luck = (values.mean(axis=1) for values in many)
    _, low, high = t_interval(luck, 0.99)
    assert low <= 0.0 <= high
    _, low, high = t_interval(variance.corrected(scores, luck) - scores, 0.99)
    assert low <= 0.0 <= high


def test_taking_luck_out_saves_a_third_of_the_games(many):
    assert variance.control_ratio(*many) < 2 / 3


def test_a_plan_writes_what_is_saved(monkeypatch, tmp_path):
    tiny = plans._savings("meeples", 10, ("tower,one-step",), **RULES)
    monkeypatch.setitem(plans.PLANS["meeples"], "tiny", tiny)
    assert measure.run("meeples", "tiny", tmp_path, workers=1, progress=False)
    document = json.loads((tmp_path / "meeples-tiny.json").read_text())
    (row,) = document["rows"]
    assert document["kind"] == "savings" and row["bots"] == ["tower", "one-step"] and row["players"] == 2
    assert row["both"]["value"] == pytest.approx(row["duplicate"]["value"] * row["control"]["value"])
    table = render_savings(document)
    assert table.splitlines()[2].startswith("| `tower`, `one-step` | ")
    assert "seconds 40" in table and "10 deals, seed 0" in table
    with pytest.raises(InputError, match="at least 10"):
        measure.run("meeples", "tiny", tmp_path, deals=9, workers=1, progress=False)


def test_where_luck_lies_in_the_deal_only_that_is_told():
    rules = {"players": 3, "limit": "one-hand"}
    document = variance.savings(rules, ["random,high,high"], 12, 1, 1, False, "odin")
    assert "control" not in document["rows"][0]
    assert len(render_savings(document).splitlines()[0].split("|")) == 6


def test_table_of_savings():
    share = {"value": 0.5, "low": 0.4, "high": 0.6}
    row = {"bots": ["a", "b"], "share": share, "duplicate": share, "control": share | {"high": None}, "both": share}
    unknown = row | {"duplicate": {"value": None, "low": None, "high": None}}
    document = {"game": "meeples", "rules": {"players": 2}, "deals": 3, "seed": 0, "rows": [row, unknown]}
    lines = render_savings(document).splitlines()
    assert lines[2] == "| `a`, `b` | 50.0 % | 50 % | 40 – 60 | 50 % | – | 50 % | 40 – 60 |"
    assert lines[3] == "| `a`, `b` | 50.0 % | – | – | 50 % | – | 50 % | 40 – 60 |"


def test_a_match_tells_the_share_without_luck_beside_the_plain_one(tmp_path):
    asked = ["match", "meeples", "tower", "one-step", "--deals", 20, "--seconds", 40, "--workers", 1, "--quiet"]
    plain = json.loads(mess(*asked, "--json", "--out", tmp_path / "a", entries=ALL).out)
    told = json.loads(mess(*asked, "--json", "--control", "--out", tmp_path / "b", entries=ALL).out)
    share = told.pop("control")
    assert told["bots"] == plain["bots"] and (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    row = told["bots"][0]
    assert share["low"] < share["value"] < share["high"]
    assert share["high"] - share["low"] < row["high"] - row["low"]
    shown = mess(*asked, "--control", "--out", tmp_path / "b", entries=ALL)
    assert shown.lines[-1].startswith(f"luck taken out, tower: {100 * share['value']:.1f} %, 95 % interval ")


def test_a_game_that_goes_otherwise_is_told():
    setup = variance.check_control("meeples", ["tower", "one-step"], 1, RULES)
    result = match("meeples", ["tower", "wide"], deals=2, seed=1, rules=RULES, workers=1, progress=False)
    with pytest.raises(InputError, match="deal 0 to go as it went before"):
        variance.control(setup, result.blocks, 1, False)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["flaming", "random", "douse"], "control: expected a game in which chance lists its outcomes, meeples; in "),
        (["meeples", "mcts@1s", "tower"], "control: expected bots that play the same again, mcts@1s minds the clock"),
    ],
)
def test_where_no_luck_can_be_taken_out_it_is_told_before_anything_is_played(asked, message):
    result = mess("match", *asked, "--control", entries=ALL)
    assert result.code == 2 and result.err.startswith(f"mess: {message}") and result.err.count("\n") == 1


def test_hands_belong_to_the_seat_whatever_the_others_do():
    def points(bots):
        setup, _ = set_up("meeples", bots, 3, {"players": 2, "seconds": 60})
        return [play_game(setup, deal, 0).mess[0] for deal in range(12)]

    alone = points(["tower", "one-step"])
    assert len(set(alone)) > 1
    assert points(["tower", "wide"]) == alone
