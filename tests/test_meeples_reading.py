"""Reading positions and builders of meeple stacking: what is wrong is named, with the field and what was expected."""

import copy
import json
from contextlib import suppress

import pytest
from mess.solver.errors import InputError
from mess.solver.game import deal
from mess.solver.meeples.builder import NAMES, builtin, read_builder, write_toml
from mess.solver.position import read
from reference import builds
from reference import meeples as naive

ALONE = json.loads(str(deal("meeples", 0))) | {"rows": [5, 4, 2, 1], "ticks": 300}
TWO = json.loads(str(deal("meeples", 0, players=2, turns=2)))
SHARED = json.loads(str(deal("meeples", 0, players=3, shared_mat=True)))
HIGHER = json.loads(str(deal("meeples", 0, players=3, mode="higher")))
OVER = ALONE | {"phase": "over", "to_act": None, "winner": [0], "scores": [23], "ticks": 0}

WRONG = [
    (ALONE | {"rows": [5, 5]}, "rows[1]", "1 to 4"),
    (ALONE | {"rows": [19]}, "rows[0]", "1 to 18"),
    (ALONE | {"rows": [5, 0]}, "rows[1]", "1 to 4"),
    (ALONE | {"rows": [1, 1]}, "rows[1]", "no more rows"),
    (ALONE | {"rows": [18, 17, 16, 15, 14, 13, 12]}, "rows", "at most 99"),
    (ALONE | {"rows": [5, True]}, "rows[1]", "a whole number"),
    (ALONE | {"rows": "5421"}, "rows", "a list"),
    (ALONE | {"ticks": 481}, "ticks", "0 to 480"),
    (ALONE | {"ticks": 470}, "ticks", "at most"),
    (ALONE | {"ticks": -1}, "ticks", "0 to 480"),
    (ALONE | {"ticks": 3}, "ticks", "time for somebody to build"),
    (ALONE | {"round": 2}, "round", "1 to 1"),
    (ALONE | {"scores": [7]}, "scores[0]", "0 in the first round"),
    (ALONE | {"scores": []}, "scores", "1 entries"),
    (ALONE | {"out": [0]}, "out", "nobody"),
    (ALONE | {"action": "1q"}, "action", "null"),
    (ALONE | {"phase": "hands", "to_act": -1, "action": "4q"}, "action", "one of 1q"),
    (ALONE | {"phase": "hands", "to_act": -1}, "action", "one of 1q"),
    (ALONE | {"to_act": False}, "to_act", "0"),
    (ALONE | {"to_act": -1}, "to_act", "0"),
    (ALONE | {"turn": 1}, "turn", "0 to 0"),
    (ALONE | {"winner": [0]}, "winner", "null"),
    (ALONE | {"phase": "sleep"}, "phase", "build"),
    (ALONE | {"seat": 1}, "seat", "0 to 0"),
    (OVER | {"ticks": 100}, "phase", "build"),
    (OVER | {"scores": [22]}, "scores[0]", "at least the 23"),
    (OVER | {"winner": []}, "winner", "seats"),
    (OVER | {"action": "1q"}, "action", "null"),
    (TWO | {"turn": 1, "to_act": 1}, "turn", "0"),
    (TWO | {"ticks": [480]}, "ticks", "2 entries"),
    (TWO | {"rows": [[], [3, 3]]}, "rows[1][1]", "1 to 2"),
    (TWO | {"phase": "over", "to_act": None, "winner": [0, 1], "ticks": [0, 0]}, "phase", "build"),
    (SHARED | {"out": [0, 1], "ticks": [0, 0, 480], "turn": 2, "to_act": 2}, "out", "at least 2"),
    (SHARED | {"out": [1]}, "ticks[1]", "nothing"),
    (SHARED | {"out": [1, 0]}, "out", "different seats"),
    (HIGHER | {"rows": [[4], [], []], "ticks": [150, 180, 180]}, "rows[0][0]", "1 to 3"),
    (HIGHER | {"rows": [[], [1], []], "ticks": [180, 174, 180], "turn": 0}, "rows[1]", "nothing yet"),
    (HIGHER | {"out": [2], "ticks": [180, 180, 0]}, "scores[2]", "at most"),
    (HIGHER | {"round": 2}, "scores[0]", "1, the rounds passed"),
    (HIGHER | {"round": 12}, "round", "1 to 11"),
    (HIGHER | {"phase": "over", "to_act": None, "winner": [0, 1, 2]}, "phase", "build"),
]


