"""What the queue's processes bear: a server that goes away, and what breaks beside the jobs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
import structlog
from psycopg import errors
from sqlalchemy import exc

from app.jobs.deferring import Deferring
from app.jobs.distributed import DistributedJudge
from app.jobs.queue_tables import address, make_queue
from app.jobs.retries import Ladder
from app.jobs.sweeps import Sweeps
from app.model import LearnerId, Slug, SubmissionId
from app.ports import GradeJob, StoreAway, TooManyInLine
from app.records import Json, NewSubmission
from app.storage.away import telling_away
from app.storage.database import Database
from app.storage.queueing import Queueing
from app.storage.store import SqlStore
from tests.jobs.judges import over_the_queue, takeovers
from tests.jobs.test_queue import until
from tests.service.world import LOOP, PATIENCE_S, REFERENCE

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
REPORT = {"digest": "d", "verdict": "accepted", "passed": 6, "total": 6, "tests": []}


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with structlog.testing.capture_logs():
        yield


def new(name: str) -> NewSubmission:
    return NewSubmission(
        SubmissionId(name), LearnerId("ann"), Slug("stable-softmax"), b"x = 1", NOON
    )


# ------------------------------------------------------------------ told as what it is


def test_a_connection_that_breaks_while_a_job_is_deferred_is_a_store_that_is_away(
    postgres_url: str,
) -> None:
    def cut(connection: psycopg.Connection, job: GradeJob) -> None:
        with psycopg.connect(address(postgres_url), autocommit=True) as other:
            pid = connection.info.backend_pid
            other.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
        Deferring().defer(connection, job)

    store = SqlStore(postgres_url, Queueing(cut, 2))
    make_queue(postgres_url)
    with pytest.raises(StoreAway):
        store.submissions.add(new("s"), GradeJob(SubmissionId("s"), "ann"))
    assert store.submissions.get(SubmissionId("s")) is None
    store.close()


def test_procrastinates_own_words_for_a_broken_connection_are_understood(
    postgres_url: str,
) -> None:
    make_queue(postgres_url)
    with psycopg.connect(address(postgres_url)) as connection:
        connection.execute(
            "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$"
            " BEGIN RAISE 'no room' USING ERRCODE = '53100'; END $$"
        )
        connection.execute(
            "CREATE TRIGGER no_room BEFORE INSERT ON procrastinate_jobs EXECUTE FUNCTION no_room()"
        )
        with pytest.raises(StoreAway) as raised:
            Deferring().defer(connection, GradeJob(SubmissionId("s"), "ann"))
        connection.rollback()
    assert raised.value.disk_full


def test_a_server_that_only_reads_is_away(postgres_url: str) -> None:
    """After a fail-over, connections may lead to the one that follows."""
    store = SqlStore(postgres_url, Queueing(Deferring().defer, 2))
    make_queue(postgres_url)
    with psycopg.connect(address(postgres_url), autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    store.close()
    with pytest.raises(StoreAway):
        store.submissions.add(new("s"), GradeJob(SubmissionId("s"), "ann"))
    store.close()


@pytest.mark.parametrize("is_sqlite", [False, True])
def test_no_free_connection_is_a_store_that_is_away(is_sqlite: bool) -> None:
    with pytest.raises(StoreAway), telling_away(is_sqlite=is_sqlite):
        raise exc.TimeoutError("QueuePool limit reached")


def test_what_is_wrong_inside_the_server_is_no_absence() -> None:
    broken = exc.InternalError("SELECT 1", None, errors.IndexCorrupted("index is corrupt"))
    with pytest.raises(exc.InternalError), telling_away(is_sqlite=False):
        raise broken


# ------------------------------------------------------------------ threads that stay


def test_a_sweep_that_breaks_is_tried_again(postgres_url: str) -> None:
    with over_the_queue(postgres_url, dispatchers=0) as court:
        swept = threading.Semaphore(0)

        def breaks() -> tuple[SubmissionId, ...]:
            swept.release()
            raise RuntimeError("a pool without a free connection")

        sweeps = Sweeps(postgres_url, breaks, takeovers(postgres_url, court.store, court.sandbox))
        sweeps.start()
        assert swept.acquire(timeout=PATIENCE_S)
        job = court.add(REFERENCE)
        with psycopg.connect(address(postgres_url), autocommit=True) as asked:
            asked.execute("UPDATE procrastinate_jobs SET status = 'doing'")  # of no worker
            states = "SELECT status::text FROM procrastinate_jobs WHERE args->>'submission' = %s"
            until(lambda: asked.execute(states, (job.submission,)).fetchone() == ("todo",))
        sweeps.close()


def test_a_report_that_cannot_be_read_keeps_no_other_from_being_heard(postgres_url: str) -> None:
    with over_the_queue(postgres_url, dispatchers=0) as court:
        broken, sound = court.add(REFERENCE), court.add(REFERENCE)

        def read(submission: SubmissionId) -> Json | None:
            if submission == broken.submission:
                raise ValueError("a broken body")
            return REPORT

        judge = DistributedJudge(postgres_url, read)
        judge.start()
        futures = judge.judge(broken), judge.judge(sound)
        court.store.submissions.record(broken.submission, REPORT, NOON)
        court.store.submissions.record(sound.submission, REPORT, NOON)
        assert futures[1].result(PATIENCE_S) == REPORT
        later = court.add(REFERENCE)
        future = judge.judge(later)
        court.store.submissions.record(later.submission, REPORT, NOON)
        assert future.result(PATIENCE_S) == REPORT
        judge.close()


# ------------------------------------------------------------------ what must not stick


def test_the_server_lets_go_of_a_machine_that_vanished(postgres_url: str) -> None:
    """Each end looks for itself: the server's holds the locks of what it takes for alive."""
    asked = ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count")
    wanted = ["5", "2", "3", "10000", "7s"]
    given = f"{postgres_url}?options=-clock_timeout%3D7s"
    names = (*asked, "tcp_user_timeout", "lock_timeout")
    with psycopg.connect(address(given)) as connection:
        rows = [connection.execute(f"SHOW {name}").fetchone() for name in names]
    assert rows == [(value,) for value in wanted]
    database = Database(given)
    for opened in (database.write, database.read):
        with opened() as held:
            assert [held.exec_driver_sql(f"SHOW {name}").scalar() for name in names] == wanted
    database.close()


