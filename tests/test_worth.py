"""What positions of Pylos are worth to alpha-beta: the same however the board is turned and whoever is asked."""

import numpy as np
import pytest
from mess.search.alphabeta import DECIDED
from mess.search.worth import (
    A_THREAT,
    FIRST_CELLS,
    HIGH,
    MOVE,
    ODD,
    ODD_HIGH,
    PLACES,
    ROW_STATES,
    ROW_WORTH,
    ROWS,
    STATES,
    TERM_WORTH,
    THREATENED,
    THREATENED_AT_ALL,
    THREATS,
    WEIGHTS,
    judge,
    lacking_of_rows,
    threats,
    worth_of_rows,
    worth_of_squares,
)
from mess.solver.bits import ZERO, U
from mess.solver.game import deal
from mess.solver.pylos.board import CELLS, GROUND, completes_line, completes_square, open_cells
from mess.solver.pylos.notation import OPTIONS
from mess.solver.pylos.rules import RESERVES
from mess.solver.pylos.state import EXPERT, STANDARD
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


def threats_by_hand(own, spots, variant=STANDARD):
    found = []
    for cell in cells_of(spots):
        filled = U(int(own) | 1 << cell)
        if completes_square(filled, cell) or (variant == EXPERT and completes_line(filled, cell)):
            found.append(cell)
    return found


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
        balls = int(own | other | GROUND[size]).bit_count()
        weights = TERM_WORTH[variant, balls].astype(int)
        spots = open_cells(own | other, size)
        counts = [len(threats_by_hand(board, spots, variant)) for board in (own, other)]
        high = sum(cell >> 4 > 4 - size for cell in cells_of(spots))
        for_the_move = 2 * (weights[MOVE] + high * weights[HIGH])
        for_the_move += 2 * (high % 2 * weights[ODD_HIGH] + len(cells_of(spots)) % 2 * weights[ODD])
        for_the_move += sum(counts) * (weights[THREATS] + weights[THREATENED])
        for_the_move += sum(count > 0 for count in counts) * (weights[A_THREAT] + weights[THREATENED_AT_ALL])
        assert judged(own, other, seat, size, variant) + judged(other, own, 1 - seat, size, variant) == for_the_move
        assert worth_of_squares(other, own, balls, variant) == -worth_of_squares(own, other, balls, variant)
        assert worth_of_rows(other, own, balls) == -worth_of_rows(own, other, balls)


def test_threats_are_cells_that_complete_a_square():
    seen = 0
    for own, other, _, size, _ in positions(10):
        spots = open_cells(own | other, size)
        assert cells_of(threats(own, spots)) == threats_by_hand(own, spots)
        seen += len(threats_by_hand(own, spots))
    assert seen > 20


def test_what_rows_lack_completes_them():
    seen = 0
    for own, other, _, size, _ in positions(10):
        spots = open_cells(own | other, size)
        expected = [cell for cell in cells_of(spots) if completes_line(U(int(own) | 1 << cell), cell)]
        assert cells_of(spots & lacking_of_rows(own)) == expected
        seen += len(expected)
    assert seen > 5


def test_rows_are_read_in_order():
    """Each of the fourteen rows and columns, filled in every way, is worth what its own entry says."""
    assert len(ROWS) == 14
    empty = worth_of_rows(ZERO, ZERO, 12)
    for number, row in enumerate(ROWS):
        cells = cells_of(row.cells << row.first)
        for state in range(3 ** len(cells)):
            owners = [state // 3**i % 3 for i in range(len(cells))]
            own, other = (U(sum(1 << cells[i] for i, o in enumerate(owners) if o == side)) for side in (1, 2))
            alone = sum(
                int(ROW_WORTH[12, ROW_STATES * n + _state_of(ROWS[n], own, other)]) for n in range(14) if n != number
            )
            expected = alone + int(ROW_WORTH[12, ROW_STATES * number + state])
            assert worth_of_rows(own, other, 12) == expected
    assert empty == 0


def _state_of(row, own, other):
    cells = cells_of(row.cells << row.first)
    return sum(3**i * ((int(own) >> cell & 1) + 2 * (int(other) >> cell & 1)) for i, cell in enumerate(cells))


@pytest.mark.parametrize("weights", WEIGHTS)
def test_every_square_and_row_has_its_weights(weights):
    """It is named once, in one of its orientations, by what lies in it for one of the sides."""
    words = weights.squares.split()
    assert [word for word in words if word in PLACES] == list(PLACES)
    for word in words:
        if word not in PLACES:
            assert set(word[:5]) <= set("mt.") and (word[4] == "." or "." not in word[:4])
    assert len(FIRST_CELLS) == 14 and STATES == 243
    places = [word for word in weights.rows.split() if word[-1].isalpha()]
    assert places == (["base_edge", "base_inner", "second_edge", "second_inner"] if weights.rows else [])


@pytest.mark.parametrize("rules", GAMES)
def test_a_guess_is_never_taken_for_a_proof(rules):
    assert all(abs(judged(*position)) < DECIDED // 2 for position in positions(20, **rules))
