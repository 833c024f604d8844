"""Learners as clients: what each was told is written down, and nothing else counts.

A client sends, and where it gets no answer, or 503, sends again under the same key. An id that a
client got (201 or 202) is promised: its report must come.
"""

from __future__ import annotations

import json
import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException

import psycopg

SLUG = "stable-softmax"
RIGHT = b"import numpy as np\ndef softmax(x, axis=-1):\n    e = np.exp(x - x.max(axis, keepdims=True))\n    return e / e.sum(axis, keepdims=True)\n"  # noqa: E501 - a program
TIMEOUT_S = 30.0
MOST_AT_ONCE = 200
"""Clients that wait at a time: on a machine that is too slow for a rate, they come later."""

PATIENCE_S = 300.0
"""For how long a client sends again: a machine in use is slow to come back."""


@dataclass(frozen=True)
class Told:
    """One answer: its status, the id it names, and when it was sent for and came."""

    status: int
    key: str
    submission: str
    sent: float
    came: float
    retry_after: str = ""
    body: str = ""


@dataclass
class Log:
    """What all clients were told; safe to use from several threads."""

    told: list[Told] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, told: Told) -> None:
        with self._lock:
            self.told.append(told)

    @property
    def promised(self) -> dict[str, float]:
        """Every id that a client got, with the moment."""
        return {one.submission: one.came for one in self.told if one.status in {200, 201, 202}}

    @property
    def statuses(self) -> Counter[int]:
        return Counter(one.status for one in self.told)


def source(number: int) -> bytes:
    """A right solution, different for each."""
    return RIGHT + f"# {number} {uuid.uuid4()}\n".encode()


def send(
    port: int,
    text: bytes,
    key: str,
    *,
    slug: str = SLUG,
    timeout: float = TIMEOUT_S,
    name: str | None = None,
) -> Told:
    """One POST of somebody without a cookie; status 0 where no answer came."""
    sent = time.monotonic()
    connection = HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        headers = {"Content-Type": "application/json", "Idempotency-Key": key}
        named = {} if name is None else {"name": name}
        body = json.dumps({"source": text.decode(), **named})
        connection.request("POST", f"/api/exercises/{slug}/submissions", body, headers)
        with connection.getresponse() as answer:  # closed too where it breaks off
            told = answer.read().decode()
    except (OSError, HTTPException) as error:
        return Told(0, key, "", sent, time.monotonic(), body=repr(error))
    finally:
        connection.close()
    found = json.loads(told) if told.startswith("{") else {}
    return Told(
        answer.status, key, str(found.get("submission", "")), sent, time.monotonic(),
        answer.headers.get("Retry-After", ""), "" if answer.status < 400 else told,
    )  # fmt: skip


def learners(
    ports: Sequence[int],
    log: Log,
    *,
    rate: float,
    seconds: float,
    text: Callable[[int], bytes] = source,
    slug: str = SLUG,
) -> threading.Thread:
    """Submit at a rate from as many threads as that takes; the thread ends when all are told."""
    return _started(lambda: _crowd(ports, log, rate, seconds, text, slug))


def _started(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def _crowd(
    ports: Sequence[int],
    log: Log,
    rate: float,
    seconds: float,
    text: Callable[[int], bytes],
    slug: str,
) -> None:
    begun = time.monotonic()
    with ThreadPoolExecutor(MOST_AT_ONCE) as clients:
        free, sent = threading.Semaphore(MOST_AT_ONCE), []
        for number in range(round(rate * seconds)):
            time.sleep(max(0.0, begun + number / rate - time.monotonic()))
            free.acquire()
            told = clients.submit(_until_taken, ports, log, text(number), slug)
            told.add_done_callback(lambda _: free.release())
            sent.append(told)
    for one in sent:
        one.result()


def _until_taken(ports: Sequence[int], log: Log, text: bytes, slug: str) -> None:
    """As the page does: again with the same key until it is taken or plainly refused."""
    key, until = str(uuid.uuid4()), time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        told = send(random.choice(ports), text, key, slug=slug)
        log.add(told)
        if told.status not in {0, 429, 502, 503}:
            return
        time.sleep(0.3 if told.status == 0 else min(2.0, float(told.retry_after or 1)))


# ------------------------------------------------------------------ what the database holds


def wait_until_all_reported(url: str, log: Log, seconds: float = PATIENCE_S) -> float:
    """Until each promised id, and each committed row, has a report; how long that took.

    Raises AssertionError naming what is lost.
    """
    begun = time.monotonic()
    while lost := unreported(url, log):
        assert time.monotonic() - begun < seconds, f"lost after {seconds} s: {lost[:20]}"
        time.sleep(0.25)
    return time.monotonic() - begun


def unreported(url: str, log: Log) -> list[str]:
    """Promised ids that have no row or no report, and rows without a report."""
    try:
        with psycopg.connect(url) as connection:
            found = connection.execute(
                "SELECT s.id, r.verdict FROM submissions s"
                " LEFT JOIN reports r ON r.submission = s.id"
            ).fetchall()
    except psycopg.OperationalError:
        return ["the database is away"]
    rows: dict[str, str | None] = {str(row[0]): row[1] for row in found}
    without = [name for name, verdict in rows.items() if verdict is None]
    return without + [name for name in log.promised if name not in rows]


def verdicts(url: str) -> Counter[str]:
    """Stored reports by verdict."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT verdict FROM reports").fetchall()
    return Counter(str(row[0]) for row in rows)


def reports_by_id(url: str) -> dict[str, float]:
    """When each report was recorded, by the database's clock, in seconds."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "SELECT r.submission, extract(epoch FROM r.recorded_at - s.created_at)"
            " FROM reports r JOIN submissions s ON s.id = r.submission"
        ).fetchall()
    return {str(row[0]): float(row[1]) for row in rows}
