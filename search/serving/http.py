"""The protocol over HTTP and WebSocket, and the page that uses it."""

import asyncio
import hmac
import ipaddress
import json
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import FileResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ...solver.errors import InputError
from .limits import Limits
from .messages import AdviseAnswer, Failure, encode, schema
from .roster import Roster
from .service import Client, Service

PAGE = Path(__file__).parent / "page"
LOCAL = ["localhost", "127.0.0.1", "["]
"""Hosts that no name server can have a say in; an address in brackets is looked at up to its first colon."""
BACKLOG = 64
"""Answers that may wait for a slow client; then partial ones are left out, and it is not heard until it has read."""
POLL = 0.25
"""Seconds between two looks at whether a client that waits for a search is still there."""
BODY_SECONDS = 30.0
"""Seconds in which a request has to come."""
JSON, LINES = "application/json", "application/x-ndjson"
UNAUTHORIZED, TOO_SLOW, TOO_LARGE, UNAVAILABLE, WRONG = 401, 408, 413, 503, 400
POLICY = 1008
"""WebSocket: closed since the client is not let in."""
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


class Outbox:
    """A client of the event loop: answers come from other threads, and wait until they are sent."""

    def __init__(self, service: Service) -> None:
        self._loop = asyncio.get_running_loop()
        self._service = service
        self._answers: asyncio.Queue[Struct] = asyncio.Queue()
        self.client = Client(self._receive)

    def _receive(self, answer: Struct) -> None:
        self._loop.call_soon_threadsafe(self._put, answer)

    def _put(self, answer: Struct) -> None:
        if self._answers.qsize() < BACKLOG or not is_partial(answer):
            self._answers.put_nowait(answer)

    def ask(self, raw: bytes | str) -> Struct | None:
        """The answer to a request, or None when it will come."""
        return self._service.handle(raw, self.client)

    async def next(self) -> Struct:
        """The next answer that comes."""
        return await self._answers.get()

    def leave(self) -> None:
        """Nobody waits any more."""
        self._service.leave(self.client)


def is_partial(answer: Struct) -> bool:
    """Whether others follow."""
    return isinstance(answer, AdviseAnswer) and answer.partial


def _status(answer: Struct) -> int:
    if not isinstance(answer, Failure):
        return 200
    return UNAVAILABLE if answer.field == "server" else WRONG


def _answered(answer: Struct, status: int | None = None) -> Response:
    return Response(encode(answer), status or _status(answer), media_type=JSON)


def _refused(field: str, expected: str, status: int) -> Response:
    return _answered(Failure(id=None, error=expected, field=field), status)


