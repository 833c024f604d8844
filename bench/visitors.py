"""Visitors who think between two requests, in one process over one epoll, and what each was told.

Where `throng` asks without end, these come back when they are due, whether or not the server keeps
up; so the process also says how late it was itself. It prints all it saw as one JSON list.
"""

from __future__ import annotations

import heapq
import json
import random
import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, field

from bench.serving import HERE, ROOT

READ_BYTES = 1 << 16
GRACE_S = 30.0
"""For answers that are still to come once no visitor is due any more."""


@dataclass(frozen=True)
class Crowd:
    """So many visitors, each with a cookie of its own, who all ask for the same.

    `think_s` lies between two requests of one, in the mean. `judged`: they wait for the report of
    what they submitted, however long it takes. The body of a POST ends in a number of its own.
    """

    name: str
    count: int
    think_s: float
    method: str
    path: str
    source: str = ""
    judged: bool = False


@dataclass(frozen=True)
class Answer:
    """What a visitor was told: `wait_s` from the request to the answer, `late_s` until it was sent.

    Of one who waits for the report, `wait_s` ends when it is there. `at_s`: since all began.
    """

    crowd: str
    status: int
    wait_s: float
    late_s: float
    at_s: float
    submission: str


def visit(ports: Sequence[int], crowds: Sequence[Crowd], seconds: float) -> list[Answer]:
    """What all were told in so many seconds; they are spread over the ports."""
    asked = {"ports": list(ports), "crowds": [asdict(one) for one in crowds], "seconds": seconds}
    done = subprocess.run(
        (sys.executable, "-m", "bench.visitors"),
        cwd=ROOT,
        input=json.dumps(asked),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [Answer(*each) for each in json.loads(done.stdout)]


@dataclass(eq=False)
class _Visitor:
    crowd: Crowd
    port: int
    number: int
    cookie: str = ""
    connection: socket.socket | None = None
    came: bytes = b""
    due: float = 0.0
    sent: float = 0.0
    asks: int = 0
    is_new: bool = False
    submission: str = ""

    def request(self) -> bytes:
        """The next one: what the crowd asks for, or the report that is waited for."""
        one, body = self.crowd, ""
        method, path = one.method, one.path
        if self.submission:
            method, path = "GET", f"/api/submissions/{self.submission}?wait=20"
        elif one.source:
            body = json.dumps({"source": f"{one.source}\n# {self.number} {self.asks}"})
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        kind = "Content-Type: application/json\r\n" if body else ""
        address = f"192.0.2.{self.number % 250 + 1}"
        return (
            f"{method} {path} HTTP/1.1\r\nHost: {HERE}\r\nX-Forwarded-For: {address}\r\n"
            f"{cookie}{kind}Content-Length: {len(body)}\r\n\r\n{body}"
        ).encode()


@dataclass
class _Street:
    """All visitors, those that are due in order, and those that wait for an answer."""

    begun: float
    until: float
    ready: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    due: list[tuple[float, int, _Visitor]] = field(default_factory=list)
    asking: int = 0
    answers: list[Answer] = field(default_factory=list)
    chance: random.Random = field(default_factory=lambda: random.Random(18))

    def expect(self, visitor: _Visitor, after_s: float) -> None:
        """Have a visitor come back after so many seconds, unless it is over by then."""
        visitor.due = time.monotonic() + after_s
        if visitor.due < self.until:
            heapq.heappush(self.due, (visitor.due, visitor.number, visitor))

    def work(self) -> None:
        """Until all have come and were answered."""
        while self.due or (self.asking and time.monotonic() < self.until + GRACE_S):
            wait = max(0.0, self.due[0][0] - time.monotonic()) if self.due else 1.0
            for key, _ in self.ready.select(wait):
                self._read(key.data)
            while self.due and self.due[0][0] <= time.monotonic():
                visitor = heapq.heappop(self.due)[2]
                visitor.sent, visitor.asks = time.monotonic(), visitor.asks + 1
                self.asking += 1
                self._ask(visitor)

    def _ask(self, visitor: _Visitor) -> None:
        visitor.came = b""
        visitor.is_new = visitor.connection is None
        try:
            if visitor.connection is None:
                visitor.connection = socket.create_connection((HERE, visitor.port))
                self.ready.register(visitor.connection, selectors.EVENT_READ, visitor)
            visitor.connection.sendall(visitor.request())
        except OSError:
            self._end(visitor, 0, b"")

    def _read(self, visitor: _Visitor) -> None:
        assert visitor.connection is not None  # noqa: S101 - it is registered
        try:
            piece = visitor.connection.recv(READ_BYTES)
        except OSError:
            piece = b""
        visitor.came += piece
        head, end, body = visitor.came.partition(b"\r\n\r\n")
        if not piece:
            self._end(visitor, 0, b"")
        elif end and len(body) >= int(_field(head, b"content-length") or 0):
            status = int(head.split(b" ", 2)[1])
            visitor.cookie = _field(head, b"set-cookie").partition(b";")[0].decode() or (
                visitor.cookie
            )
            self._end(visitor, status, body)

    def _end(self, visitor: _Visitor, status: int, body: bytes) -> None:
        if status == 0 and visitor.connection is not None:
            self.ready.unregister(visitor.connection)
            visitor.connection.close()
            visitor.connection = None
            if not visitor.is_new:  # an idle one was closed: a browser opens another
                self._ask(visitor)
                return
        named = _submission(body) if visitor.crowd.method == "POST" else ""
        if visitor.crowd.judged and status == 202 and named:
            visitor.submission = named
            self._ask(visitor)
            return
        self.asking -= 1
        now = time.monotonic()
        waited = now - visitor.sent, visitor.sent - visitor.due, now - self.begun
        self.answers.append(Answer(visitor.crowd.name, status, *waited, named))
        visitor.submission = ""
        self.expect(visitor, self.chance.uniform(0.5, 1.5) * visitor.crowd.think_s)


def _field(head: bytes, name: bytes) -> bytes:
    for line in head.split(b"\r\n"):
        if line[: len(name) + 1].lower() == name + b":":
            return line[len(name) + 1 :].strip()
    return b""


def _submission(body: bytes) -> str:
    try:
        return str(json.loads(body).get("submission", ""))
    except (ValueError, AttributeError):
        return ""


def main() -> None:
    """What to do comes as JSON on the standard input; the answers go to the standard output."""
    asked = json.load(sys.stdin)
    begun = time.monotonic()
    street = _Street(begun, begun + asked["seconds"])
    crowds = [Crowd(**one) for one in asked["crowds"]]
    everyone = [crowd for crowd in crowds for _ in range(crowd.count)]
    for number, crowd in enumerate(everyone):
        port = asked["ports"][number % len(asked["ports"])]
        street.expect(_Visitor(crowd, port, number), street.chance.uniform(0, crowd.think_s))
    street.work()
    print(json.dumps([astuple(one) for one in street.answers]))


if __name__ == "__main__":
    main()
