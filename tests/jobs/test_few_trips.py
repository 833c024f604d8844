"""What a submission asks of PostgreSQL, where each statement is a trip: few, and still one by one.

What goes together in one statement holds the same promises as one after another would.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import cast

import psycopg
import pytest
from procrastinate import App, PsycopgConnector
from procrastinate.connector import BaseConnector
from procrastinate.jobs import Status
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import DBAPIError

from app.jobs.deferring import Deferring
from app.jobs.job_pool import each_for_itself, pool
from app.jobs.job_rows import JobRows
from app.jobs.queue_tables import address, make_queue
from app.jobs.retries import Ladder
from app.model import LearnerId, Slug, SubmissionId
from app.ports import GradeJob, TooManyInLine
from app.records import Json, NewSubmission, SecondLook, Submission
from app.report.shared_values import spell
from app.storage.learners import ensure
from app.storage.queueing import Queueing
from app.storage.store import SqlStore

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
ANN, BEN = LearnerId("ann"), LearnerId("ben")
SOFTMAX = Slug("stable-softmax")
PATIENCE_S = 60
ENDED = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture
def store(postgres_url: str) -> Iterator[SqlStore]:
    made = SqlStore(postgres_url, Queueing(Deferring().defer, 2))
    make_queue(postgres_url)
    yield made
    made.close()


def add(store: SqlStore, name: str, who: LearnerId = ANN, key: str | None = None) -> Submission:
    made = NewSubmission(SubmissionId(name), who, SOFTMAX, b"x = 1", NOON, key)
    return store.submissions.add(made, GradeJob(made.id, who))[0]


def report(of: str, value: float = 1.0) -> Json:
    """One whose visible test holds values that several reports share."""
    data = {"kind": "array", "dtype": "float64", "shape": [400], "data": [value] * 400}
    test = {"name": "t", "verdict": "accepted", "arguments": [data], "expected": data, "got": data}
    return {
        "format": 1, "submission": of, "digest": "d", "verdict": "accepted", "passed": 1,
        "total": 1, "tests": [test],
    }  # fmt: skip


@contextmanager
def said(store: SqlStore) -> Iterator[list[str]]:
    """What the store asks PostgreSQL in this block, by its first words."""
    found: list[str] = []

    def note(_c: Connection, _cursor: object, statement: str, *_: object) -> None:
        found.append(" ".join(statement.split()[:3]))

    engines = store.database._writer, store.database._glances
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    yield found
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)


def at_once(works: Sequence[Callable[[], object]]) -> list[object]:
    """What each gave; all of them begin together."""
    start = threading.Barrier(len(works))

    def work(one: Callable[[], object]) -> object:
        start.wait(PATIENCE_S)
        try:
            return one()
        except TooManyInLine as error:
            return error

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(work, works))


def test_a_submission_is_stored_by_three_statements_beside_its_job(store: SqlStore) -> None:
    add(store, "s1")
    with said(store) as statements:
        add(store, "s2")
    assert statements == ["WITH locked AS", "SELECT clock_timestamp() AS", "WITH kept AS"]


def test_a_report_is_stored_by_one_statement_once_its_parts_are_there(store: SqlStore) -> None:
    add(store, "s1")
    add(store, "s2")
    assert store.submissions.record(SubmissionId("s1"), report("s1"), NOON)
    with said(store) as statements:
        assert store.submissions.record(SubmissionId("s2"), report("s2"), NOON)
    assert statements == ["WITH locked AS"]
    found = store.submissions.get(SubmissionId("s2"))
    assert found is not None
    assert found.report is not None
    assert spell(found.report) == spell(report("s2"))


def test_a_submission_is_read_by_one_statement(store: SqlStore) -> None:
    add(store, "s1")
    with said(store) as statements:
        store.submissions.get(SubmissionId("s1"))
    assert len(statements) == 1


def test_of_many_equal_requests_one_is_stored_with_one_job(
    store: SqlStore, postgres_url: str
) -> None:
    found = at_once([lambda n=n: add(store, f"s{n}", key="k").id for n in range(12)])  # type: ignore[misc]
    assert len(set(found)) == 1, found
    with psycopg.connect(address(postgres_url)) as connection:
        jobs = connection.execute("SELECT args->>'submission' FROM procrastinate_jobs").fetchall()
    assert jobs == [(found[0],)]


def test_who_was_joined_to_another_submits_as_that_one(store: SqlStore) -> None:
    add(store, "s1", BEN)
    store.learners.join(BEN, ANN, NOON)
    assert add(store, "s2", BEN).learner == ANN
    with pytest.raises(TooManyInLine):  # both are hers
        add(store, "s3", ANN)


def test_parts_that_many_reports_bring_at_once_are_stored_once(store: SqlStore) -> None:
    names = [f"s{n}" for n in range(6)]
    for name in names:
        add(store, name, LearnerId(name))
    kept = at_once(
        [
            lambda name=name: store.submissions.record(SubmissionId(name), report(name, 2.0), NOON)  # type: ignore[misc]
            for name in names
        ]
    )
    assert kept == [True] * 6
    with store.database.read() as reading:  # the arguments, and what was expected
        assert reading.execute(text("SELECT count(*) FROM report_parts")).scalar() == 2
    for name in names:
        found = store.submissions.get(SubmissionId(name))
        assert found is not None
        assert found.report == report(name, 2.0)


def test_the_mistakes_that_a_report_names_are_kept_with_it(store: SqlStore) -> None:
    add(store, "s1")
    named = [{"misconception": "axis"}, {"misconception": "overflow"}]
    told = {**report("s1"), "verdict": "wrong_answer", "diagnosis": {"mistakes": named}}
    assert store.submissions.record(SubmissionId("s1"), told, NOON)
    (attempt,) = store.submissions.history(ANN, SOFTMAX)
    assert attempt.mistakes == ("axis", "overflow")


def test_a_report_waits_for_whoever_writes_alone(store: SqlStore) -> None:
    """A learner's work may be on its way to another just now."""
    add(store, "s1")
    with ThreadPoolExecutor(2) as threads:
        with store.database.write():
            report_kept = threads.submit(
                store.submissions.record, SubmissionId("s1"), report("s1"), NOON
            )
            next_one = threads.submit(add, store, "s2")
            _until_two_wait(store)
        assert report_kept.result(PATIENCE_S)
        assert next_one.result(PATIENCE_S).id == "s2"


