"""Positions, observations and moves as text: round trips, and errors that name the field."""

import copy
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mess.solver.errors import InputError
from mess.solver.flaming import unknown_fields
from mess.solver.game import deal
from mess.solver.position import Observation, Position, read
from mess.solver.rng import stream
from reference import flaming, games
from reference.small import table
from spoiling import garbage, spoilt

# Positions to spoil


def first(rules: dict, wanted, seeds=range(60)) -> dict:
    for seed in seeds:
        for position, _ in games.game(rules, games.anything, seed, 250):
            if wanted(position):
                return position
    raise AssertionError("no such position")


SPECIAL = {"players": 2, "preset": "bga", "curse": True, "special_fire": True}
FOUR_SEATS = {"players": 4, "preset": "bga", "curse": False, "special_fire": False}
PLACE = first(FOUR_SEATS, lambda p: p["phase"] == "place" and p["turns"] == 18 and len(p["piles"][2]) > 2)
FALL = first(FOUR_SEATS, lambda p: p["phase"] == "fall" and p["turns"] > 8)
DIE = first(SPECIAL, lambda p: p["phase"] == "die" and len(p["board"]) > 1)
ROLLED = first(SPECIAL, lambda p: p["phase"] == "fall" and p["rolled"])
CURSED = first(SPECIAL, lambda p: p["phase"] == "fall" and p["charged"] != p["turn"], range(3000))
OVER = first(FOUR_SEATS, lambda p: p["phase"] == "over")
DRAWN = flaming.play(table([["R60", "R100"]], [["R2", "R4"], ["G2"], ["B2"]], turns=999), "R2@1,0")
KNOWN = table([["R60", "R100"]], [["R2", "B2"], ["G2"]])
PILE_OF_A_CURSE = ["B4", "G4", "Y4"]
PAID = table([["R60", "R100"]], [["R2", "B2"], ["G2"]], {"curse": True}, piles=[PILE_OF_A_CURSE, []])
DEALT = flaming.deal(3, rng=random.Random(1))
SIX_DEALT = next(
    data for data in (flaming.deal(6, rng=random.Random(seed)) for seed in range(9)) if len(data["board"][0]) == 3
)
SEEN = flaming.observe(PLACE, 1)
WHOLE = {
    "place": PLACE,
    "known": KNOWN,
    "paid for a curse": PAID,
    "dealt": DEALT,
    "dealt to six": SIX_DEALT,
    "fall": FALL,
    "die": DIE,
    "rolled": ROLLED,
    "cursed": CURSED,
    "over": OVER,
    "drawn": DRAWN,
}
GOOD = WHOLE | {f"{name} seen": flaming.observe(position, 1) for name, position in WHOLE.items()}


def test_good_positions_are_good():
    for data in GOOD.values():
        assert read(data).to_dict() == data
        assert isinstance(read(data), Observation if "seat" in data else Position)
        assert str(read(data)) == json.dumps(read(data).to_dict())


def changed(data: dict, *path_and_value):
    """A copy with the value at a path replaced."""
    *path, last, value = path_and_value
    data = at = copy.deepcopy(data)
    for key in path:
        at = at[key]
    at[last] = value
    return data


def without(data: dict, field: str) -> dict:
    return {key: value for key, value in data.items() if key != field}


def other_tile(data: dict, tile: str) -> str:
    """A tile that lies elsewhere than `tile` does."""
    return data["hands"][1][0] if data["hands"][1][0] != tile else data["hands"][1][1]


def moved_tile(data: dict, seat: int) -> dict:
    """A copy with the only tile of the board at the bottom of the pile of a seat."""
    tile = data["board"][0][0]
    return changed(data, "piles", seat, [*data["piles"][seat], tile]) | {"board": []}


RED = [["R60", "R100"]]
FOUR = [["R2"], ["B2"]]
SIX = ["R2", "R4", "R6", "R10", "R20", "R30"]

