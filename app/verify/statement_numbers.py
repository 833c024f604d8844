"""Proof of the numbers a learner reads: every one with a decimal point is recomputed.

A number is known where an argument, an output or a stage of a visible case prints to it, where it
is a default of the entry point or the tolerance, or where a [[number]] claims and computes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from app.expectations.author_files import ended
from app.expectations.formula import ALLOWED
from app.model import Call, Execution, NumberClaim, Source, Value
from app.verify.lines_in_files import line_with
from app.verify.proof import Complaint
from app.verify.trial import CASES, REFERENCE, SETTINGS, STAGES, STATEMENT, Trial

SHOWN = 200
"""Characters of an expression that a complaint shows."""

_NUMBER = re.compile(r"(?<![\w.])(\d[\d,]*\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)(?![\w]|\.\d)")
_CLAIM = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")


def claims(trial: Trial) -> Iterator[Complaint]:
    """Every [[number]] is printed somewhere, and its expression gives it to the same digits."""
    text = _printed(trial)
    executions = _evaluated(trial)
    for number, (claim, execution) in enumerate(
        zip(trial.exercise.numbers, executions, strict=True), 1
    ):
        message = _off(claim, execution, text)
        if message:
            yield trial.complaint(SETTINGS, f"number[{number}]", message)


def _printed(trial: Trial) -> str:
    exercise = trial.exercise
    parts = [exercise.statement, *(example.text for example in exercise.examples)]
    parts += [hint.body for hint in exercise.hints]
    parts += [f"{q.question} {q.answer} {q.explanation}" for q in exercise.follow_ups]
    return "\n".join(parts)


def _evaluated(trial: Trial) -> list[Execution]:
    """One execution a claim; each runs in a child of its own, so none can break another."""
    exercise = trial.exercise
    files = [REFERENCE, CASES, *([STAGES] if STAGES in exercise.files else [])]
    sources = [exercise.source(file) for file in files]

    def evaluate(claim: NumberClaim) -> Execution:
        text = f"{ALLOWED}def claimed_number():\n    return (\n{claim.value}\n)\n"
        ran = trial.run([*sources, Source("number", text.encode())], [Call("claimed_number", ())])
        return ran.executions[0] if not ran.problems else Execution("not_run")

    return trial.each(evaluate, exercise.numbers)


def _off(claim: NumberClaim, execution: Execution, text: str) -> str:
    value = execution.value
    if isinstance(value, np.ndarray) and value.size == 1 and value.dtype.kind in "iuf":
        value = value.ravel()[0].item()
    asked = repr(claim.value[:SHOWN])
    if execution.ended == "raised" and execution.raised is not None:
        raised = execution.raised
        return f"can't be computed from {asked}: {raised.type}: {raised.message}"
    if execution.ended == "not_run" or isinstance(value, bool):
        return f"can't be computed: {asked} is no expression that gives a number."
    if execution.ended != "returned":
        return f"can't be computed from {asked}: {ended(execution)}."
    number = as_float(value)
    if number is None:
        return f"can't be computed: {asked} gives no single number."
    if not _CLAIM.fullmatch(claim.text):
        return f"claims {claim.text!r}, which is no number."
    shown = printed_as(claim.text, number)
    if plain(shown) != plain(claim.text):
        return f"says {claim.text}, but {asked} gives {shown}. Fix the text."
    printed = re.escape(claim.text.lstrip("-+−"))
    if not re.search(rf"(?<![\d.]){printed}(?!\d)", text):
        return f"claims {claim.text}, which the statement does not print. Take the entry out."
    return ""


def as_float(value: Value) -> float | None:
    """A number as a float; None for what is none, and for a whole number too large for one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def plain(text: str) -> str:
    """A printed number in one spelling: no thousands' commas, ASCII minus, short exponent."""
    text = text.replace(",", "").replace("−", "-").lower()
    if not _CLAIM.fullmatch(text):
        return text
    mantissa, mark, exponent = text.partition("e")
    digits = exponent.lstrip("+-").lstrip("0")
    sign = "-" if digits and exponent.startswith("-") else ""
    return f"{mantissa}e{sign}{digits or '0'}" if mark else mantissa


def printed_as(text: str, value: float) -> str:
    """A value with as many digits after the point, and an exponent or none, as `text` has."""
    mantissa, mark, _ = text.lower().partition("e")
    digits = len(mantissa.partition(".")[2])
    return f"{value:.{digits}{'e' if mark else 'f'}}"


def statement(trial: Trial) -> Iterator[Complaint]:
    """Every number with a decimal point or an exponent in statement and examples is known."""
    known = _Known(trial)
    yield from (
        Complaint(STATEMENT, _unknown(token), "", line)
        for token, line in _tokens(trial.exercise.statement)
        if not known.has(token)
    )
    data = trial.exercise.files[SETTINGS]
    for number, example in enumerate(trial.exercise.examples, 1):
        for token, _ in _tokens(example.text):
            if not known.has(token):
                line = line_with(data, token)
                yield Complaint(SETTINGS, _unknown(token), f"example[{number}].text", line)


def _unknown(token: str) -> str:
    return (
        f"{token} is no value of a visible case, no default and no tolerance. Fix it, or compute"
        f' it in {SETTINGS}: [[number]] with text = "{token}" and a value.'
    )


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(text.splitlines(), 1):
        for token in _NUMBER.findall(line):
            yield token, number


class _Known:
    """Numbers with a source, compared as they are printed and without their signs."""

    def __init__(self, trial: Trial) -> None:
        exercise, expectations = trial.exercise, trial.expectations
        self._claims = {plain(claim.text).lstrip("-+") for claim in exercise.numbers}
        self._exact = {exercise.tolerance.rtol, exercise.tolerance.atol}
        for parameter in expectations.parameters:
            self._exact |= {float(t) for t in _NUMBER.findall(parameter.default or "")}
        found: list[float] = []
        for case in trial.shown:
            found += [*_leaves(case.arguments), *_leaves(case.expected)]
        for stages in expectations.stages.values():
            found += [v for _, layouts in stages for v in _leaves(layouts[0])]
        numbers = np.abs(np.array(found, np.float64))
        self._values = np.unique(numbers[np.isfinite(numbers)])

    def has(self, token: str) -> bool:
        """Whether the number printed as `token` comes from somewhere."""
        wanted = plain(token)
        if wanted in self._claims or float(wanted) in self._exact:
            return True
        near = self._near(wanted)
        return any(plain(printed_as(token, float(value))) == wanted for value in near)

    def _near(self, wanted: str) -> npt.NDArray[np.float64]:
        """The values that may be printed so: none is off by more than half of the last digit."""
        number = float(wanted)
        mantissa, mark, _ = wanted.partition("e")
        room = 10.0 ** -len(mantissa.partition(".")[2]) * (max(number, 1e-300) if mark else 1.0)
        first, last = np.searchsorted(self._values, (number - room, number + room))
        return self._values[first : last + 1]


def _leaves(value: Value) -> Iterator[float]:
    if isinstance(value, np.ndarray):
        yield from (float(number) for number in value.ravel())
    elif isinstance(value, tuple):
        for part in value:
            yield from _leaves(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    elif (number := as_float(value)) is not None:
        yield number
