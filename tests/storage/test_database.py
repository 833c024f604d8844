"""How the database is opened: one writer, readers that cannot write, everything on disk."""

from __future__ import annotations

import errno
import math
import sqlite3
import stat
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, event, inspect, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import OperationalError
from sqlalchemy.schema import CreateTable

from app.model import LearnerId, Slug, SubmissionId
from app.model.classes import ClassId
from app.ports import StoreAway
from app.records import NewSubmission
from app.storage import schema
from app.storage.database import Database, shown
from app.storage.migrate import DatabaseTooNew, DatabaseUnreadable, look, migrate
from app.storage.store import SqlStore

NORMAL, FULL = 1, 2
REPORT = {"digest": "d", "verdict": "accepted", "passed": 6, "total": 6}
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mlgrind.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqlStore]:
    made = SqlStore(f"sqlite:///{path}")
    yield made
    made.close()


def add(store: SqlStore, name: str) -> None:
    store.submissions.add(
        NewSubmission(SubmissionId(name), LearnerId("ann"), Slug("softmax"), name.encode(), NOON)
    )


def test_every_write_goes_through_one_connection(store: SqlStore) -> None:
    """Twenty threads write and read at once; all statements that write share a connection."""
    writing: set[int] = set()

    def note(connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith(("INSERT", "UPDATE", "DELETE")):
            writing.add(id(connection.connection.dbapi_connection))

    event.listen(store.database._writer, "before_cursor_execute", note)
    event.listen(store.database._readers, "before_cursor_execute", note)

    def work(n: int) -> None:
        add(store, f"s{n}")
        store.ladder.reveal_hint(LearnerId(f"learner {n}"), Slug("softmax"), 1, NOON)
        store.submissions.history(LearnerId("ann"), Slug("softmax"))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(writing) == 1
    assert len(store.submissions.unreported()) == 20


def test_a_reader_cannot_write(store: SqlStore) -> None:
    with (
        pytest.raises(OperationalError, match="readonly"),
        store.database.read() as connection,
    ):
        connection.execute(text("DELETE FROM submissions"))


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10_000)],
)
def test_the_writer_is_durable(store: SqlStore, pragma: str, value: object) -> None:
    with store.database.write() as connection:
        assert connection.execute(text(f"PRAGMA {pragma}")).scalar() == value


