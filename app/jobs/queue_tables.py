"""The queue's tables: Procrastinate's own and ours beside them, all in PostgreSQL's schema `queue`.

    procrastinate_*   as release `RELEASE` makes them; `applied` says which release that was
    faults            submissions that could not be judged: how often, why, and since when parked
    slow_use          how long each group of learners has used the slow places lately
    shut_runners      those that no process uses until the operator has looked
    judged_by         which runner a submission was judged by, for a day
    second_opinions   submissions that two runners gave different verdicts
    secrets           which secret each machine's web process works with, as a hash

`mlgrind migrate` makes them, under the lock that our own migrations take.
"""

from __future__ import annotations

from importlib.metadata import version

import psycopg
from procrastinate.schema import SchemaManager
from psycopg.conninfo import conninfo_to_dict, make_conninfo

RELEASE = "3.10.0"
"""The release whose SQL is applied; the extra `postgres` pins it."""

WRITING = 0x6D6C_6772
"""The lock that `storage/` takes to write alone."""

_STEADY = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""A connection whose other side is gone ends within seconds, and not within hours."""

_SERVER_STEADY = (
    "-ctcp_keepalives_idle=5 -ctcp_keepalives_interval=2 -ctcp_keepalives_count=3"
    " -ctcp_user_timeout=10000"
)
"""The same for the server's end: what a machine that vanished had locked is free again."""

_OURS = """
CREATE TABLE applied (release text NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE TABLE faults (
    submission text PRIMARY KEY, tries integer NOT NULL, reason text NOT NULL,
    runners text NOT NULL, at timestamptz NOT NULL, parked_at timestamptz
);
CREATE TABLE slow_use (
    "group" text PRIMARY KEY, seconds double precision NOT NULL, at timestamptz NOT NULL
);
CREATE INDEX jobs_by_submission ON procrastinate_jobs ((args->>'submission'));
"""

_ADDED = """
CREATE TABLE IF NOT EXISTS shut_runners (
    name text, address text, reason text NOT NULL, at timestamptz NOT NULL,
    PRIMARY KEY (name, address)
);
CREATE TABLE IF NOT EXISTS judged_by (
    submission text PRIMARY KEY, name text NOT NULL, address text NOT NULL, at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS judged_by_at ON judged_by (at);
CREATE TABLE IF NOT EXISTS second_opinions (
    submission text PRIMARY KEY, result text NOT NULL, opinions text NOT NULL,
    at timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS secrets (
    machine text PRIMARY KEY, hash text NOT NULL, at timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS jobs_by_turn ON procrastinate_jobs ((args->>'group'), priority)
    WHERE status = 'todo';
DROP INDEX IF EXISTS jobs_by_group;
"""
"""Of later releases: an earlier one that works beside this one does not know them."""

_NEWEST = "queue.jobs_by_turn"
"""The last of what was added: where it is there, all is."""

_LIVING = (
    "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '6 seconds'"
)


class QueueUnfit(ValueError):
    """The queue's tables are not those this ML Grind works with; the text says what to do."""


def address(url: str) -> str:
    """What psycopg connects to for a database URL: our tables and the queue's found by name."""
    plain = url.replace("postgresql+psycopg://", "postgresql://", 1)
    given = conninfo_to_dict(plain)
    options = f"{given.get('options') or ''} {_SERVER_STEADY} -csearch_path=queue,public".strip()
    return make_conninfo(plain, **{**_STEADY, **given, "options": options})


def make_queue(url: str) -> bool:
    """Make the queue's tables where they are missing; whether they were.

    Of several processes at once one does. Raises QueueUnfit where another release made them or is
    installed, psycopg.Error where the database cannot be reached.
    """
    check_release()
    with psycopg.connect(address(url)) as connection:
        if _applied(connection) == RELEASE and _has_all(connection):
            return False
    # A connection of its own: one that looked before it waited remembers that there was nothing.
    with psycopg.connect(address(url)) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (WRITING,))
        found = _applied(connection)
        if found is None:
            _make(connection)
            return True
        if found == RELEASE:
            connection.execute(_ADDED)
    if found != RELEASE:
        raise QueueUnfit(
            f"the queue in this database was made by Procrastinate {found}; this ML Grind works"
            f" with {RELEASE}. Run the ML Grind that goes with it, or update this one."
        )
    return False


def dispatchers(url: str) -> int:
    """How many dispatchers live now; each has two workers. Raises psycopg.Error."""
    with psycopg.connect(address(url)) as connection:
        row = connection.execute(_LIVING).fetchone()
    return 0 if row is None else -(-int(row[0]) // 2)


def applied(url: str) -> str | None:
    """The release that made the queue, None before the first start. Raises psycopg.Error."""
    with psycopg.connect(address(url)) as connection:
        return _applied(connection)


def check_release() -> None:
    """Raise QueueUnfit where another release of Procrastinate is installed than the pinned one."""
    found = version("procrastinate")
    if found != RELEASE:
        raise QueueUnfit(
            f"Procrastinate {found} is installed; this ML Grind works with {RELEASE}."
            ' Install it with the package: pip install "mlgrind[postgres]".'
        )


def _applied(connection: psycopg.Connection) -> str | None:
    if connection.execute("SELECT to_regclass('queue.applied')").fetchone() == (None,):
        return None
    row = connection.execute("SELECT release FROM queue.applied ORDER BY at DESC LIMIT 1")
    found = row.fetchone()
    return None if found is None else str(found[0])


def _has_all(connection: psycopg.Connection) -> bool:
    return connection.execute("SELECT to_regclass(%s)", (_NEWEST,)).fetchone() != (None,)


def _make(connection: psycopg.Connection) -> None:
    connection.execute("CREATE SCHEMA IF NOT EXISTS queue")
    connection.execute("SET LOCAL search_path TO queue, public")
    connection.execute(SchemaManager.get_schema())
    connection.execute(_OURS)
    connection.execute(_ADDED)
    connection.execute("INSERT INTO applied (release) VALUES (%s)", (RELEASE,))
