"""What the language policy and the trace cost, in a process that is set up as the keeper is.

python -m bench.language        prints the figures as JSON; `python -m bench` starts it
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from types import FunctionType
from typing import Any

from app.jail.execute import learners
from app.jail.policy import compile as policy
from app.jail.trace.recorder import Tracer
from app.jail.warm import warm_up
from app.sandbox.keeper import ENVIRONMENT, PASSED_ON
from bench.figures import Figure, at_most, median, timed

ROOT = Path(__file__).parents[1]
EXERCISE = ROOT / "exercises" / "multi-head-attention"
PROGRAMS = ROOT / "bench" / "programs"
FILE = "solution.py"
ENTRY_POINT = "multi_head_attention"
ROUNDS = 15
BLOCK_S = 0.02

Function = Callable[..., Any]


def figures() -> Iterator[Figure]:
    """Those of `main`, from a process whose environment is the keeper's."""
    passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-m", "bench.language"],
        cwd=ROOT,
        env=ENVIRONMENT | passed,
        stdout=subprocess.PIPE,
        check=True,
    )
    yield from (Figure(**found) for found in json.loads(done.stdout))


def main() -> None:
    """Measure and print."""
    warm_up()
    print(json.dumps([asdict(figure) for figure in _measured()]))


def _measured() -> Iterator[Figure]:
    cases = _arguments()
    reference = (EXERCISE / "reference.py").read_bytes()
    yield at_most("reference under the policy", _slower(reference, cases), "× exec", 1.1)
    for kind in ("lists", "cells"):
        program = (PROGRAMS / f"loops_{kind}.py").read_bytes()
        yield at_most(f"loops over {kind} under the policy", _slower(program, cases), "× exec", 1.5)
    compiling = [timed(lambda: policy.compile_source(reference, FILE)) for _ in range(200)]
    yield at_most("compiling the reference", median(compiling) * 1e3, "ms", 1)
    yield from _tracing(reference, cases[0])


def _arguments() -> list[tuple[Any, ...]]:
    """Those of the six test cases."""
    namespace = _guarded((EXERCISE / "cases.py").read_bytes())
    public = [value for name, value in namespace.items() if not name.startswith("_")]
    functions = [value for value in public if isinstance(value, FunctionType)]
    tests = [f for f in functions if not (f.__doc__ or "").startswith("Example:")]
    return [test() for test in tests[:6]]


def _slower(source: bytes, cases: list[tuple[Any, ...]]) -> float:
    """How many times longer it takes under the policy, in turns with plain `exec`."""
    plain: dict[str, Any] = {"__name__": "solution"}
    exec(compile(source, FILE, "exec", dont_inherit=True), plain)  # noqa: S102 - our own file
    guarded = _guarded(source)
    ratios = []
    for _ in range(ROUNDS):
        own = _per_round(plain[ENTRY_POINT], cases)
        ratios.append(_per_round(guarded[ENTRY_POINT], cases) / own)
    return median(ratios)


def _per_round(function: Function, cases: list[tuple[Any, ...]]) -> float:
    """CPU seconds of one call on every case, the least of a block's repeats."""
    least, until = float("inf"), time.perf_counter() + BLOCK_S
    while time.perf_counter() < until:
        started = time.thread_time()
        for arguments in cases:
            function(*arguments)
        least = min(least, time.thread_time() - started)
    return least


def _guarded(source: bytes, tracer: Tracer | None = None) -> dict[str, Any]:
    compiled = policy.compile_source(source, FILE, tracer.rewrite if tracer else None)
    if compiled.code is None:
        raise RuntimeError(compiled.problems)
    namespace = learners().namespace(lambda text: None)
    namespace.update(tracer.names if tracer else {})
    exec(compiled.code, namespace)  # noqa: S102 - our own file
    return namespace


def _tracing(source: bytes, arguments: tuple[Any, ...]) -> Iterator[Figure]:
    """One call, traced and not."""
    tracer = Tracer()
    bare, noted = _guarded(source)[ENTRY_POINT], _guarded(source, tracer)[ENTRY_POINT]

    def traced(*given: Any) -> None:
        tracer.start()
        noted(*given)

    spent = [(_per_round(bare, [arguments]), _per_round(traced, [arguments])) for _ in range(10)]
    plain, with_trace = (median(each) for each in zip(*spent, strict=True))
    yield at_most("tracing the reference", with_trace / plain, "×", 10)
    yield at_most("tracing the reference, added", (with_trace - plain) * 1e3, "ms", 1)


if __name__ == "__main__":
    main()
