"""Random numbers with explicit state: one ``uint64[1]`` array a stream.

The generator is SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"): one
addition and three multiply-shifts a draw, every seed gives a full period of 2**64.
"""

import hashlib

import numpy as np

from .bits import ZERO, lowest, without_lowest
from .jit import kernel

U = np.uint64
GAMMA = U(0x9E3779B97F4A7C15)
MIX1 = U(0xBF58476D1CE4E5B9)
MIX2 = U(0x94D049BB133111EB)
S27, S30, S31, S32, S11 = U(27), U(30), U(31), U(32), U(11)
UNIT = 1.0 / (1 << 53)


def stream(seed: int, *purpose: object) -> np.ndarray:
    """A generator for one purpose: streams of one seed with different purposes are unrelated.

    Args:
        seed: any integer.
        purpose: what the stream is for, for example ``("deal", 7)`` or ``("bot", 0)``.
    """
    text = repr((int(seed), *purpose)).encode()
    return np.frombuffer(hashlib.sha256(text).digest()[:8], dtype=np.uint64).copy()


@kernel
def draw(rng):
    """The next 64 random bits of the stream."""
    rng[0] += GAMMA
    x = rng[0]
    x = (x ^ (x >> S30)) * MIX1
    x = (x ^ (x >> S27)) * MIX2
    return x ^ (x >> S31)


@kernel
def below(rng, n):
    """A uniform integer in ``[0, n)`` for ``1 <= n < 2**31``; bias below ``n / 2**32``."""
    return np.int64(((draw(rng) >> S32) * U(n)) >> S32)


@kernel
def unit(rng):
    """A uniform float in ``[0, 1)``."""
    return np.float64(draw(rng) >> S11) * UNIT


@kernel
def shuffled(members, order, rng):
    """Write the members of a set into ``order`` (``uint8[64]`` at most) in uniform random order; how many there are."""
    n = 0
    while members != ZERO:
        place = below(rng, n + 1)
        order[n] = order[place]
        order[place] = lowest(members)
        members = without_lowest(members)
        n += 1
    return n
