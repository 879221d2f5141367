"""The slow engine of meeple stacking against examples worked out by hand, and values from another programme."""

import json
from copy import deepcopy
from math import exp, isclose

import pytest
from reference import builds, meeples
from reference.builds import HASTY, HEAVY, SLIPPERY, SURE
from reference.meeples import BUILDER

RULES = meeples.rules_of()
COLUMN = meeples.rules_of(support="column")
SHARED = {"shared_mat": True, "turns": 3, "seconds": 20}


def table(rows, ticks, rules=None, **fields):
    """A position in which whoever is next is to act."""
    players = len(ticks) if isinstance(ticks, list) else 1
    position = meeples.deal(**{"players": players} | (rules or {}))
    return meeples.settled(position | {"rows": rows, "ticks": ticks} | fields)


def after(position, *moves):
    for move in moves:
        position = meeples.play(position, move)
    return position


def seen(position, *fields):
    return tuple(position[field] for field in fields)


def approx(chances):
    return pytest.approx(chances, rel=1e-12)


# The rules and the deal


def test_a_deal_by_default():
    assert meeples.deal() == {
        "game": "meeples",
        "rules": {
            "players": 1,
            "mode": "points",
            "support": "bridge",
            "shared_mat": False,
            "turns": 1,
            "seconds": 120,
            "builder": BUILDER,
        },
        "rows": [],
        "ticks": 480,
        "scores": [0],
        "round": 1,
        "out": [],
        "phase": "build",
        "action": None,
        "turn": 0,
        "to_act": 0,
        "winner": None,
    }


def test_a_deal_for_several():
    position = meeples.deal(players=3, mode="higher")
    assert seen(position, "rows", "ticks", "scores") == ([[], [], []], [180, 180, 180], [0, 0, 0])
    assert position["rules"]["seconds"] == 45


@pytest.mark.parametrize(
    "rules",
    [
        {"players": 0},
        {"players": 7},
        {"mode": "lower"},
        {"support": "glue"},
        {"turns": 0},
        {"turns": 21},
        {"turns": 2, "mode": "higher"},
        {"seconds": 0},
        {"seconds": 601},
        {"seconds": 1.5},
        {"shared_mat": True},
        {"shared_mat": True, "players": 2, "mode": "higher"},
    ],
    ids=str,
)
def test_rules_that_make_no_sense_are_refused(rules):
    with pytest.raises(ValueError, match="rules"):
        meeples.deal(**rules)


@pytest.mark.parametrize(("players", "mode"), [(1, "points"), (1, "higher"), (3, "points"), (3, "higher")])
def test_with_a_clock_too_short_for_anything_all_is_over_with_the_deal(players, mode):
    position = meeples.deal(players=players, mode=mode, seconds=1)
    assert seen(position, "phase", "turn", "to_act", "action") == ("over", 0, None, None)
    assert position["winner"] == [*range(players)]
    assert meeples.legal(position) == []


# Where a meeple may stand


@pytest.mark.parametrize(
    ("rows", "support", "free"),
    [
        ([], "bridge", [1]),
        ([1], "bridge", [1]),
        ([2], "bridge", [1, 2]),
        ([2, 1], "bridge", [1]),
        ([3, 1], "bridge", [1, 2]),
        ([3, 2], "bridge", [1, 3]),
        ([4, 2], "bridge", [1, 2, 3]),
        ([18, 3], "bridge", [2, 3]),
        ([18, 17], "bridge", [3]),
        ([18, 17, 16, 15, 14, 13, 5], "bridge", [7, 8]),
        ([18, 17, 16, 15, 14, 13, 6], "bridge", []),
        ([1], "column", [1, 2]),
        ([1, 1], "column", [1, 3]),
        ([2, 1], "column", [1, 2, 3]),
        ([2, 2], "column", [1, 3]),
        ([18, 18], "column", [3]),
        ([1] * 98, "column", [1, 99]),
        ([1] * 99, "column", []),
    ],
    ids=str,
)
def test_where_a_meeple_may_stand(rows, support, free):
    rules = meeples.rules_of(support=support)
    assert meeples.placings(rules, rows, 10_000, None) == [f"{row}{pace}" for row in free for pace in "qc"]


