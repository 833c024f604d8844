"""Proof of the mistakes: each is caught, and diagnosed as itself, by the grader learners meet.

One that gives too few finite numbers to be told by (nan, an exception, a type) is caught without a
name: what is certain of it is said instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.grading.diagnosis import fitting, proves
from app.model import Misconception, Verdict
from app.verify import draws
from app.verify.proof import Complaint, Kill, letter
from app.verify.trial import CASES, REFERENCE, Trial

_LIMITS = (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT, Verdict.SANDBOX_KILLED)


def kills(trial: Trial) -> tuple[Kill, ...]:
    """The kill table: every mistake run and judged as a submission, in a child of its own."""
    return tuple(trial.each(lambda one: _kill(trial, one), trial.expectations.misconceptions))


def _kill(trial: Trial, one: Misconception) -> Kill:
    report = trial.submit_mistake(one)
    letters = tuple(letter(test) for test in report.tests)
    outcomes = trial.expectations.outcomes.get(one.slug, ())
    provable = proves(trial.expectations.calls, outcomes, trial.exercise.tolerance)
    return Kill(one, letters, report, _note(trial, one), provable)


def _closing(trial: Trial, kill: Kill) -> str:
    """The smallest draw that a mistake fails, where it passes all six tests."""
    one = kill.misconception
    sources = trial.exercise.source(REFERENCE), trial.exercise.source(file_of(one))
    draw = draws.first_off(trial, sources, function_of(one))
    return "" if draw is None else f" {draws.hole(trial, (), draw)}"


def _note(trial: Trial, one: Misconception) -> str:
    group = [m.slug for m in trial.expectations.misconceptions if m.same == one.same]
    others = ", ".join(slug for slug in group if slug != one.slug)
    return f"same as {others}, declared" if others else ""


def file_of(one: Misconception) -> str:
    """The file a misconception is written in."""
    return f"mistakes/{one.area}.py"


def function_of(one: Misconception) -> str:
    """The name of its function."""
    return one.slug.replace("-", "_")


def complaints(trial: Trial, table: tuple[Kill, ...]) -> Iterator[Complaint]:
    """What is off about the mistakes, one complaint each at most."""
    if not table:
        message = "There is no mistake, so the cases prove nothing. Add the most likely one."
        yield Complaint("mistakes/", message)
    known = {m.slug: m for m in trial.expectations.misconceptions}
    for left in trial.expectations.left_out:
        one = known[left.slug]
        told = trial.complaint(file_of(one), function_of(one), left.reason)
        yield told if left.line is None else replace(told, line=left.line)
    said: dict[tuple[str, str], Misconception] = {}
    for kill in table:
        one = kill.misconception
        twin = said.setdefault((one.title, one.message), one)
        message = _off(trial, kill) or _twin(one, twin)
        if message:
            yield trial.complaint(file_of(one), function_of(one), message)


def _twin(one: Misconception, twin: Misconception) -> str:
    """What is off about a mistake that is told in the words of another one before it."""
    if one is twin:
        return ""
    return (
        f"is told in the same words as {twin.slug}, so nobody could tell the two apart. Say what is"
        " different about it, or remove one of them."
    )


def _off(trial: Trial, kill: Kill) -> str:
    if not kill.caught:
        return (
            f"passes all six cases, so no learner would ever hear of it. Add a case to {CASES}"
            f" that it fails.{_closing(trial, kill)}"
        )
    outcomes = trial.expectations.outcomes[kill.misconception.slug]
    limited = [t.name for t in kill.report.tests if t.verdict in _LIMITS]
    if limited:
        return f"runs into a limit in {limited[0]}, so it can't be recognised. Make it end there."
    if not kill.provable:
        return ""
    fits = fitting(trial.expectations, outcomes, trial.exercise.tolerance)
    others = [m.slug for m in fits if m.same != kill.misconception.same]
    if others:
        return (
            f"gives the same as {', '.join(others)} in all six cases. Add a case that tells them"
            f' apart, or write "Same as: {others[0]}" under its hint.'
        )
    if kill.misconception.same not in {m.slug for m in fits}:
        return (
            f"is declared the same as {kill.misconception.same}, which gives something else. Take"
            ' the "Same as" line out.'
        )
    if not kill.named:
        return (
            "is not diagnosed as itself: it gives something else in every run. Remove its"
            " randomness."
        )
    return ""
