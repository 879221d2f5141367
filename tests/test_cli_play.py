"""A person at the table, driven by typed lines: moves, undo, hints, quitting, and what is kept."""

import json
import re

import pytest
from mess.search.options import bot_list
from mess.search.records import positions_of
from mess.solver.flaming.tiles import CODES
from mess.solver.game import deal
from mess.solver.position import Observation, Position
from mess.solver.rng import draw
from mess_command import Broken, FirstMove, Illegal, mess, use_made_up


@pytest.fixture
def table(monkeypatch, tmp_path):
    """Plays ``typed`` lines; output, and the record if one was kept."""
    monkeypatch.chdir(tmp_path)

    def play(typed, *options, bots="first", **made_up):
        play.calls = use_made_up(monkeypatch, **made_up)
        result = mess("play", "flaming", "--seed", 5, "--bots", bots, *options, stdin="\n".join(typed))
        file = tmp_path / "mess-games.jsonl"
        kept = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return result, kept

    return play


def test_moves_by_number_and_by_text(table):
    start = deal("flaming", 5)
    first, last = start.moves()[0], start.moves()[-1]
    for typed in (len(start.moves()), last, last.lower(), f" {last} "):
        _, kept = table([str(typed), "q"])
        assert kept[-1]["moves"][0] == last != first


def test_record_replays_and_says_who_played(table):
    result, kept = table(["1", "1", "1", "q"], "--players", 3, "--seat", 1, "--curse", bots="first,open")
    assert result.code == 0
    assert len(kept) == 1
    record = kept[0]
    assert list(record) == ["game", "rules", "start", "moves", "players", "result", "seed"]
    assert (record["players"], record["seed"], record["result"]) == (["first", "person", "open"], 5, None)
    assert record["rules"]["curse"] is True
    assert "mess-games.jsonl" in result.lines[-1]
    positions_of(record)


def test_real_bots_play_and_a_real_search_hints(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    options = ["--players", 3, "--bots", "mcts@20,smallest-mess", "--seed", 5, "--hint-time", "20ms"]
    result = mess("play", "flaming", *options, stdin="?\n1\n1\nq\n")
    assert result.code == 0
    assert "seat 0 to decide: mcts" in result.out
    record = json.loads((tmp_path / "mess-games.jsonl").read_text())
    assert record["players"] == ["person", "mcts@20", "smallest-mess"]
    assert len(positions_of(record)[1]) == len(record["moves"]) >= 6


def test_games_are_added_to_the_file(table):
    table(["1", "q"])
    assert len(table(["1", "q"])[1]) == 2


def test_end_of_input_keeps_the_record(table):
    result, kept = table(["1"])
    assert result.code == 0
    assert "You left the game." in result.out
    assert kept[0]["moves"]


def test_closed_input_is_the_end_of_it(table, monkeypatch):
    monkeypatch.setattr("mess_command.as_stdin", lambda text: None)
    result, kept = table([])
    assert (result.code, kept) == (0, [])
    assert "You left the game." in result.out


def test_nothing_played_nothing_kept(table):
    result, kept = table(["q"])
    assert (result.code, kept) == (0, [])
    assert result.lines[-1] == "Nothing was played, nothing is kept."


def test_interrupt_keeps_the_record(table):
    class Interrupted(FirstMove):
        def choose(self, view, rng):
            raise KeyboardInterrupt

    result, kept = table(["1", "1"], bots="slow", slow=Interrupted)
    assert result.code == 0
    assert len(kept[0]["moves"]) == 1


def test_undo_goes_back_over_the_moves_of_bots(table):
    _, straight = table(["2", "3", "q"])
    result, undone = table(["1", "u", "2", "1", "u", "u", "2", "3", "q"])
    assert (len(straight), len(undone)) == (1, 2)
    assert undone[-1]["moves"] == straight[-1]["moves"]
    assert result.out.count("Taken back.") == 3
    assert "There is nothing to take back." in table(["u", "q"])[0].out


def test_undo_gives_bots_and_dice_no_second_chance(table):
    class Chancy(FirstMove):
        def choose(self, view, rng):
            return view.moves()[int(draw(rng)) % len(view.moves())]

    _, kept = table(["1", "1", "q"], "--players", 4, bots="chancy", chancy=Chancy)
    _, again = table(["1", "u", "1", "u", "1", "1", "q"], "--players", 4, bots="chancy", chancy=Chancy)
    assert again[-1]["moves"] == kept[0]["moves"]


def test_what_is_no_move_is_asked_again(table):
    result, kept = table(["0", "999", "R60@9,9", "", "nonsense", "1", "q"])
    assert result.out.count("is no move here") == 4
    assert kept[0]["moves"][0] == deal("flaming", 5).moves()[0]


def test_help(table):
    assert "take back" in table(["h", "q"])[0].out


def test_hint_is_a_search_on_what_the_person_sees(table):
    result, _ = table(["?", "q"], "--hint-time", "300ms")
    asked = table.calls[-1]
    assert asked["view"] == deal("flaming", 5).observe(0)
    assert asked["seconds"] == 0.3
    assert "it fits" in result.out


def test_bots_are_shown_what_they_may_see(table):
    table(["1", "1", "q"], "--players", 3, bots="first,open")
    honest, cheat = table.calls
    assert honest.shown and all(isinstance(view, Observation) and view.seat == 1 for view in honest.shown)
    assert cheat.shown and all(isinstance(view, Position) for view in cheat.shown)


def test_person_never_sees_a_hidden_tile(table):
    """Every tile in the output was public, or in the person's hand, at some time until the person left."""
    result, kept = table(["1"] * 6 + ["q"], "--players", 3)
    start, positions = positions_of(kept[0])
    allowed = set()
    for position in [start, *positions]:
        allowed |= set(re.findall(r'"(\w+)"', json.dumps(position.observe(0).to_dict())))
    shown = set(re.findall(r"\b[RBGY]\d+\b", result.out))
    assert shown
    assert shown <= allowed
    assert set(CODES) - allowed


@pytest.mark.parametrize("bot", [Broken, Illegal])
def test_bot_that_fails_forfeits(table, bot):
    result, kept = table(["1", "1"], bots="bad", bad=bot)
    assert result.code == 1
    assert "seat 1 (bad) forfeits the game: expected a legal move; " in result.out
    assert len(kept[0]["moves"]) == 1


def test_whole_game_has_a_result(table):
    result, kept = table(["1"] * 1000, "--players", 6)
    record = kept[0]
    _, positions = positions_of(record)
    assert positions[-1].is_over
    assert sum(record["result"]) == 1
    assert "The game is over" in result.out
    assert mess("replay", "mess-games.jsonl").code == 0


def test_record_that_cannot_be_written_is_printed(table, monkeypatch):
    from mess.search import table as module

    def broken(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "open", broken, raising=False)
    result, _ = table(["1", "q"])
    assert json.loads(result.lines[-1])["moves"]
    assert "cannot be written" in result.err


def test_dice_are_rolled_and_told(table):
    result, kept = table(["1"] * 40 + ["q"], "--special-fire", "--seed", 27)
    rolls = [move for move in kept[0]["moves"] if move.startswith("d")]
    assert rolls
    assert re.findall(r"^die  (d\d)", result.out, re.M) == rolls


def test_bot_names_keep_their_options():
    assert bot_list("mcts,random") == ["mcts", "random"]
    assert bot_list("mcts@9:open=1,exploration=0.7, random") == ["mcts@9:open=1,exploration=0.7", "random"]