BAD = {
    # not a position at all
    "null": (None, "position"),
    "number": (7, "position"),
    "text": ("flaming", "position"),
    "list": ([PLACE], "position"),
    "empty": ({}, "game"),
    "unknown game": (changed(PLACE, "game", "chess"), "game"),
    "game a number": (changed(PLACE, "game", 1), "game"),
    "game a list": (changed(PLACE, "game", ["flaming"]), "game"),
    # rules
    "no rules": (without(PLACE, "rules"), "rules"),
    "rules a list": (changed(PLACE, "rules", []), "rules"),
    "one player": (changed(PLACE, "rules", "players", 1), "rules.players"),
    "seven players": (changed(PLACE, "rules", "players", 7), "rules.players"),
    "players true": (changed(PLACE, "rules", "players", True), "rules.players"),
    "players a float": (changed(PLACE, "rules", "players", 3.0), "rules.players"),
    "players a list": (changed(PLACE, "rules", "players", [3]), "rules.players"),
    "wrong number of players": (changed(PLACE, "rules", "players", 5), "hands"),
    "unknown preset": (changed(PLACE, "rules", "preset", "french"), "rules.preset"),
    "curse a number": (changed(PLACE, "rules", "curse", 1), "rules.curse"),
    "special fire null": (changed(PLACE, "rules", "special_fire", None), "rules.special_fire"),
    "unknown rule": (changed(PLACE, "rules", "speed", 1), "rules.speed"),
    # board
    "no board": (without(PLACE, "board"), "board"),
    "board null": (changed(PLACE, "board", None), "board"),
    "board of texts": (changed(PLACE, "board", ["R60"]), "board[0]"),
    "unknown code": (changed(PLACE, "board", 0, 0, "R61"), "board[0][0]"),
    "code in small letters": (changed(PLACE, "board", 0, 0, "r60"), "board[0][0]"),
    "code a number": (changed(PLACE, "board", 0, 0, 60), "board[0][0]"),
    "code null": (changed(PLACE, "board", 0, 0, None), "board[0][0]"),
    "code a list": (changed(PLACE, "board", 0, 0, ["R60"]), "board[0][0]"),
    "hidden tile on the board": (changed(SEEN, "board", 0, 0, "?"), "board[0][0]"),
    "empty row on top": (changed(PLACE, "board", [*PLACE["board"], []]), f"board[{len(PLACE['board'])}]"),
    "dot at the end": (changed(PLACE, "board", 0, [*PLACE["board"][0], "."]), "board[0]"),
    "empty column": (changed(PLACE, "board", [[".", *row] for row in PLACE["board"]]), "board"),
    "a row before the first turn": (
        changed(SIX_DEALT, "board", [SIX_DEALT["board"][0][:2], SIX_DEALT["board"][0][2:]]), "board"),
    "a gap before the first turn": (
        changed(SIX_DEALT, "board", 0, [SIX_DEALT["board"][0][0], ".", *SIX_DEALT["board"][0][1:]]), "board"),
    "too high": (changed(PLACE, "board", [["."]] * 10 + [["R2"]]), "board"),
    "too wide": (changed(PLACE, "board", 0, ["."] * 60 + ["R2"]), "board[0]"),
    "floating": (table([["R60"], [".", "B4"]], FOUR), "board"),
    "misfit": (table([["R60"], ["B6"]], [["R2"], ["G2"]]), "board"),
    "too heavy": (table([["R60"], ["R100"]], FOUR), "board"),
    "fires touching": (table([["R7", "B7"]], FOUR), "board"),
    "fire burning": (table([["R7", "R6"]], FOUR), "board"),
    "curse pending": (table([["R60", "B60"], ["G60"]], FOUR, {"curse": True}), "board"),
    # tiles
    "tile twice in a hand": (changed(PLACE, "hands", 0, 0, PLACE["hands"][0][1]), "hands[0][1]"),
    "tile in two places": (changed(PLACE, "hands", 1, 1, PLACE["board"][0][0]), "hands[1][1]"),
    "tile twice in a pile": (changed(PLACE, "piles", 2, 1, PLACE["piles"][2][0]), "piles[2][0]"),
    "tile out and in hand": (changed(table(RED, [["G1"], ["B2"]]), "out", ["G1"]), "out[0]"),
    "tile missing": (changed(PLACE, "piles", 2, PLACE["piles"][2][:-1]), "board, hands, piles, out"),
    "hidden in a full position": (changed(PLACE, "hands", 1, 0, "?"), "hands[1][0]"),
    "hidden pile in a full position": (changed(PLACE, "piles", 2, 0, "?"), "piles[2][0]"),
    "hidden in the own hand": (changed(SEEN, "hands", 1, 0, "?"), "hands[1][0]"),
    "hidden below the unknown part": (changed(SEEN, "unknown", 2, 1), "piles[2][1]"),
    "one hidden tile too few": (changed(SEEN, "hands", 2, SEEN["hands"][2][:-1]), "board, hands, piles, out"),
    "seen tile in the unknown part": (changed(SEEN, "piles", 2, 0, PLACE["piles"][2][0]), "piles[2][0]"),
    "seen tile in another hand": (changed(SEEN, "hands", 2, PLACE["hands"][2]), "hands[2]"),
    # seats
    "seat too high": (changed(SEEN, "seat", 4), "seat"),
    "seat negative": (changed(SEEN, "seat", -1), "seat"),
    "seat a text": (changed(SEEN, "seat", "1"), "seat"),
    "seat true": (changed(SEEN, "seat", True), "seat"),
    # hands and piles
    "no hands": (without(PLACE, "hands"), "hands"),
    "hands an object": (changed(PLACE, "hands", {}), "hands"),
    "a hand too few": (changed(PLACE, "hands", PLACE["hands"][:-1]), "hands"),
    "a hand null": (changed(PLACE, "hands", 1, None), "hands[1]"),
    "hand of six": (table(RED, [SIX, ["B2"]]), "hands[0]"),
    "nothing to place": (table(RED, [[], ["B2"]], piles=[["B4"], []]), "hands[0]"),
    "a seat without tiles": (table(RED, [["B2"], [], ["B4"]]), "hands[1]"),
    "hand of five and one placed": (
        table([["R60"], [".", "B4"]], [SIX[:5], ["B2"]], phase="fall", at=[1, 1]), "hands[0]"),
    "hand not refilled": (table(RED, FOUR, piles=[["B4"], []]), "hands[0]"),
    "hand of another not refilled": (table(RED, [["R2"], ["B2"], ["G2"]], piles=[[], ["B4"], []]), "hands[1]"),
    "hand not refilled, in a fall": (
        table([["R60"], [".", "B4"]], [["R2"], ["B2"], ["G2"]], phase="fall", at=[1, 1],
              piles=[["G4"], ["Y4"], []]), "hands[1]"),
    "hand not refilled, nor cursed": (
        table(RED, FOUR, {"curse": True}, piles=[PILE_OF_A_CURSE[:2], []]), "hands[0]"),
    "hand not refilled, and just moved": (
        table(RED, [["R2"], ["B2"], ["G2"]], {"curse": True}, piles=[PILE_OF_A_CURSE, [], []], turns=76)
        | dict.fromkeys(("turn", "charged", "to_act"), 1), "hands[0]"),
    "hand not refilled, game won": (
        changed(OVER, "hands", OVER["turn"] - 1, OVER["hands"][OVER["turn"] - 1][:-1])
        | {"piles": [[*pile, OVER["hands"][OVER["turn"] - 1][-1]] if seat == (OVER["turn"] - 1) % 4 else pile
                     for seat, pile in enumerate(OVER["piles"])],
           "known": [[] for _ in range(4)]}, f"hands[{(OVER['turn'] - 1) % 4}]"),
    "curse without its tiles": (
        table([["R60"], [".", "B4"]], [["R2"], ["B2"], ["G2"]], {"curse": True}, phase="fall", at=[1, 1], turns=76)
        | {"turn": 1, "charged": 0, "to_act": 0}, "piles[0]"),
    "taken before the first turn": (
        moved_tile(flaming.play(DEALT, flaming.legal(DEALT)[0]), 2), "piles[2]"),
    "dealt one too few": (
        changed(DEALT, "hands", 1, DEALT["hands"][1][1:]) | {"board": [DEALT["hands"][1][:1]]}, "hands[1]"),
    "a pile too many": (changed(PLACE, "piles", [*PLACE["piles"], []]), "piles"),
    "a pile a text": (changed(PLACE, "piles", 0, "R60"), "piles[0]"),
    "unknown too many": (changed(PLACE, "unknown", 0, 40), "unknown[0]"),
    "unknown more than dealt": (table(RED, FOUR, unknown=[0, 18]), "unknown[1]"),
    "unknown too few": (changed(PLACE, "unknown", 0, 0), "unknown[0]"),
    "unknown of another turn": (changed(PLACE, "turns", 2), "unknown[0]"),
    "unknown negative": (changed(PLACE, "unknown", 0, -1), "unknown[0]"),
    "unknown true": (changed(PLACE, "unknown", 0, True), "unknown[0]"),
    "unknown a number": (changed(PLACE, "unknown", 3), "unknown"),
    "known not in hand": (changed(PLACE, "known", 0, [PLACE["hands"][1][0]]), "known[0][0]"),
    "known twice": (changed(KNOWN, "known", 0, ["R2", "R2"]), "known[0][1]"),
    "known before the deal is drawn": (changed(PLACE, "known", 3, PLACE["hands"][3][:1]), "known[3]"),
    "known more than can be drawn": (table(RED, [SIX[:5], ["B2"]], turns=36), "known[0]"),
    "fewer in hand than from the deal": (table(RED, FOUR, turns=36), "hands[0]"),
    "known an object": (changed(PLACE, "known", 0, [{}]), "known[0][0]"),
    "known a text": (changed(PLACE, "known", 0, "R60"), "known[0]"),
    "out a stone": (table(RED, FOUR, out=["G100"]), "out[0]"),
    "out null": (changed(PLACE, "out", None), "out"),
    "out a list of lists": (changed(PLACE, "out", [["G1"]]), "out[0]"),
    # whose turn
    "no turn": (without(PLACE, "turn"), "turn"),
    "turn too high": (changed(PLACE, "turn", 4), "turn"),
    "turn false": (changed(PLACE, "turn", False), "turn"),
    "turn a float": (changed(PLACE, "turn", 0.0), "turn"),
    "turn of another": (changed(PLACE, "turns", 19), "turn"),
    "turn of another in a fall": (changed(FALL, "turns", FALL["turns"] + 1), "turn"),
    "turn of another when over": (changed(OVER, "turns", OVER["turns"] + 1), "turn"),
    "charged too high": (changed(PLACE, "charged", 4), "charged"),
    "charged without curse": (changed(FALL, "charged", (FALL["turn"] + 3) % 4), "charged"),
    "charged between turns": (table(RED, FOUR, {"curse": True}, charged=1), "charged"),
    "charged the next": (
        changed(table(RED, [["R2"], ["B2"], ["G2"]], {"curse": True}), "charged", 1), "charged"),
    "to_act of another": (changed(PLACE, "to_act", (PLACE["turn"] + 1) % 4), "to_act"),
    "to_act chance": (changed(PLACE, "to_act", -1), "to_act"),
    "to_act null": (changed(PLACE, "to_act", None), "to_act"),
    "to_act a float": (changed(PLACE, "to_act", float(PLACE["to_act"])), "to_act"),
    "to_act a truth": (changed(table(RED, FOUR), "to_act", False), "to_act"),
    "to_act when over": (changed(OVER, "to_act", OVER["turn"]), "to_act"),
    "to_act a list": (changed(PLACE, "to_act", [0]), "to_act"),
    # the phase and what goes with it
    "unknown phase": (changed(PLACE, "phase", "draw"), "phase"),
    "phase null": (changed(PLACE, "phase", None), "phase"),
    "phase a list": (changed(PLACE, "phase", ["place"]), "phase"),
    "at of no tile": (changed(FALL, "at", [9, 9]), "at"),
    "at negative": (changed(FALL, "at", [0, -1]), "at"),
    "at huge": (changed(FALL, "at", [10**30, 10**30]), "at"),
    "at beyond the row": (changed(FALL, "at", [0, 59]), "at"),
    "at of three": (changed(FALL, "at", [0, 0, 0]), "at"),
    "at of texts": (changed(FALL, "at", ["0", "0"]), "at"),
    "at of truths": (changed(FALL, "at", [False, False]), "at"),
    "at a number": (changed(FALL, "at", 0), "at"),
    "at missing": (without(FALL, "at"), "at"),
    "at null in a fall": (changed(FALL, "at", None), "at"),
    "at of a tile that stands": (changed(FALL, "at", [0, FALL["board"][0].index(next(
        tile for tile in FALL["board"][0] if tile != "."))]), "at"),
    "at between turns": (changed(table(RED, FOUR), "at", [0, 0]), "at"),
    "at of a tile that does not burn": (changed(DIE, "at", next(
        [r, c] for (r, c), t in flaming.cells_of(DIE["board"]).items() if t not in flaming.FUEL)), "at"),
    "die before an explosion": (
        table([["R7", "R20", "R100", "G1", "Y1"]], FOUR, {"special_fire": True},
              phase="die", at=[0, 0], placed=[0, 1], to_act=-1), "at"),
    "placed of no tile": (changed(FALL, "placed", [9, 0]), "placed"),
    "placed between turns": (changed(table(RED, FOUR), "placed", [0, 0]), "placed"),
    "placed a text": (changed(FALL, "placed", "here"), "placed"),
    "rolled without the option": (changed(FALL, "rolled", ["G1"]), "rolled[0]"),
    "rolled no fire": (changed(ROLLED, "rolled", ["R60"]), "rolled[0]"),
    "rolled twice": (changed(ROLLED, "rolled", ROLLED["rolled"] * 2), f"rolled[{len(ROLLED['rolled'])}]"),
    "rolled null": (changed(ROLLED, "rolled", None), "rolled"),
    "rolled from a hand": (
        table([["R60"], [".", "B4"]], [["R2"], ["G1"]], {"special_fire": True}, phase="fall", at=[1, 1],
              rolled=["G1"]), "rolled[0]"),
    "rolled between turns": (table(RED, FOUR, {"special_fire": True}, rolled=["G1"]), "rolled"),
    "turns negative": (changed(PLACE, "turns", -1), "turns"),
    "turns true": (changed(PLACE, "turns", True), "turns"),
    "turns beyond the limit": (changed(PLACE, "turns", 1001), "turns"),
    "turns at the limit": (changed(PLACE, "turns", 1000), "turns"),
    "winner while playing": (changed(PLACE, "winner", 0), "winner"),
    "winner missing": (without(PLACE, "winner"), "winner"),
    "no winner when over": (changed(OVER, "winner", None), "winner"),
    "winner out of range": (changed(OVER, "winner", 4), "winner"),
    "winner a text": (changed(OVER, "winner", "me"), "winner"),
    "winner with tiles left": (changed(OVER, "winner", (OVER["winner"] + 1) % 4), "winner"),
    "winner not the last mover": (
        changed(OVER, "turn", (OVER["turn"] + 1) % 4) | {"charged": (OVER["turn"] + 1) % 4}, "winner"),
    "draw before the limit": (changed(DRAWN, "turns", 999), "winner"),
    "draw of an emptied seat": (
        changed(changed(DRAWN, "hands", 1, []), "known", 1, []) | {"piles": [[], [], [*DRAWN["piles"][2], "G2"]]},
        "hands[1]"),
}  # fmt: skip


