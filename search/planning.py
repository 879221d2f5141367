"""Planning for one who plays alone against chance, where what chance may do can be listed.

Trial-based heuristic tree search (Keller, Helmert 2013, "Trial-based heuristic tree search for finite horizon MDPs"):
a trial goes down the tree by confidence bounds, and by the outcomes of chance that are most due, and gives the node it
ends in all its children, each worth what the game's ``evaluate`` guesses. On the way back a node is worth the best of
its children where the seat decides, and their expectation where chance does. So neither the luck of a trial nor the
moves that it only tried out are in a value, as they are in the means of mcts.
"""

import math
from typing import NamedTuple

import numpy as np

from ..solver.game import CHANCE, NO_ONE, OUTCOMES, chances, evaluate, legal, payoff, play, to_act
from ..solver.jit import kernel

ROOT = 0
NO_NODE = -1
MAX_DEPTH = 1024


class Tree(NamedTuple):
    """A search tree with room for ``N`` nodes; node 0 is the root."""

    worth: np.ndarray  # float64[N]  payoff to be expected
    visits: np.ndarray  # int32[N]    trials that went through the node
    chance: np.ndarray  # float64[N]  probability of the outcome that leads into the node, after a node of chance
    move: np.ndarray  # int32[N]    move or outcome that leads into the node
    first: np.ndarray  # int32[N]    first child, NO_NODE before it has any
    beside: np.ndarray  # int32[N]    next child of the same node, or NO_NODE
    used: np.ndarray  # int64[1]    nodes in use


def make(nodes: int) -> Tree:
    """A tree with nothing but a root, and room for ``nodes`` nodes, 32 bytes each."""
    return Tree(
        worth=np.zeros(nodes),
        visits=np.zeros(nodes, dtype=np.int32),
        chance=np.zeros(nodes),
        move=np.zeros(nodes, dtype=np.int32),
        first=np.full(nodes, NO_NODE, dtype=np.int32),
        beside=np.full(nodes, NO_NODE, dtype=np.int32),
        used=np.ones(1, dtype=np.int64),
    )


@kernel
def _guess(s, out):
    """What a node is worth that has no children."""
    if to_act(s) == NO_ONE:
        payoff(s, out)
    else:
        evaluate(s, out)
    return out[0]


@kernel
def _expand(tree, node, world, after, moves, weights, out):
    """Give a node all its children, if there is room for them."""
    is_chance = to_act(world[0]) == CHANCE
    count = chances(world[0], moves, weights) if is_chance else legal(world[0], moves)
    if tree.used[0] + count > tree.worth.size:
        return
    for i in range(count - 1, -1, -1):
        child = tree.used[0]
        tree.used[0] += 1
        after[0] = world[0]
        play(after[0], np.int64(moves[i]))
        tree.worth[child] = _guess(after[0], out)
        tree.visits[child] = 0
        tree.chance[child] = weights[i] if is_chance else 0.0
        tree.move[child] = moves[i]
        tree.first[child] = NO_NODE
        tree.beside[child] = tree.first[node]
        tree.first[node] = child


@kernel
def _follow(tree, node, is_chance, exploration):
    """The child to go on with: the outcome that is most due, or the move with the highest bound."""
    visits, best, best_bound = tree.visits[node], NO_NODE, -math.inf
    spread = math.log(visits + 1.0)
    child = tree.first[node]
    while child != NO_NODE:
        if is_chance:
            bound = tree.chance[child] * (visits + 1) - tree.visits[child]
        else:
            bound = tree.worth[child] + exploration * math.sqrt(spread / (tree.visits[child] + 1))
        if bound > best_bound:
            best, best_bound = child, bound
        child = tree.beside[child]
    return best


@kernel
def _back_up(tree, node, is_chance):
    """What the children of a node make of it."""
    worth = 0.0 if is_chance else -math.inf
    child = tree.first[node]
    while child != NO_NODE:
        if is_chance:
            worth += tree.chance[child] * tree.worth[child]
        else:
            worth = max(worth, tree.worth[child])
        child = tree.beside[child]
    return worth


@kernel
def _keep(tree, allowed):
    """Leave the root no children but those that allowed moves lead to; all if there are none."""
    child, last = tree.first[ROOT], NO_NODE
    while child != NO_NODE and allowed.size > 0:
        after = tree.beside[child]
        if (allowed == tree.move[child]).any():
            last = child
        elif last == NO_NODE:
            tree.first[ROOT] = after
        else:
            tree.beside[last] = after
        child = after


@kernel
def iterate(tree, root, world, after, moves, allowed, exploration, trials):
    """Run some trials from ``root[0]``, each through one of its moves; the tree grows, the root record stays.

    Args:
        tree: a ``Tree``.
        root: array of one record, with one seat.
        world, after: scratch, arrays of one record.
        moves: scratch, ``int32[max_moves]``.
        allowed: ``int32[n]``, the moves to look at from the root; all if there are none.
        exploration: weight of the confidence bound, >= 0.
        trials: how many.
    """
    path = np.empty(MAX_DEPTH, dtype=np.int64)
    by_chance = np.empty(MAX_DEPTH, dtype=np.bool_)
    weights, out = np.empty(OUTCOMES), np.empty(1)
    if tree.first[ROOT] == NO_NODE:
        world[0] = root[0]
        _expand(tree, ROOT, world, after, moves, weights, out)
        _keep(tree, allowed)
    for _ in range(trials):
        world[0] = root[0]
        node, depth = ROOT, 0
        while True:
            path[depth] = node
            actor = to_act(world[0])
            by_chance[depth] = actor == CHANCE
            if actor == NO_ONE or depth == MAX_DEPTH - 1:
                break
            if tree.first[node] == NO_NODE:
                _expand(tree, node, world, after, moves, weights, out)
                break
            node = _follow(tree, node, by_chance[depth], exploration)
            play(world[0], np.int64(tree.move[node]))
            depth += 1
        for i in range(depth, -1, -1):
            node = path[i]
            tree.visits[node] += 1
            if tree.first[node] != NO_NODE:
                tree.worth[node] = _back_up(tree, node, by_chance[i])
