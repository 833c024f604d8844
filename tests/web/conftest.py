"""What the tests of this room stand on: the site over a service on a real database and line.

`world` executes learners' code in this process (only sources written here); `jailed` is one site a
session over the real jail, for what learners may really send.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import structlog
from starlette.testclient import TestClient

from app.admission import Allowance
from app.config import Settings
from app.sandbox.pool import LocalSandbox
from tests.service.world import EXERCISES, PATIENCE_S, World
from tests.web.browser import Browser
from tests.web.server import Serve, Server, opened, served
from tests.web.teacher import Teacher

OWN = Path(__file__).parents[1] / "exercises" / "weighted-mean"
ROOMY = Allowance(
    outstanding=50,
    submissions=9999,
    runs=9999,
    live=9999,
    writes=9999,
    address_learners=9999,
    requests=99_999,
    address_requests=99_999,
)


@pytest.fixture(scope="session", autouse=True)
def logs() -> Iterator[None]:
    """Tracebacks as Python writes them: the default draws every local, arrays and all."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(),
        ]
    )
    yield
    structlog.reset_defaults()


@pytest.fixture
def inline_s() -> float:
    """Seconds that an answer waits for its report: however long a machine in use takes to judge."""
    return PATIENCE_S


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three exercises: two that are shipped, and one with a dict and a tuple."""
    folder = tmp_path_factory.mktemp("exercises")
    for source in (EXERCISES / "multi-head-attention", EXERCISES / "stable-softmax", OWN):
        shutil.copytree(source, folder / source.name)
    return folder


@pytest.fixture
def world(tmp_path: Path, shelf: Path) -> Iterator[World]:
    """A world whose time and sandbox the test moves."""
    made = World(tmp_path, folders=(shelf,), allowance=ROOMY)
    yield made
    made.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The settings of a site nobody configured."""
    return Settings(data=tmp_path)


@pytest.fixture
def visit(world: World, settings: Settings, inline_s: float) -> Iterator[Callable[..., TestClient]]:
    """Makes clients of one site, each with cookies of its own."""
    site = opened(world.service(started=False), settings, inline_s)
    clients: list[TestClient] = []

    def make(**options: object) -> TestClient:
        chosen = {"base_url": "http://mlgrind.test", "follow_redirects": False, **options}
        clients.append(TestClient(site, **chosen))  # type: ignore[arg-type]
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def client(visit: Callable[..., TestClient]) -> TestClient:
    """A client as a program is one: it follows nothing by itself."""
    return visit()


@pytest.fixture
def browser(visit: Callable[..., TestClient]) -> Browser:
    """A browser without a script."""
    return Browser(visit(follow_redirects=True))


@pytest.fixture(scope="session")
def jailed(tmp_path_factory: pytest.TempPathFactory, shelf: Path) -> Iterator[Server]:
    """A real server on a port of this machine, over the real jail."""
    world = World(tmp_path_factory.mktemp("jailed"), folders=(shelf,), allowance=ROOMY)
    # The world is made with a fake; both are a `ports.Sandbox`.
    world.sandbox = LocalSandbox()  # type: ignore[assignment]
    service = world.service(started=False)
    with served(service, Settings(data=world.data)) as server:
        yield server
    service.close()


@pytest.fixture
def serve(world: World, tmp_path: Path) -> Serve:
    """A real server with settings of the test's own."""

    @contextmanager
    def made(**settings: object) -> Iterator[Server]:
        chosen = Settings(data=tmp_path, **settings)  # type: ignore[arg-type]
        with served(world.service(started=False), chosen) as server:
            yield server

    return made


@pytest.fixture
def plain(serve: Serve) -> Iterator[Server]:
    """A server nobody configured."""
    with serve() as server:
        yield server


@pytest.fixture
def teacher(visit: Callable[..., TestClient], world: World) -> Teacher:
    """Somebody signed in, with a class."""
    visit()
    return Teacher(visit, world)
