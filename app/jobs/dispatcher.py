"""A dispatcher: takes jobs from the queue, has them run, compares, and stores the reports.

    queue `grade`       ──▶ a worker of `fast` threads ─┐
    queue `grade-slow`  ──▶ a worker of `slow` threads ─┴▶ Grader ──▶ runners or the own jail

Two workers of Procrastinate in one process. Where one of them loses the database it ends, and with
it the process: its supervisor starts another, and a job under way is taken over after six seconds.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

import psycopg
import structlog
from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision
from procrastinate.jobs import Job

from app import metrics
from app.jobs.afterwards import Afterwards
from app.jobs.deferring import CLASS, GRADE, LATER, SLOW, TASK
from app.jobs.grader import Grader, ToSlowQueue, TryAgain
from app.jobs.job_pool import each_for_itself, pool
from app.jobs.job_rows import HEARTBEAT_S, JobRows
from app.jobs.queue_tables import address
from app.jobs.regrade_jobs import RegradeJobs
from app.jobs.takeovers import STALLED_S
from app.logs import bound
from app.model import Lane
from app.ports import StoreAway

log = structlog.get_logger()

POLL_S = 0.5
"""For jobs that are to be tried again, or come into a queue from another: they wake no worker."""

AT_ONCE = datetime(2000, 1, 1, tzinfo=UTC)
"""Past by every clock: Procrastinate would write down this machine's, which may be an hour off."""

AWAY_S = 2.0
"""Between two tries while the database is away or full."""
DRAIN_S = 12.0
LEAVE_S = 2.0
"""After the jobs have had their time; a dispatcher is gone 15 s after it was told to stop."""

CONNECT_S = 5.0


class _Ladder(BaseRetryStrategy):
    """Every job that is not done with is tried again; the grader says when, and where."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision:
        if isinstance(exception, ToSlowQueue):
            return RetryDecision(retry_at=AT_ONCE, queue=SLOW, priority=exception.priority)
        if isinstance(exception, TryAgain):
            return RetryDecision(retry_at=exception.at)
        return RetryDecision(retry_at=AT_ONCE)  # the database was away; `_work` has waited


class Chore(Protocol):
    """What is done beside the jobs, in a thread of its own."""

    def start(self) -> None:
        """Begin."""

    def close(self) -> None:
        """End soon."""


@dataclass(frozen=True)
class Dispatcher:
    """Works off the queue of one database."""

    url: str
    grader: Grader
    beside: tuple[Chore, ...]
    fast: int
    slow: int
    afterwards: Afterwards | None = None
    """None where it asks no runners: it leaves such jobs to another dispatcher."""
    regrading: RegradeJobs | None = None

    def run(self) -> bool:
        """Work until told to stop by SIGTERM or SIGINT; false where it lost the database."""
        for noisy in ("procrastinate", "psycopg.pool"):
            logging.getLogger(noisy).setLevel(logging.CRITICAL)
        # asyncio.run would wait for the threads of jobs that still go on, however long they take.
        return asyncio.new_event_loop().run_until_complete(self._until_stopped())

    async def _until_stopped(self) -> bool:
        stop = asyncio.Event()
        for each in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(each, stop.set)
        for chore in self.beside:
            chore.start()
        try:
            return await self.work(stop)
        finally:
            for chore in self.beside:
                chore.close()

    async def work(self, stop: asyncio.Event) -> bool:
        """Work until `stop` is set; false where it lost the database."""
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(self.fast + self.slow + 2, "job"))
        made, rows = self._app()
        async with made.open_async() as app:
            taking = [
                asyncio.create_task(_take(app, GRADE, self.fast)),
                asyncio.create_task(_take(app, SLOW, self.slow)),
            ]
            stopped, lost = asyncio.create_task(stop.wait()), asyncio.create_task(rows.lost.wait())
            await asyncio.wait([*taking, stopped, lost], return_when=asyncio.FIRST_COMPLETED)
            for one in taking:
                one.cancel()
            beating = asyncio.create_task(rows.beat())
            await asyncio.wait(taking, timeout=DRAIN_S + LEAVE_S)
            for each in (beating, stopped, lost):
                each.cancel()
            ended_well = stop.is_set() and not rows.lost.is_set()
        return ended_well

    def _app(self) -> tuple[App, JobRows]:
        connector = PsycopgConnector(
            conninfo=address(self.url),
            pool_factory=pool,
            configure=each_for_itself,
            min_size=2,
            max_size=8,
            timeout=CONNECT_S,
            reconnect_timeout=CONNECT_S,
        )
        app = App(connector=connector)
        app.job_manager = rows = JobRows(connector)
        app.task(name=TASK, queue=GRADE, retry=_Ladder(), pass_context=True)(self._work)
        return app, rows

    def _work(
        self,
        context: JobContext,
        /,
        *,
        v: int,
        submission: str = "",
        see: bool = False,
        group: str = "",
        request: str = "",
        what: str = "",
        regrade: str = "",
        **_later: object,
    ) -> None:
        lane = Lane.SLOW if context.job.queue == SLOW else Lane.FAST
        metrics.STARTED.labels(lane.value).inc()
        of = {"request_id": request} if request else {}
        try:
            with bound(**of):
                if what == CLASS and self.regrading is not None:
                    self.regrading.work(regrade, submission, lane, context.job.attempts)
                elif v == LATER and self.afterwards is not None:
                    self.afterwards.work(what, submission, lane, context.job.attempts)
                else:
                    self.grader.work(v=v, submission=submission, see=see, group=group, lane=lane)
        except (StoreAway, psycopg.Error):
            time.sleep(AWAY_S)
            raise


async def _take(app: App, queue: str, jobs: int) -> None:
    await app.run_worker_async(
        queues=[queue],
        name=queue,
        concurrency=jobs,
        fetch_job_polling_interval=POLL_S,
        listen_notify=queue == GRADE,  # into the slow one jobs come from there, and wake no worker
        update_heartbeat_interval=HEARTBEAT_S,
        stalled_worker_timeout=STALLED_S,
        shutdown_graceful_timeout=DRAIN_S,
        delete_jobs="successful",
        install_signal_handlers=False,
    )
