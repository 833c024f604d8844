"""One exercise on trial: its files, what is expected of them, and the jail that both run in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TypeVar

from app.expectations.metered import Metered
from app.expectations.modes import mode_of, sources_of, without_mode
from app.grading import judge
from app.model import (
    Call,
    Exercise,
    Expectations,
    Lane,
    Misconception,
    Mutant,
    Order,
    Ran,
    Report,
    Source,
    TestCase,
)
from app.ports import AuthorSandbox
from app.verify.lines_in_files import line_of
from app.verify.proof import Complaint

REFERENCE, CASES, STARTER, STAGES = "reference.py", "cases.py", "starter.py", "stages.py"
SETTINGS, STATEMENT, HINTS = "exercise.toml", "statement.md", "hints.md"
RESULT_BYTES = 32 * 1024 * 1024

T = TypeVar("T")
R = TypeVar("R")


class MeteredProof(Metered):
    """The author's jail, within the budget of one proof."""

    def __init__(self, exercise: Exercise, sandbox: AuthorSandbox, cpu_s: float) -> None:
        """`cpu_s`: seconds of computing for all that is proved."""
        super().__init__(exercise, sandbox, cpu_s)
        self._author = sandbox

    def mutants(self, source: Source) -> tuple[Mutant, ...]:
        """As the jail inside, within the limits of one order."""
        return self._author.mutants(source)


@dataclass(frozen=True)
class Trial:
    """What every check works with; `executor` has several children run at once.

    `drawings` are the names of our own drawings; where there are none, none is looked for.
    `all_sets`: prove every pair of mistakes, not a sample.
    """

    exercise: Exercise
    expectations: Expectations
    sandbox: AuthorSandbox
    executor: Executor
    drawings: frozenset[str] = frozenset()
    all_sets: bool = False

    @property
    def cases(self) -> tuple[TestCase, ...]:
        """The six tests, call by call, then the examples."""
        return (*self.expectations.calls, *self.expectations.examples)

    @property
    def shown(self) -> tuple[TestCase, ...]:
        """The cases a learner sees the values of."""
        return tuple(case for case in self.cases if case.visible)

    def each(self, work: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """The results of doing the same with all items, several at once, in order."""
        return list(self.executor.map(work, items))

    def submit(self, source: bytes) -> Report:
        """The report a learner would get for this source, at the exercise's own limits."""
        exercise, expectations = self.exercise, self.expectations
        order = judge.order(exercise, expectations, source, expectations.tests, Lane.AUTHOR)
        return judge.judge(
            exercise, expectations, self.sandbox.run(order), source=source, submission=None
        )

    def submit_mistake(self, one: Misconception) -> Report:
        """The report of a mistake in the place of what it stands in for."""
        tests, expectations = self.expectations.calls, self.expectations
        mode = mode_of(one, by_itself=True)
        sources = sources_of(self.exercise, expectations.helpers, expectations.parameters, (mode,))
        calls = tuple(Call("wrong", (0, *test.arguments)) for test in tests)
        ran = self.sandbox.run(Order(sources, calls, self.exercise.limits, Lane.AUTHOR))
        executions = tuple(map(without_mode, ran.executions))
        return judge.judge(
            self.exercise,
            self.expectations,
            replace(ran, executions=executions),
            source=self.exercise.files[mode.file],
            submission=None,
        )

    def run(self, sources: Sequence[Source], calls: Sequence[Call]) -> Ran:
        """Run an author's own calls, with room for large results."""
        limits = replace(self.exercise.limits, result_bytes=RESULT_BYTES)
        return self.sandbox.run(Order(tuple(sources), tuple(calls), limits, Lane.AUTHOR))

    def complaint(self, file: str, key: str, message: str) -> Complaint:
        """A complaint with the line its key stands on."""
        return Complaint(file, message, key, line_of(self.exercise.files.get(file, b""), file, key))
