"""The engine of Pylos in lockstep with the naive one: every position and every list of moves of random games."""

import json
import random
from itertools import product

import numpy as np
import pytest
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.position import read
from mess.solver.pylos.notation import OPTIONS
from mess.solver.pylos.perft import perft
from mess_command import CASES
from reference import pylos as naive

RULES = [dict(zip(OPTIONS, values, strict=True)) for values in product(*OPTIONS.values())]
COUNTS = json.loads((CASES / "pylos.json").read_text(encoding="utf-8"))
BULK = 3_000_000


def naive_rules(rules):
    return naive.Rules(rules["variant"], rules["empty_reserve"], rules["take_back"], rules["size"])


@pytest.mark.small
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: "-".join(map(str, rules.values())))
def test_random_games(rules):
    rng = random.Random(str(rules))
    for _ in range(3):
        position, state = deal("pylos", 0, **rules), naive.start(naive_rules(rules))
        for _ in range(80):
            assert position.to_dict()["board"] == naive.to_text(state)
            assert position.to_dict()["rules"] == rules
            if position.is_over and position.payoff() == (0.5, 0.5):
                break
            assert sorted(position.moves()) == naive.legal(state)
            winner = naive.winner(state)
            assert position.is_over == (winner is not None)
            if winner:
                assert position.payoff() == ((1.0, 0.0) if winner == "w" else (0.0, 1.0))
                break
            back = read(json.loads(str(position)))
            assert back == position
            assert back.moves() == position.moves()
            move = rng.choice(naive.legal(state))
            position, state = position.play(move), naive.play(state, move)


@pytest.mark.parametrize("case", COUNTS["positions"], ids=lambda case: case["board"])
@pytest.mark.parametrize("variant", OPTIONS["variant"])
def test_perft_of_the_cases(case, variant):
    position = read({"game": "pylos", "rules": {"variant": variant}, "board": case["board"]})
    for depth, count in enumerate(case["perft"][variant], 1):
        if count <= BULK:
            assert perft(position.state, depth) == count


@pytest.mark.slow
@pytest.mark.parametrize("case", COUNTS["positions"], ids=lambda case: case["board"])
@pytest.mark.parametrize("variant", OPTIONS["variant"])
def test_deep_perft_of_the_cases(case, variant):
    position = read({"game": "pylos", "rules": {"variant": variant}, "board": case["board"]})
    for depth, count in enumerate(case["perft"][variant], 1):
        assert perft(position.state, depth) == count


@pytest.mark.parametrize("rules", RULES[::5], ids=lambda rules: "-".join(map(str, rules.values())))
def test_random_moves_are_uniform(rules):
    from mess.solver.pylos.rules import random_move
    from mess.solver.rng import stream

    position, rng = deal("pylos", 0, **rules), random.Random(1)
    while len(position.moves()) < 20 or not any("x" in move for move in position.moves()):
        if position.is_over or rules["variant"] == "beginner":
            break
        position = position.play(rng.choice(position.moves()))
    if position.is_over:
        return
    moves, draws = position.moves(), stream(3, "uniform")
    drawn = [
        position.game.move_text(position.state, int(random_move(position.state, draws)))
        for _ in range(200 * len(moves))
    ]
    counts = np.array([drawn.count(move) for move in moves])
    assert set(drawn) == set(moves)
    chi = ((counts - 200) ** 2 / 200).sum()
    assert chi < len(moves) + 6 * (2 * len(moves)) ** 0.5


def test_a_position_that_occurs_the_third_time_is_a_draw():
    board = "ww..,w...,..bb,..b./...,...,.../..,../. w"
    position = read({"game": "pylos", "rules": {}, "board": board})
    for occurrence in (2, 3):
        assert not position.is_over
        position = position.play("1b2x1b2").play("1d4x1d4")
        assert position.to_dict()["board"] == board
        assert position.is_over == (occurrence == 3)
    assert position.payoff() == (0.5, 0.5)
    assert position.moves() == []
    # the text of a position tells nothing of how often it has been there
    assert not read(position.to_dict()).is_over


def test_balls_taken_back_are_read_in_any_order():
    position = read({"game": "pylos", "rules": {}, "board": "ww..,w...,....,..../...,...,.../..,../. w"})
    assert position.play("1b2x1b1,1a2") == position.play("1b2x1a2,1b1")
    with pytest.raises(InputError, match="1b2x1a2,1b1"):
        position.play("1b2x1a2,1a2")


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("....,....,....,..../...,...,.../..,../. x", "side to move"),
        ("....,....,....,..../...,...,.../. w", "4 levels"),
        ("....,....,....,.../...,...,.../..,../. w", "4 ranks of 4"),
        ("...q,....,....,..../...,...,.../..,../. w", "1d1"),
        ("....,....,....,..../w..,...,.../..,../. w", "ball on 1a1"),
        ("wwww,wwww,wwww,wwww/...,...,.../..,../. w", "at most 15"),
        ("wbwb,bwbw,wbwb,bwbw/bbw,bwb,wbw/bw,bw/w w", "other side to move"),
    ],
)
def test_wrong_boards_are_told_in_a_line(board, said):
    with pytest.raises(InputError, match=said):
        read({"game": "pylos", "rules": {}, "board": board})
