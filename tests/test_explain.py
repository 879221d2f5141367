"""``explain``: what is told of every move, and that of each seat it adds up."""

import json
from itertools import pairwise

import pytest
from mess.search import judging
from mess.search.advice import Advice, MoveAdvice
from mess.search.judging import Account, Effort, Judged, accounts, judge, result_of
from mess.search.records import make_record
from mess.solver.errors import InputError
from mess.solver.game import CHANCE, deal
from mess.solver.position import Observation, replay
from mess.solver.pylos import OPTIONS, solution
from mess.solver.rng import below, stream
from mess_command import CASES, mess

SMALL = {"size": 3, "variant": "beginner"}
RULES = {
    "flaming": {"players": 3, "special_fire": True},
    "odin": {"players": 3, "limit": 10},
    "pylos": SMALL,
    "meeples": {"players": 2, "seconds": 15, "turns": 1},
}


def played(game, seed, most=60, **rules):
    """A start and random moves from it."""
    start = position = deal(game, seed, **rules)
    rng, moves = stream(seed, "test"), []
    while not position.is_over and len(moves) < most:
        legal = position.moves()
        moves.append(position.roll(rng) if position.to_act == CHANCE else legal[int(below(rng, len(legal)))])
        position = position.play(moves[-1])
    return start, moves


def advice_of(view, wins, best=0, iterations=100):
    rows = tuple(
        MoveAdvice(move, win, max(0, win - 0.02), min(1, win + 0.02), 40 - i, 0.0, None, "why")
        for i, (move, win) in enumerate(zip(view.moves(), wins, strict=False))
    )
    return Advice(view.game.NAME, view.to_act, rows, rows[best].move, iterations, 1, 0.0, 0, "mcts")


class Told(Effort):
    """Judges by values told beforehand: of each position those of its first moves, of the rest 0."""

    def __init__(self, values):
        super().__init__()
        object.__setattr__(self, "values", iter(values))
        object.__setattr__(self, "views", [])

    def ask(self, view):
        self.views.append(view)
        wins = next(self.values)
        return advice_of(view, [*wins, *[0.0] * (len(view.moves()) - len(wins))])

    def ask_again(self, view, move, iterations):
        assert iterations == 40
        return next(row for row in self.ask(view).moves if row.move == move)


def test_every_seat_has_a_chain_of_its_own():
    start = position = deal("pylos", 0)
    moves = []
    for place in (1, 0, 0, 0):
        moves.append(position.moves()[place])
        position = position.play(moves[-1])
    # the first is not the best, so both are looked at again; the others are the best
    effort = Told([[0.7, 0.4], [0.7, 0.45], [0.75, 0.45], [0.5], [0.5], [0.5]])
    rows = list(judge(start, moves, effort))
    assert all(type(view) is Observation and view.seat == view.to_act for view in effort.views)
    first, answer, third_row, last = rows
    assert (first.before, first.after, first.mark, first.name) == (0.75, 0.45, "??", "blunder")
    assert (first.best, first.given, first.luck) == (start.moves()[0], 0.0, None)
    assert answer.given == pytest.approx(0.3) and answer.luck is None
    assert third_row.luck == pytest.approx(0.05) and last.luck == pytest.approx(0.0)
    told = accounts(2, rows, (1.0, 0.0))
    assert told[0] == Account(
        0, 2, {"blunder": 1, "mistake": 0, "inaccuracy": 0}, 0.75, *map(pytest.approx, (0.3, 0.0, 0.55, 1.0))
    )
    assert told[1] == Account(
        1, 2, {"blunder": 0, "mistake": 0, "inaccuracy": 0}, *map(pytest.approx, (0.2, 0.0, 0.3, -0.5, 0.0))
    )


def judged(ply, seat, before, after, given, luck):
    return Judged(ply, seat, "m", before, after, "m", given=given, luck=luck)


def test_what_others_lose_is_shared_by_all_opponents():
    rows = [judged(0, 0, 0.5, 0.3, 0.0, None), judged(1, 1, 0.5, 0.5, 0.1, None), judged(2, 1, 0.6, 0.2, 0.0, 0.1)]
    first, second, third = accounts(3, rows, (0.0, 0.0, 1.0))
    assert (first.start, first.lost, first.given, first.luck) == pytest.approx((0.5, 0.2, 0.2, -0.5))
    assert (second.start, second.lost, second.given, second.luck) == pytest.approx((0.4, 0.4, 0.1, -0.1))
    assert (third.judged, third.start, third.end) == (0, None, 1.0)


def test_a_game_that_was_left_ends_at_the_last_judgement():
    rows = [judged(0, 0, 0.5, 0.3, 0.0, None), judged(1, 1, 0.5, 0.4, 0.2, None)]
    first, second = accounts(2, rows, None)
    assert (first.start, first.lost, first.given, first.luck, first.end) == pytest.approx((0.5, 0.2, 0.0, 0.0, 0.3))
    assert (second.start, second.lost, second.given, second.luck, second.end) == pytest.approx((0.3, 0.1, 0.2, 0, 0.4))


