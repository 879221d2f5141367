"""A transposition table of bounded memory: what has been found out about positions, by their fingerprints.

A fingerprint is two independent 64-bit halves: ``where`` names a bucket of ``WAYS`` entries, ``key`` is stored and
compared. A lookup goes wrong when it meets a strange entry with its own key: with probability below
``WAYS / 2**64``, so over ten million lookups below ``3e-12``.

Replacement: a key that is there is overwritten. Else a free entry of the bucket is taken; else the entry that took the
least work to find out, and the work of the others counts half from then on, so that what nobody refreshes gives
way in the end.
"""

from typing import NamedTuple

import numpy as np

from ..bits import ZERO
from ..jit import kernel

U, I64 = np.uint64, np.int64
WAYS = 4
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
"""What a search that was cut off has found out of a score."""


class Table(NamedTuple):
    """The arrays of a table; 20 bytes an entry.

    Attributes:
        keys: ``uint64[entries]``, meaningful where ``work`` is not 0.
        payloads: ``uint64[entries]``, whatever the solver packs into them, never 0 where ``work`` is not 0.
        work: ``uint32[entries]``, how much it took to find the payload out; 0 in a free entry.
    """

    keys: np.ndarray
    payloads: np.ndarray
    work: np.ndarray


def empty(entries_log2: int) -> Table:
    """A table of ``2**entries_log2`` free entries, at least one bucket."""
    entries = max(WAYS, 1 << entries_log2)
    return Table(
        np.zeros(entries, dtype=np.uint64), np.zeros(entries, dtype=np.uint64), np.zeros(entries, dtype=np.uint32)
    )


def clear(table: Table) -> None:
    """Forget everything."""
    table.work[:] = 0


@kernel
def _bucket(table, where):
    return I64(where & U(table.keys.size - 1)) & -WAYS


@kernel
def probe(table, where, key):
    """The payload stored for a fingerprint, or 0."""
    first = _bucket(table, where)
    for entry in range(first, first + WAYS):
        if table.keys[entry] == key and table.work[entry] != 0:
            return table.payloads[entry]
    return ZERO


@kernel
def store(table, where, key, payload, work):
    """Remember a payload, which must not be 0, that took some work (clamped to 1 … 2**32 - 1)."""
    first = _bucket(table, where)
    chosen = -1
    for entry in range(first, first + WAYS):
        if table.work[entry] != 0 and table.keys[entry] == key:
            chosen = entry
    if chosen < 0:
        chosen = first
        for entry in range(first + 1, first + WAYS):
            if table.work[entry] < table.work[chosen]:
                chosen = entry
        if table.work[chosen] != 0:
            for entry in range(first, first + WAYS):
                table.work[entry] = (table.work[entry] + 1) >> 1
    table.keys[chosen] = key
    table.payloads[chosen] = payload
    table.work[chosen] = min(max(work, 1), 0xFFFFFFFF)
