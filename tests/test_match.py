"""Matches: duplicate deals, forfeits, workers, and files that survive."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import multiprocess
import pytest
from fake_bots import Chancer, Faulty, Picky
from mess.benchmarks import blocks as blocks_module
from mess.benchmarks import match as match_module
from mess.benchmarks.log import Log
from mess.benchmarks.match import load, match
from mess.benchmarks.workers import ordered
from mess.solver.errors import InputError
from mess.solver.position import Position

PAIR = (Chancer(), Picky())


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The file of ``played(*PAIR, deals=3)``."""
    out = tmp_path_factory.mktemp("match") / "whole"
    played(*PAIR, deals=3, out=out)
    return out.read_bytes()


def played(*specs, deals=2, workers=1, **options):
    return match("flaming", specs, deals=deals, workers=workers, progress=False, **options)


# Deals


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("open_cards", [False, True])
def test_a_bot_against_itself_ties_every_block(players, open_cards):
    bots = [Chancer(name=f"chancer {i}", open=open_cards) for i in range(players)]
    result = played(*bots, rules={"special_fire": True, "curse": True})
    assert result.scores() == pytest.approx(1 / players)
    for block in result.blocks:
        assert len(block.games) == players
        assert len({(game.payoffs, game.decisions, game.mess) for game in block.games}) == 1
    assert len({block.games[0].decisions for block in result.blocks}) == 2
    assert not any(row.differs for row in result.standings())


def test_openings_make_deals_differ_that_would_be_alike():
    setup, _ = match_module.set_up("pylos", ("random", "greedy"), 3, {"size": 3})
    starts = [setup.deal(block) for block in range(20)]
    assert {int(start.state.plies) for start in starts} == {4}
    assert len({str(start) for start in starts}) > 15
    assert [setup.deal(block) for block in range(20)] == starts
    plain, _ = match_module.set_up("pylos", ("random", "greedy"), 3, {"size": 3}, 0)
    assert plain.deal(0) == plain.deal(1)
    # an opening does not end a game
    long, _ = match_module.set_up("pylos", ("random", "greedy"), 3, {"size": 2}, 100)
    assert not any(long.deal(block).is_over for block in range(20))
    assert match("pylos", ("random", "greedy"), deals=1, progress=False, workers=1).opening == 4
    assert played(*PAIR, deals=1).opening == 0


def test_every_entrant_sits_everywhere_on_the_same_deal():
    result = played(Chancer("a"), Chancer("b"), Chancer("c"), deals=1)
    assert [game.seats for game in result.blocks[0].games] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    setup, _ = match_module.set_up("flaming", PAIR, 3, {})
    deals = [setup.deal(block) for block in (0, 0, 1)]
    assert deals[0] == deals[1] != deals[2]


def test_few_bots_take_turns_over_the_seats():
    result = played(*PAIR, deals=2, rules={"players": 5})
    assert result.blocks[0].games[1].seats == (1, 0, 1, 0, 0)
    first, second = result.standings()
    assert 3 * first.share + 2 * second.share == pytest.approx(1)
    assert first.expected == 0.2


def test_mess_is_what_the_pyramid_gave_back():
    result = played(*PAIR, deals=2)
    for game in (game for block in result.blocks for game in block.games):
        winner = game.payoffs.index(1.0)
        assert min(game.mess) >= 0
        assert sum(game.mess) < game.decisions
        assert game.mess[winner] > 0
    assert result.standings()[1].mess == result.mess()[:, 1].mean()


def test_mess_counts_taken_tiles_one_by_one(monkeypatch):
    seen = []
    play = Position.play

    def watched(position, move):
        after = play(position, move)
        gained = after.state.held.astype(int) - position.state.held
        gained[position.state.turn] += "@" in move
        seen.append(gained[:3])
        return after

    monkeypatch.setattr(Position, "play", watched)
    game = blocks_module.play_game(match_module.set_up("flaming", PAIR, 0, {"players": 3, "curse": True})[0], 0, 0)
    assert all(min(gained) >= 0 for gained in seen)
    assert game.mess == tuple(sum(seen))