@pytest.mark.parametrize(
    ("before", "after", "alone", "mark"),
    [
        ((0.5, 0.48, 0.52), (0.46, 0.44, 0.47), False, ""),
        ((0.5, 0.48, 0.52), (0.45, 0.43, 0.47), False, "?!"),
        ((0.5, 0.48, 0.52), (0.4, 0.38, 0.42), False, "?"),
        ((0.5, 0.48, 0.52), (0.3, 0.28, 0.32), False, "??"),
        ((0.5, 0.3, 0.7), (0.3, 0.1, 0.5), False, ""),
        ((9.0, 9.0, 9.0), (8.8, 8.8, 8.8), True, ""),
        ((9.0, 9.0, 9.0), (8.75, 8.75, 8.75), True, "?!"),
        ((9.0, 9.0, 9.0), (8.5, 8.5, 8.5), True, "?"),
        ((9.0, 9.0, 9.0), (8.0, 8.0, 8.0), True, "??"),
    ],
)
def test_errors_are_marked_by_what_they_lose_unless_sampling_may_explain_it(before, after, alone, mark):
    assert judging._kind(judging._Range(*before), judging._Range(*after), alone)[0] == mark


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("seed", [1, 2])
def test_result_less_start_is_what_was_given_and_lost_and_luck(game, seed):
    start, moves = played(game, seed, **RULES[game])
    last = replay(start, moves)[-1]
    effort = Effort(iterations=60)
    rows = list(judge(start, moves, effort))
    assert [(row.ply, row.move) for row in rows] == list(enumerate(moves))
    told = accounts(start.players, rows, result_of(last))
    assert sum(account.judged for account in told) > start.players
    for account in told:
        assert account.end - account.start == pytest.approx(account.given - account.lost + account.luck)
        assert account.end == (result_of(last)[account.seat] if last.is_over else account.end)
    # nobody gives what nobody loses: up to what was given after a seat's last move in a game that was left
    if last.is_over:
        assert sum(account.given for account in told) == pytest.approx(sum(account.lost for account in told))
    assert rows == list(judge(start, moves, effort))


def test_alone_points_are_counted_and_slips_are_luck():
    rules = {"players": 1, "seconds": 20, "turns": 1}
    start = last = deal("meeples", 0, **rules)
    moves = []
    while not last.is_over:
        # a tower that falls once
        slips = [move for move in last.moves() if move.startswith("slip")]
        tall = [move for move in last.moves() if move.endswith("q")]
        moves.append(slips[0] if slips and len(moves) == 5 else (tall or last.moves())[-1 if tall else 0])
        last = last.play(moves[-1])
    rows = list(judge(start, moves, Effort()))
    (told,) = accounts(1, rows, result_of(last))
    assert told.start == pytest.approx(18.395335, abs=1e-5)
    assert told.end == last.to_dict()["scores"][0]
    assert told.end - told.start == pytest.approx(told.luck - told.lost)
    # between exact values no luck is expected: a slip is bad luck, anything else good or none
    decisions = [row for row in rows if row.before is not None]
    for earlier, later in pairwise(decisions):
        slipped = any(move.startswith("slip") for move in moves[earlier.ply + 1 : later.ply])
        assert later.luck < 0 if slipped else later.luck > -1e-9
        assert earlier.lost >= 0 and earlier.method == "exact"
    assert any("slip" in move for move in moves)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    rules = {**{name: values[0] for name, values in OPTIONS.items()}, **SMALL}
    solution.solve(rules, 2, solution.Watcher(), folder)
    return folder


def test_where_all_is_solved_nothing_is_luck(tables, monkeypatch):
    monkeypatch.setenv("MESS_TABLES", str(tables))
    lost = 0
    for seed in range(6):
        start, moves = played("pylos", seed, most=1000, **SMALL)
        rows = list(judge(start, moves, Effort()))
        assert {row.method for row in rows} <= {"table", ""}
        # forced moves are not judged, and what they lead to was known before
        told = accounts(2, rows, result_of(replay(start, moves)[-1]))
        assert all(abs(account.luck) < 1e-9 for account in told)
        lost += sum(account.lost for account in told)
    assert lost > 3
    record = json.dumps(make_record(start, moves, ["a", "b"], 5))
    result = mess("explain", "-", stdin=record)
    assert "win → loss" in result.out or "loss kept" in result.out
    assert "misjudged" in result.out


def test_table_fits_and_names_the_error(tables, monkeypatch):
    start, moves = played("odin", 3, players=4, limit="one-hand")
    names = ["a bot with quite a long name indeed", "b", "c", "d"]
    result = mess("explain", "-", "--iterations", 50, stdin=json.dumps(make_record(start, moves, names, 3)))
    assert result.code == 0
    assert max(map(len, result.lines)) <= 80
    assert result.lines[0].startswith("odin, game 1 of 1; judged by ")
    assert result.lines[1].split() == ["ply", "seat", "move", "luck", "%", "before", "after", "best"]
    table = result.out.split("\n\n")[0].splitlines()[2:]
    assert [line.split()[2] for line in table] == [move[:19] + "…" if len(move) > 20 else move for move in moves]
    head = ["seat", "player", "moves", "?!", "?", "??", "start", "−", "lost", "+", "given", "+", "luck", "=", "end"]
    assert result.out.split("\n\n")[1].splitlines()[0].split() == head