@pytest.mark.small
@pytest.mark.parametrize(("data", "field"), [pytest.param(*bad, id=name) for name, bad in BAD.items()])
def test_error_names_the_field(data, field):
    with pytest.raises(InputError) as error:
        read(data)
    assert error.value.field == field
    assert str(error.value) == f"{field}: {error.value.expected}"
    assert "expected" in error.value.expected or "no such rule" in error.value.expected
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 400


@pytest.mark.small
@pytest.mark.parametrize("value", ["x\ny" * 500, [[[[[[[[[[[[7]]]]]]]]]]]] * 50, {"a": {"b": "\ud800"}}, 10**40])
def test_error_is_one_short_line_whatever_was_there(value):
    for data in (
        changed(PLACE, "hands", 0, 0, value),
        changed(PLACE, "phase", value),
        changed(PLACE, "turns", value),
        changed(PLACE, "winner", value),
        changed(PLACE, "to_act", value),
        changed(FALL, "at", value),
        changed(PLACE, "rules", "preset", value),
        changed(PLACE, "rules", str(value), 1),
        changed(PLACE, "game", str(value)),
    ):
        with pytest.raises(InputError) as error:
            read(data)
        assert str(error.value).isprintable()
        assert len(str(error.value)) < 400


@pytest.mark.small
def test_fields_nobody_knows_are_ignored_and_can_be_listed():
    data = PLACE | {"comment": "from the club evening", "deck": 3}
    assert read(data).to_dict() == PLACE
    assert unknown_fields(data) == ["comment", "deck"]
    assert [unknown_fields(good) for good in GOOD.values()] == [[] for _ in GOOD]
    assert unknown_fields(None) == unknown_fields([1]) == unknown_fields("rules") == []


