"""`mlgrind runner`: the jail of a machine, lent to the servers that hold its token."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.common import our_faults, settings_with, stop
from app.cli.lean import without

if TYPE_CHECKING:
    from app.config import Settings

EXAMPLE = "Example: MLGRIND_RUNNER_TOKEN_FILE=token mlgrind runner --host 10.0.0.5 --port 8100"
PORT = 8100
TOKEN_BYTES = 20
END_S = 660
"""How long orders that run may go on once it is told to stop: as long as any may take."""


def runner(
    host: Annotated[
        str, typer.Option(help="Address to listen on: one that only its callers reach.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.")] = PORT,
) -> None:
    """Run the code that servers with its token send, until Ctrl-C.

    It needs no database and no exercise, and is given no answers. See docs/hosting.md.
    """
    settings = settings_with()
    with our_faults():
        _run(settings, host, port)


def _run(settings: Settings, host: str, port: int) -> None:
    with without("watchfiles"):
        import uvicorn
    with without("rich"):
        from app import logs
    from app.cli.serving import listen, own_url
    from app.runner_parts import build_runner
    from app.web.connection import config

    logs.configure(settings.log_format)
    token = read_token(settings.runner_token_file)
    fast = settings.runner_fast or os.cpu_count() or 1
    listening = listen(host, port)
    site = build_runner(token, fast, settings.runner_slow)
    secure = settings.runner_certificate is not None
    where = own_url(listening).replace("http:", "https:") if secure else own_url(listening)
    served = config(
        site,
        ssl_certfile=settings.runner_certificate,
        ssl_keyfile=settings.runner_key,
        timeout_graceful_shutdown=END_S,
    )

    class TellingRunner(uvicorn.Server):
        """uvicorn's own, which tells when it serves, and callers when it is asked to stop."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                print(f"Runner at {where}: {fast} fast, {settings.runner_slow} slow", flush=True)

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            site.state.leave()
            super().handle_exit(sig, frame)

    try:
        TellingRunner(served).run(sockets=[listening])
    except KeyboardInterrupt:
        sys.exit(0)


def read_token(path: Path | None) -> bytes:
    """The token of this runner, which no other user of the machine may read."""
    if path is None:
        stop("Set MLGRIND_RUNNER_TOKEN_FILE to a file with a token (`openssl rand -hex 32`).")
    token = path.read_text("utf-8").strip()
    if path.stat().st_mode & 0o077:
        stop(f"{path} can be read by other users of this machine: chmod 600 {path}")
    if len(token) < TOKEN_BYTES or len(token.split()) != 1:
        stop(f"{path} holds no token: one word of {TOKEN_BYTES} letters or more.")
    return token.encode()
