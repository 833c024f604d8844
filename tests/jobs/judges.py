"""The judges of the contract suite: in a line, over PostgreSQL's queue, and the fake.

Each stands on a sandbox that does as it is told, and on a store of its own.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from app.catalog import Catalog
from app.jobs.embedded import EmbeddedLine
from app.model import Exercise, LearnerId, SubmissionId
from app.ports import GradeJob, Jails, Judge, Store
from app.records import Json, NewSubmission, Submission
from app.service.exercises import Exercises
from app.service.expecting import Expecting
from app.service.flow import Flow
from app.service.grading import Grading
from app.service.judged_here import EmbeddedJudge
from app.service.tokens import Sequence
from app.storage.queueing import Queueing
from app.storage.store import SqlStore
from tests.databases import sqlite
from tests.fake_judge import FakeJudge
from tests.fake_store import FakeStore
from tests.service.world import EXERCISES, SOFTMAX, ScriptedSandbox, expectations

if TYPE_CHECKING:
    from app.jobs.dispatcher import Chore, Dispatcher
    from app.jobs.grader import Grader
    from app.jobs.takeovers import Takeovers

STEPS = (0.05, 0.1)
"""The ladder of the tests' dispatcher: a second is long in a test."""


@dataclass
class Court:
    """A judge with what it stands on."""

    store: Store
    sandbox: ScriptedSandbox
    judge: Judge
    ids: Sequence = field(default_factory=Sequence)
    learners: Iterator[int] = field(default_factory=count)

    def add(self, source: bytes, learner: str | None = None, group: str = "") -> GradeJob:
        """A stored submission, in the queue where there is one."""
        who = learner or f"learner-{next(self.learners)}"
        now = datetime(2026, 11, 29, 12, tzinfo=UTC)
        new = NewSubmission(SubmissionId(self.ids.next()), LearnerId(who), SOFTMAX, source, now)
        job = GradeJob(new.id, who, see=False, group=group)
        self.store.submissions.add(new, job)
        return job

    def report(self, job: GradeJob) -> Json | None:
        """What the store has now."""
        stored = self.store.submissions.get(job.submission)
        return None if stored is None else stored.report


@dataclass(frozen=True)
class _Found:
    store: Store
    catalog: Catalog

    def __call__(self, submission: SubmissionId) -> tuple[Submission, Exercise]:
        stored = self.store.submissions.get(submission)
        assert stored is not None
        exercise = self.catalog.get(stored.exercise)
        assert exercise is not None
        return stored, exercise


def _grading(store: Store, sandbox: ScriptedSandbox) -> Grading:
    return Grading(Jails.one(sandbox), store.submissions, lambda: datetime.now(UTC))


@contextmanager
def in_a_line(folder: Path) -> Iterator[Court]:
    """The judge of this process, on SQLite."""
    store, sandbox, catalog = (
        SqlStore(sqlite(folder / "db")),
        ScriptedSandbox(),
        Catalog((EXERCISES,)),
    )
    line, expecting = EmbeddedLine(), Expecting(expectations)
    judge = EmbeddedJudge(
        _grading(store, sandbox), Exercises(catalog, expecting, tuple), Flow(line), line,
        _Found(store, catalog),
    )  # fmt: skip
    line.start()
    judge.start()
    yield Court(store, sandbox, judge)
    sandbox.let.set()
    judge.close()
    line.close(5.0)
    expecting.close()
    store.close()


@contextmanager
def faked() -> Iterator[Court]:
    """The fake, on the fake store."""
    store, sandbox = FakeStore(), ScriptedSandbox()
    found = _Found(store, Catalog((EXERCISES,)))
    yield Court(store, sandbox, FakeJudge(_grading(store, sandbox), found))


@contextmanager
def over_the_queue(url: str, dispatchers: int = 1) -> Iterator[Court]:
    """The judge that hears from dispatchers, on PostgreSQL, with some of them in threads."""
    from app.jobs.deferring import Deferring
    from app.jobs.distributed import DistributedJudge
    from app.jobs.queue_tables import make_queue

    store = SqlStore(url, Queueing(Deferring().defer, 1_000))
    make_queue(url)

    def report(submission: SubmissionId) -> Json | None:
        stored = store.submissions.get(submission)
        return None if stored is None else stored.report

    judge = DistributedJudge(url, report)
    judge.start()
    sandbox = ScriptedSandbox()
    with ExitStack() as running:
        for _ in range(dispatchers):
            running.enter_context(dispatching(url, store, sandbox))
        yield Court(store, sandbox, judge)
        sandbox.let.set()
    judge.close()
    store.close()


def dispatcher(
    url: str,
    store: Store,
    sandbox: ScriptedSandbox,
    beside: tuple[Chore, ...],
    off: timedelta = timedelta(),
) -> Dispatcher:
    """A dispatcher whose clock may be off."""
    from app.jobs.dispatcher import Dispatcher
    from app.jobs.regrade_jobs import RegradeJobs

    made = grader(url, store, sandbox, off)
    regrading = RegradeJobs(made, store.school.regrades) if isinstance(store, SqlStore) else None
    return Dispatcher(url, made, beside, fast=2, slow=2, regrading=regrading)


def grader(
    url: str, store: Store, sandbox: ScriptedSandbox, off: timedelta = timedelta()
) -> Grader:
    """What a dispatcher does with a job."""
    from app.jobs.grader import Grader
    from app.jobs.retries import Ladder
    from app.jobs.slow_use import SlowUse

    catalog = Catalog((EXERCISES,))
    grading = replace(_grading(store, sandbox), now=lambda: datetime.now(UTC) + off)
    return Grader(grading, catalog.get, expectations, Ladder(url, STEPS), SlowUse(url))


def takeovers(url: str, store: Store, sandbox: ScriptedSandbox) -> Takeovers:
    """What takes over the jobs of the dead."""
    from app.jobs.takeovers import Takeovers

    made = grader(url, store, sandbox)
    return Takeovers(made.ladder, made.record_fault)


@contextmanager
def dispatching(
    url: str, store: Store, sandbox: ScriptedSandbox, off: timedelta = timedelta()
) -> Iterator[None]:
    """A dispatcher in a thread of this process."""
    from app.jobs.sweeps import Sweeps

    sweeps = Sweeps(url, store.submissions.unreported, takeovers(url, store, sandbox))
    made = dispatcher(url, store, sandbox, (sweeps,), off)
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(made.work(stop)))
    thread.start()
    try:
        yield
    finally:
        sandbox.let.set()
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