@pytest.mark.small
def test_a_seat_of_null_is_the_whole_truth():
    assert isinstance(read(PLACE | {"seat": None}), Position)


# Moves


@pytest.mark.small
@pytest.mark.parametrize("name", WHOLE)
def test_moves_round_trip(name):
    position = read(WHOLE[name])
    moves = position.moves()
    assert sorted(moves) == flaming.legal(WHOLE[name])
    for move in moves:
        assert position.game.move_text(position.state, position.game.read_move(position.state, move)) == move
        assert position.play(move).to_dict() == flaming.play(WHOLE[name], move)
    assert position.to_dict() == WHOLE[name], "a move leaves its position alone"


@pytest.mark.small
@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize(
    "move", ["", "l", "d0", "d7", "d1 ", "R60", "R60@", "R60@0", "R60@0,0,0", "M@9,9", "pass", None, 3, ["L"], {}, True]
)
def test_illegal_moves_are_refused_with_a_list_of_the_legal_ones(name, move):
    position = read(WHOLE[name])
    with pytest.raises(InputError) as error:
        position.play(move)
    assert error.value.field == "move"
    assert error.value.expected.startswith("expected " + (" ".join(["one of", *position.moves(), ""]).strip()
                                           if position.moves() else "no move, the game is over"))  # fmt: skip


