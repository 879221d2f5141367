"""Sets and their values, how many moves there can be, and what is drawn at random: moves and deals."""

import random
from collections import Counter
from itertools import product
from math import comb

import numpy as np
import pytest
from mess.solver import game as kernels
from mess.solver.bits import U
from mess.solver.game import deal
from mess.solver.odin import deal_state, worlds
from mess.solver.odin.cards import CODES, COLOURS, INDEX, NO_SET, cards_of, next_set, set_of, value_of
from mess.solver.odin.notation import blank
from mess.solver.odin.rules import points
from mess.solver.odin.state import DEAL, MAX_MOVES
from mess.solver.position import read
from mess.solver.rng import stream
from reference import hands, odin
from scipy import stats

UNLIKELY = 1e-4


def bits(cards) -> np.uint64:
    return U(sum(1 << INDEX[card] for card in cards))


def named(cards: int) -> tuple[str, ...]:
    return tuple(code for i, code in enumerate(CODES) if int(cards) >> i & 1)


# Sets


def listed(hand, count: int, value: int) -> list[int]:
    """What ``next_set`` gives, in its order."""
    found = [int(next_set(bits(hand), count, value, NO_SET))]
    while found[-1] != NO_SET:
        found.append(int(next_set(bits(hand), count, value, found[-1])))
    return found[:-1]


def all_sets(cards) -> list[int]:
    """Of any size: over one card there go one and two, over three three and four, …"""
    return [number for count in (1, 3, 5, 7, 9) for number in listed(cards, count, 0)]


@pytest.mark.parametrize(
    ("removed", "goat", "sets"),
    [("", False, 3579), ("RP", False, 2143), ("", True, 3579 + 6 * 511), ("KO", True, 2143 + 4 * 511)],
)
def test_distinct_sets(removed, goat, sets):
    """The goat alone beats nothing, so it is not among those given."""
    cards = odin.cards(goat, removed)
    found = all_sets(cards)
    assert len(found) == len(set(found)) == len({named(cards_of(number)) for number in found}) == sets
    for number in found:
        members = named(cards_of(number))
        assert odin.is_set(members)
        assert set(members) <= set(cards)
        assert int(set_of(cards_of(number))) == number
        assert int(cards_of(number)).bit_count() == len(members)
        # no hand holds ten cards
        assert len(members) > odin.HAND or int(value_of(number)) == odin.value(members)


@pytest.mark.small
def test_a_set_is_what_the_rules_call_one():
    """Any few cards, and the goat alone."""
    rng = random.Random(1)
    deck = odin.cards(True)
    some = [rng.sample(deck, rng.randrange(1, 6)) for _ in range(300)]
    groups = [[card for card in deck if card[0] in (colour, "X")] for colour in COLOURS]
    groups += [[card for card in deck if card[1] == str(rank)] for rank in range(1, 10)]
    some += [rng.sample(group, rng.randrange(1, min(9, len(group)) + 1)) for group in groups for _ in range(30)]
    some += [[*rng.sample(group, 1), *rng.sample(deck, 1)] for group in groups for _ in range(10)]
    some += [["X0"], *([card, "X0"] for card in deck[:-1])]
    for cards in map(set, some):
        number = int(set_of(bits(cards)))
        assert (number != NO_SET) == odin.is_set(tuple(cards))
        if number != NO_SET:
            assert set(named(cards_of(number))) == cards
            assert int(value_of(number)) == odin.value(tuple(cards))
    assert int(set_of(U(0))) == NO_SET


@pytest.mark.small
@pytest.mark.parametrize("seed", range(60))
def test_sets_that_beat_a_table(seed):
    rng = random.Random(seed)
    # few colours, so that there are large sets
    deck = odin.cards(True, rng.sample(COLOURS, rng.randrange(5)))
    hand = odin.ordered(rng.sample(deck, min(len(deck), rng.randrange(1, 10))))
    table = rng.choice(odin.sets(odin.ordered(rng.sample(deck, 9))))
    found = [named(cards_of(number)) for number in listed(hand, len(table), odin.value(table))]
    assert sorted(found) == sorted(cards for cards in odin.sets(hand) if odin.beats(cards, table))


