"""What only looks like a runner: it answers as the test says, whatever it is sent."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from app.sandbox.software import software

Say = Callable[["Answering"], None]


class Answering(BaseHTTPRequestHandler):
    """One request; `say` is what the test has it do for an order."""

    protocol_version = "HTTP/1.1"
    say: Say
    ready: Say | None
    made_of: str
    seen: list[tuple[dict[str, str], bytes]]

    def do_GET(self) -> None:
        ready = type(self).ready
        if ready is not None:
            with suppress(OSError):
                ready(self)
            return
        body = json.dumps({"ready": True, "software": self.made_of, "fast": 8, "slow": 8}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.seen.append(({k.lower(): v for k, v in self.headers.items()}, body))
        with suppress(OSError):
            type(self).say(self)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def body(answer: bytes, status: int = 200) -> Say:
    """Answers with these bytes."""

    def say(one: Answering) -> None:
        one.send_response(status)
        one.send_header("content-length", str(len(answer)))
        one.end_headers()
        one.wfile.write(answer)

    return say


def endless(piece: bytes, every_s: float = 0.0) -> Say:
    """Answers with this, over and over."""

    def say(one: Answering) -> None:
        one.send_response(200)
        one.send_header("transfer-encoding", "chunked")
        one.end_headers()
        while True:
            one.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            time.sleep(every_s)

    return say


def hangs_up(one: Answering) -> None:
    """Takes the order, begins, and is gone."""
    one.send_response(200)
    one.send_header("transfer-encoding", "chunked")
    one.end_headers()
    one.wfile.write(b"1\r\n.\r\n")
    one.wfile.flush()
    one.connection.shutdown(socket.SHUT_RDWR)


def cut_off(answer: bytes) -> Say:
    """Takes the order, gives a part of its answer, and something in between ends it there."""

    def say(one: Answering) -> None:
        one.send_response(200)
        one.send_header("transfer-encoding", "chunked")
        one.end_headers()
        one.wfile.write(b"1\r\n.\r\n%x\r\n%s\r\n" % (len(answer), answer))
        one.wfile.flush()
        one.connection.shutdown(socket.SHUT_RDWR)

    return say


@contextmanager
def liar(
    say: Say, made_of: str = "", ready: Say | None = None
) -> Iterator[tuple[str, list[tuple[dict[str, str], bytes]]]]:
    """Its address, and what it was sent: headers and body of each order."""
    said: dict[str, object] = {
        "say": say,
        "ready": ready,
        "made_of": made_of or software(),
        "seen": [],
    }
    kind = type("Said", (Answering,), said)
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"127.0.0.1:{server.server_port}", kind.seen  # type: ignore[attr-defined]
        server.shutdown()