@pytest.mark.small
def test_a_move_of_another_phase_is_refused():
    for name, move in (("place", "L"), ("place", "d1"), ("fall", "d1"), ("die", "R"), ("over", "L")):
        with pytest.raises(InputError):
            read(WHOLE[name]).play(move)


@pytest.mark.small
def test_only_chance_rolls_and_only_a_game_that_is_over_pays():
    assert read(DIE).roll(stream(1)) in read(DIE).moves()
    with pytest.raises(InputError, match=r"^to_act: "):
        read(PLACE).roll(stream(1))
    with pytest.raises(InputError, match=r"^phase: "):
        read(PLACE).payoff()
    assert read(OVER).payoff() == tuple(float(seat == OVER["winner"]) for seat in range(4))
    assert read(DRAWN).payoff() == (1 / 3,) * 3


# Positions of games


@pytest.mark.parametrize("rules", [pytest.param(rules, id=games.name(rules)) for rules in games.RULES])
def test_what_play_leads_to_can_be_read(rules):
    """And so can what a seat sees of it: nothing that play reaches is taken for impossible."""
    rng = random.Random(games.name(rules))
    position, every = deal("flaming", rng.randrange(10**6), **rules), rng.randrange(5, 11)
    for ply in range(600):
        if ply % every == 0 or position.is_over:
            data = position.to_dict()
            assert read(data).to_dict() == data
            seen = position.observe(rng.randrange(rules["players"])).to_dict()
            assert read(seen).to_dict() == seen
        if position.is_over:
            break
        position = position.play(rng.choice(position.moves()))


