"""The queue in PostgreSQL: what goes into it, in which order it comes out, and what is parked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import psycopg
import pytest
import structlog

from app.catalog import Catalog, ExerciseError, ExerciseErrors
from app.jobs import deferring, queue_tables
from app.jobs.deferring import SLOW, Deferring, count_anew, group_of
from app.jobs.distributed import POLL_S
from app.jobs.grader import Grader
from app.jobs.parked import ParkedJobs
from app.jobs.queue_tables import QueueUnfit, address, dispatchers, make_queue
from app.jobs.retries import LADDER, Ladder
from app.jobs.slow_use import SlowUse
from app.jobs.sweeps import Sweeps
from app.logs import bound
from app.model import Exercise, Expectations, Lane, LearnerId, Slug, SubmissionId
from app.ports import GradeJob, Jails, StoreAway, TooManyInLine
from app.records import NewSubmission
from app.service.grading import Grading
from app.storage import submissions as stored
from app.storage.queueing import Queueing
from app.storage.store import SqlStore
from tests.cli.test_grade import mlgrind
from tests.jobs.judges import STEPS, Court, dispatching, over_the_queue, takeovers
from tests.service.world import EXERCISES, LOOP, PATIENCE_S, REFERENCE, expectations

T = TypeVar("T")

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
SOFTMAX = Slug("stable-softmax")
REPORT = {"digest": "d", "verdict": "accepted", "passed": 6, "total": 6, "tests": []}
FAULTS = b"# faults\n" + REFERENCE
WAITS = b"# waits\n" + REFERENCE


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with structlog.testing.capture_logs():
        yield


@pytest.fixture
def court(postgres_url: str) -> Iterator[Court]:
    """A judge over a queue that no dispatcher works off yet."""
    with over_the_queue(postgres_url, dispatchers=0) as made:
        yield made


@pytest.fixture
def asked(court: Court, postgres_url: str) -> Iterator[psycopg.Connection]:
    """A connection to look into the queue with."""
    with psycopg.connect(address(postgres_url), autocommit=True) as connection:
        yield connection


def waiting(asked: psycopg.Connection) -> list[str]:
    """The submissions of waiting jobs, in the order in which they would be taken."""
    rows = asked.execute(
        "SELECT args->>'submission' FROM procrastinate_jobs WHERE status = 'todo'"
        " ORDER BY priority DESC, id"
    )
    return [str(row[0]) for row in rows.fetchall()]


# ------------------------------------------------------------------ going in


def test_a_submission_and_its_job_are_stored_together_or_not_at_all(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    job = court.add(REFERENCE)
    assert waiting(asked) == [job.submission]

    def breaks(*_: object) -> None:
        raise RuntimeError("after the row, before the commit")

    store = SqlStore(postgres_url, Queueing(breaks, 2))
    new = NewSubmission(SubmissionId("x"), LearnerId("ann"), SOFTMAX, b"x = 1", NOON)
    with pytest.raises(RuntimeError):
        store.submissions.add(new, GradeJob(new.id, "ann"))
    assert store.submissions.get(new.id) is None
    assert waiting(asked) == [job.submission]
    store.close()


def test_only_ids_travel(court: Court, asked: psycopg.Connection) -> None:
    with bound(request_id="0123abcd", learner="ann"):
        job = court.add(REFERENCE, learner="ann")
    row = asked.execute("SELECT args FROM procrastinate_jobs").fetchone()
    assert row is not None
    assert row[0] == {
        "v": 1,
        "submission": job.submission,
        "see": False,
        "group": group_of(job),
        "request": "0123abcd",
    }
    assert len(group_of(job)) == 16
    assert "ann" not in str(row[0]["group"])


def test_the_moment_of_a_submission_is_the_databases(court: Court) -> None:
    """A web process's clock may be an hour off."""
    stored = court.store.submissions.get(court.add(REFERENCE).submission)
    assert stored is not None
    assert abs(datetime.now(UTC) - stored.created_at) < timedelta(minutes=5)


def test_a_learner_has_two_in_line_however_many_processes_take_them(postgres_url: str) -> None:
    store = SqlStore(postgres_url, Queueing(Deferring().defer, 2))
    make_queue(postgres_url)
    start = threading.Barrier(6)

    def add(number: int) -> bool:
        new = NewSubmission(SubmissionId(f"s{number}"), LearnerId("ann"), SOFTMAX, b"1", NOON)
        start.wait()
        try:
            return store.submissions.add(new, GradeJob(new.id, "ann"))[1]
        except TooManyInLine:
            return False

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(add, range(6))) == 2
    store.close()


