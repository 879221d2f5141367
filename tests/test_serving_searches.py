"""Requests that worker processes answer: advice, moves of bots, their order, and their ends."""

import os
import signal
import subprocess
import sys
import threading

import pytest
from mess.search.bot import make
from mess.search.search import advise
from mess.search.serving import pool as pools
from mess.search.serving.kept import Kept
from mess.search.serving.limits import Limits
from mess.search.serving.service import Service
from mess.solver.game import deal
from mess.solver.rng import stream
from serving import Asker

LONG = 5_000_000


@pytest.fixture(scope="module")
def service():
    service = Service(Limits(searches=1, queue=30, pending=40, iterations=LONG))
    yield service
    service.close()


@pytest.fixture
def asker(service):
    asker = Asker(service)
    yield asker
    service.leave(asker.client)


def test_advice_is_that_of_the_search(asker):
    position = deal("odin", 2, players=3)
    told = asker.fine("advise", view=position.to_dict(), iterations=300, seed=4)
    expected = advise(position, iterations=300, seed=4).to_dict()
    assert {**told["advice"], "seconds": 0} == {**expected, "seconds": 0}
    assert told["perspective"] == "the seat to act"
    assert (told["partial"], told["stopped"]) == (False, False)


def test_advice_does_not_depend_on_what_is_hidden_nor_on_the_level(asker):
    position = deal("flaming", 3, players=2)
    seen = position.observe(position.to_act)
    other = seen.world(stream(8, "another"))
    assert other.to_dict() != position.to_dict()
    answers = [
        asker.fine("advise", iterations=200, view=view, **more)["advice"]
        for view in (position.to_dict(), other.to_dict(), seen.to_dict())
        for more in ({}, {"level": 1})
    ]
    assert len({str({**answer, "seconds": 0}) for answer in answers}) == 1


def test_unknown_fields_are_a_warning_with_the_final_answer(asker):
    view = deal("pylos", 0).to_dict()
    for type, more in (("advise", {"iterations": 20, "method": "mcts"}), ("move", {"bot": "random"})):
        assert asker.fine(type, view=view, colour=1, **more)["warnings"] == ["no such field: colour"]
        assert "warnings" not in asker.fine(type, view=view, **more)
    assert not asker.client.warnings


