"""Second opinions: what follows from which verdicts, and who is asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import psycopg
import pytest
import structlog
from prometheus_client import REGISTRY

from app.catalog import Catalog
from app.jobs.afterwards import MOST_TRIES, Afterwards
from app.jobs.deferring import AGAIN, REGRADE, SECOND
from app.jobs.elsewhere import Case, Elsewhere
from app.jobs.grader import ToSlowQueue, TryAgain
from app.jobs.judged_by import JudgedBy
from app.jobs.judging_again import JudgingAgain, judge_again
from app.jobs.opinion_rows import OpinionRows
from app.jobs.opinions import Opinion, Opinions, odd_one
from app.jobs.queue_tables import address
from app.model import Execution, Lane, Order, Ran, SubmissionId, Verdict
from app.ports import KIND, GradeJob, Kind, NobodyRuns
from app.ports.runners import ANSWERED_BY, RunnerId
from tests.cli.test_grade import mlgrind
from tests.fakes import FakeSandbox
from tests.jobs.judges import Court, grader, over_the_queue
from tests.jobs.test_queue import NOON, REPORT, until
from tests.service.world import EXERCISES, LOOP, REFERENCE, SOFTMAX, WRONG, expectations

ANN, BOB, CID, DAN = (RunnerId(name, "10.0.0.1") for name in ("ann", "bob", "cid", "dan"))

ACCEPTED, OFF, ENDS = REFERENCE, WRONG, b"raise ValueError('x')\n"
"""What a runner may be made to run in place of what it was sent: right, wrong, an exception."""


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with structlog.testing.capture_logs():
        yield


@dataclass
class FakeRunners:
    """The port Runners: each does what it is told to, whatever the code is."""

    does: dict[RunnerId, list[bytes]]
    room: bool = True
    asked: list[RunnerId] = field(default_factory=list)
    kinds: set[Kind] = field(default_factory=set)
    shut: list[RunnerId] = field(default_factory=list)

    def without(self, left_out: Collection[RunnerId]) -> OneOf:
        return OneOf(self, frozenset(left_out))

    def distrust(self, runner: RunnerId, detail: str) -> bool:
        if self.room:
            self.shut.append(runner)
        return self.room


class OneOf(FakeSandbox):
    """The first runner that is not left out."""

    def __init__(self, runners: FakeRunners, left_out: frozenset[RunnerId]) -> None:
        self._runners, self._left_out = runners, left_out

    def run(self, order: Order) -> Ran:
        runners = self._runners
        runner = next((one for one in runners.does if one not in self._left_out), None)
        if runner is None:
            raise NobodyRuns("no runner takes orders.")
        runners.asked.append(runner)
        runners.kinds.add(KIND.get())
        answered = ANSWERED_BY.get()
        assert answered is not None
        answered.append(runner)
        texts = runners.does[runner]
        text = texts.pop(0) if len(texts) > 1 else texts[0]
        if text == LOOP:
            if order.lane is Lane.FAST:
                return Ran(left_fast_lane=True)
            return Ran(executions=tuple(Execution("time_limit") for _ in order.calls))
        source = replace(order.sources[-1], text=text)
        return super().run(replace(order, sources=(*order.sources[:-1], source)))


@dataclass
class Asking:
    """Opinions over runners that do as they are told, about one submission."""

    url: str
    court: Court
    runners: FakeRunners
    opinions: Opinions
    afterwards: Afterwards
    job: GradeJob

    def ask(self, lane: Lane = Lane.FAST) -> str:
        exercise = Catalog((EXERCISES,)).get(SOFTMAX)
        stored = self.court.store.submissions.get(self.job.submission)
        assert exercise is not None
        assert stored is not None
        return self.opinions.ask(Case(stored, exercise, expectations(exercise), lane))


def note(judged_by: JudgedBy, url: str, submission: SubmissionId, runner: RunnerId) -> None:
    judged_by.note(submission, runner, ask=False)
    with psycopg.connect(address(url), autocommit=True) as connection:
        assert judged_by.write(connection) == 1


@pytest.fixture
def asking(postgres_url: str) -> Iterator[Asking]:
    """A submission that Ann has judged to be accepted; Bob and Cid are there, too."""
    with over_the_queue(postgres_url, dispatchers=0) as court:
        runners = FakeRunners({ANN: [ACCEPTED], BOB: [ACCEPTED], CID: [ACCEPTED]})
        judged_by = JudgedBy(postgres_url, 0)
        elsewhere = Elsewhere(runners, court.sandbox)
        opinions = Opinions(elsewhere, judged_by, OpinionRows(postgres_url))
        store = court.store.submissions
        again = JudgingAgain(elsewhere, judged_by, store, lambda: NOON)
        made = grader(postgres_url, court.store, court.sandbox)
        job = court.add(REFERENCE)
        exercise = Catalog((EXERCISES,)).get(SOFTMAX)
        assert exercise is not None
        assert store.record(job.submission, {**REPORT, "digest": exercise.digest}, NOON)
        note(judged_by, postgres_url, job.submission, ANN)
        yield Asking(postgres_url, court, runners, opinions, Afterwards(made, opinions, again), job)


def counted(result: str) -> float:
    labels = {"result": result}
    return REGISTRY.get_sample_value("mlgrind_second_opinions_total", labels) or 0.0


# ------------------------------------------------------------------ what follows from verdicts


@pytest.mark.parametrize(
    ("verdicts", "odd"),
    [
        ("accepted accepted accepted", None),
        ("accepted wrong_answer", None),
        ("accepted wrong_answer wrong_answer", ANN),
        ("accepted wrong_answer accepted", BOB),
        ("accepted wrong_answer runtime_error", None),
    ],
)
def test_the_odd_one_is_contradicted_by_two(verdicts: str, odd: RunnerId | None) -> None:
    given = [Verdict(one) for one in verdicts.split()]
    found = odd_one([Opinion(who, one) for who, one in zip((ANN, BOB, CID), given, strict=False)])
    assert (None if found is None else found.runner) == odd


# ------------------------------------------------------------------ who is asked


def test_another_runner_says_the_same(asking: Asking) -> None:
    before = counted("agree")
    assert asking.ask() == "agree"
    assert asking.runners.asked == [BOB]
    assert asking.runners.kinds == {Kind.SECOND_LOOK}
    assert counted("agree") == before + 1
    assert OpinionRows(asking.url).all() == ()


def test_one_that_two_others_contradict_gets_no_more_orders(asking: Asking) -> None:
    asking.runners.does |= {BOB: [OFF], CID: [OFF]}
    assert asking.ask() == "odd"
    assert asking.runners.asked == [BOB, CID, BOB]
    assert asking.runners.shut == [ANN]
    (shown,) = OpinionRows(asking.url).all()
    assert (shown.submission, shown.result) == (asking.job.submission, "odd")
    assert shown.opinions == (
        "ann (10.0.0.1): accepted; bob (10.0.0.1): wrong_answer; cid (10.0.0.1): wrong_answer"
    )


def test_a_second_that_lies_is_the_odd_one(asking: Asking) -> None:
    asking.runners.does[BOB] = [ENDS]
    assert asking.ask() == "odd"
    assert asking.runners.shut == [BOB]


def test_code_that_varies_by_itself_shuts_no_runner_out(asking: Asking) -> None:
    asking.runners.does |= {BOB: [OFF, ACCEPTED], CID: [OFF]}
    assert asking.ask() == "varies"
    assert asking.runners.shut == []


def test_a_limit_convicts_no_runner(asking: Asking) -> None:
    asking.runners.does[BOB] = [LOOP]
    assert asking.ask(Lane.SLOW) == "undecided"
    assert asking.runners.shut == []


def test_without_a_third_it_is_not_known_who_is_right(asking: Asking) -> None:
    asking.runners.does = {ANN: [ACCEPTED], BOB: [OFF]}
    assert asking.ask() == "undecided"
    assert asking.runners.shut == []
    assert OpinionRows(asking.url).all()[0].result == "undecided"


def test_without_another_nobody_is_asked(asking: Asking) -> None:
    asking.runners.does = {ANN: [ACCEPTED]}
    assert asking.ask() == "not_asked"
    assert OpinionRows(asking.url).all() == ()


def test_where_too_many_were_left_out_before_it_is_only_shown(asking: Asking) -> None:
    asking.runners.does |= {BOB: [OFF], CID: [OFF]}
    asking.runners.room = False
    assert asking.ask() == "undecided"


# ------------------------------------------------------------------ which are chosen


def deferred(url: str) -> list[dict[str, Any]]:
    with psycopg.connect(address(url)) as asked:
        rows = asked.execute(
            "SELECT args, priority FROM procrastinate_jobs WHERE args ? 'what' ORDER BY id"
        ).fetchall()
    assert all(row[1] == REGRADE for row in rows)
    return [row[0] for row in rows]


def test_one_of_so_many_is_asked_about_and_which_cannot_be_told(asking: Asking) -> None:
    ids = [SubmissionId(f"s{number}") for number in range(2_000)]
    chosen: list[set[str]] = []
    with psycopg.connect(address(asking.url), autocommit=True) as connection:
        for _ in range(2):
            judged_by = JudgedBy(asking.url, 100)
            for one in ids:
                judged_by.note(one, ANN, ask=True)
                judged_by.note(one, ANN, ask=True)
            assert judged_by.write(connection) == len(ids)
            chosen.append({str(args["submission"]) for args in deferred(asking.url)})
            connection.execute("DELETE FROM procrastinate_jobs WHERE args ? 'what'")
    assert all(2 <= len(found) <= 60 for found in chosen)  # 20 by chance
    assert chosen[0] != chosen[1]


def test_no_runner_is_asked_twice_where_the_host_wants_none(asking: Asking) -> None:
    judged_by = JudgedBy(asking.url, 0)
    judged_by.note(asking.job.submission, ANN, ask=True)
    with psycopg.connect(address(asking.url), autocommit=True) as connection:
        judged_by.write(connection)
    assert deferred(asking.url) == []


def test_who_judged_is_kept_while_the_database_is_away(asking: Asking) -> None:
    judged_by = JudgedBy(asking.url, 1)
    judged_by.note(asking.job.submission, DAN, ask=True)
    with psycopg.connect(address(asking.url), autocommit=True) as gone:
        gone.close()
        with pytest.raises(psycopg.OperationalError):
            judged_by.write(gone)
    judged_by.start()
    until(lambda: judged_by.by(asking.job.submission) == DAN)
    judged_by.close()
    job = {"v": 2, "submission": asking.job.submission, "what": SECOND}
    assert deferred(asking.url) == [job]


# ------------------------------------------------------------------ their jobs


def test_a_job_asks_and_slow_code_is_asked_about_in_the_slow_queue(asking: Asking) -> None:
    asking.runners.does[BOB] = [LOOP]
    with pytest.raises(ToSlowQueue) as left:
        asking.afterwards.work(SECOND, asking.job.submission, Lane.FAST, 0)
    assert left.value.priority == REGRADE
    asking.runners.does[BOB] = [ACCEPTED]
    before = counted("agree")
    asking.afterwards.work(SECOND, asking.job.submission, Lane.FAST, 0)
    assert counted("agree") == before + 1
    asking.afterwards.work(SECOND, "gone", Lane.FAST, 0)
    assert counted("agree") == before + 1


def test_what_a_runner_judged_is_judged_again_by_others_and_kept_where_it_was_right(
    asking: Asking,
) -> None:
    store, judged_by = asking.court.store.submissions, asking.opinions.judged_by
    with psycopg.connect(address(asking.url), autocommit=True) as connection:
        connection.execute("UPDATE public.reports SET recorded_at = now()")
        assert judge_again(asking.url, "bob", 3600) == 0
        assert judge_again(asking.url, "ann", 3600) == 1
        assert judge_again(asking.url, "10.0.0.1", 3600) == 1
        asking.afterwards.work(AGAIN, asking.job.submission, Lane.FAST, 0)
        assert asking.runners.asked == [BOB]
        assert judged_by.write(connection) == 1
    assert asking.court.report(asking.job) == store.get(asking.job.submission).report  # type: ignore[union-attr]
    assert judged_by.by(asking.job.submission) == BOB
    asking.runners.does[ANN] = [OFF]
    asking.afterwards.work(AGAIN, asking.job.submission, Lane.FAST, 0)
    assert (asking.court.report(asking.job) or {})["verdict"] == "wrong_answer"


def test_while_no_other_runner_is_there_it_waits_and_is_left_in_the_end(asking: Asking) -> None:
    asking.runners.does = {ANN: [ACCEPTED]}
    with pytest.raises(TryAgain):
        asking.afterwards.work(AGAIN, asking.job.submission, Lane.FAST, 0)
    asking.afterwards.work(AGAIN, asking.job.submission, Lane.FAST, MOST_TRIES)
    assert (asking.court.report(asking.job) or {})["verdict"] == "accepted"


def test_what_no_runner_is_known_of_is_judged_again_as_well(asking: Asking) -> None:
    with psycopg.connect(address(asking.url), autocommit=True) as connection:
        connection.execute("UPDATE public.reports SET recorded_at = now()")
        connection.execute("DELETE FROM judged_by")
    assert judge_again(asking.url, "bob", 3600) == 1


@pytest.mark.parametrize("since", ["1", "h", "-1h", "2d", "0h", "1 h", ""])
def test_no_further_back_than_a_day_can_be_looked(since: str) -> None:
    done = mlgrind("queue", "regrade", "--runner", "ann", "--since", since)
    assert done.returncode == 2
    assert "no time to look back" in done.stderr.decode()


def test_a_regrade_needs_a_queue() -> None:
    done = mlgrind("queue", "regrade", "--runner", "ann", "--since", "90m")
    assert done.returncode == 2
    assert "Only a PostgreSQL database holds a queue" in done.stderr.decode()