@pytest.mark.small
@pytest.mark.parametrize(
    ("data", "field", "expected"), WRONG, ids=[f"{i}-{field}" for i, (_, field, _) in enumerate(WRONG)]
)
def test_what_is_wrong_with_a_position_is_named(data, field, expected):
    with pytest.raises(InputError) as error:
        read(data)
    assert error.value.field == field
    assert expected in error.value.expected


@pytest.mark.small
@pytest.mark.parametrize("data", [ALONE, OVER, TWO, SHARED, HIGHER], ids=["alone", "over", "two", "shared", "higher"])
@pytest.mark.parametrize("value", [None, True, -1, 1e9, 10**40, "x", [], {}, [[]], [None]], ids=str)
def test_no_value_of_any_field_is_a_traceback(data, value):
    for field in (*data, *(f"rules.{rule}" for rule in data["rules"])):
        spoilt = copy.deepcopy(data)
        part, _, rule = field.partition(".")
        if rule:
            spoilt[part][rule] = value
        else:
            spoilt[part] = value
        with suppress(InputError):
            read(spoilt)


RULES = [
    ({"shared_mat": True}, "rules.shared_mat"),
    ({"shared_mat": True, "players": 2, "mode": "higher"}, "rules.shared_mat"),
    ({"mode": "higher", "turns": 2}, "rules.turns"),
    ({"turns": 21}, "rules.turns"),
    ({"seconds": 0}, "rules.seconds"),
    ({"seconds": True}, "rules.seconds"),
    ({"players": 7}, "rules.players"),
    ({"builder": "nobody"}, "rules.builder"),
    ({"limit": 15}, "rules.limit"),
]


@pytest.mark.parametrize(("rules", "field"), RULES, ids=str)
def test_what_is_wrong_with_rules_is_named(rules, field):
    with pytest.raises(InputError) as error:
        deal("meeples", 0, **rules)
    assert error.value.field == field


def test_rules_left_out_have_their_defaults():
    for mode, seconds in (("points", 120), ("higher", 45)):
        told = read({**ALONE, "rules": {"mode": mode}, "rows": [], "ticks": 4 * seconds}).to_dict()
        assert told["rules"] == deal("meeples", 0, mode=mode).to_dict()["rules"]
        assert told["rules"]["seconds"] == seconds


def test_scores_of_many_turns_fit():
    fast = builds.HASTY | {
        "slip": {"quick": 0.0, "careful": 0.0, "power": 1.0},
        "place_seconds": {"quick": 0.25, "careful": 0.25},
    }
    position = deal("meeples", 0, builder=fast, support="column", seconds=25, turns=20)
    while not position.is_over:
        moves = position.moves()
        position = position.play(moves[-3] if len(moves) > 2 else moves[0])
    assert position.payoff() == (99_000.0,)
    assert read(position.to_dict()) == position


BUILDERS = [
    ({"hit": 1.5}, "builder.hit"),
    ({"hit": "x"}, "builder.hit"),
    ({"fall": {"same": 0.5, "one": 0.2, "two": 0.1, "floor": 0.1}}, "builder.fall"),
    ({"fall": {"same": 1.5, "one": -0.5, "two": 0.0, "floor": 0.0}}, "builder.fall.same"),
    ({"fall": {"same": 1.0}}, "builder.fall.one"),
    ({"slip": {"quick": -0.1, "careful": 0.1, "power": 1.0}}, "builder.slip.quick"),
    ({"slip": {"quick": float("nan"), "careful": 0.1, "power": 1.0}}, "builder.slip.quick"),
    ({"place_seconds": {"quick": 0.0, "careful": 1.0}}, "builder.place_seconds.quick"),
    ({"place_seconds": {"quick": 1.1, "careful": 1.0}}, "builder.place_seconds.quick"),
    ({"row_seconds": -0.25}, "builder.row_seconds"),
    ({"speed": 1}, "builder.speed"),
    ({"slip": [1, 2]}, "builder.slip"),
]


@pytest.mark.parametrize(("change", "field"), BUILDERS, ids=str)
def test_what_is_wrong_with_a_builder_is_named(change, field):
    with pytest.raises(InputError) as error:
        read_builder(naive.BUILDER | change)
    assert error.value.field == field


@pytest.mark.parametrize("name", NAMES)
def test_builders_are_written_as_they_are_read(name):
    import tomllib

    builder = builtin(name)
    assert read_builder(tomllib.loads(write_toml(builder)), "") == builder == read_builder(builder.to_dict())
    assert builder.name() == name


def test_the_default_builder_is_that_of_the_rules():
    assert builtin("steady").to_dict() == naive.BUILDER
