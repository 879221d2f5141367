"""Monte Carlo tree search for any game of the contract, any number of seats, chance, and hidden information.

One iteration: take a world, *select* down the tree by UCB among the moves that are legal in that world, *expand* one
move, *play out*, *back up* every seat's payoff to the nodes where that seat moved (each seat maximises its own).

With a new world each iteration and one tree this is single-observer information-set MCTS (Cowling, Powley,
Whitehouse 2012, "Information Set Monte Carlo Tree Search"); a move's confidence bound counts the iterations in which
it was available instead of all visits of its parent. With one world a tree it is plain UCT, and many such trees are
perfect-information Monte Carlo. Weaknesses they are known for: strategy fusion (a tree over worlds may plan as if it
could tell them apart) and non-locality (how likely a world is does not depend on what was played).
"""

import math
from typing import NamedTuple

import numpy as np

from ..solver.game import (
    CHANCE,
    NO_ONE,
    OUTCOMES,
    chances,
    evaluate,
    legal,
    payoff,
    play,
    policy_move,
    random_move,
    redeal,
    surprises,
    to_act,
)
from ..solver.jit import kernel
from ..solver.rng import below, unit
from .tree import NO_NODE, ROOT, add, find

MAX_DEPTH = 512
SEATS = 8
TRIES = 20
"""Worlds dealt at most for one that what was seen makes likely."""


class Options(NamedTuple):
    """How to search; the defaults are what measured best (see results/).

    Attributes:
        exploration: weight of the confidence bound, >= 0.
        first_play: value in [0, 1] that a move never tried is credited with; above 1 every move is tried first.
        policy: number of the policy that plays out.
        epsilon: share in [0, 1] of playout moves that are random instead.
        effort: states the policy may look at for one move.
        cutoff: playout moves after which the game is judged by ``evaluate``; 0 plays to the end, -1 judges at once.
        belief: how surely a world is dealt anew for each surprising move in it, in [0, 1]; 0 takes all as they come.
    """

    exploration: float
    first_play: float
    policy: int
    epsilon: float
    effort: int
    cutoff: int
    belief: float


@kernel
def deal_world(root, worlds, options, rng):
    """Put a world into ``worlds[0]`` that fits what ``root[0]`` knows, and that what was seen makes likely.

    After ``TRIES`` it is taken whatever is in it, so a belief that fits no world costs time, not the answer.
    """
    for _ in range(TRIES):
        worlds[0] = root[0]
        redeal(worlds[0], rng)
        if options.belief == 0.0:
            return
        likely = (1.0 - options.belief) ** surprises(worlds[0])
        if likely == 1.0 or unit(rng) < likely:
            return


@kernel
def playout(s, options, rng, out):
    """Play ``s`` on by the playout policy, in place, and write every seat's payoff into ``out``."""
    moves = 0
    while True:
        seat = to_act(s)
        if seat == NO_ONE:
            payoff(s, out)
            return
        if (moves == options.cutoff and moves > 0) or options.cutoff < 0:
            evaluate(s, out)
            return
        if seat == CHANCE or options.policy == 0 or (options.epsilon > 0.0 and unit(rng) < options.epsilon):
            play(s, random_move(s, rng))
        else:
            play(s, policy_move(s, options.policy, options.effort, rng))
        moves += 1


@kernel
def _select(tree, node, moves, count, options, rng):
    """The move to follow: ``(move, child)``, the child being ``NO_NODE`` when the move was never tried here."""
    untried, fresh, best, best_child, best_bound = 0, -1, -1, NO_NODE, -math.inf
    for i in range(count):
        move = moves[i]
        child = find(tree, node, move)
        if child == NO_NODE:
            untried += 1
            if below(rng, untried) == 0:
                fresh = move
            continue
        tree.available[child] += 1
        visits = tree.visits[child]
        mean = tree.value[child] / visits
        bound = mean + options.exploration * math.sqrt(math.log(tree.available[child]) / visits)
        if bound > best_bound:
            best, best_child, best_bound = move, child, bound
    has_room = tree.used[0] < tree.visits.size
    if untried > 0 and (best == -1 or (has_room and options.first_play > best_bound)):
        return fresh, NO_NODE
    return best, best_child


@kernel
def _draw(tree, node, s, moves, weights, rng):
    """An outcome of chance: as likely as it is due, its visits so far set against its probability.

    So the visits of a node keep closer to the probabilities than independent draws would, and its mean to the
    expectation; where outcomes are too many to be listed they are drawn independently.
    """
    count = chances(s, moves, weights)
    if count == 0:
        return random_move(s, rng)
    visits, total = 0, 0.0
    for i in range(count):
        child = find(tree, node, moves[i])
        if child != NO_NODE:
            visits += tree.visits[child]
    for i in range(count):
        child = find(tree, node, moves[i])
        seen = tree.visits[child] if child != NO_NODE else 0
        weights[i] = max(0.0, weights[i] * (visits + 1) - seen)
        total += weights[i]
    drawn = unit(rng) * total
    for i in range(count - 1):
        drawn -= weights[i]
        if drawn < 0.0:
            return np.int64(moves[i])
    return np.int64(moves[count - 1])


@kernel
def keep(moves, count, allowed):
    """Keep those of the first ``count`` moves that are allowed, in their order; all if ``allowed`` is empty."""
    if allowed.size == 0:
        return count
    kept = 0
    for i in range(count):
        move = moves[i]
        for j in range(allowed.size):
            if allowed[j] == move:
                moves[kept] = move
                kept += 1
                break
    return kept


@kernel
def iterate(tree, root, worlds, moves, allowed, options, iterations, new_worlds, rng):
    """Run some iterations from ``root[0]``; the tree grows, the root record stays.

    Args:
        tree: a ``Tree``.
        root: array of one record, concealed if ``new_worlds``, else full.
        worlds: scratch, array of one record.
        moves: scratch, ``int32[max_moves]``.
        allowed: ``int32[n]``, the moves to look at from the root; all if there are none.
        options: ``Options``.
        iterations: how many.
        new_worlds: whether each iteration deals the hidden things anew.
        rng: ``uint64[1]``.
    """
    path = np.empty(MAX_DEPTH, dtype=np.int64)
    movers = np.empty(MAX_DEPTH, dtype=np.int64)
    out = np.empty(SEATS)
    weights = np.empty(OUTCOMES)
    for _ in range(iterations):
        if new_worlds:
            deal_world(root, worlds, options, rng)
        else:
            worlds[0] = root[0]
        s = worlds[0]
        node, depth = ROOT, 0
        while depth < MAX_DEPTH:
            seat = to_act(s)
            if seat == NO_ONE:
                break
            if seat == CHANCE:
                move = _draw(tree, node, s, moves, weights, rng)
                child = find(tree, node, move)
            else:
                count = legal(s, moves)
                if depth == 0:
                    count = keep(moves, count, allowed)
                move, child = _select(tree, node, moves, count, options, rng)
            is_new = child == NO_NODE
            if is_new:
                child = add(tree, node, move)
                if child != NO_NODE:
                    tree.available[child] = 1
            play(s, move)
            if child == NO_NODE:
                break
            path[depth] = child
            movers[depth] = seat
            depth += 1
            node = child
            if is_new and seat != CHANCE:
                break
        playout(s, options, rng, out)
        tree.visits[ROOT] += 1
        for i in range(depth):
            tree.visits[path[i]] += 1
            if movers[i] != CHANCE:
                tree.value[path[i]] += out[movers[i]]
