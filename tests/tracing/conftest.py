"""One sandbox and one exercise for the tests of this room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.sandbox.pool import LocalSandbox
from tests.tracing.bench import Bench, bench


@pytest.fixture(scope="session")
def sandbox() -> Iterator[LocalSandbox]:
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def heads(sandbox: LocalSandbox) -> Bench:
    """Multi-head attention."""
    return bench(sandbox)
