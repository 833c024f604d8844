"""The parts of an installation that shares a queue: `main` joins them where the database holds one.

Psycopg and Procrastinate are imported here only when they are asked for: SQLite needs neither.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from socket import gethostname
from typing import TYPE_CHECKING, cast

from app.config import Settings
from app.model import Exercise, Expectations, Slug, SubmissionId
from app.ports import Jails, Judge
from app.ports.operating import Operations
from app.ports.runners import Runners, ShutRunners
from app.records import Json

if TYPE_CHECKING:
    from app.jobs.afterwards import Afterwards
    from app.jobs.dispatcher import Dispatcher
    from app.jobs.grader import Grader
    from app.jobs.judged_by import JudgedBy
    from app.service.threes import Compute
    from app.storage.store import SqlStore


AT_RUNNERS = 8
"""Quick submissions that a dispatcher has at runners at once; half as many slow ones."""


def shares_queue(settings: Settings) -> bool:
    """Whether the database is one whose queue many machines share; SQLite has none."""
    return settings.database_url.startswith("postgresql")


def build_queued_store(settings: Settings) -> SqlStore:
    """The store over PostgreSQL, which defers a submission's job as it stores it.

    Raises NoDatabase, and ValueError where the queue's tables do not fit.
    """
    from app.storage.database import NO_DRIVER, DriverMissing
    from app.storage.queueing import Queueing
    from app.storage.store import SqlStore

    try:
        from app.jobs.deferring import Deferring
        from app.jobs.queue_tables import make_queue
    except ModuleNotFoundError as error:
        raise DriverMissing(NO_DRIVER) from error
    queueing = Queueing(Deferring().defer, settings.limit_outstanding)
    store = SqlStore(settings.database_url, queueing)
    make_queue(settings.database_url)
    return store


def is_dispatched(settings: Settings) -> bool:
    """Whether somebody judges what a web process stores: itself, or a dispatcher that lives."""
    if not shares_queue(settings):
        return True
    from app.jobs.queue_tables import dispatchers

    return dispatchers(settings.database_url) > 0


def build_judge(settings: Settings, store: SqlStore, secret: bytes) -> Judge | None:
    """What waits for reports where there is a queue; None where this process judges."""
    if not shares_queue(settings):
        return None
    from app.jobs.distributed import DistributedJudge
    from app.jobs.one_secret import SecretNote

    def report(submission: SubmissionId) -> Json | None:
        found = store.submissions.get(submission)
        return None if found is None else found.report

    note = SecretNote(f"{gethostname()}:{settings.port}", secret)
    return DistributedJudge(settings.database_url, report, note)


def build_dispatcher(
    settings: Settings,
    store: SqlStore,
    jails: Jails,
    exercise: Callable[[Slug], Exercise | None],
    expectations: Callable[[Exercise], Expectations],
    triples: Compute | None = None,
) -> Dispatcher:
    """What takes submissions from the queue and judges them by the exercises as they are."""
    from app.jobs.dispatcher import Chore, Dispatcher
    from app.jobs.grader import Grader, Running
    from app.jobs.idle_looks import IdleLooks
    from app.jobs.judged_by import JudgedBy
    from app.jobs.regrade_jobs import RegradeJobs
    from app.jobs.retries import Ladder
    from app.jobs.slow_use import SlowUse
    from app.jobs.sweeps import Sweeps
    from app.jobs.takeovers import Takeovers
    from app.service.expecting import Expecting
    from app.service.grading import Grading
    from app.service.parts import utc_now
    from app.service.second_looks import look_at
    from app.service.threes import Threes

    url, expecting = settings.database_url, Expecting(expectations)
    ladder = Ladder(url)
    asks_runners = jails.learners is not jails.house
    judged_by = JudgedBy(url, settings.second_opinions) if asks_runners else None
    grader = Grader(
        Grading(jails, store.submissions, utc_now),
        exercise,
        lambda one: expecting.get(one).result(),
        ladder,
        SlowUse(url),
        judged_by,
        running := Running(),
        lambda *about: looks.begin(*about),
    )
    look = partial(look_at, now=utc_now)
    looks = IdleLooks(jails.learners, store.looks, running, look)
    regrading = RegradeJobs(grader, store.school.regrades)
    takeovers = Takeovers(ladder, grader.record_fault, regrading.record_fault)
    beside: tuple[Chore, ...] = (Sweeps(url, store.submissions.unreported, takeovers), looks)
    if triples is not None:
        beside = (*beside, Threes(expecting, grader, triples))
    if judged_by is None:
        places = (settings.fast_workers, settings.slow_workers)
        return Dispatcher(url, grader, beside, *places, regrading=regrading)
    # It waits for runners, and computes little itself.
    fast = max(settings.fast_workers, AT_RUNNERS)
    slow = max(settings.slow_workers, AT_RUNNERS // 2)
    afterwards = build_afterwards(settings, grader, judged_by)
    return Dispatcher(url, grader, (*beside, judged_by), fast, slow, afterwards, regrading)


def build_afterwards(settings: Settings, grader: Grader, judged_by: JudgedBy) -> Afterwards:
    """What asks runners once more about submissions whose verdict stands."""
    from app.jobs.afterwards import Afterwards
    from app.jobs.elsewhere import Elsewhere
    from app.jobs.judging_again import JudgingAgain
    from app.jobs.opinion_rows import OpinionRows
    from app.jobs.opinions import Opinions

    jails, store = grader.grading.jails, grader.store
    elsewhere = Elsewhere(cast("Runners", jails.learners), jails.house)
    opinions = Opinions(elsewhere, judged_by, OpinionRows(settings.database_url))
    again = JudgingAgain(elsewhere, judged_by, store, grader.grading.now)
    return Afterwards(grader, opinions, again)


def shut_runners(settings: Settings) -> ShutRunners | None:
    """The runners that no process uses; None where there is no database to share that by."""
    if not shares_queue(settings):
        return None
    from app.jobs.shut_runners import ShutRunnerRows

    return ShutRunnerRows(settings.database_url)


def parked_jobs(settings: Settings) -> Operations:
    """What could not be judged, and trying it again; nothing where there is no queue."""
    if not shares_queue(settings):
        return Operations()
    from app.jobs.opinion_rows import OpinionRows
    from app.jobs.parked import ParkedJobs, operations

    url = settings.database_url
    return operations(ParkedJobs(url), OpinionRows(url))
