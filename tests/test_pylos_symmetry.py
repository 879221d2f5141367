"""The eight symmetries: what they do to cells, moves and keys, and what they must not change."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mess.search.alphabeta import look_ahead
from mess.solver.game import deal
from mess.solver.position import read
from mess.solver.pylos import board
from mess.solver.pylos.notation import OPTIONS
from mess.solver.pylos.rules import write_moves
from mess.solver.pylos.state import MAX_MOVES, NOWHERE
from mess.solver.pylos.symmetry import (
    BACK,
    SYMMETRIES,
    TURNED,
    ZOBRIST,
    canonical,
    turned_move,
    write_keys,
    write_keys_after,
)

seeds = st.integers(0, 2**32)
plies = st.integers(0, 40)


def wander(seed, plies, **rules):
    """The positions of a random game."""
    position, chooser = deal("pylos", 0, **rules), np.random.default_rng(seed)
    for _ in range(plies):
        yield position
        following = position.play(position.moves()[chooser.integers(len(position.moves()))])
        if following.is_over:
            return
        position = following


def last(seed, plies, **rules):
    return list(wander(seed, plies + 1, **rules))[-1]


def turned(position, symmetry, swap=False):
    """The position turned, and with ``swap`` with the colours exchanged, the side to move too."""
    states = position.states()
    cells = TURNED[symmetry]
    balls = [
        np.uint64(sum(1 << int(cells[cell]) for cell in board.CELLS if int(own) >> cell & 1))
        for own in balls_of(position)
    ]
    states[0].balls[:] = balls[::-1] if swap else balls
    states[0].turn = position.to_act ^ swap
    states[0].plies = 0
    return read(type(position)(position.game, states).to_dict())


def balls_of(position):
    return [int(own) for own in position.state.balls]


def keys_of(position):
    keys = np.zeros(SYMMETRIES, dtype=np.uint64)
    write_keys(*position.state.balls, keys)
    return keys


def codes(position):
    state, seat = position.state, position.to_act
    own, other = state.balls[seat], state.balls[1 - seat]
    moves = np.zeros(MAX_MOVES, dtype=np.int32)
    reserve = board.BALLS[int(state.side)][seat] - int(own).bit_count()
    return moves[
        : write_moves(own, other, reserve, int(state.side), int(state.variant), state.may != 0, moves)
    ].tolist()


def test_symmetries_permute_the_cells_of_each_level_and_keep_what_rests_on_what():
    assert len({tuple(row) for row in TURNED.tolist()}) == SYMMETRIES
    for cells, back in zip(TURNED.tolist(), BACK.tolist(), strict=True):
        assert sorted(cells) == list(range(64)) == [cells[cell] for cell in back]
        assert cells[NOWHERE] == NOWHERE and cells[board.APEX_CELL] == board.APEX_CELL
        for cell in board.CELLS:
            assert cells[cell] >> 4 == cell >> 4
            under = {cell - step for step in (16, 15, 12, 11)} if cell >> 4 else set()
            assert {cells[one] for one in under} == (
                {cells[cell] - step for step in (16, 15, 12, 11)} if under else set()
            )


def test_keys_are_random_where_there_are_cells_and_nothing_elsewhere():
    used = ZOBRIST[:, list(board.CELLS), 0]
    assert len(set(used.ravel().tolist())) == 60
    assert not ZOBRIST[:, [cell for cell in range(64) if cell not in board.CELLS]].any()


@settings(max_examples=40, deadline=None)
@given(seeds, plies, st.sampled_from(OPTIONS["variant"]), st.sampled_from(OPTIONS["size"]))
def test_turned_boards_have_the_same_keys_in_another_order(seed, plies, variant, size):
    position = last(seed, plies, variant=variant, size=size)
    keys = keys_of(position)
    for symmetry in range(SYMMETRIES):
        again = keys_of(turned(position, symmetry))
        assert again[0] == keys[symmetry]
        assert sorted(again) == sorted(keys)
        assert again[canonical(again)] == keys[canonical(keys)] == min(keys)


@settings(max_examples=40, deadline=None)
@given(seeds, st.sampled_from(OPTIONS["variant"]), st.sampled_from(OPTIONS["size"]))
def test_keys_after_a_move_are_those_of_the_board_after_it(seed, variant, size):
    fresh = np.zeros(SYMMETRIES, dtype=np.uint64)
    for position in wander(seed, 30, variant=variant, size=size):
        for move, code in zip(position.moves(), codes(position), strict=True):
            write_keys_after(keys_of(position), position.to_act, code, fresh)
            assert fresh.tolist() == keys_of(position.play(move)).tolist()


@settings(max_examples=40, deadline=None)
@given(seeds, plies, st.sampled_from(OPTIONS["variant"]))
def test_moves_of_a_turned_position_are_the_turned_moves(seed, plies, variant):
    position = last(seed, plies, variant=variant)
    moves = codes(position)
    for symmetry in range(SYMMETRIES):
        images = [turned_move(move, TURNED[symmetry]) for move in moves]
        assert sorted(images) == sorted(codes(turned(position, symmetry)))
        assert [turned_move(image, BACK[symmetry]) for image in images] == moves


@pytest.mark.parametrize("variant", OPTIONS["variant"])
@pytest.mark.parametrize("swap", [False, True])
def test_alpha_beta_values_do_not_change_under_symmetries_and_swapped_colours(variant, swap):
    for seed in range(6):
        position = last(seed, 12, variant=variant)
        score = max(look_ahead(position, depth=4).scores)
        for symmetry in range(SYMMETRIES):
            assert max(look_ahead(turned(position, symmetry, swap), depth=4).scores) == score
