"""The command that serves other frontends."""

import json
from typing import Annotated, Any

import typer

from ...solver.errors import InputError
from .. import options

LOOPBACK = "127.0.0.1"


def _address(text: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT``, ``:PORT`` or ``PORT``."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise InputError("http", f"expected HOST:PORT, as {LOOPBACK}:8000, got {text!r}")
    return host.strip("[]") or LOOPBACK, int(port)


def serve(
    http: Annotated[
        str | None,
        typer.Option("--http", metavar="HOST:PORT", help="Serve HTTP, WebSocket and a page to play on, not stdin."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="TEXT", envvar="MESS_TOKEN", help="HTTP: bearer token that clients must send."),
    ] = None,
    origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="HTTP: let pages of this origin ask, too; may be repeated.")
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.toml|CODE.py", help="Let clients name this bot, too; may be repeated."),
    ] = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of the protocol and exit.")] = False,
    searches: Annotated[
        int | None, typer.Option(metavar="N", help="Worker processes.  [default: as many as cores]")
    ] = None,
    megabytes: Annotated[int | None, typer.Option(metavar="N", help="Memory of one worker.  [default: 2000]")] = None,
    request_bytes: Annotated[int | None, typer.Option(metavar="N", help="Longest request.  [default: 1000000]")] = None,
    connections: Annotated[
        int | None, typer.Option(metavar="N", help="HTTP: connections at a time.  [default: 1000]")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option(metavar="N", help="Most iterations of a search.  [default: 1000000]")
    ] = None,
    seconds: Annotated[
        str | None, typer.Option(metavar="TIME", help="Longest time of a search.  [default: 60s]")
    ] = None,
    queue: Annotated[int | None, typer.Option(metavar="N", help="Searches that may wait.  [default: 1000]")] = None,
    pending: Annotated[
        int | None, typer.Option(metavar="N", help="Searches of one client at a time.  [default: 256]")
    ] = None,
    games: Annotated[int | None, typer.Option(metavar="N", help="Games kept.  [default: 10000]")] = None,
    idle: Annotated[
        str | None, typer.Option(metavar="TIME", help="How long a game is kept unasked.  [default: 60m]")
    ] = None,
    plies: Annotated[int | None, typer.Option(metavar="N", help="Moves of a kept game.  [default: 5000]")] = None,
) -> None:
    """Serve other frontends: JSON objects, one a line, on standard input and output, or over HTTP.

    The protocol is told in search/serving/PROTOCOL.md. HTTP needs the extra 'http'.
    """
    if schema:
        from ..serving.messages import schema as protocol

        print(json.dumps(protocol(), indent=1))
        return
    given: dict[str, Any] = {
        name: options.positive(value, name.replace("_", "-"))
        for name, value in (
            ("searches", searches),
            ("megabytes", megabytes),
            ("request_bytes", request_bytes),
            ("connections", connections),
            ("iterations", iterations),
            ("queue", queue),
            ("pending", pending),
            ("games", games),
            ("plies", plies),
        )
        if value is not None
    }
    if seconds is not None:
        given["seconds"] = options.duration(seconds, "seconds")
    if idle is not None:
        given["idle_seconds"] = options.duration(idle, "idle")
    if http is None:
        for name, value in (("token", token), ("origin", origin)):
            if value:
                raise InputError(name, "expected --http HOST:PORT with it")
    from ..serving.limits import Limits

    limits = Limits(**given)
    if http is None:
        from ..serving import stdio

        stdio.serve(limits, bot or ())
        return
    host, port = _address(http)
    try:
        from ..serving import http as over_http
    except ModuleNotFoundError as error:
        expected = "expected starlette and uvicorn to be installed: pip install 'smallest-mess[http]'"
        raise InputError("http", expected) from error
    from ..serving.roster import Roster

    over_http.serve(limits, Roster(limits, bot or ()), host, port, token, origin or [])
