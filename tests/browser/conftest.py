"""What the tests of this room stand on: nothing of the site is replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.learner import PATIENCE_MS, Learner
from tests.browser.serving import Served, browsing, served

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The one server of all tests of this room."""
    with served(tmp_path_factory.mktemp("browser")) as server:
        yield server


@pytest.fixture(scope="session")
def site(server: Served) -> str:
    """The server's address on this machine itself."""
    return server.own


@pytest.fixture(scope="session")
def network_site(server: Served) -> str:
    """Its address as another device sees it: plain http, no secure context."""
    assert "127.0.0.1" not in server.network
    return server.network


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
        learner.page.unroute_all(behavior="ignoreErrors")  # what a test held back ends with it
        learner.page.context.close()
    assert [error for learner in made for error in learner.errors] == []


@pytest.fixture
def learner(open_learner: Callable[..., Learner]) -> Learner:
    """A learner on a laptop."""
    return open_learner()
