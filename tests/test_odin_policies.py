"""Policies for Odin do what their prose says, told by the naive engine; and guesses of what points are worth."""

import random
from collections import Counter
from functools import cache

import numpy as np
import pytest
from mess.search.bot import make
from mess.search.policies import odin as product
from mess.solver import game as kernels
from mess.solver.bits import U
from mess.solver.game import deal
from mess.solver.odin.cards import INDEX
from mess.solver.odin.plays import fewest_plays
from mess.solver.odin.rules import race
from mess.solver.position import read
from mess.solver.rng import stream
from reference import hands, odin
from scipy import stats

UNLIKELY = 1e-4

# How many plays empty a hand


@cache
def plays(hand: odin.Cards) -> int:
    """The smallest number of sets that make up a hand: of all partitions, the first card being in some set."""
    if not hand:
        return 0
    return 1 + min(plays(odin.without(hand, cards)) for cards in odin.sets(hand) if cards[0] == hand[0])


def bits(cards: odin.Cards) -> np.uint64:
    return U(sum(1 << INDEX[card] for card in cards))


@pytest.mark.small
@pytest.mark.parametrize("goat", [False, True])
def test_fewest_plays_of_random_hands(goat):
    rng = random.Random(goat)
    counts = Counter()
    for _ in range(150):
        # few colours or few ranks, so that there are large sets
        deck = odin.cards(goat, rng.sample(odin.COLOURS, rng.randrange(5)))
        deck = [card for card in deck if odin.rank(card) <= rng.choice((3, 5, 9))]
        hand = odin.ordered(rng.sample(deck, min(len(deck), rng.randrange(1, 10))))
        assert int(fewest_plays(bits(hand))) == plays(hand), hand
        counts[plays(hand)] += 1
    assert set(counts) >= {1, 2, 3, 4, 5}


@pytest.mark.small
@pytest.mark.parametrize(
    ("hand", "count"),
    [
        ("", 0),
        ("X0", 1),
        ("B9 X0", 1),
        ("B9 R9 X0", 2),
        ("B9 B8 R9 X0", 2),
        ("B9 R9 P9 G9 K9 O9 X0", 2),
        ("B9 R8 P7 G6 K5 O4", 6),
        ("B9 R8 P7 G6 K5 O4 X0", 6),
        ("B9 B8 B7 R9 R8 R7 P9 P8 P7", 3),
        ("B9 B5 R5 R1 P1 P9", 3),
        ("O9 O8 B9", 2),
    ],
)
def test_fewest_plays_by_hand(hand, count):
    assert int(fewest_plays(bits(tuple(hand.split())))) == plays(odin.ordered(hand.split())) == count


# What policies choose


def company(hand: odin.Cards, card: str) -> int:
    """How well a card goes with the rest of the hand: with cards of its rank or colour, then by its rank."""
    if card == odin.GOAT:
        return 0
    return 10 * sum(other[0] == card[0] or other[1] == card[1] for other in hand) + odin.rank(card)


def likings(name: str, state: odin.State, move: str) -> tuple:
    """What a policy looks at in a move, the first thing first, the least the best."""
    left = odin.after(state, move).hands[state.turn]
    played, _, taken = move.partition(">")
    worth = 0 if move == "pass" else odin.value(tuple(played.split(",")))
    goes_with = -company(odin.without(left, (taken,)), taken) if taken else 0
    few = (len(left), -worth if name == "high" else worth, goes_with)
    if name == "keep-sets":
        return plays(left), *few
    if name == "pass-poor" and state.table:
        # a pass comes before all that does not take a play fewer
        return plays(left) >= plays(state.hands[state.turn]), move != "pass", plays(left), *few
    return (plays(left), *few) if name == "pass-poor" else few


def best_moves(name: str, state: odin.State) -> set[str]:
    told = {move: likings(name, state, move) for move in odin.legal(state)}
    return {move for move, liking in told.items() if liking == min(told.values())}


@cache
def some_states() -> list[odin.State]:
    """Leads, sets to beat, hands of few cards and of many, with the goat and without."""
    every = [
        state
        for players, goat in ((2, False), (3, True), (5, False), (6, True))
        for choose in hands.CHOICES.values()
        for state in hands.game(
            odin.Rules(players, "one-hand", goat, ("R", "P") if players == 2 else ()), choose, f"{players} policies"
        )
        if len(odin.legal(state)) > 1
    ]
    return random.Random(1).sample(every, 250)


@pytest.mark.parametrize("name", [name for name in product.NAMES if name != "random"])
def test_policies_do_as_their_prose_says(name):
    bot, leads, passes, plays_made = make(name, "odin"), 0, 0, 0
    for i, state in enumerate(some_states()):
        best = best_moves(name, state)
        move = bot.choose(read(odin.observe(state, state.turn)), stream(i, name))
        assert move in best, (state, best)
        leads += not state.table
        passes += move == "pass"
        plays_made += ">" in move
    assert leads > 20
    assert plays_made > 50
    # to play over a set with as many cards leaves no more of them than to pass
    assert passes == 0 if name == "high" else passes > 5


