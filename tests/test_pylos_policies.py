"""Policies for Pylos do what their prose says, told by the naive engine."""

import random

import pytest
from mess.search.bot import make
from mess.search.policies import policies
from mess.solver.game import deal
from mess.solver.rng import stream
from reference import pylos as naive


def reserve_after(state, move):
    return naive.reserve(naive.after(state, move), state.turn)


def midgames(variant, count):
    """Positions of random games, in both engines."""
    rng = random.Random(variant)
    while count:
        position, state = deal("pylos", 0, variant=variant), naive.start(naive.Rules(variant))
        for _ in range(rng.randrange(4, 26)):
            if position.is_over:
                break
            move = rng.choice(naive.legal(state))
            position, state = position.play(move), naive.after(state, move)
        if not position.is_over and not any(move.startswith("4") or "-4" in move for move in position.moves()):
            count -= 1
            yield position, state


@pytest.mark.parametrize("variant", ["standard", "expert", "beginner"])
@pytest.mark.parametrize("name", ["greedy", "high"])
def test_the_largest_reserve_is_left(variant, name):
    bot, rng = make(name, "pylos"), stream(1, name)
    for position, state in midgames(variant, 25):
        best = max(reserve_after(state, move) for move in naive.legal(state))
        equals = [move for move in naive.legal(state) if reserve_after(state, move) == best]
        move = bot.choose(position.observe(position.to_act), rng)
        assert move in equals
        if name == "high":
            level = max(naive.named(one.partition("x")[0].split("-")[-1])[0] for one in equals)
            assert naive.named(move.partition("x")[0].split("-")[-1])[0] == level


@pytest.mark.parametrize("name", [name for name in policies("pylos").NAMES if name != "random"])
def test_every_policy_takes_the_apex(name):
    rng, chooser, found = stream(2, name), random.Random(3), 0
    while not found:
        position = deal("pylos", 0, size=3, variant="beginner")
        while not position.is_over:
            tops = [move for move in position.moves() if move.startswith("3")]
            if tops:
                found += 1
                assert make(name, "pylos").choose(position.observe(position.to_act), rng) in tops
                break
            position = position.play(chooser.choice(position.moves()))
