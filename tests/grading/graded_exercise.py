"""What it takes to grade: exercise, expectations, sandbox, and the calls that tests repeat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app.expectations.modes import mode_of, sources_of, without_mode
from app.grading import judge
from app.model import (
    Call,
    Execution,
    Exercise,
    Expectations,
    Lane,
    Order,
    Ran,
    Report,
    Source,
    TestCase,
    Value,
    calls_of,
)
from app.ports import Sandbox
from tests.fakes import execute


@dataclass(frozen=True)
class Graded:
    """What it takes to grade a source."""

    exercise: Exercise
    expectations: Expectations
    sandbox: Sandbox

    def grade(self, source: str | bytes, lane: Lane = Lane.AUTHOR) -> Report:
        """The report of a submission; on a slow machine the fast lane would be too short for it."""
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
        return tuple(execute(function, call.arguments) for call in calls_of(cases))

    def run_mistake(
        self, slug: str, cases: Sequence[TestCase], cast: str = ""
    ) -> tuple[Execution, ...]:
        """What a mistake gives in its place; `cast` is written behind each of Q, K and V."""
        one = next(m for m in self.expectations.misconceptions if m.slug == slug)
        about = (self.expectations.helpers, self.expectations.parameters)
        sources = sources_of(self.exercise, *about, (mode_of(one),))
        twin = f"def twin(Q, K, V, *rest):\n    return wrong(0, Q{cast}, K{cast}, V{cast}, *rest)\n"
        extra = [Source("twin.py", twin.encode())] if cast else []
        start: tuple[str, tuple[Value, ...]] = ("twin", ()) if cast else ("wrong", (0,))
        calls = tuple(Call(start[0], (*start[1], *one.arguments)) for one in calls_of(cases))
        ran = self.sandbox.run(Order((*sources, *extra), calls))
        if cast:
            return ran.executions
        return tuple(map(without_mode, ran.executions))

    def expected(self, arguments: tuple[Value, ...]) -> Value:
        """What the reference gives."""
        call = Call(self.exercise.entry_point, arguments)
        return self.sandbox.run(Order((self._reference,), (call,))).executions[0].value

    @property
    def _reference(self) -> Source:
        return self.exercise.source("reference.py")
