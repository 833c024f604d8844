"""One case and what came of it, with all that its sentences need to know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.grading import hidden
from app.grading.axes import named_sizes, output_axes
from app.model import (
    AxisNames,
    Execution,
    Exercise,
    Mismatch,
    Parameter,
    TestCase,
    Value,
    Verdict,
)

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass(frozen=True)
class JudgedCase:
    """A case, its execution and its mismatch; `number` counts from 0 in the report's order.

    `call` counts the calls of a test that holds several, from 0; None where it holds one.
    """

    exercise: Exercise
    parameters: tuple[Parameter, ...]
    case: TestCase
    execution: Execution
    mismatch: Mismatch | None
    verdict: Verdict
    number: int
    call: int | None = None

    @property
    def sizes(self) -> Mapping[str, int]:
        """The case's sizes by the exercise's names."""
        return named_sizes(self.exercise, self.parameters, self.case.arguments)

    @property
    def names(self) -> AxisNames:
        """The names of the output's axes, of the part that is off where it is a tuple."""
        return output_axes(self.exercise, self.mismatch.part if self.mismatch else None)

    @property
    def value(self) -> Value:
        """What was returned, or the part that is off."""
        whole, part = self.execution.value, self.mismatch.part if self.mismatch else None
        if part is None or not isinstance(whole, tuple) or part >= len(whole):
            return whole
        return whole[part]

    @property
    def subject(self) -> str:
        """ "The output", or "The second part of the output"."""
        part = self.mismatch.part if self.mismatch else None
        return "The output" if part is None else f"The {ordinal(part)} part of the output"

    def argument(self, position: int) -> str:
        """The name of an argument by its position."""
        if position < len(self.parameters):
            return self.parameters[position].name
        return f"argument {position}"


def as_shown(scene: JudgedCase) -> JudgedCase:
    """The case as its sentences may know it: a visible one as it is, a hidden one reduced."""
    if scene.case.visible:
        return scene
    most = hidden.largest((scene.case.expected, *scene.case.arguments))
    names = {scene.exercise.entry_point, *(parameter.name for parameter in scene.parameters)}
    mismatch = scene.mismatch
    return replace(
        scene,
        execution=hidden.reduced(scene.execution, most, frozenset(names)),
        mismatch=None if mismatch is None else hidden.reduced_mismatch(mismatch),
    )


def ordinal(number: int) -> str:
    """ "first" for 0, "second" for 1, "12th" for 11."""
    return _ORDINALS[number] if number < len(_ORDINALS) else f"{number + 1}th"
