"""One jail for all tests of a file: starting it costs more than most proofs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.ports import Workbench
from app.sandbox.pool import LocalSandbox


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()