class _Headers:
    """Adds headers that keep a browser to this server's own files."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in HEADERS.items()),
                ]
            await send(message)

        await self.app(scope, receive, sending if scope["type"] == "http" else send)


class Server:
    """The routes, around one service."""

    def __init__(self, service: Service, token: str | None, origins: list[str], is_local: bool) -> None:
        """
        Args:
            service: answers the requests.
            token: what clients must send, if anything.
            origins: of pages that may ask besides the server's own.
            is_local: whether only this machine can reach the server.
        """
        self.service, self._token, self._origins, self._is_local = service, token, origins, is_local

    def app(self) -> Starlette:
        """The application."""
        middleware = [Middleware(_Headers)]
        if self._is_local:
            # a page elsewhere whose name is made to lead here would pass as the server's own
            middleware.append(Middleware(TrustedHostMiddleware, allowed_hosts=LOCAL))
        if self._origins:
            middleware.append(
                Middleware(
                    CORSMiddleware,
                    allow_origins=self._origins,
                    allow_methods=["POST"],
                    allow_headers=["authorization"],
                )
            )

        routes: list[Any] = [
            Route("/v1", self.post, methods=["POST"]),
            WebSocketRoute("/v1/socket", self.socket),
            Route("/schema", self.schema),
            Route("/health", self.health),
            Route("/metrics", self.metrics),
        ]
        if PAGE.is_dir():
            routes += [Route("/", self.page), Mount("/page", StaticFiles(directory=PAGE))]
        lost: Any = {404: self.lost, 405: self.lost}
        return Starlette(routes=routes, middleware=middleware, exception_handlers=lost)

    def _is_let_in(self, connection: HTTPConnection) -> bool:
        """Whether the token is right; browsers cannot send a header with a WebSocket, so there a parameter will do."""
        if self._token is None:
            return True
        scheme, _, given = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            given = connection.query_params.get("token", "") if connection.scope["type"] == "websocket" else ""
        return hmac.compare_digest(given.encode(), self._token.encode())

    def _is_same_origin(self, connection: HTTPConnection) -> bool:
        """Whether a browser asks from a page of this server, or of an origin that was allowed, or no browser asks."""
        origin = connection.headers.get("origin")
        if origin is None or origin in self._origins or "*" in self._origins:
            return True
        return origin.partition("://")[2] == connection.headers.get("host")

    async def post(self, request: Request) -> Response:
        """One request, one answer; with ``report_every`` partial answers before it, a line each."""
        if not self._is_let_in(request):
            return _refused("token", "expected the header Authorization: Bearer with the token", UNAUTHORIZED)
        if not self._is_same_origin(request):
            return _refused("origin", "expected a page of this server, or one that it was told of", 403)
        try:
            async with asyncio.timeout(BODY_SECONDS):
                raw = await self._body(request)
        except ClientDisconnect:
            return Response(status_code=WRONG)
        except TimeoutError:
            refusal = _refused("request", f"expected it to come within {BODY_SECONDS:g} s", TOO_SLOW)
            # or the rest of it would be taken for the next one
            refusal.headers["connection"] = "close"
            return refusal
        if raw is None:
            most = self.service.limits.request_bytes
            return _refused("request", f"expected at most {most} bytes", TOO_LARGE)
        outbox = Outbox(self.service)
        answer = outbox.ask(raw)
        if answer is not None:
            return _answered(answer)
        try:
            first = await self._patiently(outbox, request)
        except ClientDisconnect:
            outbox.leave()
            return Response(status_code=WRONG)
        if not is_partial(first):
            return _answered(first)
        return StreamingResponse(self._lines(first, outbox), media_type=LINES)

    async def _body(self, request: Request) -> bytes | None:
        """The body, or None if it is too long; no more than that is kept."""
        parts, total = [], 0
        async for part in request.stream():
            total += len(part)
            if total > self.service.limits.request_bytes:
                return None
            parts.append(part)
        return b"".join(parts)

    async def _patiently(self, outbox: Outbox, request: Request) -> Struct:
        """The first answer that comes; ``ClientDisconnect`` if the client does not wait for it."""
        waiting = asyncio.ensure_future(outbox.next())
        try:
            while not (await asyncio.wait([waiting], timeout=POLL))[0]:
                if await request.is_disconnected():
                    raise ClientDisconnect
        except BaseException:
            waiting.cancel()
            raise
        return waiting.result()

    async def _lines(self, first: Struct, outbox: Outbox) -> AsyncIterator[bytes]:
        answer = first
        try:
            while True:
                yield encode(answer) + b"\n"
                if not is_partial(answer):
                    return
                answer = await outbox.next()
        finally:
            outbox.leave()

    async def socket(self, socket: WebSocket) -> None:
        """Requests and answers, one a message, in any order."""
        if not self._is_let_in(socket) or not self._is_same_origin(socket):
            await socket.close(POLICY)
            return
        await socket.accept()
        outbox = Outbox(self.service)
        sending = asyncio.Lock()

        async def send(answer: Struct) -> None:
            async with sending:
                await socket.send_text(encode(answer).decode())

        async def forward() -> None:
            while True:
                await send(await outbox.next())

        forwarding = asyncio.ensure_future(forward())
        try:
            while True:
                message = await socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                answer = outbox.ask(message.get("text") or message.get("bytes") or b"")
                if answer is not None:
                    await send(answer)
        except WebSocketDisconnect:
            return
        finally:
            forwarding.cancel()
            outbox.leave()

    async def lost(self, request: Request, error: Any) -> Response:
        """Nothing is there, or nothing that can be asked in this way."""
        return _refused(
            "request",
            "expected POST /v1, the WebSocket /v1/socket, or GET /schema, /health or /metrics",
            error.status_code,
        )

    async def schema(self, request: Request) -> Response:
        """The JSON Schema of the protocol."""
        return Response(json.dumps(schema()), media_type=JSON)

    async def health(self, request: Request) -> Response:
        """Whether the server is there."""
        return Response(b'{"status":"ok"}', media_type=JSON)

    async def metrics(self, request: Request) -> Response:
        """How busy it is, in the text format of Prometheus."""
        if not self._is_let_in(request):
            return _refused("token", "expected the header Authorization: Bearer with the token", UNAUTHORIZED)
        return PlainTextResponse("".join(f"mess_{name} {value:g}\n" for name, value in self.service.load.items()))

    async def page(self, request: Request) -> Response:
        """The page to play on."""
        return FileResponse(PAGE / "index.html")


class _Graceful(uvicorn.Server):
    """Ends searches before connections, so that whoever waits is answered."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let searches answer with what they have, and send it."""
        await asyncio.to_thread(self._service.close)
        await asyncio.sleep(POLL)
        await super().shutdown(sockets)


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; ``InputError`` if it cannot."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError("http", f"expected a free address of this machine, got {host}:{port}; {reason}") from None


def serve(limits: Limits, roster: Roster, host: str, port: int, token: str | None, origins: list[str]) -> None:
    """Serve until a signal; requests that are being answered then are answered.

    Raises:
        InputError: nobody can listen at this address.
    """
    listening = _listen(host, port)
    is_local = ipaddress.ip_address(listening.getsockname()[0]).is_loopback
    if token is None and not is_local:
        print("mess: whoever reaches this address can use the server; --token asks for one", file=sys.stderr)
    name = f"[{host}]" if ":" in host else host
    print(f"mess: serving http://{name}:{listening.getsockname()[1]}", file=sys.stderr, flush=True)
    service = Service(limits, roster)
    config = uvicorn.Config(
        Server(service, token, origins, is_local).app(),
        log_level="warning",
        access_log=False,
        ws_max_size=limits.request_bytes + 1,
        ws_max_queue=8,
        limit_concurrency=limits.connections,
        timeout_graceful_shutdown=5,
        server_header=False,
    )
    _Graceful(config, service).run(sockets=[listening])
