"""Odin drawn and told, and what the command line makes of it."""

import io
import json
import re

import pytest
from mess.search.faces import odin as face
from mess.search.records import positions_of
from mess.search.screen import console
from mess.solver.game import deal
from mess.solver.position import read
from mess.solver.rng import stream
from mess_command import CASES, mess
from reference import hands, odin
from rich.console import RenderableType

BEAT = hands.table(
    *("B9 B8 K2", "K8 K7 O2", "G4 G3 X0"),
    on="P5 O5",
    goat=True,
    known=((), ("K7",), ("G3",)),
    opener=2,
    scores=(4, 0, 7),
)
LED = odin.play(hands.table("B9 B1", "K8 K7", "G4 G3"), "B1")
OVER = odin.play(hands.table("B9", "K8 K7", "G4", limit=10, scores=(8, 1, 9), opener=0), "B9")


def drawn(renderable: RenderableType) -> list[str]:
    file = io.StringIO()
    console(file).print(renderable)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def picture(data: dict, **options) -> list[str]:
    return drawn(face.picture(data, plain=True, **options))


# Pictures


def test_plain_picture():
    assert picture(odin.to_json(BEAT)) == [
        "odin, to 15 points, goat",
        "",
        "table  P5 O5  by seat 2",
        "gone   R9 P9 G9 K9 O9 R8 P8 G8 O8 B7 R7 P7 G7 O7 B6 R6",
        "",
        "> seat 0  4  B9 B8 K2",
        "  seat 1  0  K8 K7 O2  all know K7",
        "  seat 2  7  G4 G3 X0  all know G3",
        "",
        "seat 0 to play.",
    ]


def test_picture_of_what_a_seat_sees():
    assert picture(odin.observe(BEAT, 0), names=["you", "seat 1 (mcts)", "seat 2 (high)"])[2:] == [
        "table  P5 O5  by seat 2 (high)",
        "gone   R9 P9 G9 K9 O9 R8 P8 G8 O8 B7 R7 P7 G7 O7 B6 R6",
        "",
        "> you            4  B9 B8 K2",
        "  seat 1 (mcts)  0  K7 ? ?    all know K7",
        "  seat 2 (high)  7  G3 ? ?    all know G3",
        "",
        "you to play.",
    ]


def test_picture_of_a_start():
    start = odin.start(
        odin.Rules(2, "one-hand", False, ("R", "P")),
        (tuple(f"B{rank}" for rank in range(9, 0, -1)), tuple(f"K{rank}" for rank in range(9, 0, -1))),
    )
    assert picture(odin.observe(start, 1)) == [
        "odin, one hand, without R and P",
        "",
        "table  empty",
        "gone   nothing",
        "",
        "> seat 0    ? ? ? ? ? ? ? ? ?",
        "  seat 1    K9 K8 K7 K6 K5 K4 K3 K2 K1",
        "",
        "seat 0 to lead.",
    ]


@pytest.mark.parametrize(
    ("limit", "scores", "names", "said"),
    [
        (20, (8, 1, 9), (), "The hand is over; the next is to be dealt."),
        (10, (8, 1, 9), (), "The game is over: seat 1 wins."),
        (10, (3, 1, 9), (), "The game is over: seat 0 and seat 1 win."),
        (10, (1, 5, 9), (), "The game is over: seat 0 wins."),
        (10, (1, 5, 9), ("you", "a", "b"), "The game is over: you win."),
        (10, (1, 5, 9), ("a", "you", "b"), "The game is over: a wins."),
        (10, (3, 1, 9), ("you", "a", "b"), "The game is over: you and a win."),
    ],
)
def test_the_end_in_words(limit, scores, names, said):
    over = odin.play(hands.table("B9", "K8 K7", "G4", limit=limit, scores=scores), "B9")
    assert picture(odin.to_json(over), names=names)[-1] == said


