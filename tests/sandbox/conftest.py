"""One sandbox for all tests of this folder: starting one costs half a second."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.sandbox.keeper import Layers
from app.sandbox.pool import LocalSandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[LocalSandbox]:
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="session")
def unrestricted() -> Iterator[LocalSandbox]:
    """Without the language policy: only the operating-system layers stand."""
    sandbox = LocalSandbox(parts=Layers(policy=False))
    yield sandbox
    sandbox.close()
