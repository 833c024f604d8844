"""Has an author's files run in the jail, and turns what goes wrong into complaints by file.

The one place where `app.expectations` meets the sandbox. Limits are the exercise's own for one
call, with room for the calls of a whole file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.catalog import ExerciseError
from app.grading.sentences.ending import brief
from app.model import (
    Call,
    Cause,
    Ended,
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
FUNCTIONS = 300
"""The jail tells of no more functions of what is loaded."""

_ALONE = (REFERENCE, "cases.py", "inputs.py")
"""Files that are loaded alone, or before our own: the line at which memory ran out is theirs."""

_TO_DO: Mapping[Ended, str] = {
    "time_limit": "is there a loop that never ends?",
    "sleep_limit": "take out what waits",
    "memory_limit": "make its arrays smaller",
    "output_limit": "return less",
    "killed": "take out what asks the system for something",
    "crashed": "look at its last array call",
}


class Author:
    """One exercise's files and the jail they run in; `errors` collects the complaints."""

    def __init__(self, exercise: Exercise, sandbox: Sandbox) -> None:
        self.exercise, self.errors = exercise, list[ExerciseError]()
        self._sandbox = sandbox
        self._known: dict[tuple[str, ...], tuple[FunctionInfo, ...]] = {}

    def complain(
        self,
        file: str,
        key: str,
        message: str,
        *,
        line: int | None = None,
        ran: Execution | None = None,
    ) -> None:
        """Remember a complaint about a function of a file ("" for the whole file).

        `line` is where it is; or `ran` the call whose ending the message tells, with its line.
        """
        if ran is not None and ran.raised is not None and ran.raised.frames:
            frame = ran.raised.frames[-1]
            is_own = frame.file == file or (ran.ended != "raised" and file in _ALONE)
            line = frame.line if is_own else None
        self.errors.append(ExerciseError(file, key, message, line, line_named=ran is not None))

    def functions(self, file: str, after: Sequence[str] = ()) -> tuple[FunctionInfo, ...]:
        """The public functions a file defines, in order, when loaded after other files.

        () and complaints where it does not load.
        """
        earlier = self._defined_by(tuple(after)) if after else ()
        sources = self._sources((*after, file))
        ran = self._sandbox.run(self._order(sources, ()))
        if not self._loaded(ran, sources):
            return ()
        if len(ran.functions) >= FUNCTIONS:
            message = f"defines {FUNCTIONS} functions or more; take out what no learner meets."
            self.complain(file, "", message)
            return ()
        own = [f for f in ran.functions if f not in earlier]
        return tuple(f for f in own if not f.name.startswith("_"))

    def _defined_by(self, files: tuple[str, ...]) -> tuple[FunctionInfo, ...]:
        if files not in self._known:
            ran = self._sandbox.run(self._order(self._sources(files), ()))
            self._known[files] = ran.functions
        return self._known[files]

    def run(
        self, files: Sequence[str | Source], calls: Sequence[Call], cpu_s: float = BUDGET_CPU_S
    ) -> tuple[Execution, ...]:
        """Calls after loading these files, one execution each; complains where loading fails.

        `cpu_s`: seconds of computing for all calls together.
        """
        sources = self._sources(files)
        order = self._order(sources, calls)
        limits = replace(order.limits, budget_cpu_s=cpu_s, budget_wall_s=2 * cpu_s)
        ran = self._sandbox.run(replace(order, limits=limits))
        return ran.executions if self._loaded(ran, sources) else ()

    def attempt(self, order: Order) -> Ran:
        """Run an order of our own making; what goes wrong in it is no complaint."""
        return self._sandbox.run(order)

    def _sources(self, files: Sequence[str | Source]) -> tuple[Source, ...]:
        return tuple(f if isinstance(f, Source) else self.exercise.source(f) for f in files)

    def _order(self, sources: tuple[Source, ...], calls: Sequence[Call]) -> Order:
        return Order(sources, tuple(calls), self._limits(), Lane.AUTHOR)

    def _limits(self) -> Limits:
        return replace(
            self.exercise.limits,
            budget_cpu_s=BUDGET_CPU_S,
            budget_wall_s=BUDGET_WALL_S,
            result_bytes=max(RESULT_BYTES, self.exercise.limits.result_bytes),
            stdout_bytes=max(STDOUT_BYTES, self.exercise.limits.stdout_bytes),
        )

    def _loaded(self, ran: Ran, sources: tuple[Source, ...]) -> bool:
        """Whether all files loaded; complains about the file that did not, as far as is known."""
        last = [source.name for source in sources if source.name in self.exercise.files][-1]
        for problem in ran.problems:
            message = f"{problem.message} {problem.instead}".strip()
            self.complain(last, "", message, line=problem.line or None)
        if not ran.problems and ran.loading.ended != "returned":
            raised = ran.loading.raised if ran.loading.ended == "raised" else None
            file = raised.frames[-1].file if raised and raised.frames else last
            self.complain(file, "", f"does not load: {ended(ran.loading)}.", ran=ran.loading)
        return not ran.problems and ran.loading.ended == "returned"


def ended(execution: Execution) -> str:
    """How an author's call ended, with the author's own line, or what to do about it."""
    raised = execution.raised
    if raised is None or execution.ended != "raised":
        words = " ".join(filter(None, (execution.ended.replace("_", " "), brief(execution))))
        to_do = _TO_DO.get(execution.ended, "")
        if execution.cause is Cause.PRINTS:
            to_do = "take its prints out"
        return f"{words} ({to_do})" if to_do else words
    frame = raised.frames[-1] if raised.frames else None
    where = f" (line {frame.line} of {frame.file})" if frame else ""
    return f"{raised.type}: {raised.message}{where}"
