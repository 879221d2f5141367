"""How fast the service answers, over standard input and output and over HTTP, and whether it holds out."""

import asyncio
import copy
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from tqdm import tqdm

from ..search.serving.kept import Kept
from ..solver.game import deal
from .speed import MAIN, Row, machine, row

RULES: dict[str, dict[str, Any]] = {
    "flaming": {"players": 2},
    "odin": {"players": 2, "limit": "one-hand"},
    "pylos": {"variant": "standard"},
    "meeples": {"seconds": 60},
}
GAMES, LONGEST = 4, 200
CONNECTIONS = 8
SEARCH_SECONDS = 0.2
SMALL = {"game": "pylos", "rules": {"size": 2}}
"""A game that is soon over, for counting games."""
VALUES: tuple[Any, ...] = (None, True, -1, 0, 1e308, 2**64, "", "?", "\u0000", [], {}, [[]], {"a": {}}, "x" * 5000)
"""What a field of a mutated message may become."""


class Server:
    """A server on standard input and output, and what it answers."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", MAIN, "serve", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        """One request, and its answer."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps({"id": 0, **request}).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def pipeline(self, lines: list[bytes], answers: int) -> list[bytes]:
        """So many answers to requests sent without waiting."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin and stdout

        def send() -> None:
            stdin.write(b"".join(lines))
            stdin.flush()

        sending = threading.Thread(target=send)
        sending.start()
        found = [stdout.readline() for _ in range(answers)]
        sending.join()
        return found

    def memory(self) -> float:
        """Megabytes in use."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1000

    def end(self) -> int:
        """Let it end; its exit code."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.process.wait()


@contextmanager
def serving(*options: str) -> Iterator[Server]:
    """A server for a while."""
    server = Server(*options)
    try:
        yield server
    finally:
        server.end()


def _games(game: str) -> list[list[str]]:
    """Moves of some random games, chance left to the server."""
    games = []
    for seed in range(GAMES):
        rng, kept = random.Random(seed), Kept(deal(game, seed, **RULES[game]), seed, True, True)
        moves: list[str] = []
        kept.draw()
        while not kept.position.is_over and len(moves) < LONGEST:
            moves.append(rng.choice(kept.position.moves()))
            kept.play(moves[-1], 10 * LONGEST)
        games.append(moves)
    return games


def _requests(game_id: str, moves: list[str]) -> Iterator[dict[str, Any]]:
    """A game as a frontend plays it: what is legal, a move, what the first seat sees."""
    for move in moves:
        yield {"type": "legal", "game_id": game_id}
        yield {"type": "play", "game_id": game_id, "move": move}
        yield {"type": "observe", "game_id": game_id, "seat": 0}


def _started(ask: Callable[..., dict[str, Any]], game: str, moves: list[list[str]]) -> list[dict[str, Any]]:
    """The requests of all games, which are kept for them."""
    requests: list[dict[str, Any]] = []
    for seed, played in enumerate(moves):
        new = ask(type="new", game=game, rules=RULES[game], seed=seed)
        requests += _requests(new["game_id"], played)
    return requests


def over_pipes(repeats: int) -> list[Row]:
    """Requests a second without waiting, and the time of one at a time, for each game."""
    rows = []
    with serving("--searches", "1") as server:
        for game in RULES:
            moves = _games(game)
            rates, times = [], []
            for _ in range(repeats + 1):
                lines = [json.dumps({"id": 0, **one}).encode() + b"\n" for one in _started(server.ask, game, moves)]
                began = time.perf_counter()
                answers = server.pipeline(lines, len(lines))
                rates.append(len(lines) / (time.perf_counter() - began))
                assert not any(b'"error"' in answer for answer in answers)
            for one in _started(server.ask, game, moves):
                began = time.perf_counter()
                server.ask(**one)
                times.append(1000 * (time.perf_counter() - began))
            rows.append(row(f"{game}, legal, play and observe in a pipe", "requests/s", rates[1:]))
            low, median, high = np.quantile(times, [0.05, 0.5, 0.95])
            rows.append(Row(f"{game}, one request at a time", median, "ms", low, high, len(times)))
    return rows


class _Connection:
    """A connection that posts one request after another."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def to(cls, port: int) -> "_Connection":
        """Connected to a port of this machine."""
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def post(self, **request: Any) -> dict[str, Any]:
        """A request, and its answer."""
        body = json.dumps({"id": 0, **request}).encode()
        head = f"POST /v1 HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(body)}\r\n\r\n"
        self._writer.write(head.encode() + body)
        length = 0
        while (line := await self._reader.readline()) not in (b"\r\n", b""):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(await self._reader.readexactly(length))

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