def test_real_bots_play_the_same_games_on_one_and_two_processes(tmp_path):
    bots = ("mcts@20:playout=random", "smallest-mess", "random")
    one = played(*bots, out=tmp_path / "one")
    assert one == played(*bots, out=tmp_path / "two", workers=2)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert one.bots == bots and one.repeatable and not one.forfeits()


@pytest.mark.parametrize("spec", ["smallest-mess", "mcts@40:cutoff=2", "pimc@20:cutoff=2,worlds=2"])
def test_a_real_bot_ties_itself(spec):
    result = played(spec, spec, spec, deals=1)
    assert result.scores() == pytest.approx(1 / 3)
    assert not result.forfeits()


# Faults


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (ValueError, "raised ValueError: gave up at <object object at 0x…>"),
        (SystemExit, "raised SystemExit: gave up at <object object at 0x…>"),
        ("R60@9,9", "chose 'R60@9,9', which is not legal"),
        (None, "chose null, which is not legal"),
        (7, "chose 7, which is not legal"),
        ([], "chose [], which is not legal"),
    ],
)
def test_a_faulty_bot_loses_by_forfeit_and_the_match_goes_on(fault, reason):
    result = played(Chancer(), Faulty(fault=fault), Picky(), deals=2)
    assert len(result.forfeits()) == 6
    for deal, rotation, forfeit in result.forfeits():
        game = result.blocks[deal].games[rotation]
        assert (forfeit.bot, forfeit.reason) == (1, reason)
        assert game.seats[forfeit.seat] == 1
        assert game.payoffs == tuple(0.0 if seat == forfeit.seat else 0.5 for seat in range(3))
    assert [row.forfeits for row in result.standings()] == [0, 6, 0]
    assert result.summary()["forfeits"][0] == {"deal": 0, "rotation": 0, "bot": "faulty", "reason": reason}


class UnsayableError(Exception):
    def __str__(self):
        return "no such file: \udc80"


@pytest.mark.parametrize("fault", [SystemExit, GeneratorExit, asyncio.CancelledError, UnsayableError])
def test_whatever_a_bot_raises_at_once_is_a_forfeit(tmp_path, fault):
    result = played(Chancer(), Faulty(fault=fault, rows=1), deals=1, out=tmp_path / "match")
    assert [(forfeit.bot, forfeit.reason.split(":")[0]) for _, _, forfeit in result.forfeits()] == [
        (1, f"raised {fault.__name__}")
    ] * 2
    assert load(tmp_path / "match") == result


def test_what_is_chosen_is_told_in_short():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    result = played(Chancer(), Faulty(fault=deep, rows=1), deals=1)
    assert {forfeit.reason for _, _, forfeit in result.forfeits()} == {"chose [[[[[[[...]]]]]]], which is not legal"}


@pytest.mark.parametrize(
    ("specs", "options", "field"),
    [
        (PAIR, {"deals": 0}, "deals"),
        (PAIR, {"deals": -1}, "deals"),
        (PAIR, {"deals": True}, "deals"),
        (PAIR, {"deals": 1_000_001}, "deals"),
        (PAIR, {"deals": 10**400}, "deals"),
        (PAIR, {"workers": 0}, "workers"),
        (PAIR, {"workers": 1_000_000}, "workers"),
        (PAIR, {"seed": 0.5}, "seed"),
        (PAIR, {"opening": -1}, "opening"),
        (PAIR, {"opening": 101}, "opening"),
        (PAIR, {"rules": {"players": 7}}, "rules.players"),
        (PAIR, {"rules": {"gravity": 2}}, "rules.gravity"),
        (PAIR * 2, {"rules": {"players": 3}}, "bots"),
        (PAIR * 4, {}, "bots"),
        (PAIR[:1], {}, "bots"),
        ((), {}, "bots"),
        (("no-such-bot", Chancer()), {}, "bot"),
        (PAIR, {"out": "/"}, "out"),
        (PAIR, {"out": "no/such/folder"}, "out"),
    ],
)
def test_wrong_arguments_are_named(specs, options, field):
    with pytest.raises(InputError) as error:
        played(*specs, **options)
    assert error.value.field == field