def test_what_is_judged_at_once_and_reports_do_not_wait_for_the_disk(store: SqlStore) -> None:
    """A report can be made again; a submission is brought to the disk by `settle`."""
    levels: dict[str, int] = {}

    def note(connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT"):
            cursor = connection.connection.cursor()
            cursor.execute("PRAGMA synchronous")
            # A PRAGMA that is asked always answers with a row.
            levels[statement.split()[2]] = cursor.fetchone()[0]  # type: ignore[index]

    event.listen(store.database._writer, "before_cursor_execute", note)
    add(store, "first")
    store.submissions.record(SubmissionId("first"), REPORT, NOON)
    with pytest.raises(ValueError, match="JSON"):
        store.submissions.record(SubmissionId("first"), {**REPORT, "odd": math.nan}, NOON)
    add(store, "second")
    store.learners.set_code(LearnerId("ann"), b"code", NOON)
    assert levels == {
        **dict.fromkeys(("submissions", "sources", "reports"), NORMAL),
        **dict.fromkeys(("learners", "recovery_codes"), FULL),
    }
    assert store.submissions.unreported() == (SubmissionId("second"),)


def test_a_failed_write_leaves_nothing(store: SqlStore) -> None:
    add(store, "s1")
    with pytest.raises(Exception, match="UNIQUE"):
        add(store, "s1")
    assert store.submissions.unreported() == ("s1",)


def test_another_process_writes_beside_a_server(store: SqlStore, path: Path) -> None:
    """A command waits for the file's lock instead of failing, and so does the server."""
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    writer = threading.Thread(target=add, args=(store, "s1"))
    writer.start()
    assert store.submissions.unreported() == ()
    other.execute("COMMIT")
    other.close()
    writer.join()
    assert store.submissions.unreported() == ("s1",)


def test_the_file_is_the_hosts_alone(store: SqlStore, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_database_has_to_be_a_file() -> None:
    with pytest.raises(ValueError, match="file"):
        Database("sqlite://")


# ------------------------------------------------------------------ the schema and its history


def test_migrations_make_exactly_the_schema(path: Path) -> None:
    """The tables of `schema.py` made directly equal those the migrations make."""
    SqlStore(f"sqlite:///{path}").close()
    plain = path.with_name("plain.db")
    engine = create_engine(f"sqlite:///{plain}")
    schema.metadata.create_all(engine)
    engine.dispose()
    assert _tables(path) == _tables(plain)


def test_a_second_start_changes_nothing_and_loads_no_alembic(path: Path) -> None:
    database = Database(f"sqlite:///{path}")
    migrate(database)
    before = _tables(path)
    migrate(database)
    database.close()
    assert _tables(path) == before


def test_head_is_the_newest_migration() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", "app:storage/migrations")
    assert ScriptDirectory.from_config(config).get_current_head() == schema.HEAD


def test_a_database_of_a_later_release_is_left_alone(path: Path) -> None:
    SqlStore(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(DatabaseTooNew, match="later"):
        SqlStore(f"sqlite:///{path}")


def test_a_look_changes_nothing_and_says_where_a_database_stands(path: Path) -> None:
    assert look(f"sqlite:///{path}") is None
    assert not path.exists()
    SqlStore(f"sqlite:///{path}").close()
    assert look(f"sqlite:///{path}") == schema.HEAD
    path.write_bytes(b"no database at all " * 100)
    with pytest.raises(DatabaseUnreadable, match="not a database"):
        look(f"sqlite:///{path}")


def test_a_password_is_not_shown() -> None:
    assert (
        shown("postgresql+psycopg://me:secret@db/mlgrind")
        == "postgresql+psycopg://me:***@db/mlgrind"
    )


def test_the_schema_can_be_made_on_postgresql() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    for table in schema.metadata.sorted_tables:
        made = str(CreateTable(table).compile(dialect=dialect))
        assert "BLOB" not in made
        assert "TIMESTAMP WITHOUT" not in made


def test_the_migrations_can_be_written_as_sql_for_postgresql() -> None:
    import io

    from alembic import command
    from alembic.config import Config

    out = io.StringIO()
    config = Config(output_buffer=out)
    config.set_main_option("script_location", "app:storage/migrations")
    config.set_main_option("dialect", "postgresql")
    command.upgrade(config, "head", sql=True)
    assert out.getvalue().count("CREATE TABLE") == len(schema.metadata.tables) + 1
    assert "BYTEA" in out.getvalue()


def _tables(path: Path) -> dict[str, object]:
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        found = inspect(connection)
        tables: dict[str, object] = {
            name: (
                sorted((c["name"], str(c["type"]), c["nullable"]) for c in found.get_columns(name)),
                found.get_pk_constraint(name)["constrained_columns"],
                sorted(str(sorted(k.items())) for k in map(dict, found.get_foreign_keys(name))),
                sorted(map(str, found.get_unique_constraints(name))),
                sorted(_index(dict(index)) for index in found.get_indexes(name)),
            )
            for name in found.get_table_names()
            if name != "alembic_version"
        }
    engine.dispose()
    return tables


def _index(index: dict[str, object]) -> str:
    """An index in words; its condition by its text, for two equal ones are two objects."""
    options = index.get("dialect_options") or {}
    assert isinstance(options, dict)
    said = {name: str(option) for name, option in options.items()}
    return str({**index, "dialect_options": said})


def test_a_full_disk_is_told_as_one_and_all_is_well_once_there_is_room(store: SqlStore) -> None:
    add(store, "first")
    with store.database._writer.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
    with pytest.raises(StoreAway) as away:
        for n in range(200):
            add(store, f"{n:036}")
    assert away.value.disk_full
    with store.database._writer.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count=100000")
    add(store, "last")
    assert store.submissions.get(SubmissionId("last"))


def test_a_lock_that_somebody_else_holds_is_no_fault_of_ours(store: SqlStore, path: Path) -> None:
    with store.database._writer.connect() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout=1")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreAway) as away:
        add(store, "one")
    assert not away.value.disk_full
    other.execute("ROLLBACK")
    other.close()
    add(store, "one")


def test_a_disk_that_does_not_take_the_log_is_told_as_one(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fdatasync", full)
    add(store, "one")
    with pytest.raises(StoreAway) as away:
        store.submissions.settle()
    assert away.value.disk_full


def test_an_error_in_a_statement_stays_a_fault_of_ours(store: SqlStore) -> None:
    with pytest.raises(OperationalError), store.database.write() as connection:
        connection.exec_driver_sql("SELECT nothing FROM nowhere")
    with pytest.raises(OperationalError), store.database.read() as connection:
        connection.exec_driver_sql("DELETE FROM learners")


def test_the_tries_of_a_class_are_read_without_the_bodies_of_their_reports(
    store: SqlStore,
) -> None:
    asked: list[str] = []

    @event.listens_for(store.database._readers, "before_cursor_execute")
    def note(
        own: Connection, _: object, statement: str, values: Sequence[Any], *__: object
    ) -> None:
        if "LEFT OUTER JOIN reports" in statement:
            cursor = own.connection.cursor()
            cursor.execute("EXPLAIN QUERY PLAN " + statement, values)
            asked.extend(str(row[3]) for row in cursor.fetchall())

    store.school.work.tries(ClassId("one"))
    (found,) = [row for row in asked if "reports" in row]
    assert "USING COVERING INDEX" in found
