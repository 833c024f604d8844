"""A dispatcher that ends: told to, or since it can't write down what became of a job."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import psycopg
import pytest
import structlog
from procrastinate import PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Status
from psycopg.errors import RaiseException

from app.jobs import dispatcher, job_rows
from app.jobs.dispatcher import Dispatcher
from app.jobs.job_rows import JobRows
from app.jobs.queue_tables import address
from tests.jobs import judges
from tests.jobs.judges import Court, over_the_queue
from tests.jobs.test_queue import WAITS, until
from tests.service.world import PATIENCE_S, REFERENCE

NO_ROOM = (
    "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$"
    " BEGIN RAISE 'no room' USING ERRCODE = '53100'; END $$;"
    "CREATE TRIGGER no_room BEFORE DELETE ON procrastinate_jobs EXECUTE FUNCTION no_room()"
)


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(job_rows, "AGAIN_S", (0.0, 0.0, 0.0))
    with structlog.testing.capture_logs():
        yield


def rows_over(fails: list[psycopg.Error], monkeypatch: pytest.MonkeyPatch) -> JobRows:
    """Rows of a database that says these first."""
    connector = PsycopgConnector()

    async def execute(query: str, **_: object) -> None:
        if fails:
            raise ConnectorException from fails.pop(0)

    monkeypatch.setattr(connector, "execute_query_async", execute)
    return JobRows(connector)


def test_an_end_that_could_not_be_written_is_written_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fails: list[psycopg.Error] = [psycopg.OperationalError("away")] * 3
    rows = rows_over(fails, monkeypatch)
    asyncio.run(rows.retry_job_by_id_async(1, datetime(2000, 1, 1, tzinfo=UTC)))
    assert fails == []
    assert not rows.lost.is_set()


def test_a_job_that_another_has_taken_over_ends_no_dispatcher(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fails: list[psycopg.Error] = [RaiseException("Job was not found")] * 2
    rows = rows_over(fails, monkeypatch)
    with pytest.raises(ConnectorException):
        asyncio.run(rows.finish_job_by_id_async(1, Status.SUCCEEDED, True))
    assert len(fails) == 1
    assert not rows.lost.is_set()


def made(url: str, court: Court) -> Dispatcher:
    """A dispatcher without sweeps."""
    return judges.dispatcher(url, court.store, court.sandbox, beside=())


@contextmanager
def working(one: Dispatcher) -> Iterator[tuple[Callable[[], object], list[bool]]]:
    """It works in a thread; gives what tells it to stop, and what `work` returned."""
    loop, stop, ended = asyncio.new_event_loop(), asyncio.Event(), list[bool]()
    thread = threading.Thread(target=lambda: ended.append(loop.run_until_complete(one.work(stop))))
    thread.start()
    try:
        yield lambda: loop.call_soon_threadsafe(stop.set), ended
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


def test_a_dispatcher_that_cannot_write_an_end_ends_and_its_job_is_taken_over(
    postgres_url: str,
) -> None:
    with (
        over_the_queue(postgres_url, dispatchers=0) as court,
        psycopg.connect(address(postgres_url), autocommit=True) as asked,
    ):
        asked.execute(NO_ROOM)
        job = court.add(REFERENCE)
        with working(made(postgres_url, court)) as (_, ended):
            until(lambda: ended)
        assert ended == [False]
        assert court.report(job) is not None
        asked.execute("DROP TRIGGER no_room ON procrastinate_jobs")
        taking = judges.takeovers(postgres_url, court.store, court.sandbox)
        assert taking.recover(asked) == 1


def test_jobs_that_are_being_finished_are_not_taken_over(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_rows, "HEARTBEAT_S", 0.1)
    monkeypatch.setattr(dispatcher, "HEARTBEAT_S", 600.0)  # theirs, which stops before they do
    with (
        over_the_queue(postgres_url, dispatchers=0) as court,
        psycopg.connect(address(postgres_url), autocommit=True) as asked,
    ):
        court.add(WAITS)
        with working(made(postgres_url, court)) as (stop, ended):
            assert court.sandbox.begun.acquire(timeout=PATIENCE_S)
            both = "SELECT count(*) FROM procrastinate_workers"
            until(lambda: asked.execute(both).fetchone() == (2,))  # one that starts clears the dead
            asked.execute("UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1h'")
            stop()
            fresh = (
                "SELECT 1 FROM procrastinate_jobs job"
                " JOIN procrastinate_workers worker ON worker.id = job.worker_id"
                " WHERE job.status = 'doing' AND worker.last_heartbeat > now() - interval '1 min'"
            )
            until(lambda: asked.execute(fresh).fetchone())
            taking = judges.takeovers(postgres_url, court.store, court.sandbox)
            assert taking.recover(asked) == 0
            court.sandbox.let.set()
            until(lambda: ended)
        assert ended == [True]
        assert len(court.sandbox.orders) == 1


def test_a_dispatcher_leaves_though_a_job_goes_on(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "DRAIN_S", 0.1)
    monkeypatch.setattr(dispatcher, "LEAVE_S", 0.1)
    with over_the_queue(postgres_url, dispatchers=0) as court:
        court.add(WAITS)

        def stop() -> None:
            assert court.sandbox.begun.acquire(timeout=PATIENCE_S)
            os.kill(os.getpid(), signal.SIGTERM)

        before, loop = signal.getsignal(signal.SIGTERM), asyncio.new_event_loop()
        monkeypatch.setattr(asyncio, "new_event_loop", lambda: loop)
        telling = threading.Thread(target=stop)
        telling.start()
        try:
            assert made(postgres_url, court).run()
            assert not court.sandbox.let.is_set()
        finally:
            telling.join()
            court.sandbox.let.set()
            left = asyncio.gather(*asyncio.all_tasks(loop), return_exceptions=True)
            loop.run_until_complete(left)
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()
            signal.signal(signal.SIGTERM, before)
            signal.signal(signal.SIGINT, signal.default_int_handler)
