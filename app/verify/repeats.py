"""Proof of the test cases: all different, the same in every run, named axes that fit them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from app.expectations import case_calls
from app.expectations.identical import identical
from app.grading.arithmetic import SizeExpressionError, evaluate, names
from app.grading.axes import ELLIPSIS, named_sizes
from app.model import Call, Execution, TestCase, Value, calls_of
from app.verify.proof import Complaint
from app.verify.trial import CASES, REFERENCE, SETTINGS, Trial


def distinct(trial: Trial) -> Iterator[Complaint]:
    """No two of the six tests have the same arguments."""
    for first, second in combinations(trial.expectations.calls, 2):
        if identical(first.arguments, second.arguments):
            message = f"gives the same arguments as {first.name}. Probe something else in it."
            yield trial.complaint(CASES, second.name, message)


def deterministic(trial: Trial) -> Iterator[Complaint]:
    """Cases and reference give the same again, in another child and in another order."""
    exercise = trial.exercise
    by_chance = False
    tests = (*trial.expectations.tests, *trial.expectations.examples)
    again = _made(trial, tests)
    for case, execution in zip(trial.cases, again, strict=True):
        if not identical(execution.value, case.arguments):
            message = (
                "gives other arguments in every run. Draw them from np.random.default_rng(seed)."
            )
            yield trial.complaint(CASES, case.name, message)
            by_chance = True
    if not by_chance:
        yield from _out_of_turn(trial)
    calls = [Call(exercise.entry_point, case.arguments) for case in trial.cases]
    ran = trial.run((exercise.source(REFERENCE),), calls)
    for case, execution in zip(trial.cases, ran.executions, strict=True):
        if not identical(execution.value, case.expected):
            message = f"gives another output for {case.name} in every run. Take the chance out."
            yield trial.complaint(REFERENCE, exercise.entry_point, message)
            return


def _out_of_turn(trial: Trial) -> Iterator[Complaint]:
    """Cases that give something else when they were called before, or in another order."""
    tests = (*trial.expectations.tests, *trial.expectations.examples)
    order = (*reversed(tests), *tests)
    said: set[str] = set()
    for case, execution in zip(calls_of(order), _made(trial, order), strict=True):
        if case.name not in said and not identical(execution.value, case.arguments):
            said.add(case.name)
            message = (
                "gives other arguments when it is called again, or in another order: it counts its"
                " calls, or shares a generator. Make all it needs inside the function."
            )
            yield trial.complaint(CASES, case.name, message)


def _made(trial: Trial, tests: Sequence[TestCase]) -> tuple[Execution, ...]:
    """The arguments of every call of these tests, made once more in this order."""
    several = [case.name for case in trial.expectations.tests if case.more]
    adapter = [case_calls.source(several)] if several else []
    return trial.run((trial.exercise.source(CASES), *adapter), case_calls.calls(tests)).executions


def finite(trial: Trial) -> Iterator[Complaint]:
    """The reference gives nan only where the statement speaks of nan."""
    if "nan" in re.findall(r"[a-z]+", trial.exercise.statement.lower()):
        return
    for case in trial.cases:
        if _holds_nan(case.expected):
            message = (
                f"gives nan in {case.name}, and the statement says nothing of nan. Fix it, or say"
                " in the statement where nan is right."
            )
            yield trial.complaint(REFERENCE, trial.exercise.entry_point, message)
            return


def _holds_nan(value: Value) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind == "f" and bool(np.isnan(value).any())
    if isinstance(value, tuple):
        return any(map(_holds_nan, value))
    return isinstance(value, float) and value != value


# ------------------------------------------------------------------ axes


def axes(trial: Trial) -> Iterator[Complaint]:
    """Every array argument and the output have named axes, as many as their arrays have."""
    known = {p.name for p in trial.expectations.parameters}
    for name in trial.exercise.axes:
        if name not in known | {"return"}:
            message = f"is no argument of {trial.exercise.entry_point}. Take it out or rename it."
            yield trial.complaint(SETTINGS, f"axes.{name}", message)
    said: set[str] = set()
    for case in trial.cases:
        for name, value in _named_values(trial, case):
            problem = _axes_problem(trial.exercise.axes.get(name), value)
            if problem and name not in said:
                said.add(name)
                yield trial.complaint(SETTINGS, f"axes.{name}", f"{problem} in {case.name}.")
    yield from _sizes(trial)


def _named_values(trial: Trial, case: TestCase) -> Iterator[tuple[str, Value]]:
    for parameter, value in zip(trial.expectations.parameters, case.arguments, strict=False):
        yield parameter.name, value
    yield "return", case.expected


def _axes_problem(said: object, value: Value) -> str:
    """What is off about the names of one value's axes; "" where they fit."""
    if isinstance(value, dict):
        entries = said if isinstance(said, dict) else {}
        found = (_axes_problem(entries.get(key), part) for key, part in value.items())
        return next(filter(None, found), "")
    if isinstance(value, tuple):
        parts = (
            said if isinstance(said, tuple) and len(said) == len(value) else (None,) * len(value)
        )
        found = (_axes_problem(part, item) for part, item in zip(parts, value, strict=True))
        return next(filter(None, found), "")
    if not isinstance(value, np.ndarray) or (said is None and value.ndim == 0):
        return ""
    if not isinstance(said, tuple):
        return f"is missing. Name its axes: it is an array of shape {value.shape}"
    fits = value.ndim >= len(said) - 1 if ELLIPSIS in said else value.ndim == len(said)
    return "" if fits else f"names {len(said)} axes; the array has shape {value.shape}"


