"""Runs the corpus against one configuration of the wall, looking at the grounds after each case."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from app import catalog
from app.grading import judge
from app.model import Exercise, Expectations, Lane, Limits, Ran, Verdict
from app.sandbox.keeper import Layers
from app.sandbox.pool import LocalSandbox
from tests.hostile.corpus import Case
from tests.hostile.grounds import Grounds, grounds
from tests.known import expected

EXERCISE = Path(__file__).parents[2] / "exercises" / "multi-head-attention"
HONEST = EXERCISE / "reference.py"
USER = 10001
NOBODY = 65534
NARROW = {
    frozenset({Verdict.TIME_LIMIT}): Limits(0.5, budget_cpu_s=0.8, sleep_s=0.5, budget_wall_s=1.5),
    frozenset({Verdict.MEMORY_LIMIT}): Limits(memory_bytes=128 * 1024 * 1024),
}


@dataclass(frozen=True)
class Configuration:
    """Which of the optional parts stand: whom the keeper runs as, and three that are on or off."""

    root: bool
    namespaces: bool
    landlock: bool
    policy: bool

    @property
    def layers(self) -> Layers:
        return Layers(
            policy=self.policy,
            landlock=self.landlock,
            namespaces=self.namespaces,
            user=None if self.root or os.geteuid() != 0 else USER,
        )

    @property
    def children(self) -> int:
        """The user that children run as."""
        if os.geteuid() != 0:
            return os.geteuid()
        return NOBODY if self.root else USER

    def __str__(self) -> str:
        parts = {"namespaces": self.namespaces, "landlock": self.landlock, "policy": self.policy}
        standing = [name for name, on in parts.items() if on]
        return "-".join(["root" if self.root else "user", *standing])


@dataclass(frozen=True)
class Attack:
    """A sandbox under attack, the grounds around it, and a judge for what comes out."""

    configuration: Configuration
    sandbox: LocalSandbox
    grounds: Grounds
    exercise: Exercise
    expectations: Expectations
    usage_at_first: tuple[int, int] = (0, 0)

    def submit(self, source: bytes, limits: Limits | None = None) -> tuple[Verdict, Ran]:
        """The verdict on a submission, through the fast lane and, where it leaves it, once more."""
        order = judge.order(
            self.exercise, self.expectations, source, self.expectations.tests, Lane.FAST
        )
        order = replace(order, limits=limits or order.limits)
        ran = self.sandbox.run(order)
        if ran.left_fast_lane:
            ran = self.sandbox.run(replace(order, lane=Lane.AUTHOR))
        report = judge.judge(self.exercise, self.expectations, ran, source=source, submission=None)
        return report.verdict, ran

    def right_verdicts(self, case: Case) -> frozenset[Verdict]:
        return case.expected if self.configuration.policy else case.raw

    def limits(self, case: Case) -> Limits | None:
        """Narrower ones for a case that must run into them: whole passes wait for it.

        Over HTTP the same cases run into the limits of the product.
        """
        return NARROW.get(self.right_verdicts(case))

    def keeper_usage(self) -> tuple[int, int]:
        """The keeper's resident KiB and its open descriptors."""
        pid = self.sandbox.keeper_pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        if self.configuration.namespaces and len(children) == 1:
            pid = int(children[0])
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(resident.split()[1]), len(list(Path(f"/proc/{pid}/fd").iterdir()))


@contextlib.contextmanager
def attack(
    configuration: Configuration, known: Expectations, exercise: Exercise
) -> Iterator[Attack]:
    """A sandbox of this configuration on fresh grounds."""
    os.environ["SECRET_KEY"] = "MLGRIND_CANARY_env"
    with grounds(configuration.children) as laid:
        sandbox = LocalSandbox(parts=configuration.layers)
        try:
            fresh = Attack(configuration, sandbox, laid, exercise, known)
            fresh.submit(HONEST.read_bytes())
            yield replace(fresh, usage_at_first=fresh.keeper_usage())
        finally:
            sandbox.close()
            del os.environ["SECRET_KEY"]


def truth() -> tuple[Exercise, Expectations]:
    """The exercise of the corpus and what is expected of it, computed under the whole wall."""
    exercise = catalog.load(EXERCISE)
    sandbox = LocalSandbox()
    try:
        return exercise, expected(exercise, sandbox)
    finally:
        sandbox.close()