def test_an_unknown_game_is_named():
    with pytest.raises(InputError, match="game: expected one of flaming"):
        match("chess", PAIR, deals=1)


# Workers


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_the_file_is_the_same_for_any_number_of_workers(tmp_path, monkeypatch, method):
    if method not in multiprocess.get_all_start_methods():
        pytest.skip("not on this system")
    monkeypatch.setattr(multiprocess, "get_context", lambda: multiprocess.context.BaseContext.get_context(None, method))
    bots = (Chancer(), Faulty(), Picky())
    one = played(*bots, deals=3, out=tmp_path / "one")
    two = played(*bots, deals=3, out=tmp_path / "two", workers=2)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert one == two == load(tmp_path / "one")
    assert (two.fresh, two.games, two.seconds > 0) == (9, 9, True)


def slow_square(x):
    time.sleep(0.1 if x == 0 else 0)
    if x == 5:
        raise InputError("x", "expected another number")
    return x * x


def leave(x):
    os._exit(3)


def test_answers_come_in_the_order_of_the_tasks():
    assert list(ordered(slow_square, range(5), 3)) == [0, 1, 4, 9, 16]


def test_errors_of_workers_arrive_as_they_are():
    with pytest.raises(InputError, match="x: expected another number"):
        list(ordered(slow_square, range(9), 2))


def test_a_lost_worker_is_an_error_and_no_endless_wait():
    with pytest.raises(InputError, match="workers: expected processes that last, one ended early, exit code 3"):
        list(ordered(leave, range(4), 2))


def test_a_worker_that_is_gone_before_its_first_task_is_an_error_too(monkeypatch):
    def gone_at_once(process):
        start(process)
        os.kill(process.pid, signal.SIGKILL)
        process.join()

    start = multiprocess.context.Process.start
    monkeypatch.setattr(multiprocess.get_context().Process, "start", gone_at_once)
    with pytest.raises(InputError, match="one ended early, killed by signal 9"):
        list(ordered(slow_square, range(4), 2))


# Files

