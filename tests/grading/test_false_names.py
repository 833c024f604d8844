"""No name is false: what is named equals the program on 200 random legal inputs.

Random edits of right programs, by fixed seeds, run in this process. `make false-names` tries 2,000;
the first of them are tried with every run of the tests.
"""

from __future__ import annotations

import os
import random
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import permutations
from types import FrameType
from typing import Any

import numpy as np
import pytest

from app.catalog import load
from app.expectations.modes import mode_of, sources_of
from app.grading import judge
from app.grading.decide import mismatch_of
from app.grading.outcomes import equal_outcomes, outcome
from app.model import Call, Execution, NamedMistake, Order, Outcome, Ran, Report, Source, TestCase
from app.ports import Sandbox
from tests.fakes import FakeSandbox
from tests.grading.conftest import ROOT
from tests.grading.edits import edited
from tests.grading.graded_exercise import Graded
from tests.known import expected

EDITS = int(os.environ.get("FALSE_NAMES", "520"))
DRAWS = 200
SECONDS = 2
"""An edit that computes longer is none of those tried."""

SLUGS = sorted(folder.name for folder in (ROOT / "exercises").iterdir() if folder.is_dir())
_SLOW = ("entry_by_entry.py",)  # 5,001 rows entry by entry


class TooLong(Exception):
    """An edit that never ends."""


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    def ring(_: int, __: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)  # of the CPU: others may want it, too
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def run(work: Graded, source: bytes, cases: Sequence[TestCase]) -> Ran:
    calls = tuple(Call(work.exercise.entry_point, case.arguments) for case in cases)
    return FakeSandbox().run(Order((Source("solution.py", source),), calls))


def judged(work: Graded, source: bytes) -> Report:
    """As a submission is judged, with the confirming draws in the same order."""
    known = work.expectations
    tests = known.calls
    ran = run(work, source, (*tests, *known.confirming_draws))
    own = Ran(loading=ran.loading, executions=ran.executions[: len(tests)], functions=ran.functions)

    def drawn() -> Sequence[Execution]:
        return ran.executions[len(tests) :]

    return judge.judge(work.exercise, known, own, source=source, submission=None, drawn=drawn)


def outcomes(work: Graded, executions: Sequence[Execution], cases: Sequence[TestCase]) -> list[Any]:
    about = (work.exercise.tolerance, work.exercise.arguments_unchanged)
    found: list[Outcome] = []
    for execution, case in zip(executions, cases, strict=True):
        returned = execution.ended == "returned"
        mismatch = mismatch_of(execution, case, *about) if returned else None
        found.append(outcome(execution, mismatch, case))
    return found


def is_true(work: Graded, source: bytes, mistakes: Sequence[NamedMistake]) -> bool:
    """Whether the mistakes put together give on the draws what the program gives there."""
    cases = work.expectations.draws[:DRAWS]
    mine = outcomes(work, run(work, source, cases).executions, cases)
    slugs = {m.slug: m for m in work.expectations.misconceptions}
    known = [slugs[one.misconception] for one in mistakes]
    return any(_same(work, order, cases, mine) for order in permutations(known))


def _same(work: Graded, known: Sequence[Any], cases: Sequence[TestCase], mine: list[Any]) -> bool:
    for case, own, theirs in zip(cases, mine, _composed(work, known, cases), strict=True):
        if _alike(work, own, theirs):
            continue
        (nudged,) = _composed(work, known, [_nudged(case)])
        if _alike(work, theirs, nudged):
            return False  # not chaotic: rounding could not tell the two apart, and they differ
    return True


def _composed(work: Graded, known: Sequence[Any], cases: Sequence[TestCase]) -> list[Any]:
    """What the mistakes together give, case by case."""
    modes = [mode_of(one) for one in known]
    about = (work.expectations.helpers, work.expectations.parameters)
    sources = sources_of(work.exercise, *about, modes)
    chain = (tuple(range(len(modes))),)
    calls = tuple(Call("composed", (chain, (case.arguments,))) for case in cases)
    executions = FakeSandbox().run(Order(sources, calls)).executions
    found: list[Outcome] = []
    for case, execution in zip(cases, executions, strict=True):
        assert isinstance(execution.value, tuple)
        row = execution.value[0]
        assert isinstance(row, tuple)
        if row[1] is None:
            found.append(Outcome("exception"))
            continue
        after = tuple(None if at == row[1] else one for at, one in enumerate(case.arguments))
        found += outcomes(work, [Execution("returned", row[0], after)], [case])
    return found


def _alike(work: Graded, one: Outcome, other: Outcome) -> bool:
    if "exception" in (one.kind, other.kind):
        return one.kind == other.kind
    return equal_outcomes(one, [other], work.exercise.tolerance)[0]


def _nudged(case: TestCase) -> TestCase:
    """Every float larger by a few units in its last place: what depends on that is chaotic."""
    return replace(case, arguments=tuple(_larger(argument) for argument in case.arguments))


def _larger(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _larger(part) for key, part in value.items()}
    is_float = isinstance(value, float)
    is_floats = isinstance(value, np.ndarray) and value.dtype == np.float64
    return value * (1 + 1e-15) if is_float or is_floats else value


def programs(slug: str, number: int) -> Iterator[bytes]:
    """Edited programs of an exercise, by its fixed seed."""
    folder = ROOT / "exercises" / slug
    rights = [p for p in sorted(folder.glob("accepted/*.py")) if p.name not in _SLOW]
    texts = [path.read_text("utf-8") for path in (folder / "reference.py", *rights)]
    chance = random.Random(slug)
    made = 0
    while made < number:
        text = edited(chance.choice(texts), chance)
        if text is not None:
            made += 1
            yield text.encode()


@pytest.mark.parametrize("slug", SLUGS)
def test_every_name_is_the_program_on_random_inputs(slug: str, jail: Sandbox) -> None:
    exercise = load(ROOT / "exercises" / slug)
    work = Graded(exercise, expected(exercise, jail), jail)
    found: Counter[str] = Counter()
    false = []
    for source in programs(slug, -(-EDITS // len(SLUGS))):
        try:
            with limited(SECONDS):
                report = judged(work, source)
        except TooLong:
            found["too long"] += 1
            continue
        diagnosis = report.diagnosis
        slugs = {m.slug for m in work.expectations.misconceptions}
        if diagnosis is None or not diagnosis.complete or diagnosis.misconception not in slugs:
            found["not named"] += 1
            continue
        found["named"] += 1
        if not is_true(work, source, diagnosis.mistakes):
            false.append(([m.misconception for m in diagnosis.mistakes], source.decode()))
    assert found["too long"] < 5, found
    assert false == []