@pytest.mark.parametrize(
    ("state", "name", "best"),
    [
        # the last cards, whatever they are worth
        (hands.table("B9 B8", "K1", on="O5"), "greedy", {"B9,B8"}),
        (hands.table("B9 B8", "K1", on="O5"), "pass-poor", {"B9,B8"}),
        (hands.table("B9 B8 B7", "K1"), "high", {"B9,B8,B7"}),
        # a card for a card leaves as many: what is lowest is to pass
        (hands.table("B9 R2", "K1", "O1", on="O5"), "greedy", {"pass"}),
        (hands.table("B9 R2", "K1", "O1", on="O5"), "high", {"B9>O5"}),
        (hands.table("B9 R2 R1", "K1", "G1", on="O1"), "greedy", {"R2,R1>O1"}),
        # the card taken: in company, then high; the goat last
        (hands.table("B9 B8 G4", "K1", "O1 O2", on="G2 P2"), "greedy", {"B9,B8>G2"}),
        (hands.table("B9 B8 G4", "K1", "O1 O2", on="P6 P5"), "greedy", {"B9,B8>P6"}),
        (hands.table("B9 B8 G4", "K1", "O1 O2", on="P1 X0", goat=True), "greedy", {"B9,B8>P1"}),
        (hands.table("B9 B8 G4", "K1", "O1 O2", on="P5 O5"), "greedy", {"B9,B8>P5", "B9,B8>O5"}),
        # a set is kept, though it is of the highest card
        (hands.table("B9 B8 G4", "K1", "O1"), "keep-sets", {"G4"}),
        (hands.table("B4 B3 G9", "K1", "O1"), "keep-sets", {"G9"}),
        # a play fewer
        (hands.table("B9 B8 G4 G3", "K1", "O1", on="B7"), "keep-sets", {"G4,G3>B7"}),
        (hands.table("B9 B8 G4 G3", "K1", "O1", on="B7"), "pass-poor", {"G4,G3>B7"}),
        # as many plays, and a card fewer
        (hands.table("B9 B8 B7 R2", "K1", "O1", on="B6"), "keep-sets", {"B8,B7>B6"}),
        (hands.table("B9 B8 B7 R2", "K1", "O1", on="B6"), "pass-poor", {"pass"}),
    ],
)
def test_policies_in_positions_made_by_hand(state, name, best):
    bot, view = make(name, "odin"), read(odin.observe(state, 0))
    assert best_moves(name, state) == best
    assert {bot.choose(view, stream(i, name)) for i in range(40)} == best


@pytest.mark.parametrize("name", product.NAMES)
def test_equals_are_chosen_alike_often(name):
    number, ties = product.NAMES.index(name), 0
    for i, state in enumerate(some_states()):
        best = set(odin.legal(state)) if name == "random" else best_moves(name, state)
        if not 1 < len(best) < 6:
            continue
        ties += 1
        position, rng = read(odin.to_json(state)), stream(i, "ties")
        codes = Counter(int(kernels.policy_move(position.state, number, 1, rng)) for _ in range(150 * len(best)))
        counts = {position.game.move_text(position.state, code): n for code, n in codes.items()}
        assert set(counts) == best
        assert stats.chisquare(list(counts.values())).pvalue > UNLIKELY
    assert ties >= 3


@pytest.mark.parametrize("name", product.NAMES)
@pytest.mark.parametrize("rules", [{}, {"players": 6, "goat": True}, {"players": 3, "limit": "one-hand"}])
def test_policies_play_whole_games(name, rules):
    bot, rng, position = make(name, "odin"), stream(2, "bot"), deal("odin", 4, **rules)
    for _ in range(3000):
        if position.is_over:
            break
        seat = position.to_act
        position = position.play(
            position.roll(rng) if seat == kernels.CHANCE else bot.choose(position.observe(seat), rng)
        )
    assert position.is_over
    assert sum(position.payoff()) == pytest.approx(1)


# What a search plays for


def aimed(state: odin.State, points: bool) -> np.ndarray:
    states = read(odin.to_json(state)).states()
    kernels.aim(states[0], points)
    return states


def paid(states: np.ndarray, kernel=kernels.payoff) -> list[float]:
    out = np.empty(int(states[0].players))
    kernel(states[0], out)
    return out.tolist()


LAST = hands.table("B9", "K8 K7", "G3", "X0", goat=True)


