"""What is expected of an exercise, computed once for all tests and runs of them.

Kept by digest, and by the code that made it: with every change of either it is computed again.
Threads and workers that ask for the same wait for the first of them.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir

from app.catalog import load
from app.expectations import Cache, compute
from app.expectations.triples import triples
from app.main import shipped_exercises
from app.model import Exercise, Expectations
from app.ports import Sandbox
from app.sandbox.pool import LocalSandbox
from tests.fakes import FakeSandbox

_PLACE = hashlib.sha256(sys.prefix.encode()).hexdigest()[:8]
SHARED = Path(gettempdir()) / f"mlgrind-tests-{os.getuid()}-{_PLACE}"
"""Of this environment: those of another checkout or Python would take turns in undoing ours."""

BY_THE_JAIL = SHARED / "jail"

_FAKES = hashlib.sha256((Path(__file__).parent / "fakes.py").read_bytes()).hexdigest()


def with_triples(exercise: Exercise, sandbox: Sandbox) -> Expectations:
    """The same with what three mistakes at once give, which takes seconds for a large library."""
    found = expected(exercise, sandbox)
    if found.triples is None:
        kept = triples(exercise, found, sandbox, lambda: None)
        Cache(_folder(sandbox)).save_triples(exercise.digest, kept)
        found = replace(found, triples=kept)
    return found


def expected(exercise: Exercise, sandbox: Sandbox) -> Expectations:
    """The expectations of an exercise by this kind of sandbox."""
    folder = _folder(sandbox)
    cache = Cache(folder)
    found = cache.load(exercise.digest)
    if found is not None:
        return found
    with _one_at_a_time(folder / f"{exercise.digest}.lock"):
        found = cache.load(exercise.digest)
        if found is None:
            found = compute(exercise, sandbox)
            cache.save(found)
        return found


def prepare() -> None:
    """Compute what is expected of the shipped exercises, before workers all want it at once."""
    sandbox = LocalSandbox()
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            exercises = map(load, sorted(shipped_exercises().iterdir()))
            list(pool.map(lambda exercise: expected(exercise, sandbox), exercises))
    finally:
        sandbox.close()


@contextmanager
def _one_at_a_time(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _folder(sandbox: Sandbox) -> Path:
    by_a_fake = isinstance(sandbox, FakeSandbox)
    return SHARED / f"fake-{_FAKES[:16]}" if by_a_fake else BY_THE_JAIL
