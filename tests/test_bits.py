"""Bit tricks against Python's own numbers, and their types where compiled."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mess.solver import bits
from mess.solver.jit import JIT, kernel

pytestmark = pytest.mark.small

WORDS = st.one_of(
    st.integers(0, 2**64 - 1),
    st.sets(st.integers(0, 63)).map(lambda members: sum(1 << i for i in members)),
    st.sampled_from([0, 1, 2**63, 2**64 - 1]),
)


def members(word: int) -> list[int]:
    return [i for i in range(64) if word >> i & 1]


@given(WORDS)
def test_counting_and_outermost_members(word):
    x = np.uint64(word)
    assert bits.popcount(x) == len(members(word))
    assert bits.lowest(x) == min(members(word), default=64)
    assert bits.highest(x) == max(members(word), default=-1)
    assert bits.without_lowest(x) == sum(1 << i for i in members(word)[1:])


@given(WORDS, st.integers(0, 63))
def test_membership(word, i):
    assert bits.bit(i) == 1 << i
    assert bool(bits.has(np.uint64(word), i)) == (i in members(word))


@given(WORDS)
def test_select_names_every_member_in_order(word):
    x = np.uint64(word)
    assert [bits.select(x, k) for k in range(len(members(word)))] == members(word)


@kernel
def _fold(x, i):
    one = bits.bit(i) | x
    return one, bits.without_lowest(one), (one & bits.without_lowest(one)) << bits.ONE, bits.ZERO | x


@pytest.mark.skipif(not JIT, reason="types are numba's")
@pytest.mark.parametrize("index", [np.int64(63), np.uint8(63), np.uint64(63)])
def test_sets_stay_unsigned_and_counts_are_signed_when_compiled(index):
    x = np.uint64(2**63 + 5)
    assert _fold(x, index) == (2**63 + 5, 2**63 + 4, 8, 2**63 + 5)
    (returned,) = {_fold.overloads[s].signature.return_type for s in _fold.signatures if s[1] is numba.typeof(index)}
    assert set(returned.types) == {numba.uint64}
    for count in (bits.popcount, bits.lowest, bits.highest):
        count(x)
        assert {overload.signature.return_type for overload in count.overloads.values()} == {numba.int64}
    bits.select(x, 1)
    assert {overload.signature.return_type for overload in bits.select.overloads.values()} == {numba.int64}


@pytest.mark.skipif(not bits.HAS_EXTRACT, reason="the processor has no such instruction, or is slow at it")
@given(WORDS, WORDS)
def test_extract_gathers_the_bits_at_a_mask(x, mask):
    gathered = sum((x >> place & 1) << i for i, place in enumerate(members(mask)))
    assert bits.extract(np.uint64(x), np.uint64(mask)) == gathered