def test_what_could_not_be_judged_an_hour_ago_takes_no_place(postgres_url: str) -> None:
    store = SqlStore(postgres_url, Queueing(Deferring().defer, 1))
    make_queue(postgres_url)
    first = NewSubmission(SubmissionId("s1"), LearnerId("ann"), SOFTMAX, b"1", NOON)
    store.submissions.add(first, GradeJob(first.id, "ann"))
    second = NewSubmission(SubmissionId("s2"), LearnerId("ann"), SOFTMAX, b"2", NOON)
    with pytest.raises(TooManyInLine):
        store.submissions.add(second, GradeJob(second.id, "ann"))
    with psycopg.connect(postgres_url) as connection:
        connection.execute("UPDATE submissions SET created_at = now() - interval '61 minutes'")
    assert store.submissions.add(second, GradeJob(second.id, "ann"))[1]
    store.close()


# ------------------------------------------------------------------ whose turn it is


def test_a_class_of_many_and_a_class_of_one_take_turns(
    court: Court, asked: psycopg.Connection
) -> None:
    many = [court.add(REFERENCE, group="many").submission for _ in range(6)]
    one = court.add(REFERENCE, group="one").submission
    assert waiting(asked).index(one) == 1
    assert [name for name in waiting(asked) if name != one] == many


def served(asked: psycopg.Connection, jobs: int) -> list[str]:
    """Take so many out of the queue in their order, as dispatchers do; whose they were."""
    gone = waiting(asked)[:jobs]
    asked.execute("DELETE FROM procrastinate_jobs WHERE args->>'submission' = ANY(%s)", (gone,))
    return gone


def test_those_who_came_while_the_line_was_long_are_not_passed_once_it_is_short(
    court: Court, asked: psycopg.Connection
) -> None:
    """A number as long as the line once was would never come up while newcomers get small ones."""
    came = [court.add(REFERENCE, group="a").submission for _ in range(6)]
    left = served(asked, 4)
    came += [court.add(REFERENCE, group="a").submission for _ in range(3)]
    left += served(asked, 3)
    came += [court.add(REFERENCE, group="a").submission for _ in range(2)]
    assert left + served(asked, 9) == came


def test_newcomers_without_end_do_not_keep_a_class_from_its_turns(
    court: Court, asked: psycopg.Connection
) -> None:
    of_class = {court.add(REFERENCE, group="a").submission for _ in range(4)}
    left: list[str] = []
    for number in range(20):
        court.add(REFERENCE, group=f"newcomer {number}")
        left += served(asked, 1)
    assert of_class <= set(left)


def test_turns_far_from_the_first_are_counted_anew_in_the_same_order(
    court: Court, asked: psycopg.Connection
) -> None:
    came = [court.add(REFERENCE, group=name).submission for name in "aababc"]
    order = waiting(asked)
    assert not count_anew(asked)
    asked.execute("UPDATE procrastinate_jobs SET priority = priority - 3000")
    assert count_anew(asked)
    assert waiting(asked) == order
    assert sorted(order) == sorted(came)
    top = asked.execute("SELECT max(priority), min(priority) FROM procrastinate_jobs").fetchone()
    assert top == (0, -4)


def test_a_place_counts_those_that_go_first(court: Court) -> None:
    first, second = court.add(REFERENCE, group="a"), court.add(REFERENCE, group="a")
    assert court.judge.place(second.submission) == 2
    assert court.judge.place(first.submission) == 1
    assert court.judge.place(SubmissionId("none")) is None


def test_slow_code_has_workers_of_its_own(postgres_url: str) -> None:
    with over_the_queue(postgres_url) as court:
        slow = court.judge.judge(court.add(LOOP))
        assert slow.result(PATIENCE_S)["verdict"] == "time_limit"
        with psycopg.connect(address(postgres_url)) as asked:
            used = "SELECT count(*) FROM slow_use WHERE seconds >= 0"
            until = time.monotonic() + PATIENCE_S  # it is charged once the verdict is out
            while asked.execute(used).fetchone() != (1,):
                assert time.monotonic() < until
                time.sleep(0.02)


def test_who_used_the_slow_places_most_comes_last_there(court: Court, postgres_url: str) -> None:
    use = SlowUse(postgres_url)
    use.add("greedy", 12.0)
    use.add("modest", 0.5)
    assert use.priority("greedy") < use.priority("modest") < use.priority("new") == 0


