"""The search tree: a struct of arrays of fixed size, and nothing in it but statistics.

A node stands for a sequence of public actions from the root, never for a state: which deal of the hidden tiles an
iteration is in lies outside. Children are found by hashing ``(node, move)``, so a move costs the same however many
moves other deals have made possible there.
"""

from typing import NamedTuple

import numpy as np

from ..solver.jit import kernel

U = np.uint64
ROOT = 0
NO_NODE = -1
SPREAD1, SPREAD2 = U(0x9E3779B97F4A7C15), U(0xD1B54A32D192ED03)
S32 = U(32)


class Tree(NamedTuple):
    """A search tree with room for ``N`` nodes; node 0 is the root."""

    visits: np.ndarray  # int32[N]    iterations that went through the node
    available: np.ndarray  # int32[N]    iterations that could have: the move was legal in their world
    value: np.ndarray  # float64[N]  sum of payoffs of the seat that moved into the node
    parent: np.ndarray  # int32[N]    node before the move
    move: np.ndarray  # int32[N]    move that leads into the node
    slots: np.ndarray  # int32[2**k] hash table of nodes, NO_NODE where empty; at most half full
    used: np.ndarray  # int64[1]    nodes in use


def make(nodes: int) -> Tree:
    """An empty tree with room for ``nodes`` nodes, about 40 bytes each."""
    slots = 1 << max(4, (2 * nodes - 1).bit_length())
    tree = Tree(
        visits=np.zeros(nodes, dtype=np.int32),
        available=np.zeros(nodes, dtype=np.int32),
        value=np.zeros(nodes),
        parent=np.full(nodes, NO_NODE, dtype=np.int32),
        move=np.full(nodes, NO_NODE, dtype=np.int32),
        slots=np.full(slots, NO_NODE, dtype=np.int32),
        used=np.zeros(1, dtype=np.int64),
    )
    clear(tree)
    return tree


@kernel
def clear(tree):
    """Leave nothing but a fresh root."""
    tree.slots[:] = NO_NODE
    tree.used[0] = 1
    tree.visits[ROOT] = 0
    tree.available[ROOT] = 0
    tree.value[ROOT] = 0.0


@kernel
def _slot(tree, node, move):
    """Slot that holds the child, or the empty one where it belongs."""
    key = (U(node) * SPREAD1) ^ (U(move) * SPREAD2)
    key = (key ^ (key >> S32)) * SPREAD1
    slot = np.int64(key >> S32) & (tree.slots.size - 1)
    while True:
        child = tree.slots[slot]
        if child == NO_NODE or (tree.parent[child] == node and tree.move[child] == move):
            return slot
        slot = (slot + 1) & (tree.slots.size - 1)


@kernel
def find(tree, node, move):
    """The child that ``move`` leads to, or ``NO_NODE``."""
    return np.int64(tree.slots[_slot(tree, node, move)])


@kernel
def add(tree, node, move):
    """A new child, or ``NO_NODE`` when the tree is full."""
    if tree.used[0] == tree.visits.size:
        return NO_NODE
    child = tree.used[0]
    tree.used[0] += 1
    tree.visits[child] = 0
    tree.available[child] = 0
    tree.value[child] = 0.0
    tree.parent[child] = node
    tree.move[child] = move
    tree.slots[_slot(tree, node, move)] = child
    return child
