"""The judge where many machines share a queue in PostgreSQL: it waits for reports to be stored.

    web process ── submission and job, at once ──▶ PostgreSQL ◀── report and notice ── dispatcher
        ▲                                              │
        └──────────── one LISTEN connection ───────────┘

A notice may be lost with its connection; so every two seconds, and after each new connection, all
that wait are looked for. The same connection says how long the queue is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future

import psycopg
import structlog

from app import metrics
from app.futures import succeed
from app.jobs.admitting import Pace
from app.jobs.one_secret import EVERY_S, SecretNote
from app.jobs.places_in_line import PlacesInLine
from app.jobs.queue_tables import address
from app.model import SubmissionId
from app.ports import GradeJob, Load
from app.records import Json

log = structlog.get_logger()

CHANNEL = "mlgrind_report"
POLL_S = 2.0
LOOK_S = 0.25
AGAIN_S = 0.2
MOST_TOLD = 2_000
"""Notices remembered: of reports stored before their submission was waited for."""

_REPORTED = "SELECT submission FROM public.reports WHERE submission = ANY(%s)"
_QUEUE = (
    "SELECT count(*) FILTER (WHERE status = 'todo' AND queue_name = 'grade'"
    " AND (scheduled_at IS NULL OR scheduled_at <= now())),"
    " count(*) FILTER (WHERE status = 'doing'),"
    " EXISTS (SELECT 1 FROM procrastinate_workers"
    " WHERE last_heartbeat > now() - interval '6 seconds')"
    " FROM procrastinate_jobs WHERE status IN ('todo', 'doing') AND priority > -10000"
)


class DistributedJudge:
    """The port `Judge` over the queue; the store has deferred the jobs already."""

    def __init__(
        self,
        url: str,
        read: Callable[[SubmissionId], Json | None],
        secret: SecretNote | None = None,
    ) -> None:
        """`read` gives a submission's report from the store, None where there is none yet.

        What this process signs with is noted in the database, where it is given.
        """
        self._address = address(url)
        self._read = read
        self._secret, self._note_at = secret, 0.0
        self._waiting: dict[SubmissionId, Future[Json]] = {}
        self._told: dict[SubmissionId, None] = {}
        self._places = PlacesInLine(self._address)
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._looked = 0.0
        self._pace = Pace()
        self._thread = threading.Thread(target=self._hear, name="hearing", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def left(self) -> tuple[SubmissionId, ...]:
        """None: each stored submission has its job in the queue."""
        return ()

    def judge(self, job: GradeJob) -> Future[Json]:
        """Wait for the report; the job is in the queue since the submission was stored."""
        with self._lock:
            found = self._waiting.get(job.submission)
            if found is not None and not found.done():
                return found
            future = self._waiting[job.submission] = Future()
            told = job.submission in self._told  # before it was waited for
        if self._closed.is_set():
            future.cancel()
        elif told:
            self._look_for(job.submission)
        return future

    def place(self, submission: SubmissionId) -> int | None:
        """Its place by priority in its queue, remembered for a second."""
        return self._places.of(submission)

    def wait_s(self) -> float:
        """The length of the queue by the pace it was last worked off at."""
        return self._pace.wait_s()

    def load(self) -> Load:
        """The queue as it was a moment ago, of all web processes."""
        return Load(self._pace.waiting, 0, self._pace.running, 0)

    def close(self, drain_s: float = 0.0) -> None:
        """Listen no more; who waits still finds the report in the store later."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(drain_s + 2 * LOOK_S)
        with self._lock:
            left = tuple(self._waiting.values())
            self._waiting.clear()
        for future in left:
            future.cancel()
        self._places.close()

    def _hear(self) -> None:
        while not self._closed.is_set():
            try:
                with psycopg.connect(
                    self._address, autocommit=True, application_name="mlgrind hearing"
                ) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._listen(connection)
            except Exception as error:  # noqa: BLE001 - or this process would hear no report more
                metrics.LISTEN_RECONNECTS.inc()
                log.warning("listen_again", reason=str(error).strip(), kind=type(error).__name__)
                self._closed.wait(AGAIN_S)

    def _listen(self, connection: psycopg.Connection) -> None:
        """Until closed, or raising where the connection ends."""
        self._looked = 0.0
        while not self._closed.is_set():
            self._look_at_queue(connection)
            self._note_secret(connection)
            if time.monotonic() - self._looked >= POLL_S:
                self._look_for_all(connection)
            for notice in connection.notifies(timeout=LOOK_S):
                self._tell(SubmissionId(notice.payload))

    def _tell(self, submission: SubmissionId) -> None:
        self._pace.heard()
        with self._lock:
            self._told[submission] = None
            if len(self._told) > MOST_TOLD:
                self._told.pop(next(iter(self._told)))
        self._look_for(submission)

    def _look_at_queue(self, connection: psycopg.Connection) -> None:
        waiting, running, lives = connection.execute(_QUEUE).fetchone() or (0, 0, False)
        self._pace.saw(waiting, running, lives=lives, now=time.monotonic())

    def _note_secret(self, connection: psycopg.Connection) -> None:
        if self._secret is not None and time.monotonic() >= self._note_at:
            self._note_at = time.monotonic() + EVERY_S
            self._secret.write(connection)

    def _look_for_all(self, connection: psycopg.Connection) -> None:
        self._looked = time.monotonic()
        with self._lock:
            for done in [key for key, future in self._waiting.items() if future.done()]:
                del self._waiting[done]
            asked = list(self._waiting)
        if asked:
            for (found,) in connection.execute(_REPORTED, (asked,)).fetchall():
                self._look_for(SubmissionId(found))

    def _look_for(self, submission: SubmissionId) -> None:
        with self._lock:
            future = self._waiting.get(submission)
        if future is None:
            return
        try:
            report = self._read(submission)
        except Exception as error:  # noqa: BLE001 - one report; it is looked for again
            reason = str(error) or type(error).__name__
            log.warning("report_not_read", submission=submission, reason=reason)
            return
        if report is not None:
            with self._lock:
                self._waiting.pop(submission, None)
            succeed(future, report)
