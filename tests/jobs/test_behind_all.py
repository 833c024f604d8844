"""What is done behind all that anybody waits for: regrades of classes, and second looks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import psycopg
import pytest
import structlog

from app.catalog import Catalog
from app.jobs.deferring import CLASS
from app.jobs.grader import Grader, Running, ToSlowQueue, TryAgain
from app.jobs.idle_looks import IdleLooks
from app.jobs.queue_tables import address
from app.jobs.regrade_jobs import MOST_TRIES, RegradeJobs, defer_regrades
from app.jobs.sweeps import Sweeps
from app.jobs.takeovers import Takeovers
from app.model import Exercise, Expectations, Lane, LearnerId, SubmissionId
from app.ports import PLACE, GradeJob, NobodyRuns, Sandbox
from app.records import SecondLook, Submission
from app.storage.store import SqlStore
from tests.jobs.judges import STEPS, Court, dispatching, grader, over_the_queue, takeovers
from tests.jobs.test_queue import TAKEN_BY_ONE_THAT_DIED, waiting
from tests.service.world import EXERCISES, LOOP, PATIENCE_S, REFERENCE, SOFTMAX, expectations

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
REPORT = {"digest": "old", "verdict": "wrong_answer", "passed": 1, "total": 6, "tests": []}
FAULTS = b"# faults\n" + REFERENCE


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with structlog.testing.capture_logs():
        yield


@pytest.fixture
def court(postgres_url: str) -> Iterator[Court]:
    """A queue that no dispatcher works off yet."""
    with over_the_queue(postgres_url, dispatchers=0) as made:
        yield made


@pytest.fixture
def asked(court: Court, postgres_url: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(address(postgres_url), autocommit=True) as connection:
        yield connection


def store_of(court: Court) -> SqlStore:
    assert isinstance(court.store, SqlStore)
    return court.store


def until(there: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < end
        time.sleep(0.02)


def to_regrade(court: Court, asked: psycopg.Connection, *sources: bytes) -> list[GradeJob]:
    """Tries of a class that were judged by an earlier version, in a regrade that was started."""
    jobs = [court.add(source) for source in sources]
    for job in jobs:
        assert court.store.submissions.record(job.submission, REPORT, NOON)
    asked.execute("DELETE FROM procrastinate_jobs")
    asked.execute(
        "INSERT INTO public.regrades (id, exercise, digest, reason, rule, at, state)"
        " VALUES ('r1', %s, 'new', 'a test was wrong', 'replace', now(), 'judging')",
        (SOFTMAX,),
    )
    for job in jobs:
        asked.execute(
            "INSERT INTO public.regraded (regrade, submission) VALUES ('r1', %s)", (job.submission,)
        )
    return jobs


def aside(court: Court) -> dict[str, str | None]:
    """What the tries of the regrade come to, by submission."""
    return {
        one.submission: one.new_verdict for one in store_of(court).school.regrades.results("r1")
    }


def state(court: Court) -> str:
    found = store_of(court).school.regrades.get("r1")
    assert found is not None
    return found.state


def jobs_for(court: Court, url: str) -> RegradeJobs:
    return RegradeJobs(grader(url, court.store, court.sandbox), store_of(court).school.regrades)


def test_a_running_sweep_gives_a_job_to_what_has_none(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    """A try of a regrade and an old submission; the job of a new one may be on its way."""
    (tried,) = to_regrade(court, asked, REFERENCE)
    orphan, young = court.add(REFERENCE + b"# orphan"), court.add(REFERENCE + b"# young")
    asked.execute("DELETE FROM procrastinate_jobs")
    asked.execute(
        "UPDATE public.submissions SET created_at = now() - interval '1 hour' WHERE id = %s",
        (orphan.submission,),
    )
    taking = takeovers(postgres_url, court.store, court.sandbox)
    sweeps = Sweeps(postgres_url, court.store.submissions.unreported, taking)
    sweeps.start()
    until(lambda: {tried.submission, orphan.submission} <= set(waiting(asked)))
    sweeps.close()
    assert young.submission not in waiting(asked)


def test_each_try_of_a_regrade_is_a_job_behind_what_learners_wait_for(
    court: Court, asked: psycopg.Connection
) -> None:
    old = [job.submission for job in to_regrade(court, asked, REFERENCE, REFERENCE + b"#")]
    assert defer_regrades(asked) == 2
    new = court.add(REFERENCE).submission
    assert waiting(asked) == [new, *old]
    rows = asked.execute(
        "SELECT args, priority FROM procrastinate_jobs WHERE args ? 'regrade' ORDER BY id"
    ).fetchall()
    assert rows[0] == (
        {"v": 2, "submission": old[0], "what": CLASS, "regrade": "r1"},
        -10_000,
    )
    assert defer_regrades(asked) == 0


def test_a_dispatcher_judges_a_class_anew_and_keeps_it_aside(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    right, slow = to_regrade(court, asked, REFERENCE, LOOP)
    assert defer_regrades(asked) == 2
    with dispatching(postgres_url, court.store, court.sandbox):
        until(lambda: state(court) == "ready")
    assert aside(court) == {right.submission: "accepted", slow.submission: "time_limit"}
    assert (court.report(right) or {})["verdict"] == "wrong_answer"
    until(lambda: asked.execute("SELECT count(*) FROM procrastinate_jobs").fetchone() == (0,))


def test_a_regrade_waits_for_runners_and_at_last_is_told_to_be_our_fault(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    (job,) = to_regrade(court, asked, FAULTS)
    regrading = jobs_for(court, postgres_url)

    class Away(NobodyRuns, Exception):
        pass

    def nobody(_: Exercise) -> Expectations:
        raise Away

    away = replace(regrading, grader=replace(regrading.grader, expectations=nobody))
    with pytest.raises(TryAgain):
        away.work("r1", job.submission, Lane.FAST, MOST_TRIES + 1)
    court.sandbox.faults = 2
    with pytest.raises(TryAgain):
        regrading.work("r1", job.submission, Lane.FAST, 0)
    assert state(court) == "judging"
    regrading.work("r1", job.submission, Lane.FAST, MOST_TRIES)
    assert (aside(court), state(court)) == ({job.submission: "grader_error"}, "ready")


def test_slow_code_is_regraded_in_the_slow_queue_and_what_is_gone_is_not(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    (job,) = to_regrade(court, asked, LOOP)
    regrading = jobs_for(court, postgres_url)
    with pytest.raises(ToSlowQueue) as left:
        regrading.work("r1", job.submission, Lane.FAST, 0)
    assert left.value.priority == -10_000
    regrading.work("r1", "gone", Lane.FAST, 0)
    withdrawn = replace(regrading.grader, exercise=lambda _: None)
    with pytest.raises(TryAgain):
        replace(regrading, grader=withdrawn).work("r1", job.submission, Lane.FAST, 0)
    assert state(court) == "judging"


def test_a_try_that_dispatchers_die_under_does_not_come_back_for_ever(
    court: Court, asked: psycopg.Connection, postgres_url: str
) -> None:
    (job,) = to_regrade(court, asked, REFERENCE)
    regrading = jobs_for(court, postgres_url)
    made: Grader = regrading.grader
    taking = Takeovers(made.ladder, made.record_fault, regrading.record_fault)
    assert defer_regrades(asked) == 1
    for _ in range(len(STEPS) + 1):
        asked.execute(TAKEN_BY_ONE_THAT_DIED)
        taking.recover(asked)
    assert defer_regrades(asked) == 0
    assert waiting(asked) == []
    assert (aside(court), state(court)) == ({job.submission: "grader_error"}, "ready")
    assert (court.report(job) or {})["verdict"] == "wrong_answer"


# ------------------------------------------------------------------ second looks


class Looks:
    """Keeps what was seen, and looks as it is told."""

    def __init__(self) -> None:
        self.kept: list[str] = []
        self.begun, self.go_on, self.ended = (threading.Event() for _ in range(3))

    def record(self, look: SecondLook) -> None:
        self.kept.append(look.submission)

    def look(
        self, sandbox: Sandbox, submission: Submission, exercise: Exercise, known: Expectations,
        lane: Lane,
    ) -> SecondLook | None:  # fmt: skip
        if submission.source.startswith(b"# waits"):
            self.begun.set()
            assert self.go_on.wait(PATIENCE_S)
            place = PLACE.get()
            assert place is not None
            try:
                place.spent(0.1)
            finally:
                self.ended.set()
        if submission.source.startswith(b"# loops") and lane is Lane.FAST:
            return None
        return SecondLook(submission.id, exercise.slug, exercise.digest, NOON)


@pytest.fixture
def looking() -> Iterator[tuple[IdleLooks, Looks, Running]]:
    looks, running = Looks(), Running()
    made = IdleLooks(object(), looks, running, looks.look)  # type: ignore[arg-type]
    made.start()
    yield made, looks, running
    made.close()


def accepted(name: str, source: bytes = REFERENCE) -> tuple[Submission, Exercise, Expectations]:
    exercise = Catalog((EXERCISES,)).get(SOFTMAX)
    assert exercise is not None
    known = expectations(exercise)
    made = Submission(SubmissionId(name), LearnerId("ann"), SOFTMAX, source, NOON)
    return made, exercise, replace(known, draws=known.draws or known.tests)


def test_a_dispatcher_looks_again_only_while_no_job_is_under_way(
    looking: tuple[IdleLooks, Looks, Running],
) -> None:
    made, looks, running = looking
    with running.one():
        made.begin(*accepted("one"))
        made.begin(*accepted("two", LOOP))
        time.sleep(0.2)
        assert looks.kept == []
    until(lambda: looks.kept == ["one", "two"])


def test_a_look_gives_way_to_a_job_and_is_not_made_up_for(
    looking: tuple[IdleLooks, Looks, Running],
) -> None:
    made, looks, running = looking
    made.begin(*accepted("one", b"# waits\n" + REFERENCE))
    assert looks.begun.wait(PATIENCE_S)
    with running.one():
        looks.go_on.set()
        assert looks.ended.wait(PATIENCE_S)
        made.begin(*accepted("two"))
    until(lambda: looks.kept == ["two"])


def test_what_a_dispatcher_accepts_is_looked_at_again(court: Court, postgres_url: str) -> None:
    begun: list[str] = []
    made = replace(
        grader(postgres_url, court.store, court.sandbox),
        look_again=lambda submission, *_: begun.append(submission.id),
    )
    right, wrong = court.add(REFERENCE), court.add(b"def softmax(x, axis=-1):\n    return x\n")
    for job in (right, wrong):
        made.work(v=1, submission=job.submission, see=False, group="g", lane=Lane.FAST)
    assert begun == [right.submission]