@pytest.mark.parametrize(
    ("rows", "support", "base", "free"),
    [
        ([], "bridge", 3, [1]),
        ([2], "bridge", 3, [1, 2]),
        ([3], "bridge", 3, [2]),
        ([3, 1], "bridge", 3, [2]),
        ([3, 2], "bridge", 3, [3]),
        ([3, 2, 1], "bridge", 3, []),
        ([3, 2, 1], "bridge", 4, [1]),
        ([3, 1], "column", 3, [2, 3]),
        ([3, 2], "column", 3, [3]),
        ([2, 1, 1], "column", 3, [1, 2]),
        ([3, 2, 1], "column", 3, []),
        ([3, 2, 1], "column", 4, [1, 2, 3, 4]),
    ],
    ids=str,
)
def test_no_row_gets_more_than_the_goal_has_there(rows, support, base, free):
    rules = meeples.rules_of(mode="higher", support=support)
    assert meeples.placings(rules, rows, 10_000, base) == [f"{row}{pace}" for row in free for pace in "qc"]


def test_the_base_grows_with_the_round():
    position = table([4, 3, 2], 100, {"mode": "higher"}, round=2)
    assert meeples.legal(position) == ["4q", "4c", "stop"]
    assert meeples.legal(table([4, 3, 2], 100, {"mode": "higher"}, round=3)) == ["1q", "1c", "4q", "4c", "stop"]


# Points


