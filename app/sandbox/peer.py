"""One runner as its caller holds it: connections kept open, one order on each at a time."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from app.jail.wire import FrameError
from app.model import Lane, Order, Ran
from app.ports import PLACE, Kind, SandboxFault
from app.ports.runners import RunnerId
from app.sandbox import headers
from app.sandbox.order_run import USUAL
from app.sandbox.parcel_answer import RunnerAnswer
from app.sandbox.software import software
from app.sandbox.standing import Reason
from app.sandbox.watch import PATIENCE

CONNECT_S = 1.0
SILENCE_S = 3.0
ROOM_S = 60.0
"""What an order may take beside its own limits, children being forked for it included."""

READ_BYTES = 1 << 18
READY_BYTES = 1 << 16
WORDS_BYTES = 1 << 10
KEPT = 16


class Unanswered(Exception):
    """A runner did not answer an order; `begun` is true once it had taken it."""

    def __init__(self, reason: Reason, detail: str = "", *, begun: bool = False) -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason: Reason = reason
        self.begun = begun


class Full(Exception):
    """Every place of the runner is taken: it says so at once."""


@dataclass(frozen=True)
class RunnerAt:
    """Where a runner is: the name the host configured, and one of the name's addresses."""

    name: str
    scheme: str
    host: str
    port: int
    address: str

    @property
    def id(self) -> RunnerId:
        """What others know it by."""
        return RunnerId(self.name, self.address)


class Peer:
    """Speaks with one runner; safe to use from several threads.

    `hang_up_late` is to be called about once a second: no runner keeps us for longer than an order
    may take, in however small pieces it answers.
    """

    def __init__(self, place: RunnerAt, token: str, trust: ssl.SSLContext | None) -> None:
        self.place = place
        self._token, self._trust = token, trust
        self._idle: list[_Line] = []
        self._open: set[_Line] = set()
        self._most_kept = KEPT
        self._lock = threading.Lock()

    def run(self, order: Order, body: bytes, kind: Kind, *, alone: bool = False) -> Ran:
        """What the runner says of an order; `alone`: only where it has nothing else to run.

        Raises Unanswered, Full, GaveWay.
        """
        sent = {
            headers.SOFTWARE: software(),
            headers.LANE: "fast" if order.lane is Lane.FAST else "slow",
            headers.KIND: str(kind.value),
            "content-type": "application/octet-stream",
            **({headers.ALONE: "1"} if alone else {}),
            **headers.ids(),
        }
        with self._asked("POST", "/run", body, sent) as (line, response):
            if response.status != 200:
                _read_all(response, WORDS_BYTES)
                raise Full if response.status == 503 else _refusal(response.status)
            limits = order.limits
            line.end_by(PATIENCE * max(limits.budget_wall_s, USUAL.budget_wall_s) + ROOM_S)
            return _answer(response, order, len(body))

    def ready(self) -> dict[str, Any]:
        """What `/readyz` says. Raises Unanswered."""
        with self._asked("GET", "/readyz", b"", {}) as (line, response):
            line.end_by(SILENCE_S)
            try:
                said = json.loads(_read_all(response, READY_BYTES))
            except (ValueError, RecursionError) as error:
                raise Unanswered("broken", "no account of itself") from error
        if not isinstance(said, dict):
            raise Unanswered("broken", "no account of itself")
        return said

    def hang_up_late(self) -> None:
        """End what takes longer than it may."""
        now = time.monotonic()
        with self._lock:
            late = [line for line in self._open if now > line.end]
        for line in late:
            line.hang_up()

    def is_in_use(self) -> bool:
        """Whether it has an order, or is asked how it is."""
        with self._lock:
            return bool(self._open)

    def close(self) -> None:
        """Let the connections go; one that is in use goes with its answer."""
        with self._lock:
            idle, self._idle, self._most_kept = self._idle, [], 0
        for line in idle:
            line.close()

    @contextmanager
    def _asked(
        self, method: str, path: str, body: bytes, sent: dict[str, str]
    ) -> Iterator[tuple[_Line, http.client.HTTPResponse]]:
        """A line with the head of its answer; kept afterwards, if all of the answer was read."""
        line, response = self._begin(method, path, body, sent)
        try:
            yield line, response
        except (Full, Unanswered) as error:
            if line.hung_up:
                raise Unanswered("late", begun=True) from error
            raise
        finally:
            with self._lock:
                self._open.discard(line)
                whole = response.isclosed() and line.sock is not None and not line.hung_up
                if whole and len(self._idle) < self._most_kept:
                    self._idle.append(line)
                else:
                    line.close()

    def _begin(
        self, method: str, path: str, body: bytes, sent: dict[str, str]
    ) -> tuple[_Line, http.client.HTTPResponse]:
        """Ask on a line that was kept; where that has ended meanwhile, on a new one."""
        sent = {**sent, "authorization": f"Bearer {self._token}"}
        while True:
            line, is_new = self._line()
            try:
                line.request(method, path, body or None, sent)
                return line, line.getresponse()
            except (OSError, http.client.HTTPException) as error:
                with self._lock:
                    self._open.discard(line)
                line.close()
                if isinstance(error, TimeoutError) or line.hung_up:
                    raise Unanswered("silent", "no head of an answer") from error
                if is_new:
                    raise Unanswered("refused", str(error)) from error

    def _line(self) -> tuple[_Line, bool]:
        with self._lock:
            kept = self._idle.pop() if self._idle else None
            line = kept or _Line(self.place, self._trust)
            line.end_by(CONNECT_S + 2 * SILENCE_S)
            self._open.add(line)
        return line, kept is None