# Positions spoilt at random

GARBAGE = garbage(
    st.integers(-3, 1002) | st.sampled_from([2**31, 2**63, -(2**64), 10**30]),
    [*flaming.TILES, ".", "?", "L", "place", "fall", "die", "over", "draw", "bga", "german", "flaming"],
)
SPOILT = spoilt(GOOD, GARBAGE, ["delete", "replace", "near", "swap", "duplicate"])


def refused_or_good(data) -> bool:
    """A mutated position is an error, or good in every way."""
    try:
        view = read(data)
    except InputError as refused:
        return bool(refused.field) and str(refused).isprintable()
    written = view.to_dict()
    assert read(json.loads(json.dumps(written))) == view
    assert unknown_fields(written) == []
    if isinstance(view, Observation):
        world = view.world(stream(1, "spoilt"))
        assert world.observe(view.seat) == view
        view = world
    slow = view.to_dict()
    for _ in range(4):
        moves = view.moves()
        assert sorted(moves) == flaming.legal(slow)
        assert bool(moves) != view.is_over
        if not moves:
            break
        view, slow = view.play(moves[0]), flaming.play(slow, moves[0])
        assert view.to_dict() == slow
    return True


@pytest.mark.small
@settings(max_examples=150)
@given(SPOILT)
def test_spoilt_positions_are_refused_or_good(data):
    assert refused_or_good(data)