def _until_two_wait(store: SqlStore) -> None:
    waits = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        with store.database.glance() as connection:
            if connection.execute(waits).scalar() == 2:
                return
        time.sleep(0.01)
    raise AssertionError("they do not wait")


def test_what_is_sent_while_two_are_joined_is_the_others(store: SqlStore) -> None:
    add(store, "s1", BEN)
    with ThreadPoolExecutor(1) as threads:
        with store.database.write() as connection:
            sent = threads.submit(add, store, "s2", BEN)
            time.sleep(0.1)
            ensure(connection, ANN, NOON)
            connection.execute(text("UPDATE learners SET joined_to = 'ann' WHERE id = 'ben'"))
        assert sent.result(PATIENCE_S).learner == ANN


def test_a_look_that_found_nothing_is_kept_once(store: SqlStore) -> None:
    add(store, "s1")
    for name in ("s1", "s1", "gone"):
        store.looks.record(SecondLook(SubmissionId(name), SOFTMAX, "d", NOON))
    found = store.looks.get(SubmissionId("s1"))
    assert found == SecondLook(SubmissionId("s1"), SOFTMAX, "d", NOON)
    assert store.looks.get(SubmissionId("gone")) is None


def test_a_report_of_no_submission_is_not_kept(store: SqlStore) -> None:
    assert not store.submissions.record(SubmissionId("s1"), report("s1"), NOON)


def test_a_glance_changes_nothing(store: SqlStore) -> None:
    add(store, "s1")
    with pytest.raises(DBAPIError, match="read-only"), store.database.glance() as connection:
        connection.execute(text("DELETE FROM submissions"))
    assert store.submissions.get(SubmissionId("s1")) is not None


def test_connections_that_were_ended_in_the_pool_are_made_anew(
    store: SqlStore, postgres_url: str
) -> None:
    add(store, "s1")
    assert store.submissions.get(SubmissionId("s1")) is not None
    with psycopg.connect(address(postgres_url), autocommit=True) as other:
        other.execute(ENDED)
    assert store.submissions.get(SubmissionId("s1")) is not None
    assert add(store, "s2").id == "s2"