@contextmanager
def _listening(*options: str) -> Iterator[int]:
    """A server over HTTP for a while; its port."""
    command = [sys.executable, "-c", MAIN, "serve", "--http", "127.0.0.1:0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    try:
        yield int(process.stderr.readline().rpartition(":")[2])
    finally:
        process.terminate()
        process.wait()


async def _rate(port: int, game: str, moves: list[list[str]]) -> float:
    """Requests a second over some connections, each playing all games after the other."""
    connections = [await _Connection.to(port) for _ in range(CONNECTIONS)]
    games = []
    for connection in connections:
        requests: list[dict[str, Any]] = []
        for seed, played in enumerate(moves):
            new = await connection.post(type="new", game=game, rules=RULES[game], seed=seed)
            requests += _requests(new["game_id"], played)
        games.append(requests)

    async def play(connection: _Connection, requests: list[dict[str, Any]]) -> None:
        for one in requests:
            assert "error" not in await connection.post(**one)

    began = time.perf_counter()
    await asyncio.gather(*map(play, connections, games))
    seconds = time.perf_counter() - began
    for connection in connections:
        connection.close()
    return sum(map(len, games)) / seconds


async def _crowd(port: int, clients: int) -> tuple[float, int]:
    """Seconds until so many clients at once have all got advice, and how many were overtaken by a later one."""
    connections = [await _Connection.to(port) for _ in range(clients)]
    views = [deal("odin", seed, players=3).observe(0).to_dict() for seed in range(clients)]
    await connections[0].post(type="advise", view=views[0], iterations=10)
    order: list[int] = []

    async def ask(i: int) -> None:
        # one after the other, so that there is an order to keep
        await asyncio.sleep(i * 0.005)
        answer = await connections[i].post(type="advise", view=views[i], seconds=SEARCH_SECONDS)
        assert {move["move"] for move in answer["advice"]["moves"]} == set(_moves(views[i])), answer
        order.append(i)

    began = time.perf_counter()
    await asyncio.gather(*map(ask, range(clients)))
    seconds = time.perf_counter() - began
    for connection in connections:
        connection.close()
    late = sum(any(later > one for later in order[:place]) for place, one in enumerate(order))
    return seconds, late


def _moves(view: dict[str, Any]) -> list[str]:
    from ..solver.position import read

    return read(view).moves()


def over_http(repeats: int, clients: int) -> list[Row]:
    """Requests a second over HTTP, and advice for many clients at once."""
    rows = []
    cores = os.cpu_count() or 1
    with _listening("--searches", str(cores)) as port:
        for game in RULES:
            moves = _games(game)
            rates = [asyncio.run(_rate(port, game, moves)) for _ in range(repeats)]
            rows.append(row(f"{game}, legal, play and observe over HTTP", "requests/s", rates))
        seconds, late = asyncio.run(_crowd(port, clients))
    name = f"{clients} clients at once, advice of {SEARCH_SECONDS} s each on {cores} workers"
    rows.append(row(f"{name}, all answered after", "s", [seconds]))
    rows.append(row(f"{name}, overtaken by a later one", "clients", [float(late)]))
    return rows


def many_games(games: int) -> list[Row]:
    """Memory after a tenth of so many games, and after all of them."""
    moves: list[str] = []
    position = deal(SMALL["game"], 0, **SMALL["rules"])  # type: ignore[arg-type,call-overload]
    while not position.is_over:
        moves.append(position.moves()[0])
        position = position.play(moves[-1])
    used = []
    with serving("--searches", "1", "--games", "1000") as server:
        for i in range(games):
            new = server.ask(type="new", seed=i, **SMALL)
            lines = [json.dumps({"id": 0, **one}).encode() + b"\n" for one in _requests(new["game_id"], moves)]
            server.pipeline(lines, len(lines))
            if i + 1 in (games // 10, games):
                used.append(server.memory())
    return [
        row(f"memory after {games // 10:,} games", "MB", [used[0]]),
        row(f"memory after {games:,} games", "MB", [used[1]]),
    ]


def seeds_of_mutants() -> list[dict[str, Any]]:
    """Sound requests, a few of every type, to make unsound ones of."""
    views = [deal(game, 1, **RULES[game]).to_dict() for game in RULES]
    seeds: list[dict[str, Any]] = [{"type": "info"}, {"type": "games"}, {"type": "stop", "target": 1}]
    for view in views:
        seeds += [
            {"type": "new", "game": view["game"], "rules": view["rules"], "seed": 3, "chance": "client"},
            {"type": "new", "position": view},
            {"type": "new", "record": {"start": view, "moves": []}},
            {"type": "legal", "view": view},
            {"type": "play", "view": view, "move": "1a1", "tell": True},
            {"type": "observe", "view": view, "seat": 0},
            {"type": "advise", "view": view, "iterations": 5, "only": ["1a1"], "priority": 1},
            {"type": "move", "view": view, "bot": "random", "seed": 3},
        ]
    for name in ("undo", "record", "forget"):
        seeds.append({"type": name, "game_id": "x", "count": 1})
    return seeds


def mutant(rng: random.Random, seeds: list[dict[str, Any]], id: int) -> bytes:
    """A message that is wrong in some way, on one line: a field changed, added or gone, or bytes."""
    message = copy.deepcopy({"id": id, **rng.choice(seeds)})
    for _ in range(rng.randint(1, 3)):
        part = message
        while True:
            keys: list[Any] = list(part) if isinstance(part, dict) else list(range(len(part)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(part[key], dict | list) and part[key] and rng.random() < 0.7:
                part = part[key]
                continue
            if key != "id":
                _spoil(part, key, rng, seeds)
            break
    line = json.dumps(message).encode()
    if rng.random() < 0.3:
        place = rng.randrange(len(line))
        line = line[:place] + bytes([rng.randrange(11, 256)]) * rng.randint(0, 3) + line[place + rng.randint(0, 3) :]
    return line.replace(b"\n", b" ").replace(b"\r", b" ").strip() or b"?"


def _spoil(part: Any, key: Any, rng: random.Random, seeds: list[dict[str, Any]]) -> None:
    """Change a part of a message."""
    way = rng.randrange(4)
    if way == 0:
        del part[key]
    elif way == 1:
        part[key] = copy.deepcopy(rng.choice(VALUES))
    elif way == 2:
        part[key] = copy.deepcopy(rng.choice(list(rng.choice(seeds).values())))
    elif isinstance(part, dict):
        part[rng.choice(("view", "game_id", "ply", "seconds", "iterations", "extra", "seat"))] = copy.deepcopy(
            rng.choice(VALUES)
        )
    else:
        part.append(copy.deepcopy(part[key]))


def mutants(count: int, batch: int = 500) -> list[Row]:
    """How many of so many mutated messages are answered exactly once, with sound ones between them answered right."""
    rng, seeds = random.Random(0), seeds_of_mutants()
    limits = ("--searches", "1", "--iterations", "20", "--seconds", "20ms", "--pending", "1000")
    answered = 0
    with serving(*limits) as server:
        server.ask(type="advise", view=deal("pylos", 0).to_dict(), iterations=1, method="mcts")
        # a mutated message may come to have any number for its id, but hardly this name
        sound = {"id": "sound", "type": "legal", "view": deal("pylos", 0).to_dict()}
        expected = server.ask(**sound)
        for _ in range(count // batch):
            lines = [mutant(rng, seeds, id) + b"\n" for id in range(1, batch + 1)]
            lines.insert(rng.randrange(batch), json.dumps(sound).encode() + b"\n")
            answers = [json.loads(answer) for answer in server.pipeline(lines, len(lines))]
            assert [answer for answer in answers if answer["id"] == "sound"] == [expected]
            answered += len(answers) - 1
        # an answer too many would come in place of this one
        assert server.ask(**sound) == expected
    return [row(f"of {count:,} mutated messages, answered exactly once", "messages", [float(answered)])]


def measure(quick: bool, command: str, progress: bool) -> dict[str, Any]:
    """Measure everything; ``quick`` with fewer repeats and smaller counts."""
    repeats = 3 if quick else 7
    parts: list[Callable[[], list[Row]]] = [
        lambda: over_pipes(repeats),
        lambda: over_http(repeats, 20 if quick else 200),
        lambda: many_games(1000 if quick else 100_000),
        lambda: mutants(2000 if quick else 100_000),
    ]
    rows: list[Row] = []
    for part in tqdm(parts, unit="part", disable=None if progress else True):
        rows += part()
    return {
        "kind": "speed",
        "title": "Serving",
        "command": command,
        "quick": quick,
        "machine": machine(),
        "rows": [measured._asdict() for measured in rows],
        "ratios": [],
        "notes": ["Client and server share the machine; the ranges of one request at a time are 5 and 95 %."],
    }
