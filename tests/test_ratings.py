"""Ratings: the model on data with a known answer, what is scheduled, and a pool that is played, extended."""

import json
import math
from itertools import combinations

import numpy as np
import pytest
from mess.benchmarks import rate as rate_module
from mess.benchmarks.blocks import Block, Game
from mess.benchmarks.crew import crew
from mess.benchmarks.rate import open_pool, rate, summary
from mess.benchmarks.rating_tables import print_ratings, render_ratings
from mess.benchmarks.ratings import (
    ELO,
    Results,
    information,
    intervals,
    pairings,
    prior,
    resampled,
    results_of,
    schedule,
    strengths,
)
from mess.benchmarks.workers import ordered
from mess.solver.errors import InputError
from mess_command import bench as mess

BOTS = ("random", "smallest-mess", "douse", "keep-options")


def won(winner, *others, share=1.0):
    return Results(((winner, others),), (share,))


# The model


def test_strengths_on_a_known_answer():
    """Ten of eleven games are 400 Elo."""
    found = strengths(2, [won(0, 1)] * 10 + [won(1, 0)], pseudo=0)
    assert ELO * (found[0] - found[1]) == pytest.approx(400, abs=1e-3)


def test_strengths_of_three_players():
    """Of games that go exactly by the model, the strengths they went by; in two lineups that share two bots."""
    weights = np.array([1.0, 2.0, 3.0, 6.0])
    results = []
    for lineup in ((0, 1, 2), (1, 2, 3)):
        total = weights[list(lineup)].sum()
        for winner in lineup:
            others = tuple(bot for bot in lineup if bot != winner)
            results += [won(winner, *others)] * round(66 * weights[winner] / total)
    found = strengths(4, results, pseudo=0)
    assert found - found.mean() == pytest.approx(np.log(weights) - np.log(weights).mean(), abs=1e-5)


def test_a_shared_win_is_a_part_of_one():
    tie = Results(((0, (1,)), (1, (0,))), (0.5, 0.5))
    whole = [won(0, 1), won(1, 0)]
    assert strengths(2, [tie, won(0, 1)], pseudo=0) == pytest.approx(strengths(2, [*whole, *[won(0, 1)] * 2], pseudo=0))
    games = (Game((0, 1, 2), (1 / 3, 1 / 3, 1 / 3), 9, None, None), Game((1, 2, 0), (0, 1.0, 0), 9, None, None))
    assert results_of(Block(0, games), [4, 5, 7]) == Results(
        ((4, (5, 7)), (5, (4, 7)), (7, (4, 5)), (7, (5, 4))), (1 / 3, 1 / 3, 1 / 3, 1.0)
    )


def test_a_bot_that_never_lost_stays_finite():
    found = strengths(2, [won(0, 1)] * 50)
    assert 500 < ELO * (found[0] - found[1]) < 4000


def test_pairings_on_literal_games():
    wins, games = pairings(3, [won(0, 1, 2), won(0, 1), won(2, 0, 1), Results(((0, (1,)), (1, (0,))), (0.5, 0.5))])
    assert wins.tolist() == [[0, 2.5, 1], [0.5, 0, 0], [1, 1, 0]]
    assert games.tolist() == [[0, 4, 2], [4, 0, 2], [2, 2, 0]]


@pytest.mark.slow
def test_intervals_cover_the_truth():
    """Two games a block that agree more than games do, as those of one deal."""
    truth, rng = np.array([0.0, 0.4, 0.9]), np.random.default_rng(3)
    pairs = [(0, 1), (0, 2), (1, 2)]
    inside, trials = 0, 160
    for _ in range(trials):
        lineups = []
        for one, other in pairs:
            chance = 1 / (1 + math.exp(truth[other] - truth[one]))
            skill = rng.beta(6 * chance, 6 * (1 - chance), 30)
            either = (one, (other,)), (other, (one,))
            games = rng.random((30, 2)) < skill[:, None]
            lineups.append([Results(tuple(either[not win] for win in block), (1.0, 1.0)) for block in games])
        begin = strengths(3, [result for blocks in lineups for result in blocks])
        blocks = [result for played in lineups for result in played]
        samples = np.array([resampled(3, blocks, begin, seed) for seed in range(100)])
        samples -= samples.mean(axis=1, keepdims=True)
        low, high = intervals(begin - begin.mean(), samples, len(blocks), 0.95)
        inside += ((low <= truth - truth.mean()) & (truth - truth.mean() <= high)).sum()
    assert 0.93 < inside / (3 * trials) < 0.97


