"""Primitives on ``uint64`` bitboards.

Compiled integer arithmetic leaves ``uint64`` as soon as a plain literal joins in (``u + 1`` is ``int64``), so the
tricks live here once, with typed constants, and the result types are tested.
"""

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .jit import CONFIG, JIT, kernel

U = np.uint64
ZERO = U(0)
ONE = U(1)

SLOW_EXTRACT = ("znver1", "znver2")
"""Processors that take hundreds of cycles for it."""
HAS_EXTRACT = bool(
    JIT
    and CONFIG.CPU_NAME is None
    and CONFIG.CPU_FEATURES is None
    and binding.get_host_cpu_features().get("bmi2")
    and binding.get_host_cpu_name() not in SLOW_EXTRACT
)
"""Whether the processor has an instruction for ``extract``, and is quick about it."""

if JIT:
    FLAG_ZERO_IS_DEFINED = ir.Constant(ir.IntType(1), 0)

    @intrinsic
    def _ctpop(typingctx, x):
        return types.int64(types.uint64), lambda context, builder, sig, args: builder.ctpop(args[0])

    @intrinsic
    def _cttz(typingctx, x):
        return types.int64(types.uint64), lambda context, builder, sig, args: builder.cttz(
            args[0], FLAG_ZERO_IS_DEFINED
        )

    @intrinsic
    def _pext(typingctx, x, mask):
        def generate(context, builder, sig, args):
            word = ir.IntType(64)
            name = "llvm.x86.bmi.pext.64"
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word, word]), name)
            return builder.call(function, args)

        return types.uint64(types.uint64, types.uint64), generate

    @intrinsic
    def _ctlz(typingctx, x):
        return types.int64(types.uint64), lambda context, builder, sig, args: builder.ctlz(
            args[0], FLAG_ZERO_IS_DEFINED
        )

else:

    def _ctpop(x):
        return int(x).bit_count()

    def _cttz(x):
        return (int(x) & -int(x)).bit_length() - 1 if x else 64

    def _pext(x, mask):
        raise NotImplementedError

    def _ctlz(x):
        return 64 - int(x).bit_length()


@kernel
def popcount(x):
    """Number of set bits of ``x``, as ``int64``."""
    return _ctpop(x)


@kernel
def lowest(x):
    """Index of the lowest set bit of ``x``, as ``int64``; 64 when there is none."""
    return _cttz(x)


@kernel
def highest(x):
    """Index of the highest set bit of ``x``, as ``int64``; -1 when there is none."""
    return 63 - _ctlz(x)


@kernel
def bit(i):
    """The set ``{i}``."""
    return ONE << U(i)


@kernel
def has(x, i):
    """Whether ``i`` is in ``x``."""
    return (x >> U(i)) & ONE != ZERO


@kernel
def without_lowest(x):
    """``x`` less its lowest member."""
    return x & (x - ONE)


@kernel
def select(x, k):
    """Index of the ``k``-th set bit of ``x``, counted from 0; ``x`` must have more than ``k``."""
    for _ in range(k):
        x = without_lowest(x)
    return lowest(x)


@kernel
def extract(x, mask):
    """The bits of ``x`` at the members of ``mask``, side by side from bit 0; only where ``HAS_EXTRACT``."""
    return _pext(x, mask)
