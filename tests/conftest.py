"""What every test stands on: no data of this checkout, the same random inputs each time."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from app.storage.store import SqlStore
from tests.known import BY_THE_JAIL, prepare
from tests.postgres import Cluster, NoPostgres, cluster, left_out, programs

# A failure must come back on the next run; a slow machine is no failure.
settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")


# The default renderer spends half a minute on the locals of every traceback.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)

# Set before any fixture of a module starts a server.
os.environ["MLGRIND_CACHE"] = str(BY_THE_JAIL)
os.environ["MLGRIND_TRIPLES"] = "0"  # they take minutes; tests of them compute their own


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="write tests/golden anew")


def pytest_sessionstart(session: pytest.Session) -> None:
    """With several workers: what they would all compute first is there before they start."""
    config = session.config
    is_worker = hasattr(config, "workerinput")
    if not is_worker and config.getoption("numprocesses", None) and not config.option.collectonly:
        prepare()


@pytest.fixture(autouse=True)
def data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the checkout's own ./data: each has a directory of its own."""
    data = tmp_path / "data"
    monkeypatch.setenv("MLGRIND_DATA", str(data))
    return data


@pytest.fixture
def no_loop_runs() -> Iterator[None]:
    """A browser's tests before this one leave their event loop marked as running in this thread."""
    left = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(left)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """PostgreSQL itself, once a session."""
    try:
        programs()
    except NoPostgres as error:
        left_out(error)
    with cluster() as running:
        yield running


@pytest.fixture(scope="session")
def postgres_template(postgres: Cluster) -> Iterator[str]:
    """The name of a database that holds our empty tables: a copy is made sooner than they are."""
    with postgres.database() as url:
        SqlStore(url).close()
        yield url.rsplit("/", 1)[1]


@pytest.fixture
def postgres_url(postgres: Cluster, postgres_template: str) -> Iterator[str]:
    """The address of a database of the test's own, with our empty tables."""
    with postgres.database(like=postgres_template) as url:
        yield url