@pytest.mark.small
def test_a_search_ends_with_the_hand():
    for points in (False, True):
        states = aimed(LAST, points)
        kernels.play(states[0], kernels.random_move(states[0], stream(1)))
        assert kernels.to_act(states[0]) == kernels.NO_ONE
    game = read(odin.to_json(LAST)).play("B9")
    assert game.to_act == kernels.CHANCE


@pytest.mark.small
@pytest.mark.parametrize(("limit", "scores", "won"), [("one-hand", (0, 0, 0, 0), [0]), (10, (4, 8, 3, 3), [0, 2])])
def test_a_hand_that_ends_the_game_pays_the_win(limit, scores, won):
    states = aimed(hands.table("B9", "K8 K7", "G3", "X0", goat=True, limit=limit, scores=scores, opener=0), False)
    kernels.play(states[0], kernels.random_move(states[0], stream(1)))
    assert paid(states) == [(seat in won) / len(won) for seat in range(4)]


@pytest.mark.small
def test_a_hand_that_does_not_is_worth_a_share_that_favours_few_points():
    states = aimed(LAST, False)
    kernels.play(states[0], kernels.random_move(states[0], stream(1)))
    shares = paid(states)
    assert sum(shares) == pytest.approx(1)
    assert shares[0] > shares[2] > shares[1] > shares[3] > 0


@pytest.mark.small
def test_points_are_those_of_the_others_on_average_less_the_own():
    """As a part of the most there can be, eight cards and the goat, on both sides of a half."""
    states = aimed(LAST, True)
    kernels.play(states[0], kernels.random_move(states[0], stream(1)))
    points = (0, 2, 1, 5)
    assert paid(states) == pytest.approx([0.5 + ((8 - own) / 3 - own) / 26 for own in points])
    nine = tuple(f"B{rank}" for rank in range(9, 0, -1))
    eight = (*(f"K{rank}" for rank in range(9, 1, -1)), "X0")
    start = odin.start(odin.Rules(2, 15, True, ("R", "P")), (nine, eight))
    states = aimed(start, True)
    move = read(odin.to_json(start)).game.read_move(states[0], ",".join(nine))
    kernels.play(states[0], move)
    assert paid(states) == pytest.approx([1, 0])


@pytest.mark.small
@pytest.mark.parametrize("points", [False, True])
def test_a_hand_cut_short_is_guessed_as_if_it_were_over(points):
    for seed, rules in enumerate((odin.Rules(3, 15, True), odin.Rules(5, 20), odin.Rules(2, 10, True, ("K", "O")))):
        for state in list(hands.game(rules, hands.anything, seed))[5:40:7]:
            if state.to_act == odin.CHANCE:
                continue
            over = state._replace(
                scores=tuple(s + p for s, p in zip(state.scores, odin.result(state), strict=True)),
            )
            guess = paid(aimed(state, points), product.evaluate)
            if points:
                all_points, n = odin.result(state), rules.players
                expected = [0.5 + ((sum(all_points) - own) / (n - 1) - own) / 26 for own in all_points]
            else:
                out = np.array(over.scores, dtype=float)
                race(out, rules.players, rules.limit)
                expected = out.tolist()
            assert guess == pytest.approx(expected)


def raced(*points: float, limit: int = 15) -> list[float]:
    out = np.array(points, dtype=float)
    race(out, len(points), limit)
    return out.tolist()


@pytest.mark.small
def test_a_race_in_points():
    assert raced(3, 3, 3) == pytest.approx([1 / 3] * 3)
    assert sum(raced(1, 5, 9, 12)) == pytest.approx(1)
    one, two = raced(4, 8)
    assert one > 0.5 > two
    assert raced(4, 9)[0] > one
    # the nearer the limit, the more a lead counts
    assert raced(4, 8, limit=20)[0] < one < raced(4, 8, limit=10)[0]
    assert raced(7, 11)[0] > one
    # beyond it, as far as it can
    assert raced(10, 14)[0] == pytest.approx(raced(20, 24)[0])
    assert 0.5 < raced(0, 1, limit=0)[0] < 1


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_race_says_more_than_that_all_are_equal(players):
    """How likely it holds the winner of games between policies, hand by hand."""
    told, even, rng = 0.0, 0.0, stream(players, "race")
    for seed in range(150):
        states, scores = deal("odin", seed, players=players).states(), []
        state = states[0]
        while kernels.to_act(state) != kernels.NO_ONE:
            if kernels.to_act(state) == kernels.CHANCE:
                scores.append([int(score) for score in state.scores[:players]])
                kernels.play(state, kernels.random_move(state, rng))
            else:
                kernels.play(state, kernels.policy_move(state, product.KEEP_SETS, 1, rng))
        shares = paid(states)
        told += sum(share * np.log(guess) for at in scores for share, guess in zip(shares, raced(*at), strict=True))
        even += len(scores) * np.log(1 / players)
    assert told > even
