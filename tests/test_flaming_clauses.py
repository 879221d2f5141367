"""Single clauses of the rules, on positions made by hand: what is expected, and every continuation in lockstep."""

from itertools import product

import pytest
from mess.solver.flaming.tiles import CODES, EMPTY, FITTING
from mess.solver.position import Position, read
from reference import flaming
from reference.small import table

pytestmark = pytest.mark.small

CURSE, DIE, GERMAN = {"curse": True}, {"special_fire": True}, {"preset": "german"}
LAST = ["Y100", "Y120"]


def walk(fast: Position, slow: dict, depth: int) -> None:
    """Both engines agree on every position that is at most so many moves away."""
    assert fast.to_dict() == slow
    assert sorted(fast.moves()) == flaming.legal(slow)
    for move in flaming.legal(slow) if depth else ():
        walk(fast.play(move), flaming.play(slow, move), depth - 1)


POSITIONS = {
    "torch before coal": (table([["G1", ".", "R7"]], [["Y4", "Y10"], LAST]), 3),
    "coal left, torch right, with the die": (table([["G1", ".", "R7"]], [["Y4", "Y10"], LAST], DIE), 3),
    "torch left, coal right, with the die": (table([["B7", ".", "Y1"]], [["G4"], LAST], DIE), 3),
    "two torches": (table([["R7", ".", "B7", "G100"]], [["Y10", "Y2"], LAST]), 3),
    "two torches, the other way round": (table([["B7", ".", "R7"]], [["Y10"], LAST], DIE), 3),
    "two coals": (table([["Y1", ".", "G1"]], [["R2", "R4"], LAST]), 3),
    "two coals, the other way round": (table([["G1", ".", "Y1"]], [["R2"], LAST], DIE), 3),
    "a torch above a torch": (table([["R60", "R7", ".", "B60"]], [["G20", "B7"], LAST]), 3),
    "fire in the second row": (table([["R60", "R100", "R120"], ["R7"]], [["R20", "R10", "R2"], LAST]), 3),
    "fire in two rows": (table([["R60", "B100", "Y1"], ["B7"]], [["R20", "B4", "Y2"], LAST], DIE), 3),
    "fuel that reaches far": (table([["R20", "R4", "R6", "R60", "B10"], ["R2"]], [["R7", "G1"], LAST], GERMAN), 3),
    "a fire placed": (table([["R60", "R20", "G2"]], [["R7", "Y1"], LAST], DIE), 3),
    "explosion of a group": (table([["B60", "R7", ".", "G1", "Y2"]], [["Y1"], LAST], DIE), 3),
    "explosion of four": (table([["R7", ".", "B7", ".", "G1"]], [["Y1"], LAST], GERMAN), 3),
    "explosion of a tower": (table([["R60", "R100", "B100"], ["R7", "R20"]], [["B7", "G1"], LAST], DIE), 3),
    "explosion before fire": (table([["B7", ".", "R7", "G100"]], [["Y1", "G20"], LAST]), 3),
    "curse of three": (table([["R60", "B60"]], [["G60", "Y60"], LAST, ["M"]], CURSE), 3),
    "curse above a tower": (
        table([["R60", "B60", "G60"], ["R40", "B40"]], [["G40", "Y40", "Y60"], LAST, ["M"]], CURSE),
        3,
    ),
    "curse and collapse": (
        table([["R60", "B60", "G60"], ["R20", "G20"]], [["B20", "Y20", "Y10"], LAST, ["M"]], CURSE),
        3,
    ),
    "curse with the die": (table([["R60", "R20", "G20"]], [["B20", "R7"], LAST, ["M"]], CURSE | DIE), 3),
    "win by the last tile": (table([["R60", "R100"]], [["R20"], LAST]), 2),
    "no win by a last tile that collapses": (table([["R60", "R100"]], [["Y20"], LAST]), 3),
    "win in a turn with a curse": (table([["R60", "B60"]], [["G60"], LAST, ["M"]], CURSE), 2),
    "the limit": (table([["R60", "R100"]], [["R20", "R10"], LAST, ["M"]], turns=999), 2),
    "a win at the limit": (table([["R60", "R100"]], [["R20"], LAST, ["M"]], turns=999), 2),
    "a turn before the limit": (table([["R60", "R100"]], [["R20"], ["B6"]], turns=998), 3),
    "collapse to either side": (table([["R60", "R100", "B2"], ["R20", "R40"]], [["G4", "M", "R120"], LAST]), 4),
    "overhang": (table([["R60", "."], ["R20"]], [["R2", "G100"], LAST]) | {"board": [["R60"], ["R20"]]}, 3),
    "gaps": (table([["R60", ".", ".", "R120"]], [["B2", "R20"], LAST]), 3),
    "gaps, German": (table([["R60", ".", ".", "R120"]], [["B2", "R20"], LAST], GERMAN), 3),
    "no tile on the table": (table([], [["R2", "G1"], LAST]), 3),
    "the table cleared": (table([["R7", "B2"]], [["Y1", "M"], LAST], DIE), 3),
    "the millstone": (table([["R2", "M", "B2"]], [["G100", "Y60", "R4"], LAST]), 3),
    "hand of four and a pile": (
        table([["R60"]], [["R2", "R4", "R6", "R10"], LAST], CURSE, piles=[["G2", "B2", "Y2"], []]),
        3,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("position", "depth"), [pytest.param(*p, id=name) for name, p in POSITIONS.items()])
def test_both_engines_agree_on_all_that_can_follow(position, depth):
    walk(read(position), position, depth)


def after(name: str, *moves: str) -> dict:
    position = read(POSITIONS[name][0])
    for move in moves:
        position = position.play(move)
    return position.to_dict()


def test_what_burns_first():
    end = after("torch before coal", "Y4@0,1")
    assert (end["board"], end["out"]) == ([["G1"]], ["R7"])
    assert (after("coal left, torch right, with the die", "Y4@0,1")["at"]) == [0, 2]
    assert after("two torches", "Y10@0,1")["out"] == ["R7"]
    assert after("two torches, the other way round", "Y10@0,1")["at"] == [0, 0]


def test_two_rolls_in_one_turn():
    end = after("torch left, coal right, with the die", "G4@0,1", "d6")
    assert (end["phase"], end["at"], end["rolled"], end["turns"]) == ("die", [0, 2], ["B7"], 50)
    end = after("torch left, coal right, with the die", "G4@0,1", "d6", "d6")
    assert (end["winner"], end["rolled"]) == (0, [])
    assert after("torch left, coal right, with the die", "G4@0,1", "d1")["turns"] == 51


def test_explosions_take_the_whole_group():
    end = after("explosion of a group", "Y1@0,2")
    assert (end["board"], end["out"], end["hands"][0]) == ([], ["G1", "Y1", "R7"], ["B60", "Y2"])


def test_the_seat_before_pays_for_a_curse():
    end = after("curse of three", "G60@1,0")
    assert end["piles"][2][-3:] == ["G60", "R60", "B60"]
    assert (end["turn"], end["charged"], end["to_act"]) == (1, 1, 1)
    end = after("win in a turn with a curse", "G60@1,0")
    assert (end["winner"], end["turn"], end["charged"], end["to_act"]) == (0, 0, 0, None)


def test_the_limit_is_a_draw_unless_somebody_wins():
    end = after("the limit", "R20@1,0")
    assert (end["winner"], end["phase"], end["turns"], end["turn"]) == ("draw", "over", 1000, 0)
    assert after("a win at the limit", "R20@1,0")["winner"] == 0
    assert read(POSITIONS["the limit"][0]).play("R20@1,0").payoff() == (1 / 3,) * 3


def test_gaps_must_be_filled_in_bga_alone():
    assert {move.split("@")[1] for move in read(POSITIONS["gaps"][0]).moves()} == {"0,1", "0,2"}
    spots = {move.split("@")[1] for move in read(POSITIONS["gaps, German"][0]).moves()}
    assert spots == {"0,-1", "0,1", "0,2", "0,4"}


def test_every_tile_fits_where_the_reference_says():
    tiles = (*CODES, ".")
    assert tiles[:EMPTY] == flaming.TILES
    for left, right in product(range(EMPTY + 1), repeat=2):
        cells = {(0, c): tiles[tile] for c, tile in enumerate((left, right)) if tile != EMPTY}
        expected = [flaming.fits(cells | {(1, 0): tile}, (1, 0)) for tile in flaming.TILES]
        assert [bool(int(FITTING[left, right]) >> tile & 1) for tile in range(EMPTY)] == expected
