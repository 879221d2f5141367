"""Recorded games replay field by field."""

import json
from pathlib import Path

import pytest
from mess.solver.errors import InputError
from mess.solver.position import read, replay
from reference import flaming

CASES = Path(__file__).parent / "data" / "cases"


def records(name: str) -> list:
    lines = (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [pytest.param(json.loads(line), id=f"{name}-{i}") for i, line in enumerate(lines)]


ALL = [record for path in sorted(CASES.glob("flaming*.jsonl")) for record in records(path.stem)]


def test_there_are_records():
    assert len(ALL) >= 46


def same(position, expected: dict) -> None:
    """Equal in every field, and the fields in the same order."""
    assert position.to_dict() == expected
    assert list(position.to_dict()) == list(expected)


@pytest.mark.parametrize("record", ALL)
def test_record_replays_field_by_field(record):
    start = read(record["start"])
    same(start, record["start"])
    positions = replay(start, record["moves"])
    for position, expected in zip(positions, record.get("every", ()), strict="every" in record):
        same(position, expected)
    same(positions[-1], record["end"])


@pytest.mark.small
@pytest.mark.parametrize("record", ALL[:: len(ALL) // 3])
def test_record_begins_as_it_should(record):
    start = read(record["start"])
    position = record["start"]
    for fast, move in zip(replay(start, record["moves"][:25]), record["moves"], strict=False):
        position = flaming.play(position, move)
        same(fast, position)


@pytest.mark.parametrize("record", records("flaming_every"))
def test_every_position_reads_back_and_plays_on(record):
    """A position read from its text goes on exactly as the one that was played to."""
    every = record["every"]
    for position, move, after in list(zip(every, record["moves"][1:], every[1:], strict=False))[::2]:
        read_back = read(position)
        same(read_back, position)
        same(read_back.play(move), after)


@pytest.mark.parametrize("record", ALL[::8])
def test_a_wrong_move_is_named_by_its_index(record):
    moves = [*record["moves"][:7], "R999@0,0", *record["moves"][7:]]
    legal = replay(read(record["start"]), moves[:7])[-1].moves()
    with pytest.raises(InputError) as error:
        replay(read(record["start"]), moves)
    assert error.value.field == "moves[7]"
    assert all(move in error.value.expected.split("; got")[0].split() for move in legal)