@pytest.mark.small
@pytest.mark.parametrize(
    ("hand", "cost"), [("", 0), ("B9", 1), ("X0", 5), ("B9 X0", 6), ("B9 B8 B7 B6 B5 B4 B3 B2 X0", 13)]
)
def test_what_a_hand_costs(hand, cost):
    assert int(points(bits(hand.split()))) == cost


# The bound on moves


def over_ones(hand: str, size: int) -> int:
    """How many moves a hand of nine cards has over so many of the lowest cards that it lets lie there."""
    held = hand.split()
    ones = [f"{colour}1" for colour in "ORPGKB" if f"{colour}1" not in held]
    others = [card for card in odin.cards(False) if card not in (*held, *ones)]
    first, *rest = (" ".join(others[seat * 5 : seat * 5 + 5]) for seat in range(5))
    # who opened has led a card, so the whole hand is another's
    state = hands.table(first, hand, *rest, on=" ".join(ones[:size]), goat="X0" in held, turn=1, to_act=1)
    return len(read(odin.to_json(state)).moves())


@pytest.mark.parametrize("hand", ["B9 B8 B7 B6 B5 B4 B3 B2 B1", "B9 B8 B7 B6 B5 B4 B3 B2 X0"])
def test_the_most_moves_there_can_be(hand):
    """Every set is a choice of cards of the hand, as many as on the table or one more: one colour makes all of them."""
    most = [1 + size * (comb(9, size) + comb(9, size + 1)) for size in range(1, 10)]
    counts = [over_ones(hand, size) for size in range(1, 6)]
    assert counts[1:] == most[1:5]
    # over a 1 the lowest single card, which is a 1 or the goat, does not go
    assert counts[0] == most[0] - 1
    assert max(counts) == max(most) == 1051 <= MAX_MOVES


def test_no_hand_has_more_moves():
    """The larger the groups the more sets, so it is enough to look at how many cards each group has."""
    rng = random.Random(1)
    for _ in range(60):
        deck = odin.cards(True, rng.sample(COLOURS, rng.randrange(6)))
        hand = bits(rng.sample(deck, 9))
        for size in range(1, 10):
            sets = listed(named(hand), size, 0)
            assert len(sets) <= comb(9, size) + comb(9, size + 1)
            assert 1 + size * len(sets) <= 1051


# Moves at random


def some_positions():
    """Leads, with the whole hand and without, and sets to beat, with the last cards and others."""
    yield hands.table("B9 B5 R5", "K1 K2 K3", "G4")
    yield hands.table("B9 B5 B1 X0", "K1 K2 K3", "G4", goat=True)
    yield hands.table("R7", "K1 K2 K3", "G4")
    yield hands.table("X0", "K1 K2 K3", "G4", goat=True)
    yield hands.table("B9 B8", "K1 K2 K3", "G4 G1", on="P5 O5")
    yield hands.table("B9 B8 B7", "K1 K2 K3", "G4 G1", on="P5 O5")
    yield hands.table("B9 B8 R8 K8 X0", "K1 K2 K3", "G4 G1", on="P5 P4 P1", goat=True)
    yield hands.table("B1 G2", "K1 K2 K3", on="O9")
    rng = random.Random(1)
    for players in (2, 4, 6):
        states = list(
            hands.game(odin.Rules(players, "one-hand", True, ("R", "P") if players == 2 else ()), hands.anything, 1)
        )
        yield from rng.sample([state for state in states if len(odin.legal(state)) > 4], 2)


@pytest.mark.parametrize("state", list(some_positions()))
def test_random_moves_are_uniform_over_the_legal_ones(state):
    position, rng = read(odin.to_json(state)), stream(1, "random")
    moves = position.moves()
    assert sorted(moves) == odin.legal(state)
    drawn = Counter(int(kernels.random_move(position.state, rng)) for _ in range(100 * len(moves) + 100))
    counts = Counter({position.game.move_text(position.state, code): n for code, n in drawn.items()})
    assert set(counts) == set(moves)
    assert len(moves) == 1 or stats.chisquare([counts[move] for move in moves]).pvalue > UNLIKELY


