"""Positions changed at random: every command takes them or names what is wrong, and never stumbles."""

import copy
import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st
from mess.search.waiting import COMPILING
from mess.solver.position import read
from mess_command import CASES, mess

LINES = (CASES / "flaming_every.jsonl").read_text(encoding="utf-8").splitlines()
POSITIONS = [position for line in LINES for position in json.loads(line)["every"][::7]]
TILES = ("R60", "B2", "G1", "R7", "M", "?", ".", "X9", "")
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 70),
    st.sampled_from([2**31, 2**63, -(2**64), 10**30, 0.5, 1e999]),
    st.sampled_from(TILES),
    st.text(max_size=3),
    st.sampled_from(["flaming", "german", "place", "fall", "die", "over", "draw"]),
    st.recursive(st.sampled_from(TILES), lambda inner: st.lists(inner, max_size=6), max_leaves=12),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


def places(value, path=()):
    """Paths of everything inside a JSON value."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


@st.composite
def changed_positions(draw):
    """A position or observation of a recorded game with up to three changes."""
    data = copy.deepcopy(draw(st.sampled_from(POSITIONS)))
    if draw(st.booleans()):
        data = read(data).observe(draw(st.integers(0, data["rules"]["players"] - 1))).to_dict()
    for _ in range(draw(st.integers(0, 3))):
        paths = list(places(data))[1:]
        if not paths:
            break
        *path, key = draw(st.sampled_from(paths))
        inside = data
        for step in path:
            inside = inside[step]
        match draw(st.sampled_from(["set", "delete", "copy", "add"])):
            case "set":
                inside[key] = draw(VALUES)
            case "delete":
                del inside[key]
            case "copy":
                source = data
                for step in draw(st.sampled_from(paths)):
                    source = source[step]
                inside[key] = copy.deepcopy(source)
            case _ if isinstance(inside, list):
                inside.insert(key, draw(VALUES))
            case _:
                inside[draw(st.text(max_size=5))] = draw(VALUES)
    return data


def check(*arguments, stdin):
    result = mess(*arguments, stdin=stdin)
    notes = ("mess: warning: ", f"mess: {COMPILING}")
    complaints = [line for line in result.err.splitlines() if not line.startswith(notes)]
    assert result.code in (0, 2)
    assert len(complaints) == (result.code == 2)
    assert all(re.match(r"mess: [^ ].*: .", line) for line in complaints)
    return result


@settings(max_examples=80, deadline=None)
@given(changed_positions())
def test_changed_positions(data):
    stdin = json.dumps(data)
    check("show", "-", stdin=stdin)
    check("show", "-", "--seat", "1", stdin=stdin)
    check("moves", "-", stdin=stdin)
    check("hint", "-", "--iterations", "5", stdin=stdin)
    check("solve", "-", "--nodes", "20", stdin=stdin)
    check("replay", "-", stdin=json.dumps({"start": data, "moves": ["L"]}))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_files_of_anything(content):
    assert check("show", "-", stdin=content).code == 2
    assert check("replay", "-", stdin=content).code == 2


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["game", "rules", "start", "moves", "result", "end", "every", "seed", "players"]), VALUES)
def test_changed_records(field, value):
    record = json.loads(LINES[2]) | {field: value}
    check("replay", "-", stdin=json.dumps(record))
