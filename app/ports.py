"""The seams on one page: what the core asks of a sandbox, a store and a line of jobs.

Real parts live in `sandbox/`, `storage/` and `jobs/`; fakes in `tests/fakes.py`. One contract suite
a port runs on all of them.
"""

from __future__ import annotations

from typing import Protocol

from app.model import FunctionInfo, Layer, Order, Problem, Ran, Source


class SandboxFault(Exception):
    """Our own fault: the keeper is gone, refused to start, or a frame of its own was broken.

    Never raised for anything a learner or an author wrote. The text is for the log.
    """


class Sandbox(Protocol):
    """Has calls executed in a jail and reports what it saw; safe to use from several threads."""

    def run(self, order: Order) -> Ran:
        """Load the order's files in a fresh child and run its calls, blocking until all ended.

        Raises SandboxFault when the jail itself failed, after its own retries.
        """
        ...

    def describe(self, source: Source) -> tuple[tuple[FunctionInfo, ...], tuple[Problem, ...]]:
        """Public functions of a file in order (or the problems that keep it from loading)."""
        ...

    def layers(self) -> tuple[Layer, ...]:
        """Which layers of the wall hold here; grading is refused unless all required ones do."""
        ...

    def close(self) -> None:
        """End the keeper and every child; no process is left."""
        ...