def test_a_dispatchers_connections_that_were_ended_are_made_anew(postgres_url: str) -> None:
    async def asked() -> list[int]:
        given = {"conninfo": address(postgres_url), "min_size": 1, "max_size": 1, "open": False}
        async with pool(**given, configure=each_for_itself) as connections:
            found = []
            for _ in range(2):
                async with connections.connection() as connection:
                    found.append(connection.info.backend_pid)
                    assert connection.autocommit
                    await connection.execute("SELECT 1")
                with psycopg.connect(address(postgres_url), autocommit=True) as other:
                    other.execute(ENDED)
            return found

    first, second = asyncio.run(asked())
    assert first != second


class Asked:
    """A database that has no job when it is first asked, and tells of one meanwhile."""

    def __init__(self) -> None:
        self.asked = 0
        self.tell: Callable[..., Awaitable[None]] | None = None

    async def listen_notify(
        self, *, on_notification: Callable[..., Awaitable[None]], **_: object
    ) -> None:
        self.tell = on_notification

    async def execute_query_one_async(self, query: str, **_: object) -> dict[str, object]:
        self.asked += 1
        if self.asked == 1 and self.tell is not None:
            told = '{"type": "job_inserted", "job_id": 7}'
            await self.tell(channel="procrastinate_queue_v1#grade", payload=told)
        row = dict.fromkeys(("id", "lock", "queueing_lock", "scheduled_at", "status"))
        named = {"task_name": "t", "priority": 0, "args": {}, "queue_name": "grade", "attempts": 0}
        return {**row, **named, "id": 7 if self.asked == 2 else None}


def test_a_job_that_comes_while_a_worker_asks_for_one_does_not_wait_for_the_next_question() -> None:
    """Procrastinate's worker forgets what it is told until it has its answer."""

    async def fetched() -> tuple[int | None, int]:
        database = Asked()
        rows = JobRows(cast("BaseConnector", database))

        async def heard(**_: object) -> None:
            return

        await rows.listen_for_jobs(on_notification=heard, queues=["grade"])
        job = await rows.fetch_job(["grade"], 1)
        assert await rows.fetch_job(["grade"], 1) is None  # and no question without end
        return None if job is None else job.id, database.asked

    assert asyncio.run(fetched()) == (7, 3)


def finish_next(url: str, first: Callable[[], object] = lambda: None) -> None:
    """Take the next job, do this first, and write down that the job is done with."""

    async def work() -> None:
        connector = PsycopgConnector(conninfo=address(url), configure=each_for_itself)
        async with App(connector=connector).open_async():
            rows = JobRows(connector)
            job = await rows.fetch_job(["grade"], await rows.register_worker())
            assert job is not None
            first()
            await rows.finish_job(job, Status.SUCCEEDED, delete_job=True)

    asyncio.run(work())


def test_a_job_whose_report_a_power_cut_took_is_done_again(
    store: SqlStore, postgres_url: str
) -> None:
    """A dispatcher writes down that it is done when PostgreSQL is back, and knows of nothing."""
    add(store, "s1")
    with psycopg.connect(address(postgres_url), autocommit=True) as asked:
        finish_next(postgres_url)
        jobs = "SELECT status::text, scheduled_at IS NULL FROM procrastinate_jobs"
        assert asked.execute(jobs).fetchall() == [("todo", False)]
        asked.execute("UPDATE procrastinate_jobs SET scheduled_at = NULL")
        name = SubmissionId("s1")
        finish_next(postgres_url, lambda: store.submissions.record(name, report("s1"), NOON))
        assert asked.execute(jobs).fetchall() == []


def test_a_parked_job_is_done_with(store: SqlStore, postgres_url: str) -> None:
    """Of an exercise that was withdrawn there is no report."""
    add(store, "s1")
    ladder = Ladder(postgres_url)
    ladder.failed("s1", "withdrawn")
    ladder.park("s1")
    finish_next(postgres_url)
    with psycopg.connect(address(postgres_url)) as asked:
        assert asked.execute("SELECT count(*) FROM procrastinate_jobs").fetchone() == (0,)
