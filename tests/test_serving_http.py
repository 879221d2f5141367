"""The protocol over HTTP and WebSocket, with a real server on a free port."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from types import SimpleNamespace

import httpx
import pytest
import websockets
from mess.search.serving import http as over_http
from mess.search.serving.limits import Limits
from mess.solver.game import deal
from starlette.requests import Request

COMMAND = [sys.executable, "-c", "from mess.search.cli import main; main()", "serve", "--searches", "1"]
START = deal("pylos", 0).to_dict()
PATIENCE = 60


def start(*more):
    """A server that is ready, and its address."""
    server = subprocess.Popen([*COMMAND, "--http", "127.0.0.1:0", *more], stderr=subprocess.PIPE, text=True)
    address = server.stderr.readline().removeprefix("mess: serving ").strip()
    assert address.startswith("http://127.0.0.1:"), address
    assert httpx.get(f"{address}/health", timeout=PATIENCE).status_code == 200
    return server, address


@pytest.fixture(scope="module")
def address():
    server, address = start("--request-bytes", "20000")
    yield address
    server.send_signal(signal.SIGTERM)
    assert server.wait(PATIENCE) in (0, -signal.SIGTERM)


def post(address, type, id=1, status=200, headers=None, **fields):
    answer = httpx.post(f"{address}/v1", json={"id": id, "type": type, **fields}, headers=headers, timeout=PATIENCE)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_game_is_played_over_http(address):
    new = post(address, "new", game="pylos", rules={"size": 2})
    to_act = new["to_act"]
    while to_act is not None:
        move = post(address, "legal", game_id=new["game_id"])["moves"][0]
        answer = post(address, "play", game_id=new["game_id"], move=move)
        to_act = answer["to_act"]
    assert sum(answer["result"]) == 1
    assert post(address, "record", game_id=new["game_id"])["record"]["result"] == answer["result"]


def test_errors_have_a_status(address):
    assert post(address, "legal", status=400)["field"] == "game_id"
    assert httpx.post(f"{address}/v1", content=b"{").status_code == 400
    too_long = httpx.post(f"{address}/v1", content=b" " * 20001)
    assert (too_long.status_code, too_long.json()["field"]) == (413, "request")
    for path, status in (("/v1", 405), ("/v2", 404), ("/page/../service.py", 404), ("/page/%2e%2e/service.py", 404)):
        answer = httpx.get(f"{address}{path}")
        assert (answer.status_code, answer.json()["field"]) == (status, "request")


def test_partial_answers_are_lines(address):
    asked = {"id": 7, "type": "advise", "view": START, "seconds": 0.5, "method": "mcts", "report_every": 0.1}
    with httpx.stream("POST", f"{address}/v1", json=asked, timeout=PATIENCE) as response:
        answers = [json.loads(line) for line in response.iter_lines()]
    assert response.headers["content-type"].startswith("application/x-ndjson")
    assert [answer["partial"] for answer in answers] == [True] * (len(answers) - 1) + [False]
    assert len(answers) > 1


def test_health_metrics_and_schema(address):
    assert httpx.get(f"{address}/health").json() == {"status": "ok"}
    metrics = httpx.get(f"{address}/metrics").text
    assert {line.split()[0] for line in metrics.splitlines()} >= {"mess_requests", "mess_waiting", "mess_games"}
    assert "$defs" in httpx.get(f"{address}/schema").json()


def test_other_origins_are_not_let_in(address):
    other = {"origin": "http://elsewhere.example"}
    assert post(address, "info", status=403, headers=other)["field"] == "origin"
    answer = httpx.post(f"{address}/v1", json={"id": 1, "type": "info"}, headers={"origin": address})
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers


def test_names_made_to_lead_here_are_not_let_in(address):
    port = address.rpartition(":")[2]
    other = {"host": f"elsewhere.example:{port}", "origin": f"http://elsewhere.example:{port}"}
    assert httpx.post(f"{address}/v1", json={"id": 1, "type": "info"}, headers=other).status_code == 400
    assert post(address, "info", headers={"host": f"localhost:{port}"})["name"] == "mess"


def test_a_socket_answers_in_any_order(address):
    async def talk():
        async with websockets.connect(f"{address.replace('http', 'ws')}/v1/socket") as connection:
            long = {"id": 1, "type": "advise", "view": START, "seconds": 20, "method": "mcts", "report_every": 0.1}
            await connection.send(json.dumps(long))
            first = json.loads(await connection.recv())
            await connection.send(json.dumps({"id": 2, "type": "games"}))
            await connection.send("no json")
            await connection.send(json.dumps({"id": 3, "type": "stop", "target": 1}))
            answers = [first]
            while sum(not answer.get("partial") for answer in answers) < 4:
                answers.append(json.loads(await connection.recv()))
            return answers

    answers = asyncio.run(asyncio.wait_for(talk(), PATIENCE))
    assert answers[0]["partial"]
    finals = {answer["id"]: answer for answer in answers if not answer.get("partial")}
    assert finals.keys() == {1, 2, 3, None}
    assert finals[1]["stopped"]
    assert finals[None]["field"] == "request"


def test_a_client_that_goes_away_stops_its_search(address):
    asked = {"id": 1, "type": "advise", "view": START, "seconds": 50, "method": "mcts"}
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{address}/v1", json=asked, timeout=0.3)

    async def leave():
        async with websockets.connect(f"{address.replace('http', 'ws')}/v1/socket") as connection:
            await connection.send(json.dumps(asked))

    asyncio.run(leave())
    assert post(address, "advise", view=START, iterations=20, method="mcts")["advice"]["iterations"] == 20


def test_a_token_is_asked_for():
    server, address = start("--token", "secret", "--origin", "http://friend.example")
    try:
        assert post(address, "info", status=401)["field"] == "token"
        assert post(address, "info", status=401, headers={"authorization": "Bearer wrong"})["field"] == "token"
        right = {"authorization": "Bearer secret"}
        assert post(address, "info", headers=right)["name"] == "mess"
        assert httpx.get(f"{address}/metrics").status_code == 401
        friend = {**right, "origin": "http://friend.example"}
        answer = httpx.post(f"{address}/v1", json={"id": 1, "type": "info"}, headers=friend)
        assert answer.headers["access-control-allow-origin"] == "http://friend.example"

        async def let_in(query):
            async with websockets.connect(f"{address.replace('http', 'ws')}/v1/socket{query}") as connection:
                await connection.send(json.dumps({"id": 1, "type": "info"}))
                return json.loads(await connection.recv())

        assert asyncio.run(let_in("?token=secret"))["name"] == "mess"
        with pytest.raises(websockets.InvalidStatus):
            asyncio.run(let_in(""))
    finally:
        server.terminate()
        server.wait(PATIENCE)


def test_a_signal_ends_it_with_all_answers():
    server, address = start()
    asked = {"type": "advise", "view": START, "seconds": 50, "method": "mcts", "report_every": 0.05}

    async def talk():
        async with websockets.connect(f"{address.replace('http', 'ws')}/v1/socket") as connection:
            await connection.send(json.dumps({"id": 1, **asked}))
            answer = json.loads(await connection.recv())
            await connection.send(json.dumps({"id": 2, **asked}))
            server.send_signal(signal.SIGTERM)
            finals = {}
            while len(finals) < 2:
                answer = json.loads(await connection.recv())
                if not answer.get("partial"):
                    finals[answer["id"]] = answer
            return finals

    finals = asyncio.run(asyncio.wait_for(talk(), PATIENCE))
    assert finals[1]["stopped"]
    assert finals[2]["field"] == "server"
    assert server.wait(PATIENCE) in (0, -signal.SIGTERM)


def test_a_request_has_to_come_in_time(monkeypatch):
    monkeypatch.setattr(over_http, "BODY_SECONDS", 0.01)

    async def post():
        parts = [{"type": "http.request", "body": b"{", "more_body": True}]

        async def receive():
            return parts.pop() if parts else await asyncio.Event().wait()

        server = over_http.Server(SimpleNamespace(limits=Limits()), None, [], True)
        return await server.post(Request({"type": "http", "method": "POST", "headers": []}, receive))

    answer = asyncio.run(post())
    assert (answer.status_code, answer.headers["connection"]) == (408, "close")
    assert json.loads(answer.body)["field"] == "request"


def test_too_many_connections_are_turned_away():
    server, address = start("--connections", "3")
    try:
        host, port = address.removeprefix("http://").split(":")
        with ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(socket.create_connection((host, port))).sendall(b"POST /v1 HTTP/1.1\r\n")
            assert httpx.get(f"{address}/health", timeout=PATIENCE).status_code == 503
        answers = iter(lambda: httpx.get(f"{address}/health", timeout=PATIENCE).status_code, 200)
        assert all(status == 503 for status in answers)
    finally:
        server.terminate()
        server.wait(PATIENCE)


def test_a_port_in_use_is_one_line(address):
    port = address.rpartition(":")[2]
    done = subprocess.run([*COMMAND, "--http", f"127.0.0.1:{port}"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("mess: http: expected ")
    assert done.stderr.count("\n") == 1
