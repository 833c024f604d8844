"""What holds on PostgreSQL, where writers work side by side, in one process and in several."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import TryLimit
from app.ports.classes import TriesUsedUp
from app.records import Draft, NewSubmission
from app.storage import copying, schema
from app.storage.database import Database, DriverMissing
from app.storage.migrate import DatabaseUnfit, DatabaseUnreadable, look
from app.storage.store import SqlStore
from tests.postgres import Cluster

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
ANN, BEN = LearnerId("ann"), LearnerId("ben")
SOFTMAX = Slug("softmax")
ROOT = Path(__file__).parents[2]
PATIENCE_S = 60
OPEN = "import sys; from app.storage.store import SqlStore; SqlStore(sys.argv[1]).close()"


@pytest.fixture
def store(postgres_url: str) -> Iterator[SqlStore]:
    made = SqlStore(postgres_url)
    yield made
    made.close()


def new(name: str, learner: LearnerId = ANN, key: str | None = None) -> NewSubmission:
    return NewSubmission(SubmissionId(name), learner, SOFTMAX, b"x = 1", NOON, key)


def at_once(works: Sequence[Callable[[], object]]) -> list[object]:
    """What each gave or raised; all of them begin together."""
    start = threading.Barrier(len(works))

    def work(one: Callable[[], object]) -> object:
        start.wait()
        try:
            return one()
        except (DBAPIError, TriesUsedUp, LookupError) as error:
            return error

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(work, works))


def test_of_many_equal_requests_one_is_stored_and_all_get_it(store: SqlStore) -> None:
    def add(n: int) -> Callable[[], object]:
        return lambda: store.submissions.add(new(f"s{n}", key="k"))

    found = at_once([add(n) for n in range(24)])
    told = [one for one in found if isinstance(one, tuple)]
    assert len(told) == 24, found
    assert len({submission.id for submission, _ in told}) == 1
    assert [fresh for _, fresh in told].count(True) == 1
    assert len(store.submissions.unreported()) == 1


def test_of_two_last_tries_at_once_one_is_taken(store: SqlStore) -> None:
    limit = TryLimit(NOON - timedelta(days=1), NOON + timedelta(days=1), 1)

    def add(n: int) -> Callable[[], object]:
        made = NewSubmission(SubmissionId(f"s{n}"), ANN, SOFTMAX, b"x", NOON, None, limit=limit)
        return lambda: store.submissions.add(made)

    found = at_once([add(n) for n in range(8)])
    assert sum(isinstance(one, TriesUsedUp) for one in found) == 7, found
    assert len(store.submissions.unreported()) == 1


def test_drafts_of_one_learner_saved_at_once_wait_for_nothing_for_ever(store: SqlStore) -> None:
    def save(n: int) -> Callable[[], object]:
        draft = Draft(SOFTMAX, b"same", f"v{n:02}", f"device {n}", NOON)
        return lambda: store.drafts.save(ANN, draft, base=f"v{n - 1:02}")

    found = at_once([save(n) for n in range(12)])
    assert not [one for one in found if isinstance(one, Exception)]
    assert len(store.drafts.all(ANN, SOFTMAX).others) == 0


def test_the_first_of_many_reports_stands(store: SqlStore) -> None:
    store.submissions.add(new("s1"))

    def record(n: int) -> Callable[[], object]:
        report = {"verdict": "wrong_answer", "passed": n, "total": 6, "digest": "d"}
        return lambda: store.submissions.record(SubmissionId("s1"), report, NOON)

    found = at_once([record(n) for n in range(6)])
    assert sorted(map(str, found)) == ["False"] * 5 + ["True"]


def test_what_is_sent_while_two_are_joined_goes_over_too(store: SqlStore) -> None:
    """The submission is held in the middle of its transaction until the join waits for it."""
    in_the_middle, go_on = threading.Event(), threading.Event()

    def pause(_c: Connection, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT INTO submissions"):
            in_the_middle.set()
            assert go_on.wait(PATIENCE_S)

    event.listen(store.database._writer, "before_cursor_execute", pause)
    with ThreadPoolExecutor(2) as pool:
        sent = pool.submit(store.submissions.add, new("s1", learner=BEN))
        assert in_the_middle.wait(PATIENCE_S)
        joined = pool.submit(store.learners.join, BEN, ANN, NOON)
        _until_somebody_waits(store.database)
        go_on.set()
        sent.result(PATIENCE_S)
        joined.result(PATIENCE_S)
    assert [line.id for line in store.submissions.history(ANN, SOFTMAX)] == ["s1"]
    late, _ = store.submissions.add(new("s2", learner=BEN))
    assert late.learner == ANN


def _until_somebody_waits(database: Database) -> None:
    """Until a writer waits for the lock of the writers."""
    waits = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
    pause = threading.Event()
    for _ in range(PATIENCE_S * 100):
        with database.read() as connection:
            if connection.execute(waits).scalar():
                return
        pause.wait(0.01)
    raise AssertionError("nobody waits")


def test_a_reader_sees_one_moment_and_changes_nothing(store: SqlStore) -> None:
    store.submissions.add(new("s1"))
    count = text("SELECT count(*) FROM submissions")
    with store.database.read() as reading:
        assert reading.execute(count).scalar() == 1
        store.submissions.add(new("s2"))
        assert reading.execute(count).scalar() == 1
    with pytest.raises(DBAPIError, match="read-only"), store.database.read() as reading:
        reading.execute(text("DELETE FROM submissions"))
    with store.database.read() as reading:
        assert reading.execute(count).scalar() == 2


def test_an_id_is_used_once(store: SqlStore) -> None:
    store.submissions.add(new("s1", key="k"))
    with pytest.raises(IntegrityError):
        store.submissions.add(new("s1", key="other"))


# ------------------------------------------------------------------ starts and migrations


def test_three_first_starts_at_once_all_begin(postgres: Cluster) -> None:
    with postgres.database() as url:
        starts = [
            subprocess.Popen(
                [sys.executable, "-c", OPEN, url], cwd=ROOT, stderr=subprocess.PIPE, text=True
            )
            for _ in range(3)
        ]
        said = [start.communicate()[1] for start in starts]
        assert [start.returncode for start in starts] == [0] * 3, said
        assert look(url) == schema.HEAD


def test_migrations_make_exactly_the_schema(store: SqlStore) -> None:
    with store.database.write() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, schema.metadata) == []
    assert copying.TABLES


def test_a_database_that_is_not_utf8_is_refused_in_a_sentence(postgres: Cluster) -> None:
    with postgres.database(like="template0", encoding="SQL_ASCII") as url:
        for use in (SqlStore, look):
            with pytest.raises(DatabaseUnfit, match="text as SQL_ASCII; ML Grind needs UTF8"):
                use(url)


def test_a_database_out_of_reach_is_told_without_its_password(postgres: Cluster) -> None:
    url = f"postgresql://ann:sesame@127.0.0.1:{postgres.port}/none_of_that_name"
    with pytest.raises(DatabaseUnreadable, match="none_of_that_name") as told:
        SqlStore(url)
    assert "sesame" not in str(told.value)


def test_without_the_driver_the_start_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(DriverMissing, match=r'pip install "mlgrind\[postgres\]"'):
        Database("postgresql://localhost/mlgrind")


def test_nothing_of_it_is_loaded_for_sqlite(tmp_path: Path) -> None:
    said = OPEN + "; print([name for name in sys.modules if name.startswith('psycopg')])"
    done = subprocess.run(
        [sys.executable, "-c", said, f"sqlite:///{tmp_path / 'mlgrind.db'}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
