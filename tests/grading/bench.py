"""A bench to grade on: an exercise, its expectations and a sandbox, with the calls tests repeat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.grading import judge
from app.model import (
    Call,
    Execution,
    Exercise,
    Expectations,
    FunctionInfo,
    Lane,
    Order,
    Ran,
    Report,
    Source,
    TestCase,
    Value,
)
from app.ports import Sandbox
from tests.fakes import execute


@dataclass(frozen=True)
class Bench:
    """What it takes to grade a source."""

    exercise: Exercise
    expectations: Expectations
    sandbox: Sandbox

    def grade(self, source: str | bytes, lane: Lane = Lane.FAST) -> Report:
        """The report of a submission."""
        text = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
        tests = self.expectations.tests
        ran = self.sandbox.run(judge.order(self.exercise, self.expectations, text, tests, lane))
        return self.judge(ran, text)

    def judge(self, ran: Ran, source: bytes = b"# not the starter") -> Report:
        """The report of what was run."""
        return judge.judge(self.exercise, self.expectations, ran, source=source, submission=None)

    def judge_function(self, function: Callable[..., Any]) -> Report:
        """The report of a Python function of the test itself."""
        return self.judge(Ran(executions=self.executions(function, self.expectations.tests)))

    def executions(
        self, function: Callable[..., Any], cases: Sequence[TestCase]
    ) -> tuple[Execution, ...]:
        """What a function of the test itself gives on these cases."""
        return tuple(execute(function, case.arguments) for case in cases)

    def mistakes(self, path: str) -> tuple[FunctionInfo, ...]:
        """The functions of one file of mistakes."""
        both = self.sandbox.run(Order((self._reference, self.exercise.source(path)), ()))
        reference = self.sandbox.run(Order((self._reference,), ()))
        return tuple(f for f in both.functions if f not in reference.functions)

    def run_mistakes(
        self, path: str, calls: Sequence[Call], extra: Sequence[Source] = ()
    ) -> tuple[Execution, ...]:
        """Calls of functions of one file of mistakes, loaded after the reference."""
        sources = (self._reference, self.exercise.source(path), *extra)
        return self.sandbox.run(Order(sources, tuple(calls))).executions

    def expected(self, arguments: tuple[Value, ...]) -> Value:
        """What the reference gives."""
        call = Call(self.exercise.entry_point, arguments)
        return self.sandbox.run(Order((self._reference,), (call,))).executions[0].value

    @property
    def _reference(self) -> Source:
        return self.exercise.source("reference.py")
