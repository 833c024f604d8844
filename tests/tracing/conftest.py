"""One sandbox and one exercise for the tests of this room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.sandbox.pool import LocalSandbox
from tests.tracing.traced_exercise import Traced, traced_exercise


@pytest.fixture(scope="session")
def sandbox() -> Iterator[LocalSandbox]:
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def heads(sandbox: LocalSandbox) -> Traced:
    """Multi-head attention."""
    return traced_exercise(sandbox)