def test_slow_code_and_jobs_for_later_close_no_door(postgres_url: str) -> None:
    with over_the_queue(postgres_url, dispatchers=0) as court:
        slow, later, now = (court.add(REFERENCE) for _ in range(3))
        with psycopg.connect(address(postgres_url), autocommit=True) as asked:
            asked.execute(
                "UPDATE procrastinate_jobs SET queue_name = 'grade-slow'"
                " WHERE args->>'submission' = %s",
                (slow.submission,),
            )
            asked.execute(
                "UPDATE procrastinate_jobs SET scheduled_at = now() + interval '1 hour'"
                " WHERE args->>'submission' = %s",
                (later.submission,),
            )
            until(lambda: court.judge.load().submissions == 1)
            asked.execute(
                "DELETE FROM procrastinate_jobs WHERE args->>'submission' = %s",
                (now.submission,),
            )
            until(lambda: court.judge.load().submissions == 0)
        assert court.judge.wait_s() == 0


def test_parked_submissions_take_no_place_of_their_learner(postgres_url: str) -> None:
    """Those of an exercise that was withdrawn never get a report."""
    store = SqlStore(postgres_url, Queueing(Deferring().defer, 1))
    make_queue(postgres_url)
    store.submissions.add(new("old"), GradeJob(SubmissionId("old"), "ann"))
    with pytest.raises(TooManyInLine):
        store.submissions.add(new("s"), GradeJob(SubmissionId("s"), "ann"))
    ladder = Ladder(postgres_url, ())
    ladder.failed("old", "its exercise is offered no more")
    ladder.park("old")
    assert store.submissions.add(new("s"), GradeJob(SubmissionId("s"), "ann"))[1]
    store.close()


def test_no_job_tried_again_waits_by_its_dispatchers_own_clock(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = datetime.now(UTC) + timedelta(hours=1)
    monkeypatch.setattr("procrastinate.utils.utcnow", lambda: ahead)
    with over_the_queue(postgres_url) as court:
        slow = court.judge.judge(court.add(LOOP))
        assert slow.result(PATIENCE_S)["verdict"] == "time_limit"


def test_places_are_asked_over_one_connection_that_is_made_anew_when_cut(
    postgres_url: str,
) -> None:
    ours = (
        "SELECT pid FROM pg_stat_activity"
        " WHERE application_name = 'mlgrind places' AND datname = current_database()"
    )
    with over_the_queue(postgres_url, dispatchers=0) as court:
        jobs = [court.add(REFERENCE, group="a") for _ in range(4)]
        with psycopg.connect(address(postgres_url), autocommit=True) as asked:
            assert [court.judge.place(job.submission) for job in jobs[:2]] == [1, 2]
            first = asked.execute(ours).fetchall()
            assert len(first) == 1
            assert court.judge.place(jobs[2].submission) == 3
            assert asked.execute(ours).fetchall() == first
            asked.execute("SELECT pg_terminate_backend(%s, 5000)", first[0])
            assert court.judge.place(jobs[3].submission) == 4
            assert court.judge.place(court.add(REFERENCE, group="a").submission) == 5
