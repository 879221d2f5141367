"""The slow engine of Flaming Pyramids against recorded games, invariants and positions made by hand."""

import json
import random
from collections import Counter
from itertools import chain, islice, product
from math import factorial, prod
from pathlib import Path

import pytest
from reference import flaming

CASES = Path(__file__).parent / "data" / "cases"
RECORDS = [
    pytest.param(json.loads(line), id=f"{name}-{index}")
    for name in ("flaming", "flaming_every")
    for index, line in enumerate((CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
]


def table(board, *hands, preset="bga", curse=False, special_fire=False, **fields):
    """A position of little: these tiles and no others, seat 0 to act."""
    empty = {"piles": [[] for _ in hands], "unknown": [0 for _ in hands]}
    start = flaming.deal(len(hands), preset, curse, special_fire, random.Random(0))
    return start | empty | {"board": board, "hands": list(hands)} | fields


def tiles_of(position):
    places = chain(*position["board"], *position["hands"], *position["piles"], position["out"])
    return Counter(tile for tile in places if tile != ".")


# Recorded games


@pytest.mark.parametrize("record", RECORDS)
def test_record_replays_field_by_field(record):
    position = record["start"]
    for index, move in enumerate(record["moves"]):
        assert move in flaming.legal(position)
        position = flaming.play(position, move)
        if "every" in record:
            assert position == record["every"][index]
    assert position == record["end"]
    assert list(position) == list(record["end"])


# Random games


def check(position):
    assert tiles_of(position) == Counter(flaming.TILES)
    by_seat = [position[field] for field in ("hands", "piles", "unknown", "known")]
    for hand, pile, unknown, known in zip(*by_seat, strict=True):
        assert len(hand) <= flaming.HAND
        assert 0 <= unknown <= len(pile)
        assert set(known) <= set(hand)
        assert hand == sorted(hand, key=flaming.canonical)
        assert known == sorted(known, key=flaming.canonical)
    board = position["board"]
    assert all(not row or row[-1] != "." for row in board)
    assert not board or (board[-1] and any(row and row[0] != "." for row in board))
    assert json.loads(json.dumps(position)) == position


def check_at_rest(position):
    cells = flaming.cells_of(position["board"])
    hot = set(flaming.fires(cells))
    for cell in cells:
        assert cell[0] == 0 or flaming.supports(cells, cell)
        assert flaming.fits(cells, cell)
    for cell in hot:
        assert not flaming.touching(cells, cell) & hot
        assert position["rules"]["special_fire"] or not flaming.burning(cells, cell)
    assert position["placed"] is None and position["at"] is None and not position["rolled"]
    mover = (position["turn"] - 1) % len(position["hands"])
    if position["turns"] and position["phase"] == "place":
        assert len(position["hands"][mover]) == flaming.HAND or not position["piles"][mover]


@pytest.mark.parametrize(
    ("players", "preset", "curse", "special_fire"),
    list(product(range(2, 7), ("bga", "german"), (False, True), (False, True))),
)
def test_random_game_keeps_the_invariants(players, preset, curse, special_fire):
    rng = random.Random(f"{players} {preset} {curse} {special_fire}")
    position = flaming.deal(players, preset, curse, special_fire, rng)
    for _ in range(160):
        check(position)
        if position["phase"] in ("place", "over"):
            check_at_rest(position)
        if not (moves := flaming.legal(position)):
            break
        assert moves == sorted(set(moves))
        position = flaming.play(position, rng.choice(moves))
    assert (position["phase"] == "over") == (position["to_act"] is None) == (position["winner"] is not None)


@pytest.mark.parametrize("players", range(2, 7))
def test_deal_puts_leftovers_side_by_side_and_fire_out_of_the_game(players):
    shares = set()
    for seed in range(60):
        position = flaming.deal(players, rng=random.Random(seed))
        check(position)
        base = list(chain(*position["board"]))
        assert len(base) + len(position["out"]) == 45 % players
        assert set(position["out"]) <= set(flaming.FUEL) and not set(base) & set(flaming.FUEL)
        shares |= {len(hand) + len(pile) for hand, pile in zip(position["hands"], position["piles"], strict=True)}
    assert shares == {45 // players}


# Single clauses


def test_play_leaves_its_input_alone_and_refuses_what_is_illegal():
    position = flaming.deal(3, rng=random.Random(1))
    before = json.dumps(position)
    flaming.play(position, flaming.legal(position)[0])
    assert json.dumps(position) == before
    with pytest.raises(ValueError, match="illegal move 'L'"):
        flaming.play(position, "L")


def test_gaps_must_be_filled_only_in_bga():
    board = [["R60", "R100", ".", "R120"]]
    assert flaming.legal(table(board, ["B2"], ["B4"])) == ["B2@0,2", "B2@1,0"]
    assert flaming.legal(table(board, ["B2"], ["B4"], preset="german")) == ["B2@1,0"]
    board = [["R60", ".", "R120"]]
    assert flaming.legal(table(board, ["B2"], ["B4"])) == ["B2@0,1"]
    assert flaming.legal(table(board, ["B2"], ["B4"], preset="german")) == ["B2@0,-1", "B2@0,1", "B2@0,3"]


@pytest.mark.parametrize(
    ("tile", "below", "fits"),
    [
        ("R20", ["R60", "G2"], True),
        ("R60", ["B60", "G2"], True),
        ("Y20", ["R60", "G2"], False),
        ("R100", ["R60", "G20"], False),
        ("R100", ["R60", "G40"], True),
        ("M", ["R100", "G100"], True),
        ("M", ["R100", "G60"], False),
        ("Y2", ["M"], True),
        ("R20", ["R10"], False),
    ],
)
def test_fit_needs_likeness_and_strength(tile, below, fits):
    assert flaming.fits({(0, c): support for c, support in enumerate(below)} | {(1, 0): tile}, (1, 0)) is fits


def test_curse_charges_the_previous_player():
    position = table([["R60", "B60"]], ["G60", "G2"], ["R2"], ["R4"], curse=True)
    after = flaming.play(position, "G60@1,0")
    assert after["piles"] == [[], [], ["G60", "R60", "B60"]]
    assert (after["turn"], after["charged"]) == (1, 1)
    assert flaming.mess(position, "G60@1,0") == 0
    last = position | {"hands": [["G60"], ["R2"], ["R4"]]}
    assert flaming.wins(last, 0, 1)
    over = flaming.play(last, "G60@1,0")
    assert (over["winner"], over["turn"], over["charged"], over["to_act"]) == (0, 0, 0, None)


def test_explosion_takes_a_whole_connected_group():
    after = flaming.play(table([["B60", "R7", ".", "G1"]], ["Y1"], ["B4"]), "Y1@0,2")
    assert (after["board"], after["out"], after["hands"][0]) == ([], ["G1", "Y1", "R7"], ["B60"])


def test_torch_burns_before_coal():
    after = flaming.play(table([["G1", ".", "R7"]], ["Y4"], ["B4"]), "Y4@0,1")
    assert (after["board"], after["out"], after["known"][0]) == ([["G1"]], ["R7"], ["Y4"])


def test_two_fires_lit_by_one_tile_roll_torch_first():
    position = table([["G1", ".", "R7"]], ["Y4"], ["B4"], special_fire=True)
    first = flaming.play(position, "Y4@0,1")
    assert (first["at"], first["rolled"]) == ([0, 2], [])
    second = flaming.play(first, "d6")
    assert (second["at"], second["rolled"]) == ([0, 0], ["R7"])
    assert flaming.play(second, "d6")["winner"] == 0
    assert flaming.play(first, "d1")["piles"][0] == [] and flaming.play(first, "d1")["hands"][0] == ["Y4"]


def test_the_longest_game_is_a_draw():
    after = flaming.play(table([], ["R2", "R4"], ["B2"], turns=999), "R2@0,0")
    assert (after["winner"], after["phase"], after["turns"], after["turn"]) == ("draw", "over", 1000, 0)
    assert flaming.legal(after) == []
    assert flaming.play(table([], ["R2"], ["B2"], turns=999), "R2@0,0")["winner"] == 0


# Knowledge


def hidden(observation):
    return [hand.count("?") for hand in observation["hands"]], sum(pile.count("?") for pile in observation["piles"])


def test_worlds_of_late_positions_are_all_arrangements():
    rng, seen = random.Random(2), 0
    for record in (param.values[0] for param in RECORDS if "every" in param.values[0]):
        for position in rng.sample(record["every"], 25):
            for seat in range(position["rules"]["players"]):
                observation = flaming.observe(position, seat)
                hands, tops = hidden(observation)
                if sum(hands) + tops <= 5:
                    worlds = list(flaming.worlds(observation))
                    assert len(worlds) == factorial(sum(hands) + tops) / prod(map(factorial, hands))
                    assert len({json.dumps(world) for world in worlds}) == len(worlds)
                    assert position in worlds
                    assert all(flaming.observe(world, seat) == observation for world in worlds)
                    seen += 1
    assert seen > 50


@pytest.mark.parametrize("players", range(2, 7))
def test_worlds_of_early_positions_give_back_the_observation(players):
    rng = random.Random(players)
    position = flaming.deal(players, special_fire=True, rng=rng)
    for _ in range(30):
        if not (moves := flaming.legal(position)):
            break
        for seat in range(players):
            observation = flaming.observe(position, seat)
            assert observation["hands"][seat] == position["hands"][seat]
            for world in islice(flaming.worlds(observation), 3):
                check(world)
                assert flaming.observe(world, seat) == observation
        position = flaming.play(position, rng.choice(moves))


# Questions


def test_mess_counts_supports_and_the_better_side():
    position = table([["G1", "B100", "Y100"]], ["R6", "R60"], ["B2"])
    assert flaming.mess(position, "R6@1,1") == 2
    falling = flaming.play(position, "R6@1,1")
    assert [flaming.mess(falling, side) for side in "LR"] == [1, 0]


def test_mess_averages_the_dice():
    # 1 to 4: the fuel R10; 5: R10 and R60; 6: nothing.
    position = table([["B7", "R60"]], ["R10"], ["B2"], special_fire=True)
    assert flaming.mess(position, "R10@1,0") == pytest.approx((4 * 1 + 2 + 0) / 6)
    assert not flaming.wins(position, 0, 1)


@pytest.mark.parametrize(
    ("hands", "turns", "won"),
    [
        ((["R20"], ["B120"]), 1, True),
        ((["R20"], ["B120"]), 0, False),
        ((["G20"], ["B120"]), 1, False),
        ((["R10", "R20"], ["G2", "B120"]), 3, True),
        ((["R10", "R20"], ["G2", "B120"]), 2, False),
        ((["R10", "R20"], ["B7", "B120"]), 3, False),
    ],
)
def test_wins_agrees_with_what_the_eye_sees(hands, turns, won):
    # Red fits on the only nest; then the other seat must extend the base, which makes the next red nest.
    # Only a torch, which burns the second wood, spoils it.
    assert flaming.wins(table([["R60", "R100"]], *hands), 0, turns) is won