def test_waiting_in_the_slow_queue_counts_too(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    job = court.add(LOOP, group="a")
    asked.execute("UPDATE procrastinate_jobs SET queue_name = %s", (SLOW,))
    assert SlowUse(postgres_url).priority(group_of(job)) == -10


# ------------------------------------------------------------------ what is dropped is taken up


TAKEN_BY_ONE_THAT_DIED = (
    "WITH dead AS (INSERT INTO procrastinate_workers (last_heartbeat)"
    " VALUES (now() - interval '7 seconds') RETURNING id)"
    " UPDATE procrastinate_jobs SET status = 'doing', worker_id = (SELECT id FROM dead)"
)


def test_jobs_of_a_dispatcher_whose_heart_stopped_go_back(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    taking = takeovers(postgres_url, court.store, court.sandbox)
    job = court.add(REFERENCE)
    asked.execute(TAKEN_BY_ONE_THAT_DIED)
    assert waiting(asked) == []
    assert taking.recover(asked) == 1
    assert waiting(asked) == [job.submission]
    assert taking.recover(asked) == 0


def test_a_submission_that_dispatchers_die_under_again_and_again_is_parked(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    taking = takeovers(postgres_url, court.store, court.sandbox)
    job = court.add(REFERENCE)
    for wait in STEPS:
        asked.execute(TAKEN_BY_ONE_THAT_DIED)
        assert taking.recover(asked) == 1
        assert waiting(asked) == [job.submission]
        assert _waits_s(asked, job) <= wait
    asked.execute(TAKEN_BY_ONE_THAT_DIED)
    assert taking.recover(asked) == 0
    assert asked.execute("SELECT count(*) FROM procrastinate_jobs").fetchone() == (0,)
    (parked,) = ParkedJobs(postgres_url).all()
    assert (parked.submission, parked.tries) == (job.submission, len(STEPS) + 1)
    assert parked.reason == "the dispatcher that judged it ended"
    assert (court.report(job) or {})["verdict"] == "grader_error"


def test_one_that_was_judged_before_its_dispatcher_died_is_done_with(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    taking = takeovers(postgres_url, court.store, court.sandbox)
    job = court.add(REFERENCE)
    assert court.store.submissions.record(job.submission, REPORT, NOON)
    for _ in range(len(STEPS) + 1):
        asked.execute(TAKEN_BY_ONE_THAT_DIED)
        taking.recover(asked)
    assert asked.execute("SELECT count(*) FROM procrastinate_jobs").fetchone() == (0,)
    assert ParkedJobs(postgres_url).all() == ()
    assert court.report(job) == REPORT


def test_a_job_that_cannot_be_parked_now_keeps_no_other_and_stays(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    def breaks(*_: object) -> bool:
        raise StoreAway("no free connection")

    taking = replace(takeovers(postgres_url, court.store, court.sandbox), record_fault=breaks)
    first, second = court.add(REFERENCE), court.add(REFERENCE)
    for _ in STEPS:
        taking.ladder.failed(first.submission, "the dispatcher that judged it ended")
    asked.execute(TAKEN_BY_ONE_THAT_DIED)
    assert taking.recover(asked) == 1
    assert waiting(asked) == [second.submission]
    tries = "SELECT tries FROM faults WHERE submission = %s"
    assert asked.execute(tries, (first.submission,)).fetchone() == (len(STEPS),)


def test_a_job_of_a_dispatcher_that_lives_is_left_alone(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    court.add(REFERENCE)
    asked.execute(
        "WITH one AS (INSERT INTO procrastinate_workers DEFAULT VALUES RETURNING id)"
        " UPDATE procrastinate_jobs SET status = 'doing', worker_id = (SELECT id FROM one)"
    )
    assert takeovers(postgres_url, court.store, court.sandbox).recover(asked) == 0


def test_a_submission_without_a_job_is_deferred_again_once(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    orphan, sound = court.add(REFERENCE), court.add(REFERENCE)
    asked.execute(
        "DELETE FROM procrastinate_jobs WHERE args->>'submission' = %s", (orphan.submission,)
    )
    sweeps = _sweeps(postgres_url, court)
    assert sweeps.adopt(asked) == 0  # it is young: its job may be on its way
    assert sweeps.adopt(asked, old_s=0.0) == 1
    assert sweeps.adopt(asked, old_s=0.0) == 0
    assert sorted(waiting(asked)) == sorted([orphan.submission, sound.submission])


# ------------------------------------------------------------------ our own faults


def test_a_fault_is_tried_again_ever_later_and_then_parked(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    ladder = Ladder(postgres_url)
    for wait in LADDER:
        (now,) = asked.execute("SELECT now()").fetchone() or (None,)
        at = ladder.failed("s", "the keeper is gone")
        assert at is not None
        assert now is not None
        assert wait <= (at - now).total_seconds() < wait + PATIENCE_S
    assert ladder.failed("s", "the keeper is gone") is None


def test_what_is_parked_is_listed_and_one_command_judges_it_again(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLGRIND_DATABASE", postgres_url)
    with over_the_queue(postgres_url) as court:
        court.sandbox.faults = 1_000
        job = court.add(FAULTS)
        assert court.judge.judge(job).result(PATIENCE_S)["verdict"] == "grader_error"
        (parked,) = until(lambda: ParkedJobs(postgres_url).all())
        assert (parked.submission, parked.reason) == (job.submission, "the keeper is gone")
        assert parked.tries == 3
        listed = mlgrind("queue", "list").stdout.decode()
        assert job.submission in listed
        assert "the keeper is gone" in listed
        court.sandbox.faults = 0
        done = mlgrind("queue", "retry", job.submission)
        assert done.stdout.decode() == "1 submissions are in the queue again.\n"
        until(lambda: (court.report(job) or {})["verdict"] == "accepted")
        until(lambda: not ParkedJobs(postgres_url).all())
        assert mlgrind("queue", "retry", job.submission).returncode == 1
        assert mlgrind("queue", "drain").returncode == 0


def test_what_an_author_broke_is_parked_in_the_authors_words(
    court: Court, postgres_url: str
) -> None:
    broken = ExerciseErrors([ExerciseError("cases.py", "tests", "there are five, and not six")])

    def expect(_exercise: Exercise) -> Expectations:
        raise broken

    grading = Grading(Jails.one(court.sandbox), court.store.submissions, lambda: datetime.now(UTC))
    use, catalog = SlowUse(postgres_url), Catalog((EXERCISES,))
    grader = Grader(grading, catalog.get, expect, Ladder(postgres_url, ()), use)
    job = court.add(REFERENCE)
    grader.work(v=1, submission=job.submission, see=False, group="a", lane=Lane.FAST)
    (parked,) = ParkedJobs(postgres_url).all()
    assert parked.reason == "cases.py: there are five, and not six"
    assert (court.report(job) or {})["verdict"] == "grader_error"
    mended = replace(grader, expectations=expectations)
    assert ParkedJobs(postgres_url).retry() == (job.submission,)
    mended.work(v=1, submission=job.submission, see=False, group="a", lane=Lane.FAST)
    assert (court.report(job) or {})["verdict"] == "accepted"
    assert ParkedJobs(postgres_url).all() == ()


def test_a_parked_submission_is_no_orphan(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    job = court.add(REFERENCE)
    asked.execute("DELETE FROM procrastinate_jobs")
    ladder = Ladder(postgres_url, ())
    assert ladder.failed(job.submission, "its exercise is offered no more") is None
    ladder.park(job.submission)
    assert _sweeps(postgres_url, court).adopt(asked, old_s=0.0) == 0


def _sweeps(url: str, court: Court) -> Sweeps:
    taking = takeovers(url, court.store, court.sandbox)
    return Sweeps(url, court.store.submissions.unreported, taking)


def test_a_job_of_a_later_release_waits_for_a_dispatcher_that_can_read_it(
    court: Court,
    asked: psycopg.Connection,
    postgres_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deferring, "VERSION", 3)
    later = court.add(REFERENCE)
    monkeypatch.undo()
    now = court.add(REFERENCE)
    with dispatching(postgres_url, court.store, court.sandbox):
        assert court.judge.judge(now).result(PATIENCE_S)["verdict"] == "accepted"
        until(lambda: _waits_s(asked, later) > 0)
    assert 0 < _waits_s(asked, later) <= 30
    assert court.report(later) is None
    assert asked.execute("SELECT count(*) FROM faults").fetchone() == (0,)


def _waits_s(asked: psycopg.Connection, job: GradeJob) -> float:
    row = asked.execute(
        "SELECT extract(epoch FROM scheduled_at - now()) FROM procrastinate_jobs"
        " WHERE args->>'submission' = %s AND status = 'todo'",
        (job.submission,),
    ).fetchone()
    return 0.0 if row is None or row[0] is None else float(row[0])


# ------------------------------------------------------------------ recording


def test_a_second_report_is_dropped(court: Court) -> None:
    job = court.add(REFERENCE)
    assert court.store.submissions.record(job.submission, REPORT, NOON)
    second = {**REPORT, "verdict": "wrong_answer", "passed": 0}
    assert not court.store.submissions.record(job.submission, second, NOON)
    assert court.report(job) == REPORT


def test_a_notice_that_nobody_heard_costs_two_seconds(
    court: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "tell", lambda *_: None)
    job = court.add(REFERENCE)
    future = court.judge.judge(job)
    assert court.store.submissions.record(job.submission, REPORT, NOON)
    begun = time.monotonic()
    assert future.result(PATIENCE_S) == REPORT
    assert time.monotonic() - begun <= POLL_S * 3


def test_a_cut_connection_is_made_anew_and_what_it_missed_is_looked_for(
    court: Court, asked: psycopg.Connection
) -> None:
    job = court.add(REFERENCE)
    future = court.judge.judge(job)
    until(lambda: cut(asked))
    assert court.store.submissions.record(job.submission, REPORT, NOON)
    begun = time.monotonic()
    assert future.result(PATIENCE_S) == REPORT
    assert time.monotonic() - begun <= POLL_S * 3


def cut(asked: psycopg.Connection) -> int:
    """End the connections that listen; how many there were."""
    return asked.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = 'mlgrind hearing' AND datname = current_database()"
    ).rowcount


def test_two_dispatchers_judge_each_submission_once(postgres_url: str) -> None:
    with over_the_queue(postgres_url, dispatchers=2) as court:
        jobs = [court.add(REFERENCE) for _ in range(20)]
        for job in jobs:
            assert court.judge.judge(job).result(PATIENCE_S)["verdict"] == "accepted"
        assert len(court.sandbox.orders) == len(jobs)


def test_clocks_an_hour_off_make_nothing_late_and_nothing_double(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    """A web process's is a day off here: see `Court.add`."""
    there = (postgres_url, court.store, court.sandbox)
    hour = timedelta(hours=1)
    court.sandbox.faults = 1
    with dispatching(*there, off=hour), dispatching(*there, off=-hour):
        jobs = [court.add(source) for source in (REFERENCE, FAULTS, LOOP, REFERENCE)]
        told = [court.judge.judge(job).result(PATIENCE_S)["verdict"] for job in jobs]
    assert told == ["accepted", "accepted", "time_limit", "accepted"]
    rows = asked.execute(
        "SELECT extract(epoch FROM recorded_at - created_at) FROM public.submissions"
        " JOIN public.reports ON submission = id"
    ).fetchall()
    assert len(rows) == len(jobs)
    assert all(0 <= row[0] <= 45 for row in rows)


# ------------------------------------------------------------------ the tables


def test_a_queue_of_an_earlier_release_of_ours_gets_what_is_new(postgres_url: str) -> None:
    make_queue(postgres_url)
    added = ("shut_runners", "judged_by", "second_opinions", "secrets")
    with psycopg.connect(address(postgres_url)) as connection:
        for table in added:
            connection.execute(f"DROP TABLE queue.{table}".encode())
        connection.execute("DROP INDEX queue.jobs_by_turn")
    assert not make_queue(postgres_url)
    with psycopg.connect(address(postgres_url)) as connection:
        for table in (*added, "jobs_by_turn"):
            there = connection.execute("SELECT to_regclass(%s)", (f"queue.{table}",)).fetchone()
            assert there != (None,)


def test_of_several_first_starts_at_once_one_makes_the_queue(postgres_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: make_queue(postgres_url), range(4)))
    assert sorted(made) == [False, False, False, True]


def test_a_queue_of_another_release_is_refused(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_queue(postgres_url)
    with psycopg.connect(address(postgres_url)) as connection:
        connection.execute("UPDATE applied SET release = '9.9.9'")
    with pytest.raises(QueueUnfit, match=r"made by Procrastinate 9\.9\.9"):
        make_queue(postgres_url)
    monkeypatch.setenv("MLGRIND_DATABASE", postgres_url)
    done = mlgrind("migrate")
    assert done.returncode == 2
    assert "9.9.9" in done.stderr.decode()


def test_another_installed_release_than_the_pinned_one_is_refused(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_tables, "version", lambda _: "3.9.0")
    with pytest.raises(QueueUnfit, match=r"3\.9\.0 is installed"):
        make_queue(postgres_url)


def test_dispatchers_that_live_are_counted(postgres_url: str) -> None:
    make_queue(postgres_url)
    assert dispatchers(postgres_url) == 0
    with over_the_queue(postgres_url, dispatchers=2):
        until(lambda: dispatchers(postgres_url) == 2)


def test_a_dispatcher_needs_postgresql() -> None:
    done = mlgrind("dispatcher")
    assert done.returncode == 2
    assert "set MLGRIND_DATABASE to one" in done.stderr.decode()


def until(there: Callable[[], T]) -> T:
    """What a condition gives once it holds."""
    for _ in range(10 * PATIENCE_S):
        found = there()
        if found:
            return found
        threading.Event().wait(0.1)
    raise AssertionError("it never held")