SCRIPT = """
import os, sys, time
from pathlib import Path
from fake_bots import Chancer, Picky
from mess.benchmarks.match import match

class Waiting(Picky):
    def choose(self, view, rng):
        if Path(sys.argv[1]).read_bytes().count(b"\\n") > 1:
            time.sleep(10)
            os._exit(1)
        return super().choose(view, rng)

match("flaming", (Chancer(), Waiting()), deals=3, out=sys.argv[1], workers=int(sys.argv[2]))
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_match_resumes_to_the_same_file(tmp_path, whole, workers):
    out = tmp_path / "killed"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(out), workers], env=environment)
    while process.poll() is None and not (out.exists() and out.read_bytes().count(b"\n") > 1):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    # a quick machine may have played the last deal before the signal came: then there is nothing to resume
    assert process.wait() in (-signal.SIGKILL, 0)
    finished = out.read_bytes().count(b"\n") - 1
    assert 1 <= finished <= 3
    resumed = played(*PAIR, deals=3, out=out)
    assert resumed.fresh == 2 * (3 - finished)
    assert resumed == load(out)
    assert out.read_bytes() == whole


def test_a_file_cut_anywhere_resumes_to_the_same_file(tmp_path, whole):
    out = tmp_path / "match"
    lines = [len(line) for line in whole.splitlines(keepends=True)]
    for cut in (0, lines[0] - 1, lines[0] + 5, len(whole) - 1, len(whole)):
        out.write_bytes(whole[:cut])
        resumed = played(*PAIR, deals=3, out=out)
        assert out.read_bytes() == whole
        assert resumed.fresh == 2 * (3 - max(0, whole[:cut].count(b"\n") - 1))
    out.write_bytes(whole[:-1])
    assert len(load(out).blocks) == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace('"seed":0', '"seed":1'), "seed is 1 there, 0 here"),
        (lambda text: text.replace('"picky"', '"other"'), r'bots is \["chancer", "other"\] there'),
        (lambda text: "shopping list\n" + text, "line 1: expected the header of a match, format 2; expected JSON"),
        (lambda text: "shopping list", "holds other things"),
        (lambda text: "shopping list\n" * 200_000, "line 1: expected the header of a match"),
        (lambda text: " " * 1_000_001, "line 1: expected at most 1 MB, it is longer"),
        (lambda text: text.replace('"games"', '"plays"'), "line 2: plays: no such field, expected one of deal, games"),
        (lambda text: text.replace("\n", "\n\n"), "line 2: expected JSON; there is nothing"),
        (lambda text: text + text.splitlines()[-1].replace('"deal":2', '"deal":3') + "\n", "at most 3 deals"),
    ],
)
def test_a_file_of_another_match_stays_untouched(tmp_path, whole, change, message):
    out = tmp_path / "match"
    out.write_text(change(whole.decode()))
    before = out.read_bytes(), out.stat().st_mtime_ns
    with pytest.raises(InputError, match=message) as error:
        played(*PAIR, deals=3, out=out)
    assert error.value.field == "out"
    assert (out.read_bytes(), out.stat().st_mtime_ns) == before


def test_another_number_of_deals_goes_on_with_the_same_file(tmp_path, whole):
    out = tmp_path / "match"
    played(*PAIR, deals=2, out=out)
    assert played(*PAIR, deals=3, out=out).fresh == 2
    assert out.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [out]
    assert played(*PAIR, deals=2, out=out) == played(*PAIR, deals=2)
    assert out.read_bytes() == whole


DEEP = '{"a":' * 100_000
HUGE = "1" + "0" * 400
LOST = '{"bot":0,"seat":0,"reason":"left"}'


def edited(content, number, path, value):
    """The lines of a match with another value, given as JSON, at a path in one of them."""
    lines = content.decode().splitlines()
    *parents, last = [int(name) if name.isdigit() else name for name in path.split(".")]
    data = part = json.loads(lines[number - 1])
    for name in parents:
        part = part[name]
    part[last] = "HERE"
    lines[number - 1] = json.dumps(data).replace('"HERE"', value)
    return "\n".join(lines) + "\n"


def refused(path, message):
    """The file is neither read nor continued, and stays as it is."""
    before = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(InputError, match=message) as error:
        played(*PAIR, deals=3, out=path)
    assert error.value.field == "out" and str(path) in str(error.value)
    with pytest.raises(InputError, match=message) as error:
        load(path)
    assert error.value.field == "file" and str(path) in str(error.value)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


@pytest.mark.parametrize(
    ("path", "values", "message"),
    [
        ("deal", ['"1"', "0.5", "1.0", "true", "2", "-1", "null", HUGE], "deal: expected 1, got "),
        ("deal", ["Infinity", "NaN", "1" * 5000], "expected JSON; "),
        ("games", ["{}", "null", '"ab"'], "games: expected a list, got "),
        ("games", ["[]", "[{}]", "[{},{},{}]"], "games: expected 2 entries, one a seat, got "),
        ("games", ["[null,null]", "[[],[]]"], r"games\[0\]: expected an object, got "),
        ("games", ["[{},{}]"], r"games\[0\].seats: expected this field, it is missing"),
        ("games.1.seat", ["0", DEEP[5:] + "1" + "}" * 99_999], r"games\[1\].seat: no such field|less deeply nested"),
        ("games.1.seats", ["[7,8]", "[-1,0]", "[0,1]", "[1,1]"], r"games\[1\].seats: expected \[1, 0\], got "),
        ("games.1.seats", ["[true,false]", "[1.0,0]"], r"seats\[0\]: expected a whole number, got "),
        ("games.1.seats", ["[1]", "[1,0,0]", "null", '"10"'], "seats: expected "),
        ("games.0.payoffs", ["[NaN,1]", "[1,-Infinity]"], "expected JSON; -?(NaN|Infinity) is no number of JSON"),
        (
            "games.0.payoffs",
            ["[2,-1]", "[1e400,0]", f"[{HUGE},0]", '["1","0"]', "[true,false]", "[null,1]", "[[1],0]"],
            r"games\[0\].payoffs\[0\]: expected a number from 0 to 1, got ",
        ),
        ("games.0.payoffs", ["[0.5,0.4]", "[1,1]"], r"payoffs: expected shares of one win, their sum is "),
        ("games.0.payoffs", ["[]", "[1.0]", "[1,0,0]", "1", "{}"], "payoffs: expected "),
        (
            "games.1.decisions",
            ["-5", "1e400", HUGE, "2.5", '"9"', "null", "true", "[]"],
            r"games\[1\].decisions: expected a whole number from 0 to 1000000000, got ",
        ),
        ("games.1.decisions", ["Infinity", "NaN"], "expected JSON; "),
        ("games.1.mess", ["null", "7", "{}"], r"games\[1\].mess: expected a list, got "),
        ("games.1.mess", ["[]", "[1]", "[1,2,3]"], "mess: expected 2 entries, one a seat, got "),
        ("games.1.mess", ["[1,-1]", '[1,"2"]', "[1,2.5]", "[1,null]", f"[1,{HUGE}]"], r"mess\[1\]: expected a whole "),
        ("games.0.forfeit", ["[]", '"left"', "0", "false"], r"games\[0\].forfeit: expected an object or null, got "),
        ("games.0.forfeit", ["{}"], r"games\[0\].forfeit.seat: expected this field, it is missing"),
        (
            "games.0.forfeit",
            [LOST.replace('"bot":0', f'"bot":{bot}') for bot in ("1", "-1", "7", "0.0", '"0"', "null", "[]")],
            "forfeit.bot: expected 0, got ",
        ),
        (
            "games.0.forfeit",
            [LOST.replace('"seat":0', f'"seat":{seat}') for seat in ("2", "-1", "0.5", '"0"', "null", HUGE)],
            "forfeit.seat: expected a whole number from 0 to 1, got ",
        ),
        (
            "games.0.forfeit",
            [LOST.replace('"left"', reason) for reason in ("7", "null", "[]", '"a\\nb"', '"\\ud800"', f'"{HUGE}"')],
            "forfeit.reason: expected ",
        ),
        ("games.0.forfeit", [LOST.replace('"bot"', '"by":1,"bot"')], "forfeit.by: no such field"),
    ],
)
def test_a_line_that_no_match_writes_is_refused(tmp_path, whole, path, values, message):
    for value in values:
        (tmp_path / "match").write_text(edited(whole, 3, path, value))
        refused(tmp_path / "match", f"match, line 3: .*({message})")


def test_a_seat_that_forfeits_wins_nothing(tmp_path, whole):
    payoffs = json.loads(whole.splitlines()[2])["games"][0]["payoffs"]
    for seat in (0, 1):
        out = tmp_path / f"match{seat}"
        out.write_text(edited(whole, 3, "games.0.forfeit", LOST.replace("0", str(seat))))
        if payoffs[seat]:
            refused(out, rf"line 3: games\[0\].payoffs: expected nothing for seat {seat}, which forfeited")
        else:
            assert load(out).forfeits()[0][2].seat == seat


@pytest.mark.parametrize("line", ["[]", "null", "7", '""', "{", DEEP, "[" * 100_000, '{"deal":1}', "\ufeff", "\0"])
def test_a_line_that_is_no_block_is_refused(tmp_path, whole, line):
    for number in (1, 2, 4):
        lines = whole.decode().splitlines()
        lines[number - 1] = line
        (tmp_path / "match").write_text("\n".join(lines) + "\n")
        refused(tmp_path / "match", f"match, line {number}: ")


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("format", ["9", "true", "1.0", '"1"', "null", "[]"]),
        ("game", ['"chess"', "null", "[]", "7"]),
        ("rules", ["null", "[]", '{"players":9}', '{"players":2.0}', '{"players":[]}', '{"gravity":1}']),
        ("bots", ["null", "{}", '"ab"', "[1,2]", '["chancer",null]']),
        ("seed", ["0.0", "false", '"0"', "null", "NaN"]),
        ("deals", ["0", "3.0", "true", '"3"', "null", HUGE, "1000001"]),
        ("package", ["1", "null", "{}"]),
        ("repeatable", ["1", "null", '"yes"']),
        ("date", ["1"]),
    ],
)
def test_a_header_that_no_match_writes_is_refused(tmp_path, whole, path, values):
    for value in values:
        (tmp_path / "match").write_text(edited(whole, 1, path, value))
        refused(tmp_path / "match", f"line 1: expected the header of a match, format 2; .*({path}|NaN)")


def test_more_bots_than_seats_are_refused(tmp_path, whole):
    (tmp_path / "match").write_text(edited(whole, 1, "bots", '["a","b","c"]'))
    with pytest.raises(InputError, match="line 2: games: expected one a seat, and a seat for each of 3 bots"):
        load(tmp_path / "match")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files on this system")
def test_what_is_no_regular_file_is_not_even_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, "/dev/zero", "/dev/full", "nul\0"):
        for use in (lambda: played(*PAIR, out=path), lambda: load(path)):  # noqa: B023
            with pytest.raises(InputError, match=r"not a regular file|null byte") as error:
                use()
            assert error.value.field in ("out", "file")


def test_a_file_is_written_by_one_match_at_a_time(tmp_path, whole):
    out = tmp_path / "match"
    header = json.loads(whole.splitlines()[0])
    with Log(out, header):
        before = out.read_bytes(), out.stat().st_mtime_ns
        with pytest.raises(InputError, match=f"no other match writes at this time, {out} is in use") as error:
            played(*PAIR, deals=3, out=out)
        assert error.value.field == "out"
        assert (out.read_bytes(), out.stat().st_mtime_ns) == before
    assert played(*PAIR, deals=3, out=out).fresh == 6
    assert out.read_bytes() == whole


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks on this system")
def test_workers_that_outlive_a_match_do_not_hold_its_file(tmp_path, whole):
    header = json.loads(whole.splitlines()[0])
    here, there = multiprocess.Pipe()
    with Log(tmp_path / "match", header):
        worker = multiprocess.context.ForkProcess(target=lambda: (there.send("here"), time.sleep(60)), daemon=True)
        worker.start()
        assert here.recv() == "here"
        with pytest.raises(InputError, match="in use"):
            Log(tmp_path / "match", header)
    try:
        with Log(tmp_path / "match", header):
            assert worker.is_alive()
    finally:
        worker.kill()
        worker.join()


def test_loading_what_is_no_match_names_the_file(tmp_path):
    for content in (None, b"", b"[]\n", b"\xff\xfe\n", b'{"format":2}\n{"deal":0,"games":[]}\n', b'{"format":2}\n'):
        path = tmp_path / "match"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(InputError) as error:
            load(path)
        assert error.value.field == "file"


def test_the_file_tells_of_the_match_alone(tmp_path):
    played(*PAIR, out=tmp_path / "match", rules={"preset": "german"})
    header, first, *_ = map(json.loads, (tmp_path / "match").read_text().splitlines())
    assert list(header) == ["format", "game", "rules", "bots", "seed", "opening", "deals", "package", "repeatable"]
    assert header["rules"] == {"players": 2, "preset": "german", "curse": False, "special_fire": False}
    assert list(first["games"][0]) == ["seats", "payoffs", "decisions", "mess", "forfeit"]


def test_bots_that_mind_the_clock_are_flagged():
    hasty = Chancer()
    hasty.is_repeatable = False
    assert played(*PAIR, deals=1).repeatable
    assert not played(Picky(), hasty, deals=1).header()["repeatable"]


def test_an_interrupt_keeps_finished_blocks(tmp_path, monkeypatch):
    play_block = blocks_module.play_block

    def stop_at(setup, block):
        if block == stop:
            raise KeyboardInterrupt
        return play_block(setup, block)

    monkeypatch.setattr(match_module, "play_block", stop_at)
    stop = 1
    result = played(*PAIR, out=tmp_path / "match")
    assert (len(result.blocks), result.deals) == (1, 2)
    assert load(tmp_path / "match") == result
    stop = 0
    with pytest.raises(KeyboardInterrupt):
        played(*PAIR)
