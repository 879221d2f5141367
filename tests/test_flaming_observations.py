"""What a seat may see, and the worlds that fit it."""

import json
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mess.solver import game as kernels
from mess.solver.errors import InputError
from mess.solver.flaming import deal_state
from mess.solver.flaming.tiles import CODES
from mess.solver.game import deal
from mess.solver.position import Observation, read
from mess.solver.record import members
from mess.solver.rng import stream
from reference import flaming, games
from reference.small import table
from scipy import stats

UNLIKELY = 1e-4

OPTIONS = st.fixed_dictionaries(
    {
        "players": st.integers(2, 6),
        "preset": st.sampled_from(["bga", "german"]),
        "curse": st.booleans(),
        "special_fire": st.booleans(),
    }
)


def played(seed: int, plies: int, **rules):
    """A position some random moves into a game."""
    position = deal("flaming", seed, **rules)
    rng = stream(seed, "moves")
    for _ in range(plies):
        if position.is_over:
            break
        move = position.game.move_text(position.state, int(kernels.random_move(position.state, rng)))
        position = position.play(move)
    return position


def frozen(data: dict) -> str:
    return json.dumps(data, sort_keys=True)


# Observations


@pytest.mark.parametrize("rules", [pytest.param(r, id=games.name(r)) for r in games.RULES])
def test_every_seat_sees_what_the_reference_says(rules):
    choose = games.CHOICES[("anything", "outward", "sensible")[rules["players"] % 3]]
    for slow, _ in list(games.game(rules, choose, "seen", 120))[::8]:
        fast = read(slow)
        for seat in range(rules["players"]):
            expected = flaming.observe(slow, seat)
            observation = fast.observe(seat)
            assert observation.to_dict() == expected
            again = read(expected)
            assert isinstance(again, Observation)
            assert again.to_dict() == expected
            assert (again.seat, again.to_act, again.players) == (seat, fast.to_act, fast.players)
            assert again.moves() == observation.moves() == (fast.moves() if fast.to_act == seat else [])


@pytest.mark.small
@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(0, 60), OPTIONS, st.data())
def test_a_world_looks_like_the_observation_it_came_from(seed, plies, rules, data):
    position = played(seed, plies, **rules)
    seat = data.draw(st.integers(0, rules["players"] - 1))
    observation = position.observe(seat)
    world = observation.world(stream(seed, "world"))
    assert world.observe(seat) == observation
    assert world.to_act != seat or world.moves() == position.moves()
    assert sorted(flaming.legal(world.to_dict())) == sorted(world.moves())
    assert read(world.to_dict()) == world
    assert read(observation.to_dict()).world(stream(seed, "world")).observe(seat) == observation
    assert position.observe(seat) == observation, "an observation is not used up"


@pytest.mark.small
@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(0, 60), OPTIONS, st.data())
def test_nothing_hidden_is_left_in_a_concealed_record(seed, plies, rules, data):
    """Positions that look the same to a seat give it records that are the same, byte for byte."""
    position = played(seed, plies, **rules)
    seat = data.draw(st.integers(0, rules["players"] - 1))
    observation = position.observe(seat)
    for world in (observation.world(stream(seed, "world", i)) for i in range(3)):
        assert world.observe(seat).state.tobytes() == observation.state.tobytes()
    reread = [read(observation.world(stream(seed, "world", i)).to_dict()).observe(seat) for i in range(2)]
    assert reread[0].state.tobytes() == reread[1].state.tobytes()
    state = observation.state
    unseen = set(members(state.unseen))
    where = [int(state.hand[other]) for other in range(6)] + [int(state.known[other]) for other in range(6)]
    assert not any(unseen & set(members(tiles)) for tiles in where)
    assert not unseen & set(state.grid.tolist())
    assert all(state.next[tile] == 255 and tile not in state.next for tile in unseen)
    assert not unseen & set(state.top.tolist() + state.bottom.tolist()[: rules["players"]])


@pytest.mark.small
@pytest.mark.parametrize("seat", [-1, 3, 255, 10**9])
def test_a_seat_out_of_range_sees_nothing(seat):
    with pytest.raises(InputError) as error:
        deal("flaming", 1, players=3).observe(seat)
    assert error.value.field == "seat"


@pytest.mark.small
def test_other_worlds_come_of_other_streams_only():
    observation = deal("flaming", 3).observe(0)
    assert observation.world(stream(1)) == observation.world(stream(1))
    assert observation.world(stream(1)) != observation.world(stream(2))


# Worlds are uniform

HANDS = [["R20", "G1", "B2", "B4", "G6"], ["Y10", "Y20", "R2", "B100", "M"]]


def soon(turn: int, *piles: list[str]) -> dict:
    """Two seats that have yet to draw these tiles of the deal, seat ``turn`` to place."""
    left = [len(pile) for pile in piles]
    clock = {"turn": turn, "charged": turn, "to_act": turn, "turns": 2 * 17 - sum(left)}
    return table([["R60", "R100"]], HANDS, known=[[], []], piles=list(piles), unknown=left, **clock)


FEW = {
    "a pile": soon(1, [], ["Y6"]),
    "two piles": soon(0, ["G2"], ["Y6"]),
    "three tiles": soon(1, ["G2"], ["Y6", "Y4"]),
    "hands": table(
        [["R60"]],
        [["R2", "R4"], ["B2", "B4", "G6"], ["G2", "G4", "R6", "Y1", "M"]],
        known=[[], ["G6"], ["R6", "Y1", "M"]],
        turns=39,
    ),
}