@pytest.mark.slow
@settings(max_examples=2500)
@given(SPOILT)
def test_many_spoilt_positions_are_refused_or_good(data):
    assert refused_or_good(data)


@pytest.mark.small
@settings(max_examples=100)
@given(GARBAGE)
def test_garbage_is_refused(data):
    with pytest.raises(InputError):
        read(data)
    with pytest.raises(InputError):
        read({"game": "flaming", "rules": data})
    with pytest.raises(InputError):
        read({"game": data})


# The bounds of the board


def tower(rows: int) -> list[list[str]]:
    weights = (120, 100, 60, 40, 30, 20, 10, 6, 4, 2)
    return [[f"R{weight}", f"B{weight}"] for weight in weights[:rows]]


@pytest.mark.small
def test_the_tenth_row_can_be_built_and_no_eleventh():
    position = read(table(tower(9), [["B2", "R2", "G2"], ["Y2"]]))
    assert position.moves() == ["R2@9,0", "B2@9,0", "G2@9,0"]
    assert len(position.play("R2@9,0").to_dict()["board"]) == 10
    full = table(tower(10), [["G4", "G6"], ["Y2"]])
    position = read(full)
    assert position.moves() == flaming.legal(full)
    with pytest.raises(InputError) as error:
        position.play("G4@10,0")
    assert error.value.field == "move"
    assert "10 rows and 60 columns" in error.value.expected
    assert position.to_dict() == full
    assert position.observe(0).moves() == flaming.legal(full)


@pytest.mark.small
def test_the_sixtieth_column_can_be_built_and_no_sixty_first():
    wide = [["R60", *["."] * 57, "B60"]]
    start = table(wide, [["R2", "M"], ["G2", "Y2"]], {"preset": "german"})
    for move in ("R2@0,-1", "R2@0,59", "M@0,30"):
        after = read(start).play(move)
        assert after.to_dict() == flaming.play(start, move)
    full = table([["R60", *["."] * 58, "B60"]], [["G2", "Y2"], ["R2"]], {"preset": "german"})
    position = read(full)
    assert sorted(position.moves()) == flaming.legal(full)
    for move in ("Y2@0,-1", "G2@0,60", "G2@0,-1"):
        with pytest.raises(InputError) as error:
            position.play(move)
        assert error.value.field == "move"
    assert position.to_dict() == full
    assert position.play("Y2@0,30").to_dict() == flaming.play(full, "Y2@0,30")


@pytest.mark.small
def test_a_tile_that_falls_beyond_the_last_column_is_an_error_too():
    board = [["R60", *["."] * 59], ["."] * 59 + ["G60"]]
    board[0] = board[0][:1]
    fall = table(board, FOUR, {"preset": "german"}, phase="fall", at=[1, 59])
    position = read(fall)
    with pytest.raises(InputError, match=r"^move: expected a pyramid of at most 10 rows and 60 columns"):
        position.play("R")
    assert position.play("L").to_dict() == flaming.play(fall, "L")
