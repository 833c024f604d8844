"""`mlgrind serve`: the whole of ML Grind on this machine."""

from __future__ import annotations

import gc
import secrets
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.common import Database, Exercises, our_faults, printable, settings_with, stop
from app.cli.heaps import few_heaps, give_back
from app.cli.lean import without
from app.cli.serving import (
    AlreadyServed,
    class_urls,
    listen,
    only_server,
    own_url,
    write_note,
)

if TYPE_CHECKING:
    from types import FrameType

    from app.config import Settings
    from app.main import App, AuthorAccess

EXAMPLE = "Example, for a class: mlgrind serve --host 0.0.0.0"
NO_DISPATCHER = "No dispatcher runs: submissions wait until you start `mlgrind dispatcher`."
SWITCH_S = 0.001
LEAVE_S = 5.0
"""How long one of several web processes goes on once it says that it leaves."""

GRACE_S = 5
"""How long requests may go on once the server is told to stop."""


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on; 0.0.0.0 for a class. [127.0.0.1]")
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="Port to listen on; 0 takes a free one. [8000]")
    ] = None,
    database: Database = None,
    exercises: Exercises = None,
    author: Annotated[
        bool,
        typer.Option(
            "--author",
            help="Also serve /author: what `check` finds. For this machine alone, or by a token.",
        ),
    ] = False,
) -> None:
    """Serve the pages and judge what is submitted, until Ctrl-C.

    Options go before their MLGRIND_ variables. Data are kept in $MLGRIND_DATA, ./data unless set.
    """
    gc.disable()  # until all is loaded: what a start makes, it keeps
    few_heaps()
    settings = settings_with(host=host, port=port, database=database, exercises=exercises)
    from app.main import data_directory

    try:
        with our_faults(), only_server(data_directory(settings.data)):
            _serve(settings, _author_access(settings) if author else None)
    except AlreadyServed as served:
        stop(f"{served} Stop it, or set MLGRIND_DATA to another directory.")


def _author_access(settings: Settings) -> AuthorAccess:
    """From this machine where only it can reach the server; else by a secret token."""
    from app.main import AuthorAccess

    is_own = settings.host in ("127.0.0.1", "::1", "localhost")
    is_plain = settings.public_url is None and not settings.trusted_proxies
    return AuthorAccess(None if is_own and is_plain else secrets.token_urlsafe(24))


def _serve(settings: Settings, author: AuthorAccess | None) -> None:
    with without("rich"):
        import app.sandbox.pool  # first of all: what takes longest begins before the rest loads
    from app import logs
    from app.main import FRESH_S, build

    logs.configure(settings.log_format)
    listening = _listen(settings)
    with ThreadPoolExecutor(max_workers=1) as aside:
        joining = aside.submit(build, settings, FRESH_S if author is None else 0.0)
        with without("watchfiles"):
            import uvicorn  # noqa: F401 - loaded while the sandbox starts

        import app.web.site  # noqa: F401 - the same
        from app.storage.database import NoDatabase
    try:
        joined = joining.result()
    except (NoDatabase, ValueError) as error:
        stop(str(error))
    _warn(joined)
    write_note(settings.data, own_url(listening))
    _run(joined, listening, author)


def _listen(settings: Settings) -> socket.socket:
    try:
        return listen(settings.host, settings.port)
    except OSError as error:
        stop(f"Port {settings.port} on {settings.host}: {error.strerror}. Try --port 0.")


def _warn(app: App) -> None:
    """Say on the terminal what a host should know before learners come."""
    from app.queue_parts import is_dispatched

    for layer in app.service.layers():
        if layer.required and not layer.present:
            print(f"NOT GRADING: {layer.name} is missing. {layer.advice}", file=sys.stderr)
    if not is_dispatched(app.settings):
        print(NO_DISPATCHER, file=sys.stderr)
    for complaint in app.service.complaints():
        print(printable(f"Broken exercise, left out: {complaint}"), file=sys.stderr)


def _run(app: App, listening: socket.socket, author: AuthorAccess | None) -> None:
    """Run the web side on the socket, and say where once it answers."""
    import uvicorn

    from app.main import create_app
    from app.queue_parts import shares_queue
    from app.web.connection import config

    class TellingServer(uvicorn.Server):
        """uvicorn's own, which tells when it serves, and before it leaves."""

        leaving = False

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """With other web processes beside this one, the proxy is to see first that it goes."""
            if not shares_queue(app.settings) or self.leaving:
                super().handle_exit(sig, frame)
                return
            self.leaving = True
            app.service.leave()
            threading.Timer(LEAVE_S, super().handle_exit, (sig, frame)).start()

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                _settle()
                _announce(listening, author)
                _first_link(app, listening)

    served = config(
        create_app(app, author), app.settings.trusted_proxies, timeout_graceful_shutdown=GRACE_S
    )
    with _ending_well():
        TellingServer(served).run(sockets=[listening])


def _settle() -> None:
    """Look for garbage from now on, and never among what the start has made: that stays.

    A thread that computes lets others run after a millisecond, not after Python's usual five: a
    verdict passes through several threads, and waits for its turn in each.
    """
    gc.freeze()
    gc.enable()
    sys.setswitchinterval(SWITCH_S)
    give_back()


@contextmanager
def _ending_well() -> Iterator[None]:
    """Being told to stop is a good end: what was opened is closed, and the status is 0.

    uvicorn stops gracefully and then raises the signal again, to the handler there was before.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(KeyboardInterrupt):
        yield


def _first_link(app: App, listening: socket.socket) -> None:
    """While none of the staff can sign in, a link that sets the host's password."""
    token = app.service.school.accounts.first_link()
    if token is not None:
        where = (app.settings.public_url or own_url(listening)).rstrip("/")
        link = f"{where}/staff/link/{token}"
        print(f"Teach a class: set the host's password at {link} (good once, 24 hours)", flush=True)


def _announce(listening: socket.socket, author: AuthorAccess | None) -> None:
    print(f"ML Grind is at {own_url(listening)}", flush=True)
    for url in class_urls(listening):
        print(f"Learners open {url}", flush=True)
    if author is not None:
        token = "" if author.token is None else f"?token={author.token}"
        print(f"Authors open {own_url(listening).rstrip('/')}/author{token}", flush=True)
    print("Ctrl-C stops it; nothing that was submitted is lost.", flush=True)