@pytest.mark.parametrize(("name", "seat"), [(name, seat) for name in FEW for seat in (0, 1)])
def test_worlds_are_uniform_over_exactly_those_possible(name, seat):
    expected = flaming.observe(FEW[name], seat)
    observation = read(FEW[name]).observe(seat)
    possible = [frozen(world) for world in flaming.worlds(expected)]
    assert len(set(possible)) == len(possible)
    rng = stream(1, name, seat)
    counts = Counter(frozen(observation.world(rng).to_dict()) for _ in range(25 * len(possible) + 200))
    assert set(counts) == set(possible)
    if len(possible) > 1:
        assert stats.chisquare([counts[world] for world in possible]).pvalue > UNLIKELY


@pytest.mark.small
def test_those_possible_are_counted_as_one_would_by_hand():
    counts = {
        name: [sum(1 for _ in flaming.worlds(flaming.observe(few, seat))) for seat in (0, 1)]
        for name, few in FEW.items()
    }
    assert counts == {"a pile": [6, 6], "two piles": [42, 42], "three tiles": [336, 336], "hands": [6, 6]}


# Deals


@pytest.mark.parametrize("players", range(2, 7))
def test_deals_are_uniform(players):
    """Every place of every pile, every hand, and the leftovers: each tile as often as any other."""
    deals, share = 1200, 45 // players
    hands = np.zeros((players, 45))
    piles = np.zeros((players, share - 5, 45))
    left = np.zeros(45)
    rng = stream(1, "deals", players)
    rules = {"players": players, "preset": "bga", "curse": False, "special_fire": False}
    for _ in range(deals):
        state = deal_state(rng, rules)[0]
        order = state.next.tolist()
        rest = set(range(45))
        for seat, (hand, tile) in enumerate(zip(state.hand.tolist(), state.top.tolist()[:players], strict=False)):
            if seat == players:
                break
            dealt = members(hand)
            hands[seat, dealt] += 1
            rest -= set(dealt)
            for place in range(share - 5):
                piles[seat, place, tile] += 1
                rest.discard(tile)
                tile = order[tile]
            assert tile == 255
        left[list(rest)] += 1
    assert hands.sum() + piles.sum() + left.sum() == 45 * deals
    # A hand is drawn without replacement, which makes its counts vary less than independent ones would.
    tests = [stats.chisquare(counts).statistic * 45 / 40 for counts in hands]
    tests += [stats.chisquare(counts).statistic for counts in piles.reshape(-1, 45)]
    if leftovers := 45 % players:
        tests.append(stats.chisquare(left).statistic * 45 / (45 - leftovers))
    pvalues = stats.chi2.sf(tests, 44)
    assert pvalues.min() > UNLIKELY
    assert stats.kstest(pvalues, "uniform").pvalue > UNLIKELY


@pytest.mark.small
@pytest.mark.parametrize(("players", "preset"), list(product(range(2, 7), ("bga", "german"))))
def test_a_deal_is_set_up_as_the_rules_say_and_fixed_by_its_seed(players, preset):
    out = 0
    for seed in range(8):
        position = deal("flaming", seed, players=players, preset=preset)
        assert position == deal("flaming", seed, players=players, preset=preset)
        assert position != deal("flaming", seed + 1, players=players, preset=preset)
        data = position.to_dict()
        assert [len(hand) for hand in data["hands"]] == [5] * players
        assert [len(pile) for pile in data["piles"]] == data["unknown"] == [45 // players - 5] * players
        base = [tile for row in data["board"] for tile in row]
        assert len(data["board"]) == bool(base)
        assert set(data["out"]) <= set(flaming.FUEL)
        assert not set(base) & set(flaming.FUEL)
        everything = [*base, *data["out"], *(t for place in ("hands", "piles") for tiles in data[place] for t in tiles)]
        assert sorted(everything) == sorted(CODES)
        assert read(data) == position
        out += len(data["out"])
        blank = flaming.deal(players, preset) | {key: data[key] for key in ("board", "hands", "piles", "out")}
        assert data == blank
    assert out or 45 % players == 0 or players < 6


# Moves at random


@pytest.mark.parametrize(
    "position",
    [
        *(played(seed, plies, **games.RULES[i]) for seed, plies, i in ((1, 0, 0), (2, 9, 4), (3, 30, 33), (4, 31, 17))),
        read(table([["R60", ".", "R100", ".", ".", "R120"]], [["R20", "B4", "M"], ["B2"]], {"preset": "german"})),
        read(table([["R60", "B60", "G60", "Y60"], ["R40"]], [["R20", "B4", "M"], ["B2"]])),
        read(table([["R60", "B60"]], [["G2", "B4"], ["B2"]])).play("G2@1,0"),
        read(table([["R7"]], [["R20", "B4"], ["B2"]], {"special_fire": True})).play("R20@0,1"),
    ],
)
def test_random_moves_are_uniform_over_the_legal_ones(position):
    rng, moves = stream(1, "random"), position.moves()
    drawn = Counter(
        position.game.move_text(position.state, int(kernels.random_move(position.state, rng)))
        for _ in range(60 * len(moves) + 200)
    )
    assert set(drawn) == set(moves)
    assert stats.chisquare([drawn[move] for move in moves]).pvalue > UNLIKELY
