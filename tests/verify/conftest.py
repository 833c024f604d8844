"""One jail for all tests of a file: starting it costs more than most proofs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.main import means as join
from app.ports import AuthorSandbox
from app.sandbox.pool import LocalSandbox
from app.verify import Means


@pytest.fixture(scope="module")
def jailed() -> Iterator[AuthorSandbox]:
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="module")
def means(jailed: AuthorSandbox) -> Means:
    return join(jailed)