def test_points_of_a_single_hand_are_shown_when_it_is_over():
    over = odin.play(hands.table("B9", "K8 K7", "G4", limit="one-hand"), "B9")
    assert picture(odin.to_json(over))[5:8] == ["  seat 0  0", "  seat 1  2  K8 K7", "  seat 2  1  G4"]


def test_coloured_picture_names_every_card():
    file = io.StringIO()
    screen = console(file)
    screen._force_terminal, screen.no_color = True, False
    screen._color_system = 3
    screen.print(face.picture(odin.to_json(BEAT)))
    text = file.getvalue()
    assert "\x1b[1;38;2;255;255;255;48;2;42;91;215mB9" in text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    assert [line.rstrip() for line in plain.splitlines()] == picture(odin.to_json(BEAT))


def test_choices_are_numbered_as_they_are_listed():
    position = read(odin.to_json(odin.play(BEAT, "pass")._replace(turn=0, to_act=0)))
    lines = drawn(face.choices(position, 0, plain=True))
    told = {}
    for line in lines:
        played, *entries = re.split(r"  +", line)
        for entry in entries:
            number, _, taken = entry.partition("=")
            told[int(number)] = ",".join(played.split()) + (f">{taken}" if taken else "")
    assert [told[number] for number in sorted(told)] == position.moves()
    assert lines[0].split() == ["pass", "1"]


# Words


def called(you: int):
    return lambda seat: "you" if seat == you else f"seat {seat} (high)"


@pytest.mark.parametrize(
    ("state", "move", "said"),
    [
        (BEAT, "B9,B8>O5", ["Seat 0 beats with B9 B8; takes O5; 2 cards left."]),
        (BEAT, "pass", ["Nothing changes, and the round goes on."]),
        (odin.play(BEAT, "pass"), "pass", ["The round ends; seat 2 leads the next."]),
        (hands.table("B9 B1", "K8", "G4"), "B1", ["Seat 0 leads with B1; 1 card left."]),
        (hands.table("B9 B1", "K8", "G4"), "B9,B1", ["Seat 0 leads with B9 B1; the hand ends, nothing is left."]),
        (hands.table("B9", "K8", "G4", on="O5"), "B9", ["Seat 0 beats with B9; the hand ends, nothing is left."]),
        (OVER, "deal ", ["Points so far: seat 0 8, seat 1 3, seat 2 10; the next hand is dealt."]),
    ],
)
def test_why_is_a_sentence(state, move, said):
    position = read(odin.to_json(state))
    assert [face.why(position, move)] == said
    if state.to_act not in (odin.CHANCE, odin.NOBODY):
        assert [face.why(position.observe(state.turn), move)] == said


def test_the_person_is_you():
    position = read(odin.to_json(BEAT))
    assert face.tell(position, "B9,B8>O5", called(0)) == ["you beat with B9 B8", "take O5", "2 cards left"]
    assert face.tell(position, "B9,B8>O5", called(1)) == ["seat 0 (high) beats with B9 B8", "takes O5", "2 cards left"]
    last = position.play("pass")
    assert face.tell(last, "pass", called(2)) == ["the round ends", "you lead the next"]
    assert face.tell(last, "pass", called(1)) == ["the round ends", "seat 2 (high) leads the next"]
    lead = read(odin.to_json(hands.table("B9 B1", "K8", "G4")))
    assert face.tell(lead, "B1", called(0)) == ["you lead with B1", "1 card left"]
    assert face.tell(lead, "B9,B1", called(0)) == ["you lead with B9 B1", "the hand ends, nothing is left"]


def test_every_move_of_a_game_is_told():
    """The cards, who plays them, and how many are left; in an observation as in the whole truth."""
    for state in hands.game(odin.Rules(4, "one-hand", True), hands.anything, "told"):
        position = read(odin.to_json(state))
        for move in position.moves()[:6]:
            text = face.why(position, move)
            assert text == face.why(position.observe(state.turn), move)
            if move != "pass":
                after = position.play(move).to_dict()["hands"][state.turn]
                played, _, taken = move.partition(">")
                verb = "beats" if state.table else "leads"
                left = f"{len(after)} card{'s' * (len(after) > 1)} left" if after else "the hand ends, nothing is left"
                takes = f"takes {taken}; " if taken else ""
                assert text == f"Seat {state.turn} {verb} with {played.replace(',', ' ')}; {takes}{left}."


