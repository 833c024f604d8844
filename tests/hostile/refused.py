"""Which hostile programs the policy refuses when it compiles them: of those no line ever runs.

Found out by compiling, so a program that the policy lets through one day runs against every
configuration of the wall from then on, without anybody saying so. Each is compiled in a process of
its own with little time and memory; one that needs more counts as not refused.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.hostile.corpus import Case, cases

ROOT = Path(__file__).parents[2]
CPU_S = 2
MEMORY_BYTES = 2 * 1024**3


def names() -> frozenset[str]:
    """The names of those cases; remembered for as long as neither the jail nor a case changes."""
    remembered = Path(tempfile.gettempdir()) / f"mlgrind-refused-{_fingerprint()}.json"
    try:
        return frozenset(json.loads(remembered.read_text()))
    except (OSError, ValueError):
        found = _compiled()
    part = remembered.with_suffix(f".{os.getpid()}")
    part.write_text(json.dumps(sorted(found)))
    part.replace(remembered)
    return found


@functools.cache
def split() -> tuple[tuple[Case, ...], tuple[Case, ...]]:
    """The cases that run, and those that are refused when compiled."""
    refused = names()
    runs = tuple(case for case in cases() if case.name not in refused)
    return runs, tuple(case for case in cases() if case.name in refused)


def _fingerprint() -> str:
    digest = hashlib.sha256(platform.python_version().encode())
    for path in sorted([*(ROOT / "app/jail").rglob("*.py"), *Path(__file__).parent.rglob("*.py")]):
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:32]


def _compiled() -> frozenset[str]:
    program = [sys.executable, "-m", "tests.hostile.refused"]
    done = subprocess.run(program, capture_output=True, text=True, check=True, cwd=ROOT)
    return frozenset(done.stdout.split())


def is_refused(source: bytes) -> bool:
    """Whether the policy gives no code for a source; False where it could not be found out."""
    from app.jail.policy.compile import compile_source  # only where nothing hostile is awaited

    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        os._exit(17 if compile_source(source, "solution.py").code is None else 0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 17


def main(found: Sequence[Case]) -> None:
    """Print the names of the refused ones."""
    print(*(case.name for case in found if is_refused(case.source)), sep="\n")


if __name__ == "__main__":
    main(cases())
