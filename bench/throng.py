"""A crowd in one process: many clients over one epoll, each asking again as soon as it is answered.

It runs beside the measured server on the same machine, so it has to cost little: no thread a
client, no library, no answer parsed further than it has to be. Its parent ends it by a signal; the
server need not have answered by then.
"""

from __future__ import annotations

import contextlib
import json
import selectors
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from bench.serving import HERE, ROOT

READ_BYTES = 1 << 16


@dataclass(frozen=True)
class Client:
    """What one client sends without end, as from an address.

    `own`: it keeps the cookie that it is sent, as a browser does. `judged`: it waits for the report
    of what it submitted before it submits again. `lasting`: over one connection.
    """

    method: str
    path: str
    address: str
    body: str = ""
    cookie: str = ""
    own: bool = False
    judged: bool = False
    lasting: bool = True


@contextlib.contextmanager
def throng(port: int, clients: Iterable[Client]) -> Iterator[None]:
    """The clients at work against the server of a port, while the body of the `with` runs."""
    process = subprocess.Popen(
        (sys.executable, "-m", "bench.throng", str(port)), cwd=ROOT, stdin=subprocess.PIPE
    )
    assert process.stdin is not None  # noqa: S101 - it was asked for
    process.stdin.write(json.dumps([asdict(client) for client in clients]).encode())
    process.stdin.close()
    try:
        yield
        if process.poll() is not None:
            raise RuntimeError(f"the crowd ended with {process.returncode}")
    finally:
        process.kill()
        process.wait()


class _Asking:
    """One client: what it still has to send, and what came back so far."""

    def __init__(self, client: Client, port: int, ready: selectors.BaseSelector) -> None:
        self._client, self._port, self._ready = client, port, ready
        self._cookie, self._wait = client.cookie, ""
        self._connection: socket.socket | None = None
        self._came = b""
        self.ask()

    def ask(self) -> None:
        """Send the next request."""
        self._came = b""
        if self._connection is None:
            self._connection = socket.create_connection((HERE, self._port))
            self._ready.register(self._connection, selectors.EVENT_READ, self)
        try:
            self._connection.sendall(self._request())
        except OSError:
            self._again()

    def _request(self) -> bytes:
        one = self._client
        method, path, body = one.method, one.path, one.body
        if self._wait:
            method, path, body = "GET", self._wait, ""
        cookie = f"Cookie: {self._cookie}\r\n" if self._cookie else ""
        kind = "Content-Type: application/json\r\n" if body else ""
        length = len(body.encode())
        return (
            f"{method} {path} HTTP/1.1\r\nHost: {HERE}\r\nX-Forwarded-For: {one.address}\r\n"
            f"{cookie}{kind}Content-Length: {length}\r\n\r\n{body}"
        ).encode()

    def read(self) -> None:
        """Take what came; once the answer is whole, ask again."""
        assert self._connection is not None  # noqa: S101 - it is registered
        try:
            piece = self._connection.recv(READ_BYTES)
        except OSError:
            piece = b""
        self._came += piece
        if not piece:
            self._again()
        elif self._is_whole():
            self._learn()
            if self._client.lasting:
                self.ask()
            else:
                self._again()

    def _is_whole(self) -> bool:
        head, end, body = self._came.partition(b"\r\n\r\n")
        length = _field(head, b"content-length")
        return bool(end) and len(body) >= int(length or 0)

    def _learn(self) -> None:
        head, _, body = self._came.partition(b"\r\n\r\n")
        cookie = _field(head, b"set-cookie")
        if cookie and self._client.own:
            self._cookie = cookie.partition(b";")[0].decode()
        self._wait = ""
        if self._client.judged and b'"verdict"' not in body[:2_000]:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                self._wait = f"/api/submissions/{json.loads(body)['submission']}?wait=20"

    def _again(self) -> None:
        """Ask over a new connection."""
        if self._connection is not None:
            self._ready.unregister(self._connection)
            self._connection.close()
            self._connection = None
        self.ask()


def _field(head: bytes, name: bytes) -> bytes:
    for line in head.split(b"\r\n"):
        if line[: len(name)].lower() == name and line[len(name) : len(name) + 1] == b":":
            return line[len(name) + 1 :].strip()
    return b""


def main() -> None:
    """Ask without end: the clients come as JSON on the standard input, the port as an argument."""
    ready = selectors.DefaultSelector()
    for client in json.load(sys.stdin):
        _Asking(Client(**client), int(sys.argv[1]), ready)
    while True:
        for key, _ in ready.select():
            key.data.read()


if __name__ == "__main__":
    main()
