"""The slow engine of Pylos against counts of others, random games and positions made by hand."""

import json
import random
from itertools import product
from pathlib import Path

import pytest
from reference import pylos
from reference.pylos import Rules

CASES = json.loads((Path(__file__).parent / "data" / "cases" / "pylos.json").read_text(encoding="utf-8"))
VARIANTS = ("beginner", "standard", "expert")
EXPERT = Rules("expert")
# Deeper counts take minutes.
QUICK, SLOW = 15_000, 150_000
COUNTS = [
    pytest.param(
        case["board"],
        Rules(variant, CASES["empty_reserve"]),
        depth,
        count,
        marks=[pytest.mark.slow] if count > QUICK else [],
        id=f"{index}-{variant}-{depth}",
    )
    for index, case in enumerate(CASES["positions"])
    for variant, counts in case["perft"].items()
    for depth, count in enumerate(counts, 1)
    if count <= SLOW
]
EVERY_RULE = [
    Rules(*options)
    for options in product(VARIANTS, ("may-raise", "loses"), ("must", "may"), (4, 3, 2), *[[True, False]] * 3)
]


def board(level1, level2="...,...,...", level3="..,..", top=".", turn="w", rules=Rules()):  # noqa: B008
    return pylos.from_text(f"{level1}/{level2}/{level3}/{top} {turn}", rules)


def taken(state, stem):
    """What may be taken back after this placing or raising; the empty string where nothing may be."""
    return [move.removeprefix(stem).removeprefix("x") for move in pylos.legal(state) if move.split("x")[0] == stem]


# Counts


@pytest.mark.parametrize(("text", "rules", "depth", "count"), COUNTS)
def test_perft(text, rules, depth, count):
    assert pylos.perft(pylos.from_text(text, rules), depth) == count


def test_a_game_that_has_ended_counts_for_none():
    state = pylos.start(Rules(size=2))
    assert [pylos.perft(state, depth) for depth in range(7)] == [1, 4, 12, 24, 24, 24, 0]


# Random games


@pytest.mark.parametrize("seed", range(0, len(EVERY_RULE), 7))
def test_random_games_keep_to_the_rules(seed):
    rules, rng = EVERY_RULE[seed], random.Random(seed)
    state = pylos.start(rules)
    for _ in range(60):
        assert pylos.from_text(pylos.to_text(state), rules) == state
        assert pylos.position(pylos.state_of(pylos.position(state), rules)) == pylos.position(state)
        moves = pylos.legal(state)
        assert moves == sorted(set(moves))
        assert (pylos.winner(state) is None) == bool(moves)
        if not moves:
            break
        before = state
        state = pylos.play(before, rng.choice(moves))
        assert state.turn == pylos.OTHER[before.turn]
        assert pylos.own(state.cells, state.turn) == pylos.own(before.cells, state.turn)


# Placing and raising


def test_the_start():
    for size, text in (
        (4, "....,....,....,..../...,...,.../..,../. w"),
        (3, "...,...,.../..,../. w"),
        (2, "..,../. w"),
    ):
        state = pylos.start(Rules(size=size))
        assert pylos.to_text(state) == text
        assert pylos.from_text(text, state.rules) == state
        assert len(pylos.legal(state)) == size * size
        assert pylos.winner(state) is None


def test_cells_are_named_by_level_file_and_rank():
    names = [pylos.name(cell) for cell in pylos.pyramid(4)]
    assert len(names) == 30
    assert names == sorted(names)
    assert [names[0], names[15], names[24], names[29]] == ["1a1", "1d4", "2c3", "4a1"]
    assert {pylos.name(cell) for cell in pylos.below(pylos.named("2a1"))} == {"1a1", "1b1", "1a2", "1b2"}


def test_text_runs_by_ranks():
    state = pylos.play(pylos.start(Rules()), "1b1")
    assert pylos.to_text(state) == ".w..,....,....,..../...,...,.../..,../. b"


