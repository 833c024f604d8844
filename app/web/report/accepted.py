"""What an accepted report says beyond "right": how near the numbers are, what was met before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from app.grading.aside import aside
from app.model import LearnerId, Report, Slug
from app.records import Attempt, Json, Submission
from app.report import from_json
from app.service import Service
from app.web.report.numbers import array_of

_MOST = 12
"""Earlier submissions that are looked through, the newest first."""


@dataclass(frozen=True)
class MetMistake:
    """A known mistake on the way to an accepted submission: its title, and in which try it was."""

    title: str
    ordinal: int


@dataclass(frozen=True)
class TimedSolution:
    """A right way and its milliseconds of CPU in the six calls; `is_own` for the learner's."""

    title: str
    cpu_ms: float
    is_own: bool = False


def largest_error(report: Report) -> float | None:
    """The largest difference from the expected output on visible tests; None without numbers."""
    errors = []
    for test in report.tests:
        for want, have in zip(_parts(test.expected), _parts(test.got), strict=False):
            expected, got = array_of(want), array_of(have)
            if expected is None or got is None or expected.shape != got.shape or not got.size:
                continue
            with np.errstate(all="ignore"):
                apart = np.abs(got.astype(np.float64) - expected.astype(np.float64))
            finite = apart[np.isfinite(apart)]
            errors.append(float(finite.max()) if finite.size else 0.0)
    return max(errors, default=None)


def _parts(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def mistakes_met(
    service: Service, history: Sequence[Attempt], accepted: Submission
) -> tuple[MetMistake, ...]:
    """The known mistakes of the tries before this one, each once, the earliest first."""
    return aside("mistakes_met", lambda: _met(service, history, accepted), ())


def timed_solutions(
    service: Service, report: Json, learner: LearnerId, wait_s: float = 0.0
) -> tuple[TimedSolution, ...]:
    """What one's own code and the other right ways took on the six tests, the quickest first.

    None where the learner's class keeps the solution shut, or before they were measured.
    """
    slug = Slug(str(report["exercise"]))
    if not service.rules(learner, slug).solution:
        return ()
    return aside("timed_solutions", lambda: _timed(service, slug, report, wait_s), ())


def _timed(service: Service, slug: Slug, report: Json, wait_s: float) -> tuple[TimedSolution, ...]:
    measured = service.timings.get(slug, wait_s)
    if not measured:
        return ()
    tests = cast("list[Json]", report["tests"])
    taken = sum(float(str(test["cpu_ms"])) for test in tests)
    own = TimedSolution("Yours", taken, is_own=True)
    ways = [TimedSolution(solution_title(way.file), way.cpu_ms) for way in measured]
    return tuple(sorted((own, *ways), key=lambda way: way.cpu_ms))


def solution_title(file: str) -> str:
    """What a right way is called: "Einsum" for einsum.py; "" is the reference."""
    words = file.removesuffix(".py").replace("_", " ")
    return words[:1].upper() + words[1:] or "Reference solution"


def _met(
    service: Service, history: Sequence[Attempt], accepted: Submission
) -> tuple[MetMistake, ...]:
    oldest_first = list(reversed(history))
    at = next((n for n, one in enumerate(oldest_first) if one.id == accepted.id), 0)
    found: dict[str, MetMistake] = {}
    for ordinal, attempt in list(enumerate(oldest_first[:at], 1))[-_MOST:]:
        if attempt.verdict in (None, "accepted", "grader_error"):
            continue
        for title in _titles(service, attempt, accepted.learner):
            found.setdefault(title, MetMistake(title, ordinal))
    return tuple(found.values())


def _titles(service: Service, attempt: Attempt, learner: LearnerId) -> tuple[str, ...]:
    report = service.submissions.get(attempt.id, learner).report
    diagnosis = None if report is None else from_json(report).diagnosis
    if diagnosis is None:
        return ()
    return tuple(one.title for one in diagnosis.mistakes) or (diagnosis.title,)
