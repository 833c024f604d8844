"""Proof by whole programs: the reference and its alternatives pass, the starter does not."""

from __future__ import annotations

from collections.abc import Iterator

from app.model import Report, Verdict
from app.verify.proof import Complaint
from app.verify.trial import REFERENCE, STARTER, Trial

ROOM = 4
"""Learners may be this many times slower than the reference within the exercise's limits."""


def reference(trial: Trial) -> Iterator[Complaint]:
    """The reference is accepted under a learner's limits, with room to spare."""
    report = trial.submit(trial.exercise.files[REFERENCE])
    if report.verdict is not Verdict.ACCEPTED:
        message = f"is not accepted as a submission: {_why(report)} Fix it, or raise [limits]."
        yield trial.complaint(REFERENCE, trial.exercise.entry_point, message)
        return
    limits = trial.exercise.limits
    slowest = max(report.tests, key=lambda test: test.cpu_ms)
    total_s = sum(test.cpu_ms for test in report.tests) / 1e3
    if slowest.cpu_ms / 1e3 > limits.cpu_s / ROOM or total_s > limits.budget_cpu_s / ROOM:
        message = (
            f"{slowest.name} takes {slowest.cpu_ms / 1e3:.2f} s and all six {total_s:.2f} s; a"
            f" learner's loop may take {ROOM} times as long and would run into the limits. Make"
            " the arrays smaller, or raise [limits]."
        )
        yield trial.complaint(REFERENCE, trial.exercise.entry_point, message)


def starter(trial: Trial) -> Iterator[Complaint]:
    """The starter loads, has the reference's signature, and is not accepted as it is."""
    entry_point = trial.exercise.entry_point
    source = trial.exercise.source(STARTER)
    functions, problems = trial.sandbox.describe(source)
    for problem in problems:
        yield Complaint(STARTER, f"{problem.message} {problem.instead}".strip(), "", problem.line)
    if problems:
        return
    own = next((f for f in functions if f.name == entry_point), None)
    if own is None:
        message = f"is not there; the editor must open with a function {entry_point}."
        yield trial.complaint(STARTER, entry_point, message)
        return
    if own.parameters != trial.expectations.parameters:
        names = ", ".join(p.name for p in trial.expectations.parameters)
        message = (
            f"has another signature than in {REFERENCE}; name its parameters {names}, with the"
            " same defaults."
        )
        yield trial.complaint(STARTER, entry_point, message)
    if trial.submit(source.text).verdict is Verdict.ACCEPTED:
        yield trial.complaint(STARTER, entry_point, "is accepted as it is. Take the solution out.")


def accepted(trial: Trial) -> Iterator[Complaint]:
    """Every file of accepted/ passes, and nothing is diagnosed."""
    paths = trial.exercise.python_files("accepted")
    reports = trial.each(lambda path: trial.submit(trial.exercise.files[path]), paths)
    for path, report in zip(paths, reports, strict=True):
        if report.verdict is not Verdict.ACCEPTED:
            message = (
                f"is not accepted: {_why(report)} If it is right, fix {REFERENCE} or the "
                f"tolerance; if not, move it to mistakes/."
            )
            yield Complaint(path, message, "", _line(report))


def _why(report: Report) -> str:
    """The headline of a report, with the case it speaks of."""
    if report.problems:
        problem = report.problems[0]
        return f"{problem.message} {problem.instead}".strip()
    off = next((test for test in report.tests if test.verdict is report.verdict), None)
    if off is None or not off.message:
        return report.message
    return f"{off.name}: {off.message}"


def _line(report: Report) -> int | None:
    if report.problems:
        return report.problems[0].line
    return next((test.line for test in report.tests if test.line is not None), None)
