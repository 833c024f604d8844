"""Crowds before a queue: those who think, those who are too many, and those who had to wait.

What counts as taken is what the clients were told, and as judged what the database holds.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg

from bench.figures import Figure, at_least, at_most, median, percentile
from bench.many_machines import SUBMIT, Queue, queued
from bench.serving import REFERENCE, SLUG
from bench.visitors import Answer, Crowd, visit

PAGE = f"/exercises/{SLUG}"
THINKING_S = float(os.environ.get("MLGRIND_BENCH_CROWD_S", "120"))
OVERLOAD, OVERLOAD_S = 1.5, 45.0
INLINE_S = 2.0
TAKEN = {200, 201, 202}
GONE_S, GONE_RATE = 20.0, 12.0
DRAINED_S = 120.0


def thinking() -> Iterator[Figure]:
    """500 learners who think 20 s between two submissions, for two minutes."""
    with _standing() as queue:
        queue.one_by_one(20)
        crowd = Crowd("learners", 500, 20.0, "POST", SUBMIT, REFERENCE, judged=True)
        answers = visit([queue.port], [crowd], THINKING_S)
    waits = [one.wait_s * 1e3 for one in answers]
    errors = sum(one.status not in TAKEN for one in answers)
    late = percentile([one.late_s for one in answers], 0.99) * 1e3
    what = f"500 learners thinking 20 s, {len(answers)} submissions"
    yield at_most(f"{what}: errors", float(errors), "", 0)
    yield Figure("their wait for the verdict, median", median(waits), "ms")
    yield Figure("their wait, p95", percentile(waits, 0.95), "ms")
    yield at_most("their wait, p99", percentile(waits, 0.99), "ms", 250)
    yield at_most("the generator's own lag, p99", late, "ms", 10, "more makes the rest void")


def overload() -> Iterator[Figure]:
    """Half as many again as can be judged; who is taken gets a verdict, and pages stay quick."""
    with _standing() as queue:
        queue.one_by_one(20)
        rate = queue.at_once()
        think_s = 8.0
        learners = round(OVERLOAD * rate * think_s)
        crowds = (
            Crowd("learners", learners, think_s, "POST", SUBMIT, REFERENCE),
            Crowd("readers", 10, 1.0, "GET", PAGE),
        )
        answers = visit([queue.port], crowds, OVERLOAD_S)
        taken = {one.submission for one in answers if one.submission and one.status in TAKEN}
        spent = _until_reported(queue.url, taken)
        left = len(taken) - _reported(queue.url, taken)
    yield Figure("verdicts a second that the queue gives", rate, "")
    yield from _told(answers, spent)
    yield at_most("overload: taken and not reported", float(left), "", 0, f"of {len(taken)}")


def drain() -> Iterator[Figure]:
    """What waited while every dispatcher was gone is judged as quickly as anything else."""
    with _standing() as queue:
        queue.one_by_one(20)
        rate = queue.at_once()
        dispatchers = [one for one in queue.made.all if one.name.startswith("dispatcher")]
        for one in dispatchers:
            one.stop(signal.SIGTERM)
        crowd = Crowd("learners", round(GONE_RATE * 10), 10.0, "POST", SUBMIT, REFERENCE)
        answers = visit([queue.port], [crowd], GONE_S)
        taken = {one.submission for one in answers if one.status in TAKEN}
        back = time.monotonic()
        for one in dispatchers:
            one.start()
        first_s = _first(queue.url, taken) - back
        _until_reported(queue.url, taken)
        drained = _pace(queue.url, taken)
    statuses = Counter(one.status for one in answers)
    yield at_most("no dispatcher for 20 s: first verdict once one is back", first_s, "s", 10)
    note = f"{drained:.1f} and {rate:.1f} a second; told {dict(statuses)}"
    yield at_least("pace of the backlog / of a crowd", drained / rate, "×", 0.8, note)


@contextmanager
def _standing() -> Iterator[Queue]:
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        with queued(Path(folder)) as queue:
            yield queue


def _told(answers: Sequence[Answer], spent: float) -> Iterator[Figure]:
    learners = [one for one in answers if one.crowd == "learners"]
    waits = [one.wait_s for one in learners if one.status in TAKEN]
    pages = [one.wait_s * 1e3 for one in answers if one.crowd == "readers"]
    statuses = Counter(one.status for one in learners)
    others = sum(count for status, count in statuses.items() if status not in {*TAKEN, 503})
    note = f"told {dict(statuses)}; all reported {spent:.1f} s after the last"
    aim = INLINE_S + 0.3
    yield at_most(
        "overload 1.5 ×: answer to who is taken, p99", percentile(waits, 0.99), "s", aim, note
    )
    yield at_most("overload: answers that are neither yes nor 503", float(others), "", 0)
    yield at_most("overload: a page, p99", percentile(pages, 0.99), "ms", 150)


def _reported(url: str, taken: set[str]) -> int:
    with psycopg.connect(url) as connection:
        asked = "SELECT count(*) FROM reports WHERE submission = ANY(%s)"
        row = connection.execute(asked, (list(taken),)).fetchone()
    return 0 if row is None else int(row[0])


def _until_reported(url: str, taken: set[str]) -> float:
    """Seconds until all are, or have had long enough."""
    begun = time.monotonic()
    while _reported(url, taken) < len(taken) and time.monotonic() - begun < DRAINED_S:
        time.sleep(0.2)
    return time.monotonic() - begun


def _first(url: str, taken: set[str]) -> float:
    """The moment at which one of them is reported, by this process's clock."""
    until = time.monotonic() + DRAINED_S
    while not _reported(url, taken) and time.monotonic() < until:
        time.sleep(0.1)
    return time.monotonic()


def _pace(url: str, taken: set[str]) -> float:
    """Reports a second from the first to the last, by the database's clock."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT count(*), extract(epoch FROM max(recorded_at) - min(recorded_at))"
            " FROM reports WHERE submission = ANY(%s)",
            (list(taken),),
        ).fetchone()
    count, spent = row or (0, 1)
    return float(count) / max(0.001, float(spent))
