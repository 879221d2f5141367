"""Odin for the tests of other engines: games of the naive one, and positions of few cards."""

import random
from collections.abc import Callable, Iterator
from itertools import product

from . import odin
from .odin import Rules, State

Choose = Callable[[State, random.Random], str]

RULES = [
    Rules(*options, ("R", "P") if options[0] == 2 else ())
    for options in product(range(2, 7), odin.LIMITS, (False, True))
]


def name(rules: Rules) -> str:
    return f"{rules.players}-{rules.limit}{'-goat' * rules.goat}"


def options(rules: Rules) -> dict:
    """What a deal is asked for."""
    return {"players": rules.players, "limit": rules.limit, "goat": rules.goat}


# How to play


def anything(state: State, rng: random.Random) -> str:
    return rng.choice(odin.legal(state))


def shedding(state: State, rng: random.Random) -> str:
    """As many cards as can be: large sets, and hands that end in one play."""
    moves = odin.legal(state)
    most = max(move.count(",") for move in moves)
    return rng.choice([move for move in moves if move.count(",") == most])


def trading(state: State, rng: random.Random) -> str:
    """A card for a card: long hands, and much that all know."""
    moves = odin.legal(state)
    return rng.choice([move for move in moves if ">" in move and "," not in move] or moves)


CHOICES: dict[str, Choose] = {choose.__name__: choose for choose in (anything, shedding, trading)}


def move(state: State, choose: Choose, rng: random.Random) -> str:
    """A move, or a deal; now and then any move, for trading alone would go on for very long."""
    if state.to_act == odin.CHANCE:
        return odin.written_deal(odin.deal(state.rules, rng))
    return choose(state, rng) if rng.random() < 0.9 else anything(state, rng)


def dealt(rules: Rules, seed: object) -> State:
    return odin.start(rules, odin.deal(rules, random.Random(f"deal {seed}")))


def game(rules: Rules, choose: Choose, seed: object) -> Iterator[State]:
    """The positions of a game."""
    rng, state = random.Random(f"moves {seed}"), dealt(rules, seed)
    yield state
    while state.to_act is not odin.NOBODY:
        state = odin.play(state, move(state, choose, rng))
        yield state


# By hand


def table(*hands: str, on: str = "", goat: bool = False, limit: int | str = 15, **fields: object) -> State:
    """Seat 0 to act, and as many cards dealt as there should be: discarded, if not in a hand or on the table.

    Who owns the set is the last seat, if not said, and the card that it took for several the last of its hand. Two
    players have all colours but R and P.
    """
    rules = Rules(len(hands), limit, goat, ("R", "P") if len(hands) == 2 else ())
    state = odin.start(rules, tuple(tuple(hand.split()) for hand in hands))
    lying = odin.ordered(on.split())
    gone = odin.HAND * len(hands) - sum(map(len, state.hands)) - len(lying)
    rest = odin.without(state.undealt, lying)
    # the goat is always dealt
    rest = (*(card for card in rest if card == odin.GOAT), *odin.without(rest, (odin.GOAT,)))
    return state._replace(
        known=(*state.known[:-1], state.hands[-1][-1:] if len(lying) > 1 else ()),
        table=lying,
        owner=len(hands) - 1 if on else None,
        discard=odin.ordered(rest[:gone]),
        undealt=odin.ordered(rest[gone:]),
    )._replace(**fields)