# What is scheduled


def test_information_is_the_curvature_of_the_likelihood():
    strength, lineup, step = np.array([0.3, -0.2, 0.9, 0.0]), (0, 2, 3), 1e-4

    def expected(at):
        chances = np.exp(strength[list(lineup)]) / np.exp(strength[list(lineup)]).sum()
        return chances @ (at[list(lineup)] - np.log(np.exp(at[list(lineup)]).sum()))

    found = information(strength, lineup)
    for i in range(4):
        for j in range(4):
            e, f = step * np.eye(4)[i], step * np.eye(4)[j]
            mixed = expected(strength + e + f) - expected(strength + e - f) - expected(strength - e + f)
            mixed += expected(strength - e - f)
            assert found[i, j] == pytest.approx(-mixed / (4 * step**2), abs=1e-5)


def test_games_go_where_they_tell_most():
    """Even bots that have not met come first; a bot that hardly ever wins is left alone."""
    pairs = [(0, 1), (0, 2), (1, 2)]
    even = np.zeros(3)
    known = prior(3) + 40 * information(even, (0, 1))
    assert set(schedule(even, pairs, known, 4)) == {(0, 2), (1, 2)}
    weak = np.array([0.0, 0.0, -5.0])
    assert schedule(weak, pairs, prior(3), 6).count((0, 1)) >= 5
    # two weak bots are told apart only by games that one of three strong ones wins: those are not worth it
    five = np.array([0.0, 0.2, 0.4, -7.0, -7.0])
    assert schedule(five, list(combinations(range(5), 3)), prior(5), 10).count((0, 1, 2)) >= 8
    assert sorted(schedule(even, pairs, prior(3), 3)) == pairs


# A pool


def opened(folder, bots=BOTS[:3], seed=1, players=2, rules=None):
    return open_pool("flaming", bots, players, rules or {}, seed, None, folder)


