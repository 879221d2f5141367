import random

import numpy as np
import pytest
from mess.search.bot import make
from mess.search.policies import policies
from mess.search.policies.flaming import expected_mess
from mess.solver.game import deal
from mess.solver.position import read
from mess.solver.rng import stream
from reference import flaming as reference

NAMES = policies("flaming").NAMES
RULES = [
    {"players": 2},
    {"players": 3, "special_fire": True},
    {"players": 4, "curse": True},
    {"players": 2, "preset": "german", "curse": True, "special_fire": True},
]


def positions(rules, seed, every):
    """Positions along a random game in which a seat is to act."""
    chooser = random.Random(seed)
    position = deal("flaming", seed, **rules)
    for ply in range(120):
        if position.is_over:
            return
        if position.to_act >= 0 and ply % every == 0:
            yield position
        position = position.play(chooser.choice(position.moves()))


@pytest.mark.parametrize("rules", RULES)
def test_expected_mess_is_that_of_the_reference(rules):
    looked = 0
    for position in positions(rules, 5, 9):
        data = position.to_dict()
        expected = [reference.mess(data, move) for move in position.moves()]
        assert expected_mess(position) == pytest.approx(expected), data
        looked += 1
    assert looked >= 8


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("smallest") or name in ("douse",)])
def test_the_smallest_mess_is_chosen(name, rules):
    bot, rng = make(name, "flaming"), stream(1, "bot")
    for position in positions(rules, 6, 5):
        costs = dict(zip(position.moves(), expected_mess(position), strict=True))
        chosen = bot.choose(position.observe(position.to_act), rng)
        assert costs[chosen] == pytest.approx(min(costs.values())), (chosen, costs)


def chosen(name, position, times=40):
    bot = make(name, "flaming")
    return {bot.choose(position.observe(position.to_act), stream(i, "bot")) for i in range(times)}


def base_only(hand):
    """Seat 0 to place one of five tiles beside a lone tile: nothing can go wrong."""
    data = deal("flaming", 1).to_dict()
    everywhere = [*data["hands"][0], *data["board"][0], *data["piles"][0], *data["hands"][1], *data["piles"][1]]
    rest = [tile for tile in everywhere if tile not in hand and tile != "M"]
    data["board"], data["hands"] = [["M"]], [hand, sorted(rest[:5], key=reference.canonical)]
    data["piles"] = [rest[5:22], rest[22:]]
    return read(data)


def test_ties_are_broken_as_the_names_say():
    position = base_only(["R4", "R40", "B10", "G60", "Y120"])
    assert {move.split("@")[0] for move in chosen("smallest-mess", position)} == {"R4", "R40", "B10", "G60", "Y120"}
    assert {move.split("@")[0] for move in chosen("smallest-mess-heavy", position)} == {"Y120"}
    assert {move.split("@")[0] for move in chosen("heaviest-first", position)} == {"Y120"}
    assert {move.split("@")[0] for move in chosen("smallest-mess-light", position)} == {"R4"}


def test_douse_lays_a_fire_where_it_burns_nothing():
    position = base_only(["R40", "B10", "G60", "Y120", "G1"])
    assert {move.split("@")[0] for move in chosen("douse", position)} == {"G1"}


def test_heaviest_first_takes_a_mess_for_it():
    position = next(
        p for p in positions({"players": 2}, 11, 1) if p.to_dict()["phase"] == "place" and p.state.height > 1
    )
    hand = position.to_dict()["hands"][position.to_act]
    heaviest = max(hand, key=lambda code: 200 if code == "M" else int(code[1:]))
    assert {move.split("@")[0] for move in chosen("heaviest-first", position, 5)} == {heaviest}


def test_every_policy_is_described_and_plays_whole_games():
    assert len(NAMES) >= 6
    for name in NAMES:
        assert policies("flaming").PROSE[name]
        bot, rng = make(name, "flaming"), stream(2, "bot")
        position = deal("flaming", 4, players=3, special_fire=True, curse=True)
        for _ in range(60):
            if position.is_over:
                break
            if position.to_act == -1:
                position = position.play(position.roll(rng))
            else:
                position = position.play(bot.choose(position.observe(position.to_act), rng))
        assert position.state.turns > 20


def test_evaluation_is_a_share_that_favours_few_tiles():
    from mess.search.policies.flaming import evaluate

    out = np.empty(2)
    data = deal("flaming", 1).to_dict()
    data["piles"][1] += data["piles"][0][-5:]
    data["piles"][0] = data["piles"][0][:-5]
    data |= {"unknown": [0, 0], "turns": 60}
    evaluate(read(data).state, out)
    assert out.sum() == pytest.approx(1)
    assert out[0] > out[1]
