"""Which runner each submission was judged by, and which of them another runner is asked about.

Written down once a second for all that were judged meanwhile, beside the jobs: no submission waits
for it. A dispatcher that is killed forgets those of its last second; a regrade counts what is not
known as that runner's.
"""

from __future__ import annotations

import hashlib
import secrets
import threading

import psycopg
import structlog

from app.jobs.deferring import SECOND, Deferring
from app.jobs.queue_tables import address
from app.model import SubmissionId
from app.ports.runners import RunnerId

log = structlog.get_logger()

TICK_S = 1.0
LAST_S = 2.0
MOST_KEPT = 100_000
"""While the database is away; what comes then is not known."""

_WRITE = """
INSERT INTO judged_by (submission, name, address, at)
SELECT *, now() FROM unnest(%s::text[], %s::text[], %s::text[])
ON CONFLICT (submission) DO UPDATE
SET name = excluded.name, address = excluded.address, at = excluded.at
"""
_BY = "SELECT name, address FROM judged_by WHERE submission = %s"
FORGOTTEN_JUDGES = "DELETE FROM judged_by WHERE at < now() - interval '1 day'"


class JudgedBy:
    """A thread that writes; `note` is safe to use from several."""

    def __init__(self, url: str, one_of: int) -> None:
        """Another runner is asked about one of so many submissions; 0: about none."""
        self._address, self._one_of = address(url), one_of
        self._key = secrets.token_bytes(16)  # or a runner could tell which are asked about
        self._deferring = Deferring()
        self._noted: dict[SubmissionId, tuple[RunnerId, bool]] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="judged by", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Write what is left, and end."""
        self._stop.set()
        self._thread.join(LAST_S)

    def note(self, submission: SubmissionId, runner: RunnerId, *, ask: bool) -> None:
        """Remember who judged it; with `ask`, another runner may be asked about it."""
        with self._lock:
            if len(self._noted) < MOST_KEPT:
                self._noted[submission] = runner, ask and self._is_chosen(submission)

    def by(self, submission: SubmissionId) -> RunnerId | None:
        """Who judged it last, where that is known. Raises psycopg.Error."""
        with psycopg.connect(self._address) as connection:
            row = connection.execute(_BY, (submission,)).fetchone()
        return None if row is None else RunnerId(*row)

    def write(self, connection: psycopg.Connection) -> int:
        """Write down what was noted since the last time; how many. Raises psycopg.Error."""
        with self._lock:
            noted, self._noted = self._noted, {}
        if not noted:
            return 0
        try:
            with connection.transaction():
                names, places = zip(*(runner for runner, _ in noted.values()), strict=True)
                connection.execute(_WRITE, (list(noted), list(names), list(places)))
                for submission, (_, chosen) in noted.items():
                    if chosen:
                        self._deferring.defer_later(connection, submission, SECOND)
        except BaseException:
            with self._lock:
                self._noted = {**noted, **self._noted}
            raise
        return len(noted)

    def _is_chosen(self, submission: SubmissionId) -> bool:
        if self._one_of <= 0:
            return False
        drawn = hashlib.blake2b(submission.encode(), key=self._key, digest_size=8).digest()
        return int.from_bytes(drawn, "big") % self._one_of == 0

    def _work(self) -> None:
        stopped = False
        while not stopped:
            try:
                with psycopg.connect(self._address, autocommit=True) as connection:
                    while not stopped:
                        stopped = self._stop.wait(TICK_S)
                        self.write(connection)
            except Exception as error:  # noqa: BLE001 - or nothing would be written down any more
                reason = str(error).strip()
                log.warning("judges_not_kept", reason=reason, kind=type(error).__name__)
                stopped = self._stop.wait(TICK_S)
