"""What the tests of this room stand on: nothing of the site is replaced."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.learner import Learner
from tests.browser.serving import browsing, served

PATIENCE_MS = 10_000


@pytest.fixture(scope="session")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of the one server of this session."""
    with served(tmp_path_factory.mktemp("browser")) as port:
        yield port


@pytest.fixture(scope="session")
def site(port: int) -> str:
    """The server's address on this machine itself."""
    return f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def network_site(port: int) -> str:
    """Its address as another device sees it: plain http, no secure context."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: only asks which address would be used
        return f"http://{probe.getsockname()[0]}:{port}"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of this room."""
    with browsing() as browser:
        yield browser


@pytest.fixture
def open_learner(browser: Browser, site: str) -> Iterator[Callable[..., Learner]]:
    """Makes learners, each with cookies and storage of their own; no script of theirs may fail."""
    made: list[Learner] = []

    def make(address: str = site, **options: Any) -> Learner:
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **options})
        context.set_default_timeout(PATIENCE_MS)
        made.append(Learner(context.new_page(), address))
        return made[-1]

    yield make
    for learner in made:
        learner.page.context.close()
    assert [error for learner in made for error in learner.errors] == []


@pytest.fixture
def learner(open_learner: Callable[..., Learner]) -> Learner:
    """A learner on a laptop."""
    return open_learner()
