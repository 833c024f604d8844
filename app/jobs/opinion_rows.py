"""Submissions that runners gave different verdicts, as kept in the queue's tables."""

from __future__ import annotations

import psycopg

from app.jobs.queue_tables import address
from app.model import SubmissionId
from app.ports.operating import DifferingView

LATELY = 100
"""So many are shown, newest first."""

_KEEP = """
INSERT INTO second_opinions (submission, result, opinions, at) VALUES (%s, %s, %s, now())
ON CONFLICT (submission) DO UPDATE
SET result = excluded.result, opinions = excluded.opinions, at = excluded.at
"""
_ALL = "SELECT submission, result, opinions, at FROM second_opinions ORDER BY at DESC LIMIT %s"
FORGOTTEN_OPINIONS = """
DELETE FROM second_opinions WHERE at < now() - interval '90 days'
    OR NOT EXISTS (SELECT 1 FROM public.submissions WHERE id = submission)
"""


class OpinionRows:
    """One connection for each question, for they are rare."""

    def __init__(self, url: str) -> None:
        self._address = address(url)

    def keep(self, submission: SubmissionId, result: str, opinions: str) -> None:
        """Keep what was found. Raises psycopg.Error."""
        with psycopg.connect(self._address) as connection:
            connection.execute(_KEEP, (submission, result, opinions))

    def all(self) -> tuple[DifferingView, ...]:
        """The newest first. Raises psycopg.Error."""
        with psycopg.connect(self._address) as connection:
            rows = connection.execute(_ALL, (LATELY,)).fetchall()
        return tuple(DifferingView(*row) for row in rows)