def test_a_fault_in_an_answer_is_told_and_the_next_search_goes_on(asker, monkeypatch, capsys):
    game = asker.fine("new", game="pylos")["game_id"]
    with monkeypatch.context() as patch:
        patch.setattr(Kept, "play", lambda *arguments: 1 // 0)
        assert asker.wrong("move", game_id=game, bot="random", play=True) == "server"
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert asker.fine("move", game_id=game, bot="random", play=True)["ply"] == 1


def test_some_moves_are_left_out(asker):
    view = deal("pylos", 0).to_dict()
    kept = asker.fine("advise", view=view, iterations=200, only=["1a1", "1b2"], method="mcts")["advice"]
    assert {move["move"] for move in kept["moves"]} == {"1a1", "1b2"}
    rest = asker.fine("advise", view=view, iterations=200, avoid=["1a1"], method="mcts")["advice"]
    assert len(rest["moves"]) == 15
    assert asker.wrong("advise", view=view, iterations=200, only=["9z9"]) == "only[0]"


def test_partial_answers_come_before_the_last(asker):
    asker.send("advise", view=deal("pylos", 0).to_dict(), iterations=LONG, report_every=0.05, method="mcts")
    number = asker.count
    first = asker.later.get(timeout=120)
    assert (first["id"], first["partial"]) == (number, True)
    assert asker.fine("stop", target=number)["stopped"]
    answer = asker.later.get(timeout=120)
    while answer["partial"]:
        answer = asker.later.get(timeout=120)
    assert (answer["id"], answer["stopped"]) == (number, True)
    assert first["advice"]["iterations"] <= answer["advice"]["iterations"] < LONG
    assert not asker.fine("stop", target=number)["stopped"]


@pytest.mark.parametrize("game", ["flaming", "odin", "pylos", "meeples"])
def test_a_bot_moves_and_can_be_let_move(asker, game):
    rules = {"players": 2} if game in ("flaming", "odin") else {}
    new = asker.fine("new", game=game, rules=rules, seed=3)
    answer = asker.fine("move", game_id=new["game_id"], bot="random", play=True, tell=True)
    position = deal(game, 3, **rules)
    assert answer["move"] == make("random", game).choose(position.observe(0), stream(3, "bot", 0, 0))
    assert answer["ply"] == 1 + len(answer["chance"])
    assert [one["move"] for one in answer["told"]] == [answer["move"], *answer["chance"]]
    assert asker.fine("observe", game_id=new["game_id"])["plies"] == answer["ply"]


def test_a_move_is_refused_where_the_game_went_on_meanwhile(asker):
    new = asker.fine("new", game="pylos", seed=0)
    blocker = asker.send("advise", view=deal("pylos", 0).to_dict(), iterations=LONG, method="mcts")
    assert blocker is None
    blocking = asker.count
    asker.send("move", game_id=new["game_id"], bot="random", play=True)
    waiting = asker.count
    asker.fine("play", game_id=new["game_id"], move="1a1")
    asker.fine("stop", target=blocking)
    answers = {answer["id"]: answer for answer in (asker.later.get(timeout=120) for _ in range(2))}
    assert answers[waiting]["field"] == "game_id"
    assert asker.fine("observe", game_id=new["game_id"])["plies"] == 1


def test_searches_come_in_the_order_of_their_priority_and_then_of_arrival(asker):
    view = deal("pylos", 0).to_dict()
    asker.send("advise", view=view, iterations=LONG, method="mcts")
    blocking, sent = asker.count, {}
    for priority in (0, 5, 0, -1, 5):
        asker.send("advise", view=view, iterations=50, method="mcts", priority=priority)
        sent[asker.count] = priority
    asker.fine("stop", target=blocking)
    order = [asker.later.get(timeout=120)["id"] for _ in range(6)]
    assert order[0] == blocking
    assert order[1:] == sorted(sent, key=lambda number: (-sent[number], number))


def test_too_many_at_a_time_are_refused(asker, service):
    view = deal("pylos", 0).to_dict()
    asker.send("advise", view=view, iterations=LONG, method="mcts")
    first = asker.count
    refused = []
    for _ in range(service.limits.queue + 5):
        if answer := asker.send("advise", view=view, iterations=10, method="mcts"):
            refused.append(answer["field"])
    assert set(refused) == {"server"}
    for number in range(first, asker.count + 1):
        asker.raw(f'{{"id": "s{number}", "type": "stop", "target": {number}}}')
    answers = [asker.later.get(timeout=120) for _ in range(service.limits.queue + 6 - len(refused))]
    assert len({answer["id"] for answer in answers}) == len(answers)


def test_an_id_in_use_is_refused(asker):
    asker.send("advise", view=deal("pylos", 0).to_dict(), iterations=LONG, method="mcts")
    number = asker.count
    assert asker.raw(f'{{"id": {number}, "type": "info"}}')["field"] == "id"
    asker.fine("stop", target=number)
    assert asker.later.get(timeout=120)["id"] == number
    assert "error" not in asker.raw(f'{{"id": {number}, "type": "info"}}')


def test_nobody_is_told_who_has_gone(service):
    gone, here = Asker(service), Asker(service)
    gone.send("advise", view=deal("pylos", 0).to_dict(), iterations=LONG, method="mcts")
    service.leave(gone.client)
    assert here.fine("advise", view=deal("pylos", 0).to_dict(), iterations=20, method="mcts")
    assert gone.later.empty()


def test_a_worker_that_dies_costs_its_search_alone(asker, service):
    asker.send("advise", view=deal("pylos", 0).to_dict(), iterations=LONG, method="mcts", report_every=0.05)
    assert asker.later.get(timeout=120)["partial"]
    os.kill(service.pool._workers[0].process.pid, signal.SIGKILL)
    answer = asker.later.get(timeout=120)
    while "error" not in answer:
        answer = asker.later.get(timeout=120)
    assert answer["field"] == "server"
    assert asker.fine("advise", view=deal("pylos", 0).to_dict(), iterations=20, method="mcts")


def test_a_search_that_hears_nothing_is_ended(monkeypatch):
    monkeypatch.setattr(pools, "GRACE", 0.5)
    service = Service(Limits(searches=1))
    asker = Asker(service)
    try:
        assert asker.fine("advise", view=deal("pylos", 0).to_dict(), iterations=20, method="mcts")
        os.kill(service.pool._workers[0].process.pid, signal.SIGSTOP)
        stuck = service.pool._workers[0].process.pid
        asker.send("advise", view=deal("pylos", 0).to_dict(), iterations=20, method="mcts")
        number = asker.count
        asker.fine("stop", target=number)
        answer = asker.later.get(timeout=60)
        assert (answer["id"], answer["field"]) == (number, "server")
        os.kill(stuck, signal.SIGCONT)
        assert asker.fine("advise", view=deal("pylos", 0).to_dict(), iterations=20, method="mcts")
    finally:
        service.close()


def test_closing_answers_everybody():
    service = Service(Limits(searches=1))
    asker = Asker(service)
    asker.send("advise", view=deal("pylos", 0).to_dict(), iterations=1_000_000, method="mcts", report_every=0.05)
    asker.later.get(timeout=120)
    asker.send("advise", view=deal("pylos", 0).to_dict(), iterations=10, method="mcts")
    threading.Thread(target=service.close).start()
    finals = {}
    while len(finals) < 2:
        answer = asker.later.get(timeout=60)
        if not answer.get("partial"):
            finals[answer["id"]] = answer
    assert finals[1]["stopped"]
    assert finals[2]["field"] == "server"


def test_a_worker_that_cannot_start_is_not_started_again_and_again(monkeypatch):
    started = []

    def start(worker, context, megabytes):
        started.append(worker)
        worker.pipe, there = context.Pipe()
        worker.process = type("Gone", (), {"terminate": there.close})()
        there.close()

    monkeypatch.setattr(pools._Worker, "start", start)
    service = Service(Limits(searches=1))
    asker = Asker(service)
    view = deal("pylos", 0).to_dict()
    for _ in range(2):
        assert asker.ask("advise", view=view, iterations=20, method="mcts")["field"] == "server"
    assert len(started) <= 3
    service.close()


def test_a_system_without_room_for_a_worker_costs_its_search_alone(service, asker, monkeypatch):
    def refuse(*arguments, **options):
        raise OSError(24, "Too many open files")

    view = deal("pylos", 0).to_dict()
    with monkeypatch.context() as patch:
        patch.setattr(type(service.pool._context), "Process", refuse)
        os.kill(service.pool._workers[0].process.pid, signal.SIGKILL)
        service.pool._workers[0].process.join()
        asked = [asker.ask("advise", view=view, iterations=20, method="mcts") for _ in range(2)]
        assert asked[1]["error"] == "expected room for a process; too many open files"
    assert asker.fine("advise", view=view, iterations=20, method="mcts")


def test_a_worker_gets_no_more_memory_than_it_may_have():
    code = (
        "import numpy as np; from mess.search.serving.worker import _bound_memory; _bound_memory(300); "
        "np.ones(5_000_000); print('some'); np.ones(50_000_000)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "some\n"
    assert "MemoryError" in done.stderr
