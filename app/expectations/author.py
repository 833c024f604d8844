"""Has an author's files run in the jail, and turns what goes wrong into complaints by file.

The one place where `app.expectations` meets the sandbox. Limits are the exercise's own for one
call, with room for the calls of a whole file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.catalog import ExerciseError
from app.model import (
    Call,
    Execution,
    Exercise,
    FunctionInfo,
    Lane,
    Limits,
    Order,
    Ran,
    Source,
)
from app.ports import Sandbox

REFERENCE = "reference.py"
_MIB = 1024 * 1024
BUDGET_CPU_S = 60.0
BUDGET_WALL_S = 120.0
RESULT_BYTES = 32 * _MIB
STDOUT_BYTES = _MIB


class Author:
    """One exercise's files and the jail they run in; `errors` collects the complaints."""

    def __init__(self, exercise: Exercise, sandbox: Sandbox) -> None:
        self.exercise, self.errors = exercise, list[ExerciseError]()
        self._sandbox = sandbox

    def complain(self, file: str, key: str, message: str) -> None:
        """Remember a complaint about a function of a file ("" for the whole file)."""
        self.errors.append(ExerciseError(file, key, message))

    def functions(self, file: str) -> tuple[FunctionInfo, ...]:
        """The public functions of a file in order; () and complaints where it does not load."""
        found, problems = self._sandbox.describe(self.exercise.source(file))
        for problem in problems:
            line = f"line {problem.line}: " if problem.line else ""
            self.complain(file, "", f"{line}{problem.message} {problem.instead}".strip())
        return tuple(f for f in found if not f.name.startswith("_"))

    def run(self, files: Sequence[str | Source], calls: Sequence[Call]) -> tuple[Execution, ...]:
        """Calls after loading these files, one execution each; complains where loading fails."""
        sources = tuple(f if isinstance(f, Source) else self.exercise.source(f) for f in files)
        order = Order(sources, tuple(calls), self._limits(), Lane.AUTHOR)
        ran = self._sandbox.run(order)
        return ran.executions if self._loaded(ran, sources) else ()

    def _limits(self) -> Limits:
        return replace(
            self.exercise.limits,
            budget_cpu_s=BUDGET_CPU_S,
            budget_wall_s=BUDGET_WALL_S,
            result_bytes=max(RESULT_BYTES, self.exercise.limits.result_bytes),
            stdout_bytes=max(STDOUT_BYTES, self.exercise.limits.stdout_bytes),
        )

    def _loaded(self, ran: Ran, sources: tuple[Source, ...]) -> bool:
        last = sources[-1].name
        for problem in ran.problems:
            line = f"line {problem.line}: " if problem.line else ""
            self.complain(last, "", f"{line}{problem.message} {problem.instead}".strip())
        if not ran.problems and ran.loading.ended != "returned":
            self.complain(last, "", f"does not load: {ended(ran.loading)}.")
        return not ran.problems and ran.loading.ended == "returned"


def ended(execution: Execution) -> str:
    """How an author's call ended, with the author's own line."""
    raised = execution.raised
    if raised is None:
        return " ".join(filter(None, (execution.ended.replace("_", " "), execution.detail)))
    frame = raised.frames[-1] if raised.frames else None
    where = f" (line {frame.line} of {frame.file})" if frame else ""
    return f"{raised.type}: {raised.message}{where}"
