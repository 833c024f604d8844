"""The contract of the port `Judge`: in a line, over PostgreSQL's queue, and the fake."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import pytest
import structlog

from app.model import Verdict
from tests.jobs.judges import Court, faked, in_a_line, over_the_queue
from tests.jobs.test_queue import until
from tests.service.world import LOOP, PATIENCE_S, REFERENCE, WRONG

WAITS = b"# waits\n" + REFERENCE
FAULTS = b"# faults\n" + REFERENCE


@pytest.fixture(params=["line", "queue", "fake"])
def court(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Court]:
    if request.param == "line":
        made = in_a_line(tmp_path)
    elif request.param == "queue":
        made = over_the_queue(request.getfixturevalue("postgres_url"))
    else:
        made = faked()
    with made as found, structlog.testing.capture_logs():  # printed, a traceback takes seconds
        yield found


def test_a_report_is_stored_before_it_is_given_away(court: Court) -> None:
    job = court.add(REFERENCE)
    report = court.judge.judge(job).result(PATIENCE_S)
    assert report["verdict"] == Verdict.ACCEPTED
    assert court.report(job) == report


def test_each_submission_gets_its_own_verdict(court: Court) -> None:
    jobs = [court.add(source) for source in (REFERENCE, WRONG, LOOP)]
    futures = [court.judge.judge(job) for job in jobs]
    verdicts = [future.result(PATIENCE_S)["verdict"] for future in futures]
    assert verdicts == ["accepted", "wrong_answer", "time_limit"]


def test_what_left_the_fast_lane_is_judged_in_the_slow_one(court: Court) -> None:
    court.judge.judge(court.add(LOOP)).result(PATIENCE_S)
    assert [lane.value for lane in court.sandbox.lanes] == ["fast", "slow"]


def test_a_fault_of_the_sandbox_is_tried_again(court: Court) -> None:
    court.sandbox.faults = 1
    report = court.judge.judge(court.add(FAULTS)).result(PATIENCE_S)
    assert report["verdict"] == Verdict.ACCEPTED


def test_a_fault_that_stays_is_told_as_ours(court: Court) -> None:
    court.sandbox.faults = 1_000
    job = court.add(FAULTS)
    report = court.judge.judge(job).result(PATIENCE_S)
    assert report["verdict"] == Verdict.GRADER_ERROR
    assert (court.report(job) or {})["verdict"] == Verdict.GRADER_ERROR


def test_what_is_judged_does_not_wait_in_line(court: Court) -> None:
    job = court.add(REFERENCE)
    court.judge.judge(job).result(PATIENCE_S)
    assert court.judge.place(job.submission) is None
    until(lambda: court.judge.load().submissions == 0)  # the queue's is of a moment ago


def test_a_judge_that_closes_leaves_no_one_waiting(postgres_url: str) -> None:
    with over_the_queue(postgres_url) as court:
        future = court.judge.judge(court.add(WAITS))
        court.judge.close()
        with pytest.raises(CancelledError):
            future.result(PATIENCE_S)