@pytest.mark.parametrize("move", ["pass", "K9", "K5,K3>R2", "X0"])
def test_moves_shown(move):
    shown = face.shown(move, plain=False).plain
    assert (
        shown.replace(" > ", ">").replace(" ", ",")
        == face.shown(move, plain=True).plain.replace(" > ", ">").replace(" ", ",")
        == move
    )


def test_a_deal_is_told_without_its_hands():
    over = read(odin.to_json(hands.table("B9", "K8 K7", "G4"))).play("B9")
    for plain in (False, True):
        assert face.shown(over.roll(stream(1)), plain).plain == "deal"


# The command line


def test_deal_of_the_command_line():
    asked = ["--players", 2, "--limit", "one-hand", "--goat", "--seed", 5]
    start = deal("odin", 5, players=2, limit="one-hand", goat=True)
    result = mess("deal", "odin", *asked)
    assert (result.code, json.loads(result.out)) == (0, start.to_dict())
    assert json.loads(mess("deal", "odin", *asked, "--seat", 1).out) == start.observe(1).to_dict()
    ten = json.loads(mess("deal", "odin", "--limit", 10, "--seed", 5).out)
    assert ten["rules"]["limit"] == 10
    assert mess("deal", "odin", "--limit", 11).err.startswith("mess: rules.limit: expected one of 15, 10, 20")


def test_show_draws_a_position_and_what_a_seat_sees():
    whole = mess("show", "-", "--plain", stdin=json.dumps(odin.to_json(BEAT)))
    assert [line.rstrip() for line in whole.lines] == picture(odin.to_json(BEAT))
    seen = mess("show", "-", "--plain", "--seat", 1, stdin=json.dumps(odin.to_json(BEAT)))
    assert [line.rstrip() for line in seen.lines] == picture(odin.observe(BEAT, 1))
    assert "B9" not in seen.out
    assert seen == mess("show", "-", "--plain", stdin=json.dumps(odin.observe(BEAT, 1)))


def test_moves_of_the_command_line():
    assert mess("moves", "-", stdin=json.dumps(odin.to_json(BEAT))).lines == ["pass", "B9,B8>P5", "B9,B8>O5"]
    assert mess("moves", "-", stdin=json.dumps(odin.to_json(OVER))).out == ""


@pytest.mark.parametrize("name", ["odin.jsonl", "odin_every.jsonl"])
def test_replay_ends_where_independent_engines_ended(name):
    records = [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]
    result = mess("replay", CASES / name)
    assert (result.code, [json.loads(line) for line in result.lines]) == (0, [record["end"] for record in records])


def test_a_record_that_claims_other_removed_colours_is_wrong():
    record = next(
        record
        for record in map(json.loads, (CASES / "odin.jsonl").read_text(encoding="utf-8").splitlines())
        if record["rules"]["players"] == 2
    )
    other = record | {"rules": record["rules"] | {"removed": record["rules"]["removed"][::-1]}}
    assert mess("replay", "-", stdin=json.dumps(other)).err.startswith("mess: rules.removed: expected ['")
    silent = record | {"rules": {name: value for name, value in record["rules"].items() if name != "removed"}}
    assert mess("replay", "-", stdin=json.dumps(silent)).code == 0
    unknown = record | {"rules": record["rules"] | {"colours": 4}}
    assert mess("replay", "-", stdin=json.dumps(unknown)).err.startswith("mess: rules.colours: no such rule")


