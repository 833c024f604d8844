"""What a learner may see of a report while an assignment runs: the one place that takes things out.

    full     everything
    visible  hidden tests: whether each passes, no values, no diagnosis
    count    hidden tests: only how many pass
    none     hidden tests: nothing

Problems of syntax and policy, and our own faults, are always shown whole: no test was run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from app.classroom.grades import revealed_at
from app.classroom.policy import Terms, percent
from app.model import Verdict
from app.model.classes import NO_ATTEMPT, Assignment, Feedback
from app.records import Attempt, Json, Progress

NOT_SHOWN = Verdict.NOT_SHOWN.value
"""Stands for a verdict that a learner may not know yet."""

KEPT = frozenset(
    {"format", "exercise", "digest", "submission", "problems", "normalised", "load_stdout"}
)
"""Keys of a report that tell nothing of a hidden test; any other, a new one too, is emptied."""

BESIDE_THE_CODE = frozenset({"trace", "probe", "cpu_ms", "wall_ms", "peak_memory_bytes"})

STRICTNESS: tuple[Feedback, ...] = ("full", "visible", "count", "none")
KEPT_UNTIL = "Your try is kept. Results are shown after the assignment."


@dataclass(frozen=True)
class Rules:
    """What holds for a learner and an exercise now; the default is that of no class at all.

    `solution` is false while the reference stays shut even for who passed. `reserved` says that
    the exercise is only there for its class; `enrolled` that the learner is in a class at all.
    """

    feedback: Feedback = "full"
    solution: bool = True
    hint_share: int = 0
    reserved: bool = False
    enrolled: bool = False

    @property
    def helps(self) -> bool:
        """Whether hints, stages, probe, own input and follow-up questions are there."""
        return self.feedback in ("full", "visible")

    @property
    def hint_cost(self) -> str:
        """What each hint costs, "5 %"; "" where hints are free."""
        return percent(self.hint_share) if self.hint_share else ""

    @property
    def tells_hidden(self) -> bool:
        """Whether more is told of hidden tests than whether they pass, small inputs included."""
        return self.feedback == "full"


FREE = Rules()


def rules_for(given: Iterable[tuple[Assignment, Terms]], now: datetime) -> Rules:
    """The strictest rules of the assignments a learner has on one exercise.

    An assignment rules from its opening until its reveal, for a learner with an extension at least
    until their own closing; and while a try still counts, which is a minute longer.
    """
    feedback, solution, cost, reserved = 0, True, 0, False
    for assignment, held in given:
        policy = assignment.policy
        reserved = reserved or policy.reserved
        if now < held.opens_at:
            continue
        if now < revealed_at(policy) or held.open_at(now):
            feedback = max(feedback, STRICTNESS.index(policy.feedback))
        if held.open_at(now):
            solution = solution and policy.solution != "after"
            cost = max(cost, policy.hint_share)
    rule = STRICTNESS[feedback]
    shut = rule in ("count", "none")
    return Rules(rule, solution and not shut, cost, reserved, enrolled=True)


def shown(report: Json, rules: Rules) -> Json:
    """The report as the learner may see it; the one that was given is left alone."""
    if rules.feedback == "full" or report.get("verdict") in NO_ATTEMPT:
        return report
    tests = [_test(test, rules.feedback) for test in _tests(report)]
    kept = KEPT | BESIDE_THE_CODE if rules.helps else KEPT
    told = {key: value if key in kept else _nothing(value) for key, value in report.items()}
    if not rules.helps:
        told["peak_memory_bytes"] = 0
    return {**told, "tests": tests, **_sums(report, tests, rules.feedback)}


def _tests(report: Json) -> list[Mapping[str, object]]:
    return cast("list[Mapping[str, object]]", report.get("tests") or [])


def _test(test: Mapping[str, object], feedback: Feedback) -> Json:
    if test.get("visible"):
        return test
    kept = {"name", "purpose", "visible"}
    empty = {key: _nothing(value) for key, value in test.items() if key not in kept}
    verdict = test.get("verdict") if feedback == "visible" else NOT_SHOWN
    return {**test, **empty, "verdict": verdict}


def _nothing(value: object) -> object:
    """An empty value of the same kind, so that readers of the format need know no rule."""
    if isinstance(value, str | list | float):
        return type(value)()
    return None


def _sums(report: Json, tests: list[Json], feedback: Feedback) -> dict[str, object]:
    passed, total = cast(int, report["passed"]), cast(int, report["total"])
    if feedback == "visible":
        message = _counted(passed, total)
        return {"verdict": report["verdict"], "passed": passed, "total": total, "message": message}
    open_ones = [test for test in tests if test.get("visible")]
    off = [test["verdict"] for test in open_ones if test["verdict"] != "accepted"]
    if feedback == "count":
        whole = "accepted" if passed == total else (off[0] if off else NOT_SHOWN)
        message = _counted(passed, total)
        return {"verdict": whole, "passed": passed, "total": total, "message": message}
    return {
        "verdict": off[0] if off else NOT_SHOWN,
        "passed": len(open_ones) - len(off),
        "total": len(open_ones),
        "message": KEPT_UNTIL,
    }


def _counted(passed: int, total: int) -> str:
    if passed == total:
        return f"All {total} tests pass."
    return f"{passed} of {total} tests pass." if passed else f"None of the {total} tests passes."


def shown_attempt(attempt: Attempt, rules: Rules) -> Attempt:
    """A line of a history as the learner may see it."""
    attempt = attempt if rules.tells_hidden else replace(attempt, mistakes=())
    if rules.helps or attempt.verdict is None or attempt.verdict in NO_ATTEMPT:
        return attempt
    if rules.feedback == "count":
        passed = attempt.verdict == "accepted"
        return attempt if passed else replace(attempt, verdict=NOT_SHOWN, mask=None)
    return replace(attempt, verdict=NOT_SHOWN, passed=0, total=0, mask=None)


def shown_progress(row: Progress, rules: Rules) -> Progress:
    """What somebody did with an exercise, as they may see it."""
    if rules.helps or row.state not in ("tried", "passed"):
        return row
    if rules.feedback == "count":
        passed = row.last_verdict == "accepted"
        return row if passed else replace(row, last_verdict=NOT_SHOWN, last_mask=None)
    return replace(
        row,
        state="tried",
        first_passed_at=None,
        last_verdict=NOT_SHOWN,
        last_passed=0,
        last_mask=None,
        last_total=0,
    )
