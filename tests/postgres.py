"""A PostgreSQL of the tests' own: a cluster in a temporary folder, on a port of its own.

Debian puts the programs into a folder of their version; `make packages` installs them. What the
tests write need not outlive a power cut, so nothing waits for the disk.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from tests.ports import free_port

DEBIAN = Path("/usr/lib/postgresql")
ROOT = 0
SETTINGS = (
    *("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"),
    *("listen_addresses='127.0.0.1'", "shared_buffers=32MB", "autovacuum=off"),
)


DURABLE = ("fsync=on", "synchronous_commit=on", "full_page_writes=on")
"""For tests that stop it as a power cut would: what it said is written is to be there."""


class NoPostgres(Exception):
    """PostgreSQL is not installed; the text says what to do."""


def programs() -> Path:
    """The folder of initdb and pg_ctl, of the newest version here. Raises NoPostgres."""
    versions = [found.parent for found in DEBIAN.glob("*/bin/initdb")]
    on_path = shutil.which("initdb")
    if versions:
        return max(versions, key=lambda folder: int(folder.parent.name.split(".")[0]))
    if on_path:
        return Path(on_path).parent
    raise NoPostgres("PostgreSQL is not here, as root: apt-get install postgresql")


class Cluster:
    """One server that runs, and the databases made in it."""

    def __init__(
        self, folder: Path, settings: Sequence[str] = (), log_folder: Path | None = None
    ) -> None:
        """Make a cluster in `folder` and start it; it answers when this returns.

        Its write-ahead log lies in `log_folder`, where that is given.
        """
        self._bin = programs()
        self.data = folder / "data"
        self._user = "postgres" if os.getuid() == ROOT else None
        self._numbers = count(1)
        self.port = free_port()
        if self._user is not None:  # initdb refuses to run as root
            os.chown(folder, pwd.getpwnam(self._user).pw_uid, -1)
        how: tuple[str, ...] = (
            "--encoding=UTF8",
            "--locale=C",
            "--auth=trust",
            "--username=postgres",
        )
        if log_folder is not None:
            log_folder.mkdir(mode=0o700)
            if self._user is not None:
                os.chown(log_folder, pwd.getpwnam(self._user).pw_uid, -1)
            how = (*how, f"--waldir={log_folder}")
        self._run("initdb", *how, "--no-sync", f"--pgdata={self.data}")
        with (self.data / "postgresql.conf").open("a") as conf:
            conf.write("\n".join((*SETTINGS, *settings, f"port={self.port}")))
            conf.write(f"\nunix_socket_directories='{folder}'\n")
        self.start()

    def start(self) -> None:
        """Start it, again after `stop`."""
        self._run("pg_ctl", "start", "--wait", f"--log={self.data}/log", f"--pgdata={self.data}")

    def stop(self) -> None:
        """Stop it as a power cut would."""
        self._run("pg_ctl", "stop", "--mode=immediate", f"--pgdata={self.data}")

    def url(self, database: str) -> str:
        """The address of a database, as a host would set it."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    @contextmanager
    def database(self, like: str = "template1", encoding: str = "UTF8") -> Iterator[str]:
        """The address of a new database, a copy of another one, which goes afterwards."""
        name = f"test{next(self._numbers)}"
        self._say(f"CREATE DATABASE {{}} TEMPLATE {{}} ENCODING '{encoding}'", name, like)
        yield self.url(name)
        self._say("DROP DATABASE {} WITH (FORCE)", name)

    def _say(self, statement: str, *names: str) -> None:
        spelled = sql.SQL(statement).format(*map(sql.Identifier, names))
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(spelled)

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._bin / program, *arguments],
            user=self._user,
            group=self._user,
            extra_groups=[] if self._user else None,
            cwd="/",
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # the server that starts keeps what it inherits
            stderr=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            text=True,
        )
        if done.returncode != 0:
            log = self.data / "log"
            said = log.read_text() if log.exists() else done.stderr
            raise RuntimeError(f"{program} ended with {done.returncode}: {said}")


@contextmanager
def cluster(*settings: str) -> Iterator[Cluster]:
    """A cluster that runs, and is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="mlgrind-postgres-"))
    try:
        made = Cluster(folder, settings)
        try:
            yield made
        finally:
            with suppress(RuntimeError):  # a test may have stopped it
                made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def left_out(error: NoPostgres) -> None:
    """In CI a failure; on a machine where nobody may install it, a sentence."""
    if os.environ.get("CI"):
        pytest.fail(str(error))
    pytest.skip(str(error))