def test_hint_ranks_the_moves_of_the_seat_to_act():
    result = mess("hint", "-", "--iterations", 60, "--json", stdin=json.dumps(odin.observe(BEAT, 0)))
    advice = json.loads(result.out)
    assert (advice["game"], advice["seat"], advice["method"], advice["iterations"]) == ("odin", 0, "mcts", 60)
    assert sorted(move["move"] for move in advice["moves"]) == odin.legal(BEAT)
    assert all(move["mess"] is None and move["why"].endswith(".") for move in advice["moves"])
    told = mess("hint", "-", "--iterations", 60, stdin=json.dumps(odin.to_json(BEAT)))
    assert told.lines[0].startswith("odin, seat 0 to decide: mcts, 60 iterations, 60 worlds")
    assert "Seat 0 beats with B9 B8; takes P5; 2 cards left." in told.out


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (OVER, "to_act: expected a position where a seat decides; the game is over"),
        (odin.play(LED, "K8>B1"), "seat: expected what seat 2 sees, the seat to decide; got seat 0"),
        (
            odin.play(hands.table("B9", "K1"), "B9"),
            "to_act: expected a position where a seat decides; chance does",
        ),
    ],
)
def test_nobody_else_gets_a_hint(state, said):
    assert mess("hint", "-", stdin=json.dumps(odin.observe(state, 0))).err == f"mess: {said}\n"


# At the table


@pytest.fixture
def table(monkeypatch, tmp_path):
    """Plays ``typed`` lines; output, and the record if one was kept."""
    monkeypatch.chdir(tmp_path)

    def play(typed, *options):
        result = mess("play", "odin", "--seed", 5, *options, stdin="\n".join(typed))
        file = tmp_path / "mess-games.jsonl"
        kept = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return result, kept

    return play


def test_a_game_of_several_hands_and_its_record(table):
    result, kept = table(["1"] * 900, "--players", 2, "--bots", "keep-sets", "--limit", 10)
    assert result.code == 0
    (record,) = kept
    start, positions = positions_of(record)
    assert start == deal("odin", 5, players=2, limit=10)
    assert positions[-1].is_over
    assert sum(record["result"]) == 1
    assert record["rules"]["removed"] == start.to_dict()["rules"]["removed"]
    assert sum(move.startswith("deal ") for move in record["moves"]) >= 1
    assert "the next hand is dealt" in result.out
    assert "The game is over: " in result.lines[-2]
    replayed = mess("replay", "mess-games.jsonl")
    assert (replayed.code, json.loads(replayed.out)) == (0, positions[-1].to_dict())


@pytest.mark.parametrize("seat", [0, 1])
def test_the_person_never_sees_a_hidden_card(table, seat):
    """Of what is printed in a hand, every card was public, or the person's, at some time in that hand."""
    options = ["--players", 3, "--bots", "greedy", "--seat", seat, "--limit", 20, "--goat"]
    result, kept = table(["1"] * 900, *options)
    start, positions = positions_of(kept[0])
    allowed, hands_seen = [set()], 1
    for position in [start, *positions]:
        data = position.to_dict()
        if not (data["table"] or data["discard"]) and allowed[-1] and position is not start:
            allowed.append(set())
            hands_seen += 1
        allowed[-1] |= set(re.findall(r'"(\w\d)"', json.dumps(position.observe(seat).to_dict())))
    printed = [set(re.findall(r"\b[BRPGKOX]\d\b", part)) for part in result.out.split("the next hand is dealt")]
    assert len(printed) == hands_seen > 1
    for shown, may_show in zip(printed, allowed, strict=True):
        assert shown
        assert shown <= may_show


def test_moves_by_text_undo_and_a_real_hint(table):
    start = deal("odin", 5, players=3)
    first, last = start.moves()[0], start.moves()[-1]
    result, kept = table(
        ["?", first.lower(), "u", f" {last} ", "nonsense", "q"],
        "--players",
        3,
        "--bots",
        "mcts@20,pass-poor",
        "--hint-time",
        "20ms",
    )
    assert "odin, seat 0 to decide: mcts" in result.out
    assert "Taken back." in result.out
    assert kept[0]["moves"][0] == last != first
    assert kept[0]["players"] == ["person", "mcts@20", "pass-poor"]
    assert f"you  {last}  you lead with {last}; 8 cards left" in result.lines
