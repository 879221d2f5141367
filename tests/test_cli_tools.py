"""``deal``, ``show``, ``moves`` and ``replay`` on real positions and records."""

import json

import pytest
from mess.solver.game import deal
from mess.solver.position import read
from mess_command import CASES, mess

RECORDS = {
    name: [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]
    for name in ("flaming.jsonl", "flaming_every.jsonl")
}


@pytest.fixture
def falling(tmp_path):
    """A file with a position where a tile falls."""
    every = (position for record in RECORDS["flaming_every.jsonl"] for position in record["every"])
    file = tmp_path / "falling.json"
    file.write_text(json.dumps(next(position for position in every if position["phase"] == "fall")))
    return file


def compact(data):
    return json.dumps(data, separators=(",", ":"))


def test_deal_is_the_deal_of_its_seed_and_rules():
    result = mess("deal", "flaming", "--players", 4, "--preset", "german", "--curse", "--special-fire", "--seed", 5)
    start = deal("flaming", 5, players=4, preset="german", curse=True, special_fire=True)
    assert result == (0, compact(start.to_dict()) + "\n", "")


def test_deal_tells_a_seed_that_it_drew_itself():
    result = mess("deal", "flaming")
    assert result.code == 0
    seed = result.err.removeprefix("seed ").strip()
    assert mess("deal", "flaming", "--seed", seed) == (0, result.out, "")


def test_deal_for_one_seat_is_what_it_sees():
    result = mess("deal", "flaming", "--seed", 5, "--seat", 1)
    assert json.loads(result.out) == deal("flaming", 5).observe(1).to_dict()


def test_moves_are_the_legal_ones(falling):
    assert mess("moves", falling) == (0, "L\nR\n", "")
    assert mess("moves", falling, "--json") == (0, '["L","R"]\n', "")


def test_moves_read_standard_input():
    start = deal("flaming", 5)
    result = mess("moves", "-", stdin=str(start))
    assert result.lines == start.moves()


def test_show_draws_a_position_and_what_a_seat_sees(falling):
    whole = mess("show", falling, "--plain")
    assert (whole.code, whole.err) == (0, "")
    assert whole.out.isascii()
    assert "<" in whole.out
    assert "(L)" in whole.out
    seen = mess("show", falling, "--seat", 0, "--plain")
    assert "as seat 0 sees it" in seen.out
    assert seen.out != whole.out


def test_show_of_an_observation_hides_what_it_hides():
    start = deal("flaming", 5)
    observation = start.observe(0)
    result = mess("show", "-", "--seat", 0, stdin=str(observation))
    assert result == mess("show", "-", "--seat", 0, stdin=str(start))
    assert "? ? ? ? ?" in result.out


@pytest.mark.parametrize("name", RECORDS)
def test_replay_ends_where_independent_engines_ended(name):
    result = mess("replay", CASES / name)
    assert result.code == 0
    assert result.lines == [compact(record["end"]) for record in RECORDS[name]]


def test_replay_of_every_move():
    result = mess("replay", CASES / "flaming_every.jsonl", "--every")
    assert result.lines == [compact(p) for record in RECORDS["flaming_every.jsonl"] for p in record["every"]]


def test_replay_of_one_record_on_many_lines(tmp_path):
    file = tmp_path / "record.json"
    file.write_text(json.dumps(RECORDS["flaming.jsonl"][3], indent=2), encoding="utf-8-sig")
    assert mess("replay", file).lines == [compact(RECORDS["flaming.jsonl"][3]["end"])]


def test_replay_of_nothing_is_the_start():
    start = deal("flaming", 5)
    record = {"game": "flaming", "start": start.to_dict(), "moves": []}
    assert mess("replay", "-", stdin=json.dumps(record)).lines == [compact(start.to_dict())]
    assert mess("replay", "-", "--every", stdin=json.dumps(record)).out == ""


def test_replay_warns_once_of_fields_it_does_not_know():
    result = mess("replay", "-", stdin="".join(json.dumps(record) + "\n" for record in RECORDS["flaming.jsonl"][:2]))
    assert result.err == "mess: warning: ignored fields that nothing here knows: 'events'\n"


def test_fields_of_positions_that_nothing_knows_are_named():
    start = deal("flaming", 5)
    strange = start.to_dict() | {"colour\n": 1}
    result = mess("moves", "-", stdin=json.dumps(strange))
    assert result.lines == start.moves()
    assert result.err == "mess: warning: ignored fields that nothing here knows: 'colour\\n'\n"
    result = mess("replay", "-", stdin=json.dumps({"start": strange, "moves": [], "score": 3}))
    assert json.loads(result.out) == start.to_dict()
    assert result.err == "mess: warning: ignored fields that nothing here knows: 'score', 'start.colour\\n'\n"


def test_games_and_their_rules():
    result = mess("games")
    assert result.lines[:3] == [
        "flaming: Flaming Pyramids: hidden hands and piles, collapses, fires and explosions.",
        "  players: 2, 3, 4, 5, 6",
        "  preset: bga, german",
    ]


def test_every_deal_can_be_read_again():
    for players in (2, 6):
        dealt = mess("deal", "flaming", "--players", players, "--seed", 1).out
        assert read(json.loads(dealt)) == deal("flaming", 1, players=players)
