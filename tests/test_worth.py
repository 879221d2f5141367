"""What positions of Pylos are worth to alpha-beta: the same however the board is turned and whoever is asked."""

import numpy as np
import pytest
from mess.search.alphabeta import DECIDED
from mess.search.worth import (
    A_THREAT,
    BEGINNER_WEIGHTS,
    FIRST_CELLS,
    HIGH,
    MOVE,
    ODD,
    ODD_HIGH,
    PLACES,
    STANDARD_WEIGHTS,
    STATES,
    TERM_WORTH,
    THREATENED,
    THREATENED_AT_ALL,
    THREATS,
    judge,
    threats,
    worth_of_squares,
)
from mess.solver.bits import U
from mess.solver.game import deal
from mess.solver.pylos.board import CELLS, GROUND, completes_square, open_cells
from mess.solver.pylos.notation import OPTIONS
from mess.solver.pylos.rules import RESERVES
from mess.solver.pylos.state import BEGINNER
from mess.solver.pylos.symmetry import SYMMETRIES, TURNED

GAMES = [{"variant": variant, "size": size} for variant in OPTIONS["variant"] for size in (4, 3)]


def cells_of(board):
    return [cell for cell in CELLS if int(board) >> cell & 1]


def positions(games, **rules):
    """Own balls, the other side's, and the rest of what is judged, along random games."""
    for seed in range(games):
        position, chooser = deal("pylos", 0, **rules), np.random.default_rng(seed)
        while not position.is_over and position.state.plies < 60:
            state, seat = position.state, position.to_act
            yield state.balls[seat], state.balls[1 - seat], seat, int(state.side), int(state.variant)
            position = position.play(position.moves()[chooser.integers(len(position.moves()))])


def judged(own, other, seat, size, variant):
    left = [int(RESERVES[size, seat]) - int(own).bit_count(), int(RESERVES[size, 1 - seat]) - int(other).bit_count()]
    return int(judge(own, other, *left, size, variant))


def threats_by_hand(own, spots):
    return [cell for cell in cells_of(spots) if completes_square(U(int(own) | 1 << cell), cell)]


@pytest.mark.parametrize("rules", GAMES)
def test_turning_the_board_changes_nothing(rules):
    for own, other, *rest in positions(4, **rules):
        for symmetry in range(SYMMETRIES):
            turned = [U(sum(1 << int(TURNED[symmetry][cell]) for cell in cells_of(board))) for board in (own, other)]
            assert judged(*turned, *rest) == judged(own, other, *rest)


@pytest.mark.parametrize("rules", GAMES)
def test_the_other_side_is_told_the_opposite_but_for_the_move(rules):
    """What is said to both sides adds up to what threats and the move are worth to whoever is to move."""
    for own, other, seat, size, variant in positions(4, **rules):
        beginner = int(variant == BEGINNER)
        balls = int(own | other | GROUND[size]).bit_count()
        weights = TERM_WORTH[beginner, balls].astype(int)
        spots = open_cells(own | other, size)
        counts = [len(threats_by_hand(board, spots)) for board in (own, other)]
        high = sum(cell >> 4 > 4 - size for cell in cells_of(spots))
        for_the_move = 2 * (weights[MOVE] + high * weights[HIGH])
        for_the_move += 2 * (high % 2 * weights[ODD_HIGH] + len(cells_of(spots)) % 2 * weights[ODD])
        for_the_move += sum(counts) * (weights[THREATS] + weights[THREATENED])
        for_the_move += sum(count > 0 for count in counts) * (weights[A_THREAT] + weights[THREATENED_AT_ALL])
        assert judged(own, other, seat, size, variant) + judged(other, own, 1 - seat, size, variant) == for_the_move
        squares = worth_of_squares(own, other, balls, beginner)
        assert worth_of_squares(other, own, balls, beginner) == -squares


def test_threats_are_cells_that_complete_a_square():
    seen = 0
    for own, other, _, size, _ in positions(10):
        spots = open_cells(own | other, size)
        assert cells_of(threats(own, spots)) == threats_by_hand(own, spots)
        seen += len(threats_by_hand(own, spots))
    assert seen > 20


@pytest.mark.parametrize("weights", [STANDARD_WEIGHTS, BEGINNER_WEIGHTS])
def test_every_square_has_its_weights(weights):
    """A square is named once, in one of its orientations, by what lies in it for one of the sides."""
    words = weights.squares.split()
    assert [word for word in words if word in PLACES] == list(PLACES)
    for word in words:
        if word not in PLACES:
            assert set(word[:5]) <= set("mt.") and (word[4] == "." or "." not in word[:4])
    assert len(FIRST_CELLS) == 14 and STATES == 243


@pytest.mark.parametrize("rules", GAMES)
def test_a_guess_is_never_taken_for_a_proof(rules):
    assert all(abs(judged(*position)) < DECIDED // 2 for position in positions(20, **rules))
