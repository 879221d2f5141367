"""Moves told in words: counted against independently recorded games, and worded on hand-made ones."""

import json
from collections import Counter

import pytest
from mess.search.faces.flaming.events import events, outlook, tell, why
from mess.solver.game import deal
from mess.solver.position import read
from mess.solver.rng import stream
from mess_command import CASES

KINDS = {
    "collapse": "collapse",
    "air": "float",
    "explosion": "explosion",
    "blast": "explosion",
    "fire": "fire",
    "burn": "fire",
    "curse": "curse",
}
RECORDS = [json.loads(line) for line in (CASES / "flaming.jsonl").read_text(encoding="utf-8").splitlines()]


def tiles_held(position):
    data = position.to_dict()
    return [Counter(hand + pile) for hand, pile in zip(data["hands"], data["piles"], strict=True)]


def check_move(position, move):
    """What the told events take is what the seats gain; an observer is told the same."""
    told = events(position, move)
    after = position.play(move)
    gained = [now - before for now, before in zip(tiles_held(after), tiles_held(position), strict=True)]
    claimed = [Counter() for _ in gained]
    for event in told:
        claimed[event.seat].update(event.taken)
    placed = Counter({move.partition("@")[0]: 1})
    claimed[position.to_dict()["turn"]] -= placed
    gained[position.to_dict()["turn"]] -= placed
    assert claimed == gained
    assert (told[-1].kind in ("win", "draw")) == after.is_over
    if position.to_act >= 0:
        assert events(position.observe(position.to_act), move) == told
    return told, after


@pytest.mark.parametrize("record", RECORDS[::5], ids=range(8))
def test_events_are_those_that_an_independent_engine_counted(record):
    position, counted = read(record["start"]), Counter()
    for move in record["moves"]:
        told, position = check_move(position, move)
        counted.update(KINDS[event.kind] for event in told if event.kind in KINDS)
    assert dict(counted) == record["events"]


def test_every_move_of_random_games_is_told_whole():
    seen = Counter()
    for seed in range(8):
        extras = {"curse": seed % 2 == 0, "special_fire": seed % 3 == 0, "preset": ("bga", "german")[seed % 2]}
        position, rng = deal("flaming", seed, players=2 + seed % 5, **extras), stream(seed, "test")
        for _ in range(60):
            if position.is_over:
                break
            moves = position.moves()
            move = position.roll(rng) if position.to_act < 0 else moves[int(stream(seed, len(moves))[0]) % len(moves)]
            told, position = check_move(position, move)
            seen.update(event.kind for event in told)
    assert {"place", "collapse", "left", "right"} <= set(seen)


def table(board, hand, **fields):
    """Seat 0 of two to place a tile of ``hand``; the tiles not mentioned are in the pile of seat 1."""
    from mess.solver.flaming.tiles import CODES

    used = {*hand, *(code for row in board for code in row), *fields.get("out", [])}
    rest = [code for code in CODES if code not in used]
    rules = {"players": 2, "preset": "bga", "curse": False, "special_fire": False} | fields.pop("rules", {})
    base = deal("flaming", 0).to_dict() | {
        "rules": rules,
        "board": board,
        "hands": [hand, rest[:5]],
        "piles": [fields.pop("pile", []), [code for code in rest[5:] if code not in fields.get("pile", [])]],
        "unknown": [0, 0],
        "known": [[], []],
        "turns": 60,
    }
    return read(base | fields)


@pytest.mark.parametrize(
    ("board", "move", "expected"),
    [
        ([["R60"]], "R40@0,1", ["R40 lies in the base"]),
        ([["R60", "B60"]], "R40@1,0", ["R40 fits"]),
        ([["R6", "B60"]], "Y120@1,0", ["Y120 does not fit and brings down R6 and B60", "2 tiles taken by seat 0"]),
        ([["R6", "B4"]], "B7@1,0", ["B7 burns R6 and B4", "2 tiles taken by seat 0"]),
        ([["R60", "B7"]], "R7@1,0", ["R7 and B7 explode and bring down R60", "1 tile taken by seat 0"]),
        ([["B7"]], "R7@0,1", ["B7 and R7 explode and bring down nothing"]),
    ],
)
def test_words(board, move, expected):
    position = table(board, sorted({move.partition("@")[0], "G20"}, key=["R40", "G20", "Y120", "R7", "B7"].index))
    assert tell(position, move) == expected


def test_die_is_told():
    position = table([["R6", "B4"]], ["B7"], rules={"special_fire": True})
    assert tell(position, "B7@1,0") == ["B7 fits", "B7 is to roll the die"]
    position = position.play("B7@1,0")
    assert tell(position, "d1") == ["B7 rolls 1, burns R6 and B4", "B7 has nothing under it", "2 tiles taken by seat 0"]
    assert tell(position, "d4")[0] == "B7 rolls 4, burns R6 and B4, goes out"
    assert tell(position, "d5") == ["B7 rolls 5, explodes and brings down R6 and B4", "2 tiles taken by seat 0"]
    assert tell(position, "d6")[0] == "B7 rolls 6, only smokes"


def test_curse_names_who_takes():
    position = table([["R60", "B60"]], ["G60"], rules={"curse": True})
    told = tell(position, "G60@1,0", lambda seat: ("you", "Bo")[seat])
    assert told[0] == "a curse: G60, R60 and B60 go to Bo"
    assert "3 tiles taken by Bo" in told


def test_win_comes_last():
    assert tell(table([["R60"]], ["R40"]), "R40@0,1") == ["R40 lies in the base", "seat 0 wins with no tile left"]
    assert tell(table([["R60"]], ["R40"]), "R40@0,1", lambda seat: "you")[-1] == "you win with no tile left"


def test_tile_falls_and_is_told_where():
    position = table([["R6", "B60"]], ["Y120"]).play("Y120@1,0")
    assert tell(position, "L")[0] == "Y120 falls to the left"


def test_torches_burn_before_coals():
    row = ["G1", "B2", "M", "B20", "R7"]
    falling = {"phase": "fall", "at": [1, 6], "placed": None}
    position = table([row, [*"......", "R60"]], ["R40"], **falling)
    assert tell(position, "L") == [
        "R60 falls to the left",
        "R7 burns B20",
        "G1 burns B2",
        "2 tiles taken by seat 0",
    ]


def test_why_is_one_sentence():
    position = table([["R6", "B60"]], ["G20", "Y120"])
    assert why(position, "Y120@1,0") == "Y120 does not fit and brings down R6 and B60; 2 tiles taken by seat 0."


def test_outlook_tells_of_every_move():
    position = table([["R6", "B60"]], ["G20", "Y120"])
    assert outlook(position) == {move: events(position, move) for move in position.moves()}
