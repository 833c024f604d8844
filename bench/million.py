"""A table of a million submissions beside one of a hundred: submit, read, start, back up."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

from app.storage.report_bodies import keep, pack
from app.storage.store import SqlStore
from bench.figures import Figure, at_most, median, timed
from bench.serving import HERE, MLGRIND, ROOT, SLUG, Learner, Server, serving

FEW, MANY = 100, 1_000_000
LEARNERS = 10_000
AT = "2026-01-02 00:00:00.000000"
FIRST = 0x019B_0000_0000_7000_8000_000000000000
"""The first id: UUIDv7 of long before today, so that the mark of what is judged passes them."""

TIMES = 40
STARTS = 3


def figures() -> Iterator[Figure]:
    """All of it: filling the table takes the longest."""
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        few, many = Path(folder) / "few", Path(folder) / "many"
        for data, rows in ((few, FEW), (many, MANY)):
            fill(data, rows)
        starts = {data: [_start(data) for _ in range(1 + STARTS)][1:] for data in (few, many)}
        yield _ratio("start", median(starts[many]), median(starts[few]), 1.3)
        with serving(few) as small, serving(many) as big:
            pairs = [(submit(Learner(big.port)), submit(Learner(small.port))) for _ in range(3)]
            more, less = zip(*pairs, strict=True)
            yield _ratio("submit", median(more), median(less), 1.1)
            yield _ratio("an exercise's page", page(big.port), page(small.port), 1.1)
            yield from _backup(big, many, Path(folder) / "backup.db")


def fill(data: Path, rows: int) -> None:
    """Make a database of so many accepted submissions, as they are kept."""
    data.mkdir(mode=0o700)
    store = SqlStore(f"sqlite:///{data / 'mlgrind.db'}")
    report = json.loads((ROOT / "tests" / "golden" / "accepted" / "report.json").read_text())
    with store.database.write() as connection:
        body = keep(connection, pack(report))
    store.close()
    with closing(sqlite3.connect(data / "mlgrind.db")) as file, file:
        file.execute("PRAGMA synchronous=OFF")
        learners = [str(UUID(int=FIRST + n)) for n in range(LEARNERS)]
        file.executemany(
            "INSERT INTO learners (id, created_at) VALUES (?, ?)", [(one, AT) for one in learners]
        )
        file.execute("INSERT INTO sources VALUES (x'00', x'78')")
        file.executemany(
            "INSERT INTO submissions (id, learner, exercise, source, created_at)"
            " VALUES (?, ?, ?, x'00', ?)",
            ((str(UUID(int=FIRST + n)), learners[n % LEARNERS], SLUG, AT) for n in range(rows)),
        )
        file.executemany(
            "INSERT INTO reports (submission, digest, verdict, passed, total, body, recorded_at)"
            " VALUES (?, 'd', 'accepted', 6, 6, ?, ?)",
            ((str(UUID(int=FIRST + n)), body, AT) for n in range(rows)),
        )


def _ratio(what: str, many: float, few: float, aim: float) -> Figure:
    note = f"{many * 1e3:.1f} and {few * 1e3:.1f} ms"
    return at_most(f"{what}, a million submissions / a hundred", many / few, "×", aim, note)


def _start(data: Path) -> float:
    """Seconds from the command to an answer."""

    def until_ready() -> None:
        with serving(data) as server:
            Learner(server.port).ask("GET", "/readyz")

    return timed(until_ready)


def submit(learner: Learner) -> float:
    """The median of one learner's submissions."""
    for _ in range(5):
        learner.accepted()
    return median([timed(learner.accepted) for _ in range(TIMES)])


def page(port: int) -> float:
    """The median of reading an exercise's page, as somebody who has submitted."""
    learner = Learner(port)
    learner.accepted()

    def read() -> None:
        learner.connection.request("GET", f"/exercises/{SLUG}", headers={"Cookie": learner.cookie})
        answer = learner.connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{HERE}: the page came to {answer.status}")

    return median([timed(read) for _ in range(TIMES)])


def _backup(server: Server, data: Path, file: Path) -> Iterator[Figure]:
    """What a submission takes while a backup is written, to what it takes otherwise."""
    learner = Learner(server.port)
    before = submit(learner)
    database = f"sqlite:///{data / 'mlgrind.db'}"
    command = [str(MLGRIND), "backup", str(file), "--database", database]
    during: list[float] = []
    over = threading.Event()

    def write() -> None:
        while not over.is_set():
            during.append(timed(learner.accepted))

    writer = threading.Thread(target=write)
    writer.start()
    spent = timed(lambda: subprocess.run(command, check=True, capture_output=True))
    over.set()
    writer.join()
    yield Figure("a backup of a million submissions", spent, "s")
    yield _ratio("submit while it is written", median(during), before, 1.2)
    with closing(sqlite3.connect(file)) as copy:
        (count,) = copy.execute("SELECT count(*) FROM submissions").fetchone()
    if count < MANY:
        raise RuntimeError(f"the backup holds {count} submissions")
