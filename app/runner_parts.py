"""The parts of runners: `main` joins a server's, and `mlgrind runner` has a runner's from here.

What they pull in is imported only where there are runners.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from app.config import Settings
    from app.ports import Sandbox
    from app.ports.operating import Operations


def build_learners_sandbox(settings: Settings, house: Sandbox) -> Sandbox:
    """Where learners' code runs: the runners of the settings, else the jail of this machine.

    Raises SandboxFault where the settings name runners that cannot be asked.
    """
    if not settings.runners:
        return house
    from app.queue_parts import shut_runners
    from app.sandbox.callers import fleet
    from app.sandbox.remote import RemoteSandbox

    return RemoteSandbox(fleet(settings, shut_runners(settings)), house)


def build_operations(settings: Settings, learners: Sandbox) -> Operations:
    """What the operator's page shows and does, of runners and of the queue."""
    from app.queue_parts import parked_jobs

    found = parked_jobs(settings)
    if not settings.runners:
        return found
    from app.sandbox.remote import RemoteSandbox

    if isinstance(learners, RemoteSandbox):
        fleet = learners.fleet
        found = replace(found, runners=fleet.views, let_in=fleet.let_in)
    return found


def build_runner(token: bytes, fast: int, slow: int) -> Starlette:
    """The jail of this machine over HTTP. Raises SandboxFault where it does not start."""
    from app.sandbox.pool import LocalSandbox
    from app.sandbox.runner_site import site
    from app.sandbox.slots import Slots

    return site(LocalSandbox(spares=fast + 1), token, Slots(fast, slow))
