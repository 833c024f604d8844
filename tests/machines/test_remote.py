"""A fleet of runners keeps the contract of a sandbox."""

from __future__ import annotations

from tests.sandbox.contract import SandboxContract


class TestRemoteSandbox(SandboxContract):
    pass