def test_one_seat_alone_costs_and_shows_nothing_of_the_others():
    start, moves = played("flaming", 3, most=16)
    record = json.dumps(make_record(start, moves, ["a", "b"], 3))
    everything = json.loads(mess("explain", "-", "--iterations", 40, "--json", stdin=record).out)
    alone = json.loads(mess("explain", "-", "--iterations", 40, "--json", "--seat", 1, stdin=record).out)
    own = [row for row in everything["moves"] if row["seat"] == 1]
    told = ("ply", "seat", "move", "before", "after", "best", "mark", "method", "why", "lost")
    assert [[row[key] for key in told] for row in alone["moves"]] == [[row[key] for key in told] for row in own]
    (account,) = alone["seats"]
    assert account["given"] == 0.0
    assert account["end"] - account["start"] == pytest.approx(account["luck"] - account["lost"])
    assert everything["iterations"] == 40 and everything["unit"] == "win" and everything["complete"]


def test_of_many_records_the_last_one_or_the_one_asked_for():
    file = CASES / "odin.jsonl"
    records = [json.loads(line) for line in file.read_text().splitlines()]
    chosen = json.loads(mess("explain", file, "--iterations", 1, "--json", "--game", 2).out)
    assert (chosen["number"], chosen["of"]) == (2, len(records))
    assert [row["move"] for row in chosen["moves"]] == records[1]["moves"]
    last = json.loads(mess("explain", file, "--iterations", 1, "--json").out)
    assert (last["number"], [row["move"] for row in last["moves"]]) == (len(records), records[-1]["moves"])


def test_an_interrupt_tells_what_was_judged(monkeypatch):
    start, moves = played("flaming", 3, most=16)
    asked = []

    def ask(self, view):
        asked.append(view)
        if len(asked) == 4:
            raise KeyboardInterrupt
        return advice_of(view, [0.5] * len(view.moves()))

    monkeypatch.setattr(Effort, "ask", ask)
    monkeypatch.setattr(Effort, "ask_again", lambda self, view, move, iterations: advice_of(view, [0.5]).moves[0])
    record = json.dumps(make_record(start, moves, ["a", "b"], 3))
    result = mess("explain", "-", stdin=record)
    assert result.code == 130
    assert f"of {len(moves)} moves" in result.err.splitlines()[-1] and "interrupted after " in result.err
    assert len(result.out.split("\n\n")[0].splitlines()) >= 2 + 3
    asked.clear()
    document = json.loads(mess("explain", "-", "--json", stdin=record).out)
    assert not document["complete"] and document["result"] is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seat", 2], "seat: expected a seat from 0 to 1, got 2"),
        (["--seat", -1], "seat: expected a seat from 0 to 1, got -1"),
        (["--game", 2], "game: expected at most 1, as many records as are in standard input; got 2"),
        (["--game", 0], "game: expected a whole number of at least 1, got 0"),
        (["--method", "guess"], "method: expected one of mcts, pimc, alphabeta, got 'guess'"),
        (["--method", "alphabeta"], "method: expected one of mcts, pimc, got 'alphabeta'"),
        (["--time", "1s", "--iterations", 3], "iterations: expected a time or a number of iterations, got both"),
        (["--time", "0s"], "time: expected a time of more than 0 and at most an hour, as 2s or 500ms, got '0s'"),
        (["--iterations", 0], "iterations: expected a whole number of at least 1, got 0"),
    ],
)
def test_wrong_options_are_one_line(options, message):
    start, moves = played("flaming", 3, most=4)
    result = mess("explain", "-", *options, stdin=json.dumps(make_record(start, moves, ["a", "b"], 3)))
    assert (result.code, result.out, result.err) == (2, "", f"mess: {message}\n")


@pytest.mark.parametrize("text", ["", "{}", "[]", "7", '{"start": 3, "moves": []}', str(deal("flaming", 1))])
def test_what_is_no_record_is_one_line(text):
    result = mess("explain", "-", stdin=text)
    assert (result.code, result.out) == (2, "") and result.err.count("\n") == 1 and "Traceback" not in result.err


def test_an_illegal_move_is_named_by_its_index():
    start, moves = played("flaming", 3, most=4)
    record = make_record(start, moves, ["a", "b"], 3) | {"moves": [*moves[:2], "nonsense"]}
    assert mess("explain", "-", stdin=json.dumps(record)).err.startswith("mess: moves[2]: expected ")
    with pytest.raises(InputError, match=r"moves\[2\]"):
        list(judge(start, record["moves"], Effort(iterations=1)))


def test_a_record_without_moves_has_nothing_to_judge():
    record = json.dumps(make_record(deal("flaming", 1), [], ["a", "b"], 1))
    result = mess("explain", "-", stdin=record)
    assert result.code == 0 and "there was no choice" in result.out
