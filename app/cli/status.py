"""What a process without pages says of itself: /healthz, /readyz and /metrics, plainly."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from app.model import Layer


@dataclass(frozen=True)
class Status:
    """Asked with each request: whether the database answers, and which layers hold."""

    database: Callable[[], bool]
    layers: Callable[[], tuple[Layer, ...]]

    def ready(self) -> dict[str, object]:
        """What `/readyz` says; `ready` needs the database and every required layer."""
        layers = self.layers()
        answers = self.database()
        holds = all(one.present for one in layers if one.required)
        return {
            "ready": answers and holds,
            "database": answers,
            "layers": {one.name: one.present for one in layers},
        }


def serve_status(listening: socket.socket, status: Status) -> None:
    """Answer on the socket from a thread, as long as the process lives."""

    class StatusRequest(BaseHTTPRequestHandler):
        """One request."""

        def do_GET(self) -> None:
            """Answer."""
            if self.path == "/healthz":
                self._answer(200, b"ok\n", "text/plain")
            elif self.path == "/readyz":
                found = status.ready()
                body = json.dumps(found).encode() + b"\n"
                self._answer(200 if found["ready"] else 503, body, "application/json")
            elif self.path == "/metrics":
                status.layers()
                self._answer(200, generate_latest(), CONTENT_TYPE_LATEST)
            else:
                self._answer(404, b"Not found.\n", "text/plain")

        def _answer(self, code: int, body: bytes, kind: str) -> None:
            self.send_response(code)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: these are asked every few seconds."""

    server = ThreadingHTTPServer(
        listening.getsockname()[:2], StatusRequest, bind_and_activate=False
    )
    server.socket.close()
    server.socket = listening
    threading.Thread(target=server.serve_forever, name="status", daemon=True).start()