def _sizes(trial: Trial) -> Iterator[Complaint]:
    """Every expression of [sizes] can be read and uses names we know, and [heads] too."""
    known = _axis_names(trial.exercise.axes) | {p.name for p in trial.expectations.parameters}
    for name, expression in trial.exercise.sizes.items():
        try:
            used = names(expression)
            evaluate(expression, dict.fromkeys(used, 1))
        except SizeExpressionError as error:
            yield trial.complaint(SETTINGS, f"sizes.{name}", f"can't be read: {error}.")
            continue
        unknown = used - known - set(trial.exercise.sizes)
        if unknown:
            message = f"uses {', '.join(sorted(unknown))}, no axis and no argument."
            yield trial.complaint(SETTINGS, f"sizes.{name}", message)
    heads = trial.exercise.heads
    if heads is not None and heads.axis not in known:
        yield trial.complaint(SETTINGS, "heads.axis", f"is {heads.axis}, no axis of [axes].")
    if heads is not None and heads.count not in known:
        yield trial.complaint(SETTINGS, "heads.count", f"is {heads.count}, no argument.")


def _axis_names(axes: object) -> set[str]:
    if isinstance(axes, str):
        return {axes}
    parts = axes.values() if isinstance(axes, dict) else axes if isinstance(axes, tuple) else ()
    return {name for part in parts for name in _axis_names(part)}


def trace(trial: Trial) -> Iterator[Complaint]:
    """In the trace example no two named sizes are equal, and no two arguments are."""
    case = next(c for c in trial.shown if c.name == trial.exercise.trace)
    sizes = named_sizes(trial.exercise, trial.expectations.parameters, case.arguments)
    for (first, size), (second, other) in combinations(sizes.items(), 2):
        if size == other:
            message = (
                f"is {case.name}, where {first} and {second} are both {size}: a trace could not"
                " tell them apart. Name an example in which all sizes differ."
            )
            yield trial.complaint(SETTINGS, "trace", message)
    arrays = [a for a in case.arguments if isinstance(a, np.ndarray) and a.size > 1]
    if any(identical(first, second) for first, second in combinations(arrays, 2)):
        message = f"is {case.name}, where two arguments are equal. Make every argument its own."
        yield trial.complaint(SETTINGS, "trace", message)