@pytest.mark.parametrize(
    "text",
    [
        "...,...,.../..,../. w",
        "....,....,....,..../...,...,.../..,../. x",
        "x...,....,....,..../...,...,.../..,../. w",
        "w...,....,....,..../w..,...,.../..,../. w",
        "wwww,wwww,wwww,wwww/...,...,.../..,../. w",
    ],
)
def test_a_bad_board_is_refused(text):
    with pytest.raises(ValueError, match=r"not a board|hangs in the air|too many balls"):
        pylos.from_text(text, Rules())


def test_an_illegal_move_is_refused():
    with pytest.raises(ValueError, match="illegal move '2a1'"):
        pylos.play(pylos.start(Rules()), "2a1")


def test_no_ball_climbs_on_a_square_it_is_part_of():
    assert not [move for move in pylos.legal(board("wb..,bw..,....,....")) if "-" in move]
    assert [move for move in pylos.legal(board("wb..,bw..,....,...w")) if "-" in move] == ["1d4-2a1"]


def test_a_ball_rises_by_one_level_or_more():
    state = board("wbw.,bwb.,wbw.,...w", "bw.,wb.,...")
    # The own balls of level 2 carry the open cell, and none of level 1 but this one is free.
    assert [move for move in pylos.legal(state) if "-" in move] == ["1d4-3a1"]


# Taking back


def test_a_square_gives_one_ball_or_two():
    squared = "ww..,w...,bbb.,...."
    assert taken(board(squared), "1b2") == [
        *("1a1", "1a1,1a2", "1a1,1b1", "1a1,1b2", "1a2", "1a2,1b1", "1a2,1b2"),
        *("1b1", "1b1,1b2", "1b2"),
    ]
    assert taken(board(squared, rules=Rules(take_back="may")), "1b2")[0] == ""
    assert taken(board(squared, rules=Rules("beginner")), "1b2") == [""]
    assert taken(board(squared), "1d4") == [""]
    assert taken(board(squared, turn="b"), "1b2") == [""]


def test_a_square_that_was_there_before_gives_nothing():
    assert taken(board("ww..,ww..,bbb.,...."), "1d4") == [""]


def test_two_squares_give_no_more_than_one():
    choices = taken(board("www.,w.w.,bbbb,...."), "1b2")
    assert len(choices) == 6 + 15
    assert max(len(choice.split(",")) for choice in choices) == 2


def test_the_second_ball_may_be_one_that_the_first_set_free():
    carried = "wbww,bbw.,....,....", "w..,...,..."
    choices = taken(board(*carried), "1d2")
    assert len(choices) == 5 + 10 + 1
    assert "1a1,2a1" in choices
    assert "1a1" not in choices
    before = taken(board(*carried, rules=Rules(second_free_before=True)), "1d2")
    assert set(choices) - set(before) == {"1a1,2a1"}


def test_the_ball_just_moved_may_be_taken():
    state = board("ww..,w...,bbb.,....")
    passed = pylos.play(state, "1b2x1b2")
    assert (passed.cells, passed.turn) == (state.cells, "b")
    kept = taken(board("ww..,w...,bbb.,....", rules=Rules(take_moved=False)), "1b2")
    assert kept == [choice for choice in taken(state, "1b2") if "1b2" not in choice]


def test_where_the_ball_just_moved_must_stay_there_may_be_nothing_to_take():
    covered = "bbbb,bwwb,bw..,bb..", "b.b,...,b.."
    assert taken(board(*covered), "1c3") == ["1c3"]
    assert taken(board(*covered, rules=Rules(take_moved=False)), "1c3") == [""]


def test_a_raise_completes_a_square_as_well():
    state = board("wbwb,bwbw,wbwb,bwbw", "ww.,w..,...")
    assert "1b4-2b2x2a1,2b2" in pylos.legal(state)
    assert "1b4-2b2" not in pylos.legal(state)
    assert taken(state, "1b4-2c3") == [""]


