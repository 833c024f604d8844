"""The rows of a dispatcher's jobs and workers, written in spite of a database that is away shortly.

Procrastinate lets go of a job whose end it can't write down: the row would say `doing` for ever,
under workers whose hearts beat on. So it is written again, and where that is in vain the process
has to end, so that its jobs are taken over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from datetime import datetime

import structlog
from procrastinate.connector import BaseConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job, Notification, Status
from procrastinate.manager import JobManager, NotificationCallback
from psycopg.errors import RaiseException

log = structlog.get_logger()

HEARTBEAT_S = 2.0
AGAIN_S = (0.2, 1.0, 3.0)

_FETCH = """
SELECT id, status, task_name, priority, lock, queueing_lock, args, scheduled_at, queue_name,
    attempts, worker_id, set_config('synchronous_commit', 'off', true)
FROM procrastinate_fetch_job_v2(%(queues)s::varchar[], %(worker_id)s)
"""
"""Procrastinate's own, without waiting for the disk."""

_FINISH = """
SELECT CASE WHEN EXISTS (SELECT 1 FROM public.reports WHERE submission = args->>'submission')
    OR NOT EXISTS (SELECT 1 FROM public.submissions WHERE submissions.id = args->>'submission')
    OR EXISTS (
        SELECT 1 FROM faults WHERE submission = args->>'submission' AND parked_at IS NOT NULL)
THEN procrastinate_finish_job_v1(
    id, %(status)s::procrastinate_job_status, %(delete_job)s)::text
ELSE procrastinate_retry_job_v2(id, now() + interval '1 second', NULL, NULL, NULL)::text END
FROM procrastinate_jobs WHERE id = %(job_id)s
"""
"""A report does not wait for the disk. Where PostgreSQL was cut off since, it is lost and the job
is done again; else this waits for the disk, and the report is there with it."""


class JobRows(JobManager):
    """`lost` is set once an end could not be written; `workers` are those that asked for jobs."""

    def __init__(self, connector: BaseConnector) -> None:
        super().__init__(connector)
        self.lost = asyncio.Event()
        self.workers: set[int] = set()
        self._heard = 0

    async def finish_job_by_id_async(self, job_id: int, status: Status, delete_job: bool) -> None:
        """Write down that a job is done with, or have it taken again: see `_FINISH`.

        Raises ConnectorException.
        """
        asked = {"job_id": job_id, "status": status.value, "delete_job": delete_job}
        ask = self.connector.execute_query_async
        await self._write(lambda: ask(query=_FINISH, **asked))

    async def retry_job_by_id_async(
        self,
        job_id: int,
        retry_at: datetime,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        """Write down that a job is to be tried again. Raises ConnectorException."""
        retry = super().retry_job_by_id_async
        await self._write(lambda: retry(job_id, retry_at, priority, queue, lock))

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        """The next job for a worker, which works from now on; None where none waits.

        That it was taken need not outlive a power cut: it would be taken again. The worker forgets
        what it hears of while it asks, so it asks again here.
        """
        self.workers.add(worker_id)
        while True:
            heard = self._heard
            row = await self.connector.execute_query_one_async(
                query=_FETCH, queues=queues, worker_id=worker_id
            )
            if row["id"] is not None:
                return Job.from_row(row)
            if heard == self._heard:
                return None

    async def listen_for_jobs(
        self, *, on_notification: NotificationCallback, queues: Iterable[str] | None = None
    ) -> None:
        """Hear of new jobs in queues, until cancelled."""

        async def hear(*, channel: str, notification: Notification) -> None:
            self._heard += 1
            await on_notification(channel=channel, notification=notification)

        await super().listen_for_jobs(on_notification=hear, queues=queues)

    async def beat(self) -> None:
        """Keep the workers alive while they finish their jobs: theirs stops before they do."""
        while True:
            for worker in tuple(self.workers):
                with suppress(ConnectorException):
                    await self.update_heartbeat(worker)
            await asyncio.sleep(HEARTBEAT_S)

    async def _write(self, write: Callable[[], Awaitable[None]]) -> None:
        for wait in AGAIN_S:
            try:
                return await write()
            except ConnectorException as error:
                if isinstance(error.__cause__, RaiseException):  # another has taken the job over
                    raise
                log.warning("job_not_written", reason=str(error.__cause__).strip())
            await asyncio.sleep(wait)
        try:
            return await write()
        except ConnectorException:
            self.lost.set()
            raise
