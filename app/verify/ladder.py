"""Proof of what comes before and after a solution: hints, follow-up questions, stages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.expectations import formula
from app.expectations.author_files import ended
from app.grading.checker import check
from app.model import Array, FollowUp, Lane, TestCase, Value
from app.verify.lines_in_files import line_of
from app.verify.proof import Complaint
from app.verify.trial import HINTS, REFERENCE, SETTINGS, STAGES, Trial

LEAST_CODE = 10
_NOT_CODE = re.compile(r"\s*(?:#|def |class |import |from |@|\"\"\"|''')")
_TARGET = re.compile(r"^(?:return|[A-Za-z_][\w,]*(?:\[[^\]]*\])?(?:\+|-|\*|/|@)?=(?!=))")
_WORKS = re.compile(r"[-+*/@<>\[(]")


def hints(trial: Trial) -> Iterator[Complaint]:
    """No hint before the last two, nor the first, holds a line of the reference that works."""
    lines = solution_lines(trial.exercise.files[REFERENCE])
    for hint in trial.exercise.hints[: max(1, len(trial.exercise.hints) - 2)]:
        said = _squeezed(hint.body).replace("`", "")
        for number, code in lines:
            if code in said:
                message = (
                    f"hint {hint.number} holds line {number} of {REFERENCE}. Say it in words there"
                    " and keep the line for the last two hints."
                )
                line = line_of(trial.exercise.files[HINTS], HINTS, hint.title)
                yield Complaint(HINTS, message, hint.title, line)
                break


def solution_lines(reference: bytes) -> list[tuple[int, str]]:
    """Line number and squeezed text of the lines that compute something, without their target."""
    found = []
    for number, line in enumerate(reference.decode("utf-8", "replace").splitlines(), 1):
        if _NOT_CODE.match(line):
            continue
        code = _TARGET.sub("", _squeezed(line.partition("#")[0]))
        if len(code) >= LEAST_CODE and _WORKS.search(code):
            found.append((number, code))
    return found


def _squeezed(text: str) -> str:
    return "".join(text.split())


# ------------------------------------------------------------------ follow-up questions


def follow_ups(trial: Trial) -> Iterator[Complaint]:
    """Every formula is one of its variables and gives numbers, evaluated in the jail."""
    for number, question in enumerate(trial.exercise.follow_ups, 1):
        if question.kind == "formula":
            message = _formula_off(trial, question)
            if message:
                yield trial.complaint(SETTINGS, f"follow_up[{number}].answer", message)


def _formula_off(trial: Trial, question: FollowUp) -> str:
    if not question.variables:
        return 'has no variables. Name them: variables = ["n"].'
    points = [
        tuple(2 * (7 * p + v + 1) for v in range(len(question.variables)))
        for p in range(formula.POINTS)
    ]
    ran = trial.sandbox.run(formula.order(question.answer, question.variables, points, Lane.AUTHOR))
    if ran.problems:
        return f"is no formula of {', '.join(question.variables)}: {ran.problems[0].message}"
    for execution in ran.executions:
        if execution.raised is not None and execution.ended == "raised":
            return f"can't be computed: {execution.raised.type}: {execution.raised.message}"
        if execution.ended != "returned":
            return f"can't be computed: {ended(execution)}."
    found = formula.numbers(ran)
    if found is None and all(type(e.value) in (int, float) for e in ran.executions):
        return "gives a number too large to compare. Use smaller factors."
    if found is None:
        return "gives no number. Write plain arithmetic."
    return "" if formula.finite(found) else "gives a number that is not finite."


# ------------------------------------------------------------------ stages


def stages(trial: Trial) -> Iterator[Complaint]:
    """On every visible case the stages end in what the reference returns."""
    if STAGES not in trial.exercise.files:
        return
    for case in trial.shown:
        found = trial.expectations.stages.get(case.name, ())
        parts = case.expected if isinstance(case.expected, tuple) else (case.expected,)
        missing = [n for n, part in enumerate(parts, 1) if not _reached(trial, part, found)]
        if not found:
            message = f"{case.name}: gives no stage. Return a dict of arrays in order."
        elif missing and len(parts) > 1:
            message = f"{case.name}: no stage is part {missing[0]} of the output. Add it."
        elif missing or not _is_last(trial, case, found):
            message = (
                f"{case.name}: the last stage, {found[-1][0]!r}, is not what {REFERENCE} returns."
                " Make the output the last one."
            )
        else:
            continue
        yield trial.complaint(STAGES, "stages", message)
        return


_Stages = tuple[tuple[str, tuple[Array, ...]], ...]


def _reached(trial: Trial, part: Value, found: _Stages) -> bool:
    tolerance = trial.exercise.tolerance
    return any(check(x, part, tolerance) is None for _, layouts in found for x in layouts)


def _is_last(trial: Trial, case: TestCase, found: _Stages) -> bool:
    parts = case.expected if isinstance(case.expected, tuple) else (case.expected,)
    return any(_reached(trial, part, found[-1:]) for part in parts)