def test_rows_count_for_experts_alone():
    for level1, last in (("www.,....,bbb.,....", "1d1"), ("w...,w...,w...,.bbb", "1a4")):
        assert taken(board(level1), last) == [""]
        assert len(taken(board(level1, rules=EXPERT), last)) == 4 + 6
    assert taken(board("w...,.w..,..w.,bbb.", rules=EXPERT), "1d4") == [""]


def test_three_make_a_row_on_level_2():
    base = "wbwb,bwbw,wbwb,bwbw"
    for level2, last in (("ww.,...,bb.", "2c1"), ("w..,w..,.bb", "2a3")):
        assert taken(board(base, level2), last) == [""]
        assert last in taken(board(base, level2, rules=EXPERT), last)
    assert taken(board(base, "w..,.w.,bb.", rules=EXPERT), "2c3") == [""]


def test_rows_of_a_small_pyramid_hold_three_balls():
    small = Rules("expert", size=3)
    assert {len(row) for row in pylos.rows(small)} == {3}
    assert len(pylos.rows(small)) == 6
    assert len(pylos.rows(EXPERT)) == 8 + 6
    assert pylos.rows(Rules("expert", size=2)) == ()
    assert [len(pylos.squares(Rules(size=size))) for size in (4, 3, 2)] == [9 + 4 + 1, 4 + 1, 1]


def test_the_square_of_level_3():
    tall = "wbwb,bwbw,wbwb,bwbw", "bwb,wbw,bbb", "ww,w."
    assert len(taken(board(*tall), "3b2")) == 4 + 6
    for variant in ("standard", "expert"):
        assert taken(board(*tall, rules=Rules(variant, square3=False)), "3b2") == [""]


# The end


def test_the_apex_wins():
    full = board("wbwb,bwbw,wbwb,bwbw", "bwb,wbw,bwb", "bw,wb")
    assert pylos.legal(full) == ["4a1"]
    over = pylos.play(full, "4a1")
    assert (pylos.legal(over), pylos.winner(over), over.turn) == ([], "w", "b")


def test_who_cannot_move_loses():
    for reading in ("may-raise", "loses"):
        state = pylos.from_text("wb,bw/. b", Rules(empty_reserve=reading, size=2))
        assert (pylos.legal(state), pylos.winner(state)) == ([], "w")


def test_with_an_empty_reserve_one_may_raise_or_has_lost():
    text = "bbw,www,bww/..,bw/. w"
    state = pylos.from_text(text, Rules(size=3))
    assert (pylos.legal(state), pylos.winner(state)) == (["1c1-2a1"], None)
    state = pylos.from_text(text, Rules(empty_reserve="loses", size=3))
    assert (pylos.legal(state), pylos.winner(state)) == ([], "b")


# Whole games


def check(solved, rules):
    """Each value follows from those one move on, which by induction over the plies makes all of them true."""
    for here, (value, plies) in solved.items():
        state = pylos.state_of(here, rules)
        onward = []
        for move in pylos.legal(state):
            then = pylos.after(state, move)
            onward.append(("loss", 0) if pylos.winner(then) else solved[pylos.position(then)])
        lost = [length for result, length in onward if result == "loss"]
        won = [length for result, length in onward if result == "win"]
        if lost:
            assert (value, plies) == ("win", min(lost) + 1)
        elif len(won) == len(onward):
            assert (value, plies) == ("loss", max(won, default=-1) + 1)
        else:
            assert (value, plies) == ("draw", None)


@pytest.mark.parametrize("rules", [rules for rules in EVERY_RULE if rules.size == 2])
def test_the_smallest_pyramid_solved(rules):
    reached, every = pylos.solve(rules), pylos.solve_every(rules)
    assert reached[pylos.position(pylos.start(rules))] == ("win", 5)
    assert (len(reached), len(every)) == (35, 142)
    assert reached.items() <= every.items()
    assert every.keys() == pylos.every_position(rules)
    check(every, rules)
