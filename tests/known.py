"""What is expected of an exercise, computed once for all tests and runs of them.

Kept by digest, and by the code that made it: with every change of either it is computed again.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from tempfile import gettempdir

from app.expectations import Cache, compute
from app.model import Exercise, Expectations
from app.ports import Sandbox
from tests.fakes import FakeSandbox

SHARED = Path(gettempdir()) / f"mlgrind-tests-{os.getuid()}"
BY_THE_JAIL = SHARED / "jail"

_FAKES = hashlib.sha256((Path(__file__).parent / "fakes.py").read_bytes()).hexdigest()


def expected(exercise: Exercise, sandbox: Sandbox) -> Expectations:
    """The expectations of an exercise by this kind of sandbox."""
    by_a_fake = isinstance(sandbox, FakeSandbox)
    cache = Cache(SHARED / f"fake-{_FAKES[:16]}" if by_a_fake else BY_THE_JAIL)
    found = cache.load(exercise.digest)
    if found is None:
        found = compute(exercise, sandbox)
        cache.save(found)
    return found