# Deals


def drawn(rules: dict, removed: str, by_chance: bool, deals: int) -> np.ndarray:
    """So many deals, ``bool[deals, players + 1, cards]``: which cards every seat has, and which are undealt."""
    state, rng = blank(rules)[0], stream(1, "deals", *rules.values())
    if removed:
        state.removed[:] = [COLOURS.index(colour) for colour in removed]
    places = np.empty((deals, rules["players"] + 1), dtype=np.uint64)
    for i in range(deals):
        if by_chance:
            state.phase = DEAL
            kernels.play(state, kernels.random_move(state, rng))
        else:
            worlds.deal(state, rng)
        places[i] = *state.hand[: rules["players"]], state.undealt
    return (places[:, :, None] >> np.arange(len(CODES), dtype=np.uint64) & U(1)).astype(bool)


@pytest.mark.parametrize("by_chance", [False, True], ids=["deal", "chance"])
@pytest.mark.parametrize(("players", "goat"), list(product(range(2, 7), (False, True))))
def test_deals_are_uniform(players, goat, by_chance):
    """Every hand and the undealt get each card as often as any other, and the goat is in every hand as often."""
    removed = "KP" if players == 2 else ""
    deals = drawn({"players": players, "limit": 15, "goat": goat}, removed, by_chance, 1500)
    cards = odin.cards(goat, removed)
    sizes = [odin.HAND] * players + [len(cards) - odin.HAND * players]
    assert (deals.sum(axis=1) == [code in cards for code in CODES]).all()
    assert (deals.sum(axis=2) == sizes).all()
    *holders, undealt = deals[:, :, INDEX["X0"]].sum(axis=0)
    assert undealt == 0
    assert sum(holders) == 1500 * goat
    if goat:
        assert stats.chisquare(holders).pvalue > UNLIKELY
    plain = np.array([INDEX[card] for card in odin.cards(False, removed)])
    for place, counts in enumerate(deals[:, :, plain].sum(axis=0)):
        size = counts.sum() / 1500
        if 0 < size < len(plain):
            # drawn without replacement, the counts vary less than independent ones would
            statistic = stats.chisquare(counts).statistic * (len(plain) - 1) / (len(plain) - size)
            assert stats.chi2.sf(statistic, len(plain) - 1) > UNLIKELY, place


def test_cards_are_dealt_independently_of_each_other():
    """Which seat has a card says of another only that there is a place less: every pair is split alike often."""
    deals = drawn({"players": 3, "limit": 15, "goat": False}, "", True, 4000)
    first = deals[:, 0, :54].astype(float)
    together = first.T @ first
    pairs = together[np.triu_indices(54, 1)]
    expected = 4000 * 9 * 8 / (54 * 53)
    assert abs(pairs.mean() - expected) < 1e-9
    assert abs(pairs.var() / expected - 1) < 0.25
    assert np.abs(pairs - expected).max() < 6 * expected**0.5


def test_two_colours_are_removed_one_of_them_red_or_black():
    rng, rules = stream(1, "removed"), {"players": 2, "limit": 15, "goat": False}
    pairs = Counter(tuple(COLOURS[colour] for colour in deal_state(rng, rules)[0].removed) for _ in range(2000))
    possible = {(first, second) for first in "RK" for second in set(COLOURS) - {first}}
    assert set(pairs) == possible
    assert stats.chisquare(list(pairs.values())).pvalue > UNLIKELY


@pytest.mark.small
def test_a_deal_is_set_up_as_the_rules_say():
    for rules in hands.RULES:
        for seed in range(3):
            position = deal("odin", seed, **hands.options(rules))
            state = odin.from_json(position.to_dict())
            assert state == odin.start(state.rules, state.hands)
            assert odin.read_deal(state.rules, odin.written_deal(state.hands)) == state.hands
    assert deal("odin", 1).to_dict()["rules"] == deal("odin", 1, players=2, limit=15, goat=False).to_dict()["rules"]
