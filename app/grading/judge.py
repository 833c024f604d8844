"""The grader: what came back from the jail becomes a report. Pure: no process, no clock, no file.

`order` says what is to be run; the `judge` functions compare on the trusted side, name the mistake
and word it. Expected outputs stay here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from app.grading import hidden
from app.grading.aside import aside
from app.grading.explain import suspects_of
from app.grading.judgement import report_of, unjudged
from app.grading.sentences import ending, headline
from app.model import (
    Call,
    Execution,
    Exercise,
    Expectations,
    Lane,
    Order,
    Ran,
    Report,
    Source,
    SubmissionId,
    TestCase,
    Value,
    Verdict,
)

FILE = "solution.py"
CUSTOM = "custom"
RIGHT = "Equal to the reference on this input."


def order(
    exercise: Exercise,
    expectations: Expectations,
    source: bytes,
    cases: Sequence[TestCase],
    lane: Lane,
) -> Order:
    """The entry point of a source on the arguments of these cases, in one child."""
    return Order(
        sources=(Source(FILE, source),),
        calls=tuple(
            Call(exercise.entry_point, call.arguments, goes_on=at > 0)
            for case in cases
            for at, call in enumerate(case.calls)
        ),
        limits=exercise.limits,
        lane=lane,
    )


def judge(
    exercise: Exercise,
    expectations: Expectations,
    ran: Ran,
    *,
    source: bytes,
    submission: SubmissionId | None,
    drawn: Callable[[], Sequence[Execution]] = tuple,
) -> Report:
    """The report of a submission: its six tests, and the diagnosis.

    `drawn` gives what the code gave on the confirming draws, () where it was not run on them. It
    is asked only where something is about to be said that they have to confirm.
    """
    cases = expectations.tests
    report = report_of(exercise, expectations, ran, cases, source, is_run=False, drawn=drawn)
    return replace(report, submission=submission)


def suspected(
    exercise: Exercise, expectations: Expectations, ran: Ran, report: Report
) -> tuple[tuple[int, ...], ...]:
    """Sets of three mistakes that may explain a wrong answer which nothing smaller explains.

    They are numbers of misconceptions, to be proved in the jail. () for nearly every submission.
    """
    if expectations.triples is None or report.diagnosis is not None or report.error_id:
        return ()
    if report.verdict is not Verdict.WRONG_ANSWER or len(ran.executions) != len(expectations.calls):
        return ()
    return aside("suspects", lambda: suspects_of(exercise, expectations, ran), ())


def judge_run(
    exercise: Exercise,
    expectations: Expectations,
    ran: Ran,
    cases: Sequence[TestCase],
    *,
    source: bytes,
    wanted: str | None = None,
) -> Report:
    """The report of a run on visible cases and examples; it speaks of the one `wanted`, if any."""
    return report_of(exercise, expectations, ran, tuple(cases), source, is_run=True, wanted=wanted)


def judge_custom(
    exercise: Exercise,
    expectations: Expectations,
    arguments: tuple[Value, ...],
    ran: Ran,
    reference_ran: Ran,
    *,
    source: bytes,
) -> Report:
    """The report of a run on a learner's own arguments, against the reference on the same ones.

    Where the reference gives no value the input is not legal and there is nothing to compare with:
    the one test is `not_run` and says how the reference ended, however the learner's code did.
    """
    theirs = reference_ran.executions[0] if reference_ran.executions else reference_ran.loading
    purpose = "Your own input, run through yours and the reference."
    case = TestCase(CUSTOM, purpose, True, arguments, theirs.value)
    report = report_of(exercise, expectations, ran, (case,), source, is_run=True)
    if theirs.ended == "returned":
        right = report.verdict is Verdict.ACCEPTED
        return replace(report, message=RIGHT, help="") if right else report
    theirs = hidden.reduced(theirs, hidden.largest(arguments))
    told = ending.sentence(theirs, exercise.limits, False, "It")
    words = (
        "This input is outside what the exercise allows: the reference has no result for it. "
        f"{told}"
    )
    test = replace(report.tests[0], verdict=Verdict.NOT_RUN, message=words, help="", mismatch=None)
    return replace(
        report,
        verdict=Verdict.NOT_RUN,
        message=words,
        help="",
        tests=(test,),
        findings=(),
        passed=0,
    )


def fault(
    exercise: Exercise,
    expectations: Expectations | None,
    error_id: str | None,
    submission: SubmissionId | None,
) -> Report:
    """The report of our own fault, or without an id of the exercise's author's: `grader_error`.

    Neither is ever counted against a learner.
    """
    words = headline.our_fault() if error_id else headline.being_repaired()
    tests = () if expectations is None else expectations.tests
    return Report(
        exercise=exercise.slug,
        digest=exercise.digest,
        verdict=Verdict.GRADER_ERROR,
        passed=0,
        total=len(tests),
        message=words.message,
        help=words.help,
        tests=tuple(unjudged(case, "Not judged.") for case in tests),
        submission=submission,
        error_id=error_id,
    )