def played(folder, deals, bots=BOTS[:3], workers=1, **options):
    pool = opened(folder, bots, **options)
    with crew(workers) as work:
        assert rate(pool, deals, work, progress=False)
    return pool


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def rated(pool):
    with crew(1) as work:
        return summary(pool, work, progress=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rate") / "whole"
    played(folder, 20)
    return folder


def test_the_same_games_for_any_number_of_workers(tmp_path, whole):
    pool = played(tmp_path / "two", 20, workers=2)
    assert files(tmp_path / "two") == files(whole)
    assert pool.finished == 20
    document = rated(opened(whole))
    assert rated(pool) == document
    assert [row["bot"] for row in document["ratings"]] == ["douse", "smallest-mess", "random"]
    assert [row["bound"] for row in document["ratings"]] == [False, False, True]
    assert sum(row["games"] for row in document["ratings"]) == 2 * 2 * 20
    for row in document["ratings"][:2]:
        assert row["low"] < row["rating"] < row["high"]
    assert (document["ratings"][2]["low"], document["ratings"][2]["high"]) == (None, None)
    assert sum(row["rating"] for row in document["ratings"][:2]) == pytest.approx(0, abs=1e-6)


def test_an_interrupted_rating_comes_to_the_same_games(tmp_path, whole, monkeypatch):
    blocks = 0

    def interrupted(function, tasks):
        nonlocal blocks
        for block in ordered(function, tasks, 1):
            blocks += 1
            if blocks == 11:
                raise KeyboardInterrupt
            yield block

    pool = opened(tmp_path / "cut")
    assert rate(pool, 20, interrupted, progress=False) is False
    assert pool.finished == 10
    assert played(tmp_path / "cut", 20).finished == 20
    assert files(tmp_path / "cut") == files(whole)


def test_a_pool_is_extended_without_playing_again(tmp_path, monkeypatch):
    folder = tmp_path / "pool"
    played(folder, 10)
    before = files(folder)
    tasks = []
    play = rate_module.play_block
    monkeypatch.setattr(rate_module, "play_block", lambda setup, deal: tasks.append(setup.specs) or play(setup, deal))
    pool = played(folder, 26, BOTS)
    assert len(tasks) == 16 and pool.finished == 26
    assert all("keep-options" in specs for specs in tasks[:4])
    after = files(folder)
    assert all(after[name].startswith(content) for name, content in before.items() if name.endswith(".jsonl"))
    assert opened(folder).left_out == sum("keep-options" in name for name in after)


def test_three_players_and_an_anchor(tmp_path):
    pool = played(tmp_path / "pool", 8, BOTS, players=3)
    with crew(1) as work:
        document = summary(pool, work, "smallest-mess", progress=False)
        with pytest.raises(InputError, match="anchor: expected one of random, "):
            summary(pool, work, "nobody", progress=False)
    row = next(row for row in document["ratings"] if row["bot"] == "smallest-mess")
    assert (row["rating"], row["low"], row["high"]) == (0, 0, 0)
    assert sum(row["games"] for row in document["ratings"]) == 3 * 3 * 8
    assert sum(row["games"] * row["share"] for row in document["ratings"]) == pytest.approx(3 * 8)


def test_a_game_for_two():
    pool = open_pool("pylos", ("random", "greedy", "high"), 2, {"size": 2}, 1, None, None)
    with crew(1) as work:
        assert rate(pool, 3, work, progress=False)
    assert pool.opening == 4 and pool.finished == 3
    with pytest.raises(InputError, match="pool: expected at least 4 bots"):
        open_pool("pylos", ("random", "greedy", "high"), 4, {}, 1, None, None)
    with pytest.raises(InputError, match="bots: expected at most 2, one a seat, got 3"):
        open_pool("pylos", ("random", "greedy", "high"), 3, {}, 1, None, None)


def test_a_pool_in_memory():
    pool = played(None, 3)
    assert pool.finished == 3
    with pytest.raises(InputError, match="pool: expected at least one finished deal"):
        rated(opened(None))


CHANGES = {
    "rules": (lambda text: text.replace('"curse":false', '"curse":true'), "rules is .* there"),
    "version": (lambda text: text.replace('"package":"', '"package":"9.'), 'package is "9.* there'),
    "seed": (lambda text: text.replace('"seed":', '"seed":1'), "played with another seed"),
    "edited": (lambda text: text.replace('"decisions":', '"decisions":-'), "line 2: games"),
    "other": (lambda text: text.replace('"douse"', '"high"', 1), None),
    "none": (lambda text: "shopping list\n", "line 1: expected the header of a match"),
    "order": (lambda text: text.replace('["douse","smallest-mess"]', '["smallest-mess","douse"]', 1), "another one"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_does_not_belong_together_is_refused(tmp_path, whole, name):
    change, message = CHANGES[name]
    folder = tmp_path / "pool"
    folder.mkdir()
    for file, content in files(whole).items():
        (folder / file).write_bytes(content)
    path = next(path for path in folder.iterdir() if path.name.startswith("douse-smallest-mess"))
    text = path.read_text()
    path.write_text(change(text))
    assert path.read_text() != text
    before = files(folder)
    if message is None:
        assert opened(folder).left_out == 1
    else:
        with pytest.raises(InputError, match=message) as error:
            opened(folder)
        assert path.name in str(error.value)
        run = mess("rate", "flaming", "--pool", ",".join(BOTS[:3]), "--seed", 1, "--out", folder, "--deals", 30)
        assert isinstance(run.exception, InputError)
    assert files(folder) == before


def test_a_file_that_was_just_begun_and_files_of_shares_that_cannot_be(tmp_path, whole):
    folder = tmp_path / "pool"
    folder.mkdir()
    for file, content in files(whole).items():
        (folder / file).write_bytes(content[:50] if file.startswith("douse-random") else content)
    assert played(folder, 20).finished == 20
    path = next(path for path in folder.iterdir() if path.name.startswith("douse-smallest-mess"))
    for payoffs in ("[0.99,0.01]", "[1.0,1e-320]", "[0.0,0.5]"):
        path.write_text(whole.joinpath(path.name).read_text().replace("[1.0,0.0]", payoffs, 1))
        with pytest.raises(InputError, match=r"line \d+: games\[\d\]\.payoffs: expected"):
            opened(folder)


def test_two_at_once_do_not_play_the_same_twice(tmp_path):
    folder = tmp_path / "pool"
    played(folder, 4)
    one, other = opened(folder), opened(folder)
    with crew(1) as work:
        assert rate(one, 10, work, progress=False)
        before = files(folder)
        with pytest.raises(InputError, match="out: expected a folder that nobody else writes at this time"):
            rate(other, 12, work, progress=False)
    assert {name: files(folder)[name] for name in before if name.endswith(".jsonl")} == {
        name: content for name, content in before.items() if name.endswith(".jsonl")
    }
    assert opened(folder).finished == 10


def test_a_plan_plays_no_more_than_asked(tmp_path):
    folder = tmp_path / "pool"
    played(folder, 2)
    (folder / rate_module.SCHEDULE).write_text('[{"bots": ["douse", "random"], "deals": 900}]')
    assert played(folder, 4).finished == 4


def test_a_bot_that_never_wins_shifts_nobody_and_bounds_are_told(tmp_path):
    pool = played(tmp_path / "pool", 24, BOTS)
    with crew(1) as work:
        plain, anchored = (summary(pool, work, anchor, progress=False) for anchor in (None, "random"))
    rest = [row for row in plain["ratings"] if not row["bound"]]
    assert len(rest) == 3 and sum(row["rating"] for row in rest) == pytest.approx(0, abs=1e-6)
    assert "random is one of these" not in render_ratings(plain)
    assert "Random is one of these" in render_ratings(anchored)


@pytest.mark.parametrize(
    "content", ['[{"bots": ["douse"], "deals": 3}]', "{}x", '[{"bots": ["random", "douse"], "deals": 3}]']
)
def test_a_plan_that_cannot_be(tmp_path, content):
    folder = tmp_path / "pool"
    folder.mkdir()
    (folder / rate_module.SCHEDULE).write_text(content)
    with crew(1) as work, pytest.raises(InputError, match="expected the plan of a rating"):
        rate(opened(folder), 5, work, progress=False)


def test_a_plan_that_was_edited(tmp_path, whole):
    folder = tmp_path / "pool"
    folder.mkdir()
    (folder / rate_module.SCHEDULE).write_text('[{"bots": 3}]')
    with crew(1) as work, pytest.raises(InputError, match="expected the plan of a rating"):
        rate(opened(folder), 5, work, progress=False)


@pytest.mark.parametrize(
    ("bots", "players", "message"),
    [
        (("random", "random"), 2, "pool: expected each bot once, got random more often"),
        (("random",), 2, "pool: expected at least 2 bots, one a seat, got 1"),
        (("random", "douse"), -1, "players: expected at least 2, got -1"),
        (("random", "douse"), 3, "pool: expected at least 3 bots, one a seat, got 2"),
        (("random", "douse", "nobody"), 2, "bot: expected one of .*'nobody'"),
        (tuple(f"mcts@{i}" for i in range(1, 60)), 5, "pool: expected at most 20000 lineups of 5"),
    ],
)
def test_pools_that_cannot_be_rated(tmp_path, bots, players, message):
    with pytest.raises(InputError, match=message):
        opened(tmp_path / "pool", bots, players=players)
    assert not (tmp_path / "pool").exists()


def test_a_bot_whose_file_changed(tmp_path):
    bot, folder = tmp_path / "my.py", tmp_path / "pool"
    bot.write_text("def choose(observation, moves, rng):\n    return moves[0]\n")
    bots = ("random", "smallest-mess", str(bot))
    pool = played(folder, 6, bots)
    assert any(str(bot) in lineup for lineup in pool.blocks)
    bot.write_text(bot.read_text() + "# another\n")
    with pytest.raises(InputError, match=r"expected the bots of this rating, .*my\.py changed"):
        opened(folder, bots)


def test_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    arguments = ["rate", "flaming", "--pool", "random,douse,smallest-mess", "--deals", 12, "--seed", 1, "--workers", 1]
    run = mess(*arguments, "--out", tmp_path / "pool")
    assert run.exit_code == 0, run.output
    assert "1   douse" in run.stdout and "≤ " in run.stdout and "12 deals" in run.stdout
    document = json.loads(mess(*arguments, "--out", tmp_path / "pool", "--json").stdout)
    assert document["deals"] == 12 and document["kind"] == "ratings"
    text = render_ratings(document)
    assert "| `douse` |" in text and "12 deals, each in every rotation" in text
    print_ratings(document)
    anchored = mess(*arguments, "--anchor", "nobody")
    assert isinstance(anchored.exception, InputError)
