"""What explains judged cases: a known mistake, or findings, confirmed on a few draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.grading import diagnosis as diagnoses
from app.grading.aside import aside
from app.grading.checker import changed_argument
from app.grading.decide import judge_case, mismatch_of
from app.grading.findings import search
from app.grading.outcomes import outcome, plain_outcome
from app.grading.sentences.judged_case import JudgedCase
from app.grading.sentences.phrases import shown
from app.grading.visible import known_by_a_run, may_be_known
from app.model import (
    Diagnosis,
    Execution,
    Exercise,
    Expectations,
    Finding,
    Mismatch,
    Outcome,
    Ran,
    TestCase,
    Value,
)

Draws = tuple[tuple[TestCase, Execution], ...]
"""The confirming draws, each with what the code gave there; () where it did not run on all."""


@dataclass(frozen=True)
class JudgedCases:
    """The judged cases of a report, and the draws that confirm what is said of the program.

    Draws are waited for only where they are asked for.
    """

    scenes: tuple[JudgedCase, ...]
    drawn: Callable[[], Draws]


def known_mistake(
    exercise: Exercise, expectations: Expectations, seen: JudgedCases, is_run: bool
) -> Diagnosis | None:
    """The known mistake that gives the same on every case, if there is one."""
    if is_run:
        return known_by_a_run(expectations, _outcomes(seen.scenes), exercise.tolerance)

    def drawn() -> list[Outcome]:
        return _plain_outcomes(exercise, seen.drawn())

    return diagnoses.diagnose(expectations, _outcomes(seen.scenes), exercise.tolerance, drawn)


def _outcomes(scenes: Sequence[JudgedCase]) -> list[Outcome]:
    return [outcome(scene.execution, scene.mismatch, scene.case) for scene in scenes]


def _plain_outcomes(exercise: Exercise, drawn: Draws) -> list[Outcome]:
    """Of draws, on which nothing is told, so that no words are needed for what is off there."""
    return aside("on_draws", lambda: [_outcome_on(exercise, *one) for one in drawn], [])


def _outcome_on(exercise: Exercise, draw: TestCase, execution: Execution) -> Outcome:
    rules = exercise.tolerance, exercise.arguments_unchanged
    if execution.ended != "returned":
        return outcome(execution, None, draw)
    changed = changed_argument(draw.arguments, execution.arguments)
    plain = plain_outcome(execution.value, draw.expected, changed, *rules)
    return plain or outcome(execution, mismatch_of(execution, draw, *rules), draw)


def on_draws(
    expectations: Expectations, drawn: Callable[[], Sequence[Execution]]
) -> Callable[[], Draws]:
    """What waits for the confirming draws; () where not all were run."""
    draws = expectations.confirming_draws

    def both() -> Draws:
        executions = drawn() if draws else ()
        return tuple(zip(draws, executions, strict=True)) if len(executions) == len(draws) else ()

    return both


def suspects_of(
    exercise: Exercise, expectations: Expectations, ran: Ran
) -> tuple[tuple[int, ...], ...]:
    """Three mistakes that may give what every test gave, by their numbers."""
    both = zip(expectations.calls, ran.executions, strict=True)
    seen = [_outcome_on(exercise, *one) for one in both]
    return diagnoses.suspected(expectations, seen, exercise.tolerance)


def what_it_may_be(exercise: Exercise, known: Expectations, scenes: Sequence[JudgedCase]) -> str:
    """What a run that proves nothing says of the known mistakes that fit."""
    return may_be_known(known, _outcomes(scenes), exercise.tolerance)


def findings_of(
    exercise: Exercise, expectations: Expectations, seen: JudgedCases, named: Diagnosis | None
) -> tuple[Finding, ...]:
    """What is true of the outputs that are off, and of arguments that were changed.

    Beside mistakes that are `named` only what may say it all; () where nothing does.
    """
    values = _values(seen.scenes)
    if named is not None and not search.may_say_it_all(exercise, expectations, values):
        return ()

    def drawn() -> list[tuple[TestCase, Value, Mismatch | None]]:
        scenes = [judge_case(exercise, expectations.parameters, *one, 0) for one in seen.drawn()]
        return _values(scenes)

    def compared() -> list[tuple[TestCase, Value, Mismatch | None]]:
        return aside("on_draws", drawn, [])

    found = search.findings(exercise, expectations, values, compared)
    return (*found, *_also_changed(exercise, seen.scenes))


def _values(scenes: Sequence[JudgedCase]) -> list[tuple[TestCase, Value, Mismatch | None]]:
    return [(scene.case, scene.execution.value, scene.mismatch) for scene in scenes]


def _also_changed(exercise: Exercise, scenes: Sequence[JudgedCase]) -> tuple[Finding, ...]:
    """Arguments changed where the output is off as well: the mismatch tells only the output."""
    changed = {}
    for scene in scenes:
        at = changed_argument(scene.case.arguments, scene.execution.arguments)
        if at is not None and scene.mismatch and scene.mismatch.kind != "arguments_changed":
            changed[scene.case.name] = scene.argument(at)
    if not changed or not exercise.arguments_unchanged:
        return ()
    name = next(iter(changed.values()))
    message = (
        f"The function also changes its argument `{shown(name, 60)}`; it should stay as it was."
    )
    return (Finding("arguments_changed", message, tuple(changed)),)