def _answer(response: http.client.HTTPResponse, order: Order, size: int) -> Ran:
    """The answer to an order, as it comes. Raises Unanswered, GaveWay."""
    answer, place = RunnerAnswer(order, size), PLACE.get()
    try:
        while data := response.read1(READ_BYTES):
            answer.feed(data)
            if place is not None:
                place.spent(0.0)
        return answer.ran()
    except TimeoutError as error:
        raise Unanswered("silent", begun=True) from error
    except (OSError, http.client.HTTPException) as error:
        reason: Reason = "cut" if answer.begun else "refused" if answer.leaving else "died"
        raise Unanswered(reason, str(error), begun=True) from error
    except FrameError as error:
        raise Unanswered("broken", str(error), begun=True) from error
    except SandboxFault as fault:
        raise Unanswered("fault", str(fault), begun=True) from fault


def _read_all(response: http.client.HTTPResponse, most: int) -> bytes:
    try:
        return response.read(most)
    except (OSError, http.client.HTTPException) as error:
        raise Unanswered("silent", str(error)) from error


def _refusal(status: int) -> Unanswered:
    reasons: dict[int, Reason] = {401: "token", 409: "version", 413: "cut"}
    return Unanswered(reasons.get(status, "broken"), f"status {status}")


class _Line(http.client.HTTPConnection):
    """A connection to one address of a name, with our bounds on silence."""

    def __init__(self, place: RunnerAt, trust: ssl.SSLContext | None) -> None:
        super().__init__(place.host, place.port, timeout=SILENCE_S)
        self._place, self._trust = place, trust
        self.end = 0.0
        self.hung_up = False

    def end_by(self, seconds: float) -> None:
        """From now on it may take so long."""
        self.end = time.monotonic() + seconds

    def hang_up(self) -> None:
        """End it from another thread: who reads sees its end."""
        self.hung_up = True
        with suppress(OSError, AttributeError):
            self.sock.shutdown(socket.SHUT_RDWR)

    def connect(self) -> None:
        """Reach the address; over TLS the certificate must be the name's."""
        made = socket.create_connection((self._place.address, self._place.port), CONNECT_S)
        made.settimeout(SILENCE_S)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._trust is not None:
            try:
                made = self._trust.wrap_socket(made, server_hostname=self._place.host)
            except BaseException:
                with suppress(OSError):
                    made.close()
                raise
        self.sock = made
