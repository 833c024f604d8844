"""A table of a million submissions beside one of a hundred, on PostgreSQL before a queue."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from uuid import UUID

import psycopg

from app.storage.report_bodies import keep, pack
from app.storage.store import SqlStore
from bench.figures import Figure, at_most, median
from bench.many_machines import queued
from bench.million import AT, FEW, FIRST, LEARNERS, MANY, page, submit
from bench.serving import ROOT, SLUG, Learner, make_known

PAIRS = 3
_LEARNERS = "COPY learners (id, created_at) FROM STDIN"
_SUBMISSIONS = "COPY submissions (id, learner, exercise, source, created_at) FROM STDIN"
_REPORTS = "COPY reports (submission, digest, verdict, passed, total, body, recorded_at) FROM STDIN"


def figures() -> Iterator[Figure]:
    """Both stand side by side and are measured in turn."""
    make_known()
    with ExitStack() as standing:
        few, many = (_filled(standing, rows) for rows in (FEW, MANY))
        learners = [Learner(port) for port in (few[0], many[0])]
        for one in learners:
            submit(one)  # connections and plans are made
        pairs = [tuple(submit(one) for one in learners) for _ in range(PAIRS)]
        pages = [tuple(page(port) for port in (few[0], many[0])) for _ in range(PAIRS)]
    yield _ratio("queue: submit", pairs)
    yield _ratio("queue: an exercise's page", pages)
    yield Figure("a million submissions take on PostgreSQL", many[1] / 2**30, "GiB")


def _filled(standing: ExitStack, rows: int) -> tuple[int, int]:
    """The port of a web process on a table of so many, and the bytes of its database."""
    folder = Path(standing.enter_context(tempfile.TemporaryDirectory(prefix="mlgrind-bench-")))
    queue = standing.enter_context(queued(folder))
    fill(queue.url, rows)
    with psycopg.connect(queue.url) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    return queue.port, 0 if row is None else int(row[0])


def fill(url: str, rows: int) -> None:
    """Put so many accepted submissions into a database, as they are kept."""
    report = json.loads((ROOT / "tests" / "golden" / "accepted" / "report.json").read_text())
    store = SqlStore(url)
    with store.database.write() as connection:
        body = keep(connection, pack(report))
    store.close()
    learners = [str(UUID(int=FIRST + n)) for n in range(LEARNERS)]
    ids = [str(UUID(int=FIRST + n)) for n in range(rows)]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("INSERT INTO sources VALUES ('\\x00', '\\x78')")
        _copy(connection, _LEARNERS, ((one, AT) for one in learners))
        given = ((one, learners[n % LEARNERS], SLUG, b"\0", AT) for n, one in enumerate(ids))
        _copy(connection, _SUBMISSIONS, given)
        _copy(connection, _REPORTS, ((one, "d", "accepted", 6, 6, body, AT) for one in ids))
        connection.execute("VACUUM ANALYZE")


def _copy(connection: psycopg.Connection, how: str, rows: Iterable[tuple[object, ...]]) -> None:
    with connection.cursor().copy(how.encode()) as copy:
        for row in rows:
            copy.write_row(row)


def _ratio(what: str, pairs: list[tuple[float, ...]]) -> Figure:
    few, many = (median(each) for each in zip(*pairs, strict=True))
    note = f"{many * 1e3:.1f} and {few * 1e3:.1f} ms"
    return at_most(f"{what}, a million submissions / a hundred", many / few, "×", 1.2, note)
