"""A sandbox that counts what an exercise's own files cost, and ends them at a promised budget.

Each order has limits of its own; what bounds an author's whole folder is their sum. The complaint
names the file that took most, for it is the author's to mend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from threading import Lock

from app.catalog import ExerciseError, ExerciseErrors
from app.expectations.author_files import REFERENCE
from app.model import (
    Exercise,
    Formula,
    FunctionInfo,
    Layer,
    Order,
    Problem,
    Ran,
    Source,
    Typeset,
)
from app.ports import Sandbox

WALL_TIMES = 3.0
"""Seconds on the clock, of a second of computing: a busy machine is not the author's fault."""

MISTAKES = "mistakes/"


class Metered:
    """Implements `ports.Sandbox` over another one; safe to use from several threads."""

    def __init__(self, exercise: Exercise, sandbox: Sandbox, cpu_s: float) -> None:
        """`cpu_s`: seconds of computing for all orders together."""
        self._inner, self._most_s = sandbox, cpu_s
        self._files = exercise.files
        self._texts = {text: name for name, text in exercise.files.items()}
        self._cpu_s = self._wall_s = 0.0
        self._by_file: Counter[str] = Counter()
        self._lock = Lock()

    def run(self, order: Order) -> Ran:
        """As the sandbox inside. Raises ExerciseErrors once the budget is used up."""
        ran = self._inner.run(self._within(order))
        self._count(order.sources, ran)
        self._check()
        return ran

    def describe(self, source: Source) -> tuple[tuple[FunctionInfo, ...], tuple[Problem, ...]]:
        """As the sandbox inside, within the limits of one order."""
        return self._inner.describe(source)

    def typeset(self, formulas: Sequence[Formula]) -> tuple[Typeset, ...]:
        """As the sandbox inside, within the budget of formulas."""
        return self._inner.typeset(formulas)

    def layers(self) -> tuple[Layer, ...]:
        """As the sandbox inside."""
        return self._inner.layers()

    def close(self) -> None:
        """End the sandbox inside."""
        self._inner.close()

    def _within(self, order: Order) -> Order:
        """The order with no more than what is left of the budget."""
        self._check()
        with self._lock:
            cpu_s, wall_s = self._most_s - self._cpu_s, WALL_TIMES * self._most_s - self._wall_s
        own = order.limits
        budget_cpu_s, budget_wall_s = min(own.budget_cpu_s, cpu_s), min(own.budget_wall_s, wall_s)
        limits = replace(own, budget_cpu_s=budget_cpu_s, budget_wall_s=budget_wall_s)
        return replace(order, limits=limits)

    def _count(self, sources: Sequence[Source], ran: Ran) -> None:
        with self._lock:
            self._cpu_s += ran.cpu_ms / 1e3
            self._wall_s += ran.wall_ms / 1e3
            self._by_file[self._file(sources)] += int(ran.cpu_ms) + 1

    def _file(self, sources: Iterable[Source]) -> str:
        """The file of the folder that an order was about; "mistakes/" for several of them.

        What is submitted is known by its text; of no file are mutants of the reference.
        """
        names = (
            source.name if source.name in self._files else self._texts.get(source.text)
            for source in sources
        )
        own = [name for name in names if name is not None]
        wrong = [name for name in own if name.startswith(MISTAKES)]
        return MISTAKES if len(wrong) > 1 else own[-1] if own else REFERENCE

    def _check(self) -> None:
        with self._lock:
            spent = self._cpu_s >= self._most_s or self._wall_s >= WALL_TIMES * self._most_s
            ((file, cost),) = self._by_file.most_common(1) or ((REFERENCE, 0),)
        if spent:
            message = (
                f"took {cost / 1e3:.1f} s of computing, and all files of an exercise have"
                f" {self._most_s:g} s together; what came after was not run. Take out what never"
                " ends, make the arrays smaller, or have fewer mistakes."
            )
            raise ExerciseErrors([ExerciseError(file, "", message)])
