"""The fake that other rooms' tests stand on keeps the same contract as the real sandbox."""

from __future__ import annotations

import pytest

from tests.fakes import FakeSandbox
from tests.sandbox.contract import SandboxContract


class TestFakeSandbox(SandboxContract):
    @pytest.fixture
    def sandbox(self) -> FakeSandbox:
        return FakeSandbox()
