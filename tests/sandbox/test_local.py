"""The sandbox on this machine keeps the contract, with and without the language policy."""

from __future__ import annotations

import pytest

from app.sandbox.pool import LocalSandbox
from tests.sandbox.contract import SandboxContract


class TestLocalSandbox(SandboxContract):
    pass


class TestUnrestrictedSandbox(SandboxContract):
    @pytest.fixture
    def sandbox(self, unrestricted: LocalSandbox) -> LocalSandbox:
        return unrestricted
