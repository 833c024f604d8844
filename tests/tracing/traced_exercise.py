"""Runs programs traced, as the service has them run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from app import catalog
from app.expectations.author_files import Author
from app.expectations.cases import cases, parameters
from app.expectations.modes import Mode, sources_of
from app.expectations.stages import stages
from app.grading import judge
from app.grading.trace.describe import describe_trace
from app.model import Call, Exercise, Expectations, Lane, Order, Ran, TestCase, Trace, Value
from app.report.fields import json_object
from app.sandbox.pool import LocalSandbox

ROOT = Path(__file__).parents[2]
EXERCISE = "multi-head-attention"


@dataclass(frozen=True)
class Traced:
    """A sandbox, an exercise, and what is known of it."""

    sandbox: LocalSandbox
    exercise: Exercise
    expectations: Expectations

    @property
    def case(self) -> TestCase:
        """The case that is traced."""
        return self.example(self.exercise.trace)

    def example(self, name: str) -> TestCase:
        """An example by its name."""
        return next(case for case in self.expectations.examples if case.name == name)

    def run(self, source: bytes, *on: TestCase, lane: Lane = Lane.AUTHOR) -> Ran:
        """The source on cases, the exercise's own where none is named, traced."""
        order = judge.order(self.exercise, self.expectations, source, on or (self.case,), lane)
        return self.sandbox.run(replace(order, trace=True))

    def trace(self, source: bytes) -> Trace:
        """The trace of a source on the exercise's own case."""
        return self.run(source).traces[0]

    def described(self, source: bytes) -> dict[str, Any]:
        """The same as the report tells it."""
        ran = self.run(source)
        seen = describe_trace(
            self.exercise, self.expectations, self.case, ran.executions[0], ran.traces[0]
        )
        return json_object(seen)

    def mistake(self, path: str, name: str, given: Sequence[tuple[Value, ...]]) -> Ran:
        """A mistake of the exercise, in its place, on arguments."""
        stem = PurePosixPath(path).stem
        helpers = self.expectations.helpers
        target = stem if stem in helpers else self.exercise.entry_point
        modes = (Mode(path, name, target),)
        sources = sources_of(self.exercise, helpers, self.expectations.parameters, modes)
        calls = tuple(Call("wrong", (0, *arguments)) for arguments in given)
        return self.sandbox.run(Order(sources, calls, self.exercise.limits, Lane.AUTHOR))


def traced_exercise(sandbox: LocalSandbox, slug: str = EXERCISE) -> Traced:
    """One exercise of the repository to trace; its mistakes are not run, for nothing asks."""
    exercise = catalog.load(ROOT / "exercises" / slug)
    author = Author(exercise, sandbox)
    own = parameters(author)
    tests, examples = cases(author)
    found = stages(author, [case for case in (*tests, *examples) if case.visible])
    assert not author.errors
    helpers = tuple(f.name for f in author.functions("reference.py"))
    known = Expectations(exercise.digest, own, tests, examples, (), {}, found, helpers=helpers)
    return Traced(sandbox, exercise, known)