@pytest.mark.parametrize(
    ("rows", "bridge", "column"),
    [
        ([], 0, 0),
        ([1], 1, 1),
        ([5], 1, 1),
        ([2, 1], 4, 3),
        ([5, 1], 4, 3),
        ([5, 4, 2, 1], 23, 10),
        ([6, 4, 2, 1], 23, 10),
        ([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 455, 91),
    ],
    ids=str,
)
def test_points(rows, bridge, column):
    assert (meeples.points(rows, "bridge"), meeples.points(rows, "column")) == (bridge, column)


# Time


@pytest.mark.parametrize(
    ("builder", "row", "quick", "careful"),
    [(BUILDER, 1, 6, 12), (BUILDER, 2, 7, 13), (BUILDER, 5, 10, 16), (HASTY, 9, 1, 3), (HEAVY, 3, 14, 14)],
)
def test_the_ticks_that_a_placing_takes(builder, row, quick, careful):
    assert [meeples.needed(builder, row, pace) for pace in "qc"] == [quick, careful]


def test_only_what_finishes_in_the_time_left_is_available():
    assert meeples.legal(table([2], 13)) == ["1q", "1c", "2q", "2c", "stop"]
    assert meeples.legal(table([2], 12)) == ["1q", "1c", "2q", "stop"]
    assert meeples.legal(table([2], 7)) == ["1q", "2q", "stop"]
    assert meeples.legal(table([2], 6)) == ["1q", "stop"]
    assert meeples.legal(table([2], 5)) == []


def test_the_builder_is_in_whole_ticks():
    with pytest.raises(AssertionError, match="not a number of ticks"):
        meeples.deal(builder=BUILDER | {"row_seconds": 0.1})


def test_before_the_hands_have_done_it_an_action_changes_nothing():
    position = table([3, 1], 50)
    acted = after(position, "2c")
    assert acted == position | {"phase": "hands", "action": "2c", "to_act": -1}


def test_a_placing_costs_its_time():
    position = after(table([3, 1], 50), "2c", "ok")
    assert seen(position, "rows", "ticks", "phase", "action", "to_act") == ([3, 2], 37, "build", None, 0)
    assert seen(after(table([3, 2], 50), "3q", "ok"), "rows", "ticks") == ([3, 2, 1], 42)


def test_a_slip_costs_clearing_too_or_what_is_left():
    assert seen(after(table([3, 1], 50), "2c", "slip2"), "rows", "ticks") == ([3], 29)
    assert seen(after(table([3, 1], 22), "2c", "slip2"), "rows", "ticks", "phase") == ([3], 1, "over")
    assert seen(after(table([3, 1], 20), "2c", "slip2"), "rows", "ticks", "phase") == ([3], 0, "over")
    assert seen(after(table([3, 1], 13), "2c", "slip2"), "rows", "ticks", "phase") == ([3], 0, "over")


def test_stop_gives_up_the_time_that_is_left():
    assert seen(after(table([3, 1], 50), "stop"), "rows", "ticks", "phase", "scores") == ([3, 1], 0, "over", [4])


# Hands


@pytest.mark.parametrize(
    ("row", "pace", "exponent"),
    [
        (1, "q", 0),
        (1, "c", 0),
        (2, "q", 0.02),
        (2, "c", 0.006),
        (3, "q", 0.02 * 8**0.5),
        (5, "q", 0.16),
        (5, "c", 0.048),
        (10, "q", 0.54),
    ],
)
def test_a_slip_is_likelier_further_up(row, pace, exponent):
    assert meeples.slip(BUILDER, row, pace) == pytest.approx(1 - exp(-exponent), abs=1e-12)


def test_row_1_never_slips_even_if_the_power_is_0():
    builder = BUILDER | {"slip": {"quick": 0.5, "careful": 0.25, "power": 0.0}}
    assert meeples.slip(builder, 1, "q") == 0
    assert meeples.slip(builder, 2, "q") == meeples.slip(builder, 9, "q") == 1 - exp(-0.5)


@pytest.mark.parametrize(
    ("row", "shares"),
    [
        (2, {2: 1.0}),
        (3, {3: 0.6, 2: 0.4}),
        (4, {4: 0.6, 3: 0.25, 2: 0.15}),
        (5, {5: 0.6, 4: 0.25, 3: 0.1, 2: 0.05}),
        (9, {9: 0.6, 8: 0.25, 7: 0.1, 2: 0.05}),
    ],
)
def test_what_falls_together_is_summed(row, shares):
    assert meeples.falls(BUILDER, row) == approx(shares)
    assert list(meeples.falls(BUILDER, row)) == sorted(shares, reverse=True)


def test_outcomes_of_an_action_alone():
    position = after(table([5, 4, 3], 50), "4q")
    slip = 1 - exp(-0.02 * 3**1.5)
    assert meeples.legal(position) == ["ok", "slip4", "slip3", "slip2"]
    assert meeples.chances(position) == approx(
        {"ok": 1 - slip, "slip4": slip * 0.6, "slip3": slip * 0.25, "slip2": slip * 0.15}
    )


def test_what_cannot_be_is_not_listed():
    assert meeples.legal(after(table([3], 50), "1q")) == ["ok"]
    assert meeples.legal(after(table([5, 4, 3], 50, {"builder": SURE}), "4q")) == ["ok"]
    assert meeples.legal(after(table([5, 4, 3, 2], 50, {"builder": HASTY}), "5q")) == ["ok", "slip3", "slip2"]
    assert meeples.legal(after(table([5, 4, 3, 2], 50, {"builder": HASTY}), "5c")) == ["ok"]
    certain = BUILDER | {"slip": {"quick": 1000.0, "careful": 1000.0, "power": 1.0}}
    assert meeples.legal(after(table([2], 50, {"builder": certain}), "2q")) == ["slip2"]


@pytest.mark.parametrize(
    ("move", "outcome", "rows"),
    [
        ("5q", "ok", [7, 5, 4, 3, 1]),
        ("5q", "slip5", [7, 5, 4, 3]),
        ("5q", "slip4", [7, 5, 4]),
        ("5q", "slip3", [7, 5]),
        ("5q", "slip2", [7]),
        ("2q", "ok", [7, 6, 4, 3]),
        ("2q", "slip2", [7]),
        ("1q", "ok", [8, 5, 4, 3]),
    ],
)
def test_all_rows_from_the_one_that_falls_are_gone(move, outcome, rows):
    assert after(table([7, 5, 4, 3], 99), move, outcome)["rows"] == rows


@pytest.mark.parametrize("move", ["1q", "slip1", "slip6", "slip2!", "stop", ""])
def test_only_the_hands_outcomes_are_legal_for_them(move):
    position = after(table([5, 4, 3, 2], 50), "5q")
    with pytest.raises(AssertionError, match="illegal move"):
        meeples.play(position, move)


@pytest.mark.parametrize("move", ["0q", "3q", "1", "q", "ok", "1x", "01q", "Stop"])
def test_only_what_is_listed_may_be_done(move):
    with pytest.raises(AssertionError, match="illegal move"):
        meeples.play(table([2], 50), move)


# Whose turn it is


def test_who_has_most_time_left_acts_next():
    assert table([[], [], []], [30, 40, 35])["to_act"] == 1
    assert table([[], [], []], [30, 40, 40])["to_act"] == 1
    assert table([[], [], []], [40, 40, 40])["to_act"] == 0
    assert table([[], [], []], [5, 6, 5])["to_act"] == 1


def test_all_build_at_once():
    position = after(meeples.deal(players=2, seconds=10), "1c")
    assert seen(position, "turn", "to_act", "ticks") == (0, -1, [40, 40])
    position = after(position, "ok")
    assert seen(position, "turn", "to_act", "ticks") == (1, 1, [28, 40])
    position = after(position, "1q", "ok")
    assert seen(position, "turn", "to_act", "ticks") == (1, 1, [28, 34])
    position = after(position, "1q", "ok")
    assert seen(position, "turn", "to_act", "ticks") == (0, 0, [28, 28])
    position = after(position, "stop", "2q", "ok")
    assert seen(position, "turn", "to_act", "rows", "ticks") == (1, 1, [[1], [2, 1]], [0, 21])


def test_who_can_place_nothing_more_is_not_asked_and_keeps_the_time():
    full = [18, 17, 16, 15, 14, 13, 6]
    position = table([full, []], [70, 30])
    assert position["to_act"] == 1
    assert seen(after(position, "stop"), "phase", "ticks", "turn") == ("over", [70, 0], 1)


def test_one_after_another_where_they_build_ever_higher():
    position = meeples.deal(players=3, mode="higher", seconds=20)
    position = after(position, "1q", "ok", "1q", "ok")
    assert seen(position, "turn", "to_act", "ticks") == (0, 0, [68, 80, 80])
    position = after(position, "stop")
    assert seen(position, "turn", "to_act", "ticks") == (1, 1, [0, 80, 80])
    position = after(position, "1q", "ok", "1c", "ok")
    assert seen(position, "turn", "rows") == (1, [[2], [2], []])


def test_who_has_built_the_goal_is_not_asked():
    position = table([[3, 2], [], []], [60, 60, 60], {"mode": "higher"})
    position = after(position, "3q", "ok")
    assert seen(position, "to_act", "ticks", "rows") == (1, [52, 60, 60], [[3, 2, 1], [], []])


# The end of a turn, for points


def test_a_turn_ends_with_the_last_build():
    rules = {"turns": 2, "seconds": 20}
    position = table([[2, 1], [5, 1], [3]], [7, 0, 5], rules, scores=[3, 2, 1])
    assert seen(position, "to_act", "round", "scores") == (0, 1, [3, 2, 1])
    position = after(position, "1q", "ok")
    assert seen(position, "round", "scores", "rows", "ticks") == (2, [7, 6, 2], [[], [], []], [80, 80, 80])
    assert seen(position, "phase", "action", "turn", "to_act", "winner") == ("build", None, 0, 0, None)


def test_after_the_last_turn_all_stays_as_it_is():
    position = table([[2, 1], [5, 1], [3]], [5, 13, 0], {"turns": 2}, scores=[3, 9, 1], round=2)
    position = after(position, "2c", "ok")
    assert seen(position, "rows", "ticks", "round") == ([[2, 1], [5, 2], [3]], [5, 0, 0], 2)
    assert seen(position, "scores", "winner") == ([7, 16, 2], [1])
    assert seen(position, "phase", "action", "turn", "to_act") == ("over", None, 1, None)
    assert meeples.legal(position) == []


def test_a_tie_is_shared():
    position = after(table([[5], [3], []], [0, 0, 6]), "stop")
    assert seen(position, "scores", "winner") == ([1, 1, 0], [0, 1])


def test_one_player_wins_in_any_case():
    position = after(meeples.deal(turns=2), "stop", "stop")
    assert seen(position, "scores", "winner", "round") == ([0], [0], 2)


# A shared mat


@pytest.mark.parametrize(
    ("players", "out", "seat", "expected"),
    [
        (6, [], 0, {5, 1}),
        (6, [], 5, {4, 0}),
        (6, [1, 5], 0, {2, 4}),
        (6, [1, 2, 4, 5], 0, {3}),
        (3, [], 1, {0, 2}),
        (2, [], 0, {1}),
    ],
)
def test_neighbours_are_the_next_who_are_in(players, out, seat, expected):
    assert meeples.neighbours(meeples.deal(players=players) | {"out": out}, seat) == expected


@pytest.mark.parametrize(
    ("rows", "hit"),
    [
        ([[2], [1], [2, 1]], 0.0975),
        ([[2], [1], []], 0.05),
        ([[2], [], []], 0),
    ],
)
def test_only_what_stands_is_hit(rows, hit):
    position = after(table(rows, [60, 50, 50], SHARED), "2q")
    slip = 1 - exp(-0.02)
    chances = {"ok": 1 - slip, "slip2": slip * (1 - hit)} | ({"slip2!": slip * hit} if hit else {})
    assert meeples.chances(position) == approx(chances)
    assert meeples.legal(position) == list(chances)


def test_each_fall_may_hit():
    position = after(table([[5, 4, 3], [1]], [60, 50], SHARED), "4q")
    assert meeples.legal(position) == ["ok", "slip4", "slip4!", "slip3", "slip3!", "slip2", "slip2!"]
    assert meeples.chances(position)["slip2!"] == pytest.approx((1 - exp(-0.02 * 3**1.5)) * 0.15 * 0.05)


def test_a_slip_that_is_sure_to_hit_is_no_plain_slip():
    rules = SHARED | {"builder": HASTY}
    assert meeples.legal(after(table([[2], [1]], [60, 50], rules), "2q")) == ["ok", "slip2!"]
    assert meeples.legal(after(table([[2], []], [60, 50], rules), "2q")) == ["ok", "slip2"]


def test_row_1_hits_nobody():
    assert meeples.legal(after(table([[2], [1]], [60, 50], SHARED), "1q")) == ["ok"]


def test_on_mats_of_their_own_nobody_is_hit():
    assert meeples.legal(after(table([[2], [1]], [60, 50]), "2q")) == ["ok", "slip2"]


def test_who_hits_is_out_at_once():
    position = after(table([[5, 4], [1], [2, 1]], [60, 50, 55], SHARED, scores=[7, 0, 0]), "3q", "slip3!")
    assert seen(position, "rows", "ticks", "out") == ([[], [1], [2, 1]], [0, 50, 55], [0])
    assert seen(position, "to_act", "phase", "winner", "scores") == (2, "build", None, [7, 0, 0])
    position = after(position, "stop", "stop")
    assert seen(position, "round", "rows", "ticks") == (2, [[], [], []], [0, 80, 80])
    assert seen(position, "scores", "out", "to_act") == ([7, 1, 4], [0], 1)


def test_who_is_out_does_not_win_whatever_the_points():
    position = after(table([[], [1], [2, 1]], [0, 50, 0], SHARED, scores=[90, 3, 0], round=3, out=[0]), "stop")
    assert seen(position, "scores", "winner", "out") == ([90, 4, 4], [1, 2], [0])


def test_who_hits_may_end_the_round():
    position = after(table([[5, 4], [1], [2, 1]], [60, 0, 5], SHARED), "3q", "slip3!")
    assert seen(position, "round", "scores", "ticks", "to_act") == (2, [0, 1, 4], [0, 80, 80], 1)


def test_the_last_who_is_in_wins_at_once():
    position = table([[], [3, 2], [2, 1]], [0, 70, 55], SHARED, scores=[9, 0, 0], out=[0])
    position = after(position, "3q", "slip2!")
    assert seen(position, "phase", "winner", "out", "scores") == ("over", [2], [0, 1], [9, 0, 0])
    assert seen(position, "rows", "ticks", "round") == ([[], [], [2, 1]], [0, 0, 55], 1)
    assert seen(position, "turn", "to_act", "action") == (1, None, None)


# Ever higher


HIGHER = {"mode": "higher", "seconds": 20}


def test_who_has_not_built_the_goal_is_out():
    position = table([[3, 2], [3, 2, 1], [2]], [0, 10, 8], HIGHER)
    position = after(position, "stop")
    assert seen(position, "out", "scores", "winner", "phase") == ([0, 2], [0, 1, 0], [1], "over")
    assert seen(position, "rows", "ticks", "round") == ([[3, 2], [3, 2, 1], [2]], [0, 10, 0], 1)


def test_the_others_go_on():
    position = table([[3, 2, 1], [3, 2, 1], [2]], [0, 10, 8], HIGHER)
    position = after(position, "stop")
    assert seen(position, "out", "scores", "winner", "phase") == ([2], [1, 1, 0], None, "build")
    assert seen(position, "rows", "ticks", "round", "to_act") == ([[], [], []], [80, 80, 0], 2, 0)


def test_all_who_fail_together_share_the_win():
    position = table([[], [4, 3, 2], [3]], [0, 3, 8], HIGHER, round=2, scores=[0, 1, 1], out=[0])
    position = after(position, "stop")
    assert seen(position, "out", "scores", "winner") == ([0, 1, 2], [0, 1, 1], [1, 2])


def test_one_player_goes_on_until_it_fails():
    position = after(table([3, 2], 8, HIGHER), "3q", "ok")
    assert seen(position, "phase", "scores", "round", "rows", "ticks") == ("build", [1], 2, [], 80)
    position = after(position, "1q", "ok", "stop")
    assert seen(position, "phase", "scores", "round", "rows", "ticks") == ("over", [1], 2, [1], 0)
    assert seen(position, "out", "winner") == ([0], [0])


@pytest.mark.parametrize("players", [1, 2, 3])
def test_nothing_is_higher_than_base_13(players):
    rows = [[*range(13, 0, -1)] for _ in range(players)]
    rows[-1] = rows[-1][:-1]
    rules = {"mode": "higher", "seconds": 20}
    fields = {"round": 11, "scores": [10] * players}
    one = players == 1
    position = table(rows[0] if one else rows, 30 if one else [30] * players, rules, **fields)
    position = after(position, "13c", "ok")
    assert seen(position, "phase", "round", "out") == ("over", 11, [])
    assert seen(position, "winner", "scores") == ([*range(players)], [11] * players)


def test_a_row_that_was_full_may_be_built_again():
    position = table([4, 3, 2], 60, HIGHER, round=2)
    position = after(position, "4q", "slip3")
    assert seen(position, "rows", "ticks") == ([4, 3], 43)
    assert meeples.legal(position) == ["3q", "3c", "stop"]


# The best build


def test_values_of_another_programme_for_20_seconds():
    assert meeples.best_points(RULES, [], 80) == pytest.approx(18.395335, abs=1e-6)


@pytest.mark.slow
def test_values_of_another_programme_for_60_seconds():
    assert meeples.best_points(RULES, [], 240) == pytest.approx(58.130508, abs=1e-6)


def test_no_time_leaves_the_points_that_are_there():
    assert meeples.action_values(RULES, [5, 4, 2, 1], 5) == {"stop": 23}
    assert meeples.action_values(RULES, [], 6) == {"1q": 1, "stop": 0}


def test_one_more_meeple_worked_out_by_hand():
    """With 13 ticks one meeple on two is worth 3 more if it stands, and nothing is lost if it falls."""
    quick, careful = 1 - exp(-0.02), 1 - exp(-0.006)
    values = {"1q": 4 - 3 * quick, "1c": 1, "2q": 4 - 3 * quick, "2c": 4 - 3 * careful, "stop": 1}
    assert meeples.action_values(RULES, [2], 13) == approx(values)
    assert list(meeples.action_values(RULES, [2], 13)) == list(values)


def test_a_second_try_worked_out_by_hand():
    """After 7 ticks for the meeple and 8 for clearing another 7 are needed; if it stands, 13 make 7 points of 4."""
    slip = 1 - exp(-0.02)
    stands = 7 - 6 * slip
    assert meeples.best_points(RULES, [2, 1], 14) == approx(stands)
    assert meeples.action_values(RULES, [2], 21)["2q"] == approx((1 - slip) * stands + slip * 1)
    assert meeples.action_values(RULES, [2], 22)["2q"] == approx((1 - slip) * stands + slip * (4 - 3 * slip))


def test_what_may_fall_may_make_it_better_to_stop():
    slippery = meeples.rules_of(support="column", builder=SLIPPERY)
    slip = 1 - exp(-1.0)
    values = meeples.action_values(slippery, [1, 1], 8)
    assert values["3q"] == max(values.values()) == approx((1 - slip) * 6 + slip * (0.6 * 3 + 0.4 * 1))
    assert values["stop"] == 3
    slip = 1 - exp(-1.5)
    values = meeples.action_values(slippery, [1, 1, 1], 9)
    assert values["4q"] == approx((1 - slip) * 10 + slip * (0.6 * 6 + 0.25 * 3 + 0.15 * 1))
    assert values["stop"] == max(values.values()) == 6


@pytest.mark.parametrize("rules", [RULES, COLUMN, meeples.rules_of(builder=SLIPPERY)], ids=builds.name)
def test_utility_of_the_points(rules):
    """In the points themselves it is the points; a step asks for the chance to get there."""
    points = meeples.best_points(rules, [], 60)
    assert meeples.best_utility(rules, [], 60, float) == points
    assert meeples.best_utility(rules, [], 60, lambda points: 2.0 * points + 3) == approx(2 * points + 3)
    steps = [meeples.best_utility(rules, [], 60, lambda points, least=least: points >= least) for least in range(40)]
    assert steps[:2] == [1, 1]
    assert steps == sorted(steps, reverse=True)
    assert sum(steps[1:]) >= points


def test_the_goal_worked_out_by_hand():
    """Base 3 with one left to place: 8 ticks for the top, and a fall to row 3 leaves a second try after 16."""
    slip = 1 - exp(-0.02 * 2**1.5)
    assert meeples.finish_chance(RULES, 3, [3, 2, 1], 0) == 1
    assert meeples.finish_chance(RULES, 3, [3, 2], 7) == 0
    assert meeples.finish_chance(RULES, 3, [3, 2], 8) == approx(1 - slip)
    assert meeples.finish_chance(RULES, 3, [3, 2], 13) == approx(1 - slip)
    assert meeples.finish_values(RULES, 3, [3, 2], 14) == approx(
        {"3q": 1 - slip, "3c": exp(-0.006 * 2**1.5), "stop": 0}
    )
    assert meeples.finish_values(RULES, 3, [3, 2], 24)["3q"] == approx(1 - slip + slip * 0.6 * (1 - slip))


def test_a_sure_builder_only_needs_the_time():
    """Base 3: three in row 1, two in row 2, one on top."""
    needed = 3 * 6 + 2 * 7 + 8
    assert [meeples.finish_chance({**RULES, "builder": SURE}, 3, [], needed - less) for less in (1, 0)] == [0, 1]


@pytest.mark.parametrize(
    ("rules", "ticks"),
    [
        (RULES, 40),
        (COLUMN, 40),
        (meeples.rules_of(builder=HASTY), 7),
        (meeples.rules_of(builder=SLIPPERY), 45),
        (meeples.rules_of(mode="higher", seconds=20), 48),
    ],
    ids=lambda value: builds.name(value) if isinstance(value, dict) else value,
)
def test_the_best_build_is_what_playing_leads_to(rules, ticks):
    """The same by trying everything in the game itself."""
    known = {}

    def value(position):
        if position["round"] > 1 or position["phase"] == "over":
            return float(position["scores"][0])
        key = json.dumps([position["rows"], position["ticks"], position["action"]])
        if key not in known:
            if position["phase"] == "hands":
                chances = meeples.chances(position)
                known[key] = sum(chance * value(meeples.play(position, move)) for move, chance in chances.items())
            else:
                known[key] = max(value(meeples.play(position, move)) for move in meeples.legal(position))
        return known[key]

    start = meeples.deal(**rules) | {"ticks": ticks}
    higher = rules["mode"] == "higher"
    alone = meeples.finish_chance(rules, 3, [], ticks) if higher else meeples.best_points(rules, [], ticks)
    assert value(start) == approx(alone)
    values = meeples.finish_values(rules, 3, [], ticks) if higher else meeples.action_values(rules, [], ticks)
    assert list(values) == meeples.legal(start)
    assert {move: value(meeples.play(start, move)) for move in values} == approx(values)


# Walls


@pytest.mark.parametrize(
    ("meeples_", "support", "points", "rows"),
    [
        (0, "bridge", 0, ()),
        (1, "bridge", 1, (1,)),
        (2, "bridge", 1, (1,)),
        (3, "bridge", 4, (2, 1)),
        (6, "bridge", 10, (3, 2, 1)),
        (12, "bridge", 23, (5, 4, 2, 1)),
        (23, "bridge", 59, (7, 6, 4, 3, 2, 1)),
        (12, "column", 78, (1,) * 12),
    ],
)
def test_the_best_wall(meeples_, support, points, rows):
    assert meeples.best_wall(meeples_, support) == (points, rows)


def test_walls_are_all_that_can_be_built():
    """As many as ways to write a number as a sum: of different numbers on two neighbours, of any on one each."""
    sums = [[sum(rows) for rows in meeples.walls(10, support)] for support in ("bridge", "column")]
    assert [sums[0].count(meeples_) for meeples_ in range(11)] == [1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10]
    assert [sums[1].count(meeples_) for meeples_ in range(11)] == [1, 1, 2, 3, 5, 7, 11, 15, 22, 30, 42]


# Random games


@pytest.mark.parametrize("rules", builds.RULES, ids=builds.name)
def test_random_games_keep_to_the_rules(rules):
    for seed in range(3):
        for position, move in builds.games(rules, seed):
            check(position, move)


def check(position, move):
    rules, moves = position["rules"], meeples.legal(position)
    assert json.loads(json.dumps(position)) == position
    assert len(moves) == len(set(moves))
    assert (position["phase"] == "over") == (move is None) == (not moves) == (position["winner"] is not None)
    for seat in range(rules["players"]):
        rows, ticks = meeples.rows_of(position, seat), meeples.ticks_of(position, seat)
        assert 0 <= ticks <= 4 * rules["seconds"] and sum(rows) <= 99
        assert 0 not in rows
        assert all(meeples.room(rows, row, rules["support"]) >= count for row, count in enumerate(rows, 1))
    if position["phase"] == "build":
        assert position["turn"] == position["to_act"] not in position["out"]
        assert len(moves) > 1 and moves[-1] == "stop"
    if position["phase"] == "hands":
        assert isclose(sum(meeples.chances(position).values()), 1)
    if move is not None:
        before = deepcopy(position)
        meeples.play(position, move)
        assert position == before


def test_random_games_reach_what_matters():
    found = set()
    for rules in builds.RULES:
        for seed in range(3):
            *_, (last, _) = games = [*builds.games(rules, seed)]
            found |= {f"{rules['mode']} tie"} if len(last["winner"]) > 1 else set()
            found |= {"hit"} if any(move and move.endswith("!") for _, move in games) else set()
            found |= {"base 13"} if rules["mode"] == "higher" and last["round"] == 11 else set()
            found |= {"last one in"} if rules["shared_mat"] and len(last["out"]) == rules["players"] - 1 else set()
            rows = [meeples.rows_of(position, 0) for position, _ in games]
            found |= {f"{rules['support']} 99"} if any(sum(each) == 99 for each in rows) else set()
    assert found == {"points tie", "higher tie", "hit", "base 13", "last one in", "bridge 99", "column 99"}
