"""The steps from what came back to a report: problems, loading, missing function, then the cases.

Each step that explains everything ends the way; only code that ran is compared and diagnosed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from app.grading import rules
from app.grading.aside import aside
from app.grading.calls import judged_calls, one_a_test, results
from app.grading.decide import verdict_of
from app.grading.endless import at_line, endless_loop, still_running
from app.grading.explain import JudgedCases, findings_of, known_mistake, on_draws, what_it_may_be
from app.grading.lost_function import lost_function
from app.grading.sentences import headline
from app.grading.sentences.headline import Words
from app.grading.sentences.judged_case import JudgedCase, as_shown
from app.grading.sentences.phrases import MESSAGE_CHARACTERS, shown
from app.grading.subject import subject_of
from app.grading.visible import known_on
from app.model import (
    Cause,
    Diagnosis,
    Execution,
    Exercise,
    Expectations,
    Finding,
    Problem,
    Ran,
    Report,
    TestCase,
    TestResult,
    Verdict,
    worst,
)

SAYS_IT_ALL = frozenset({"argument"})
"""Findings so plain that no two mistakes together explain the output better."""

NOT_RUN = "Not run: the code has to load first."


def report_of(
    exercise: Exercise,
    expectations: Expectations,
    ran: Ran,
    cases: tuple[TestCase, ...],
    source: bytes,
    *,
    is_run: bool,
    wanted: str | None = None,
    drawn: Callable[[], Sequence[Execution]] = tuple,
) -> Report:
    """The report of these cases, of which it speaks of the one that is `wanted` if that is off.

    Raises ValueError where the sandbox gave another number of executions than there are calls.
    """
    about = _about(exercise, ran, cases)
    if ran.problems:
        return _with_problems(about, ran.problems, source)
    if ran.loading.ended != "returned":
        words = headline.loading(ran.loading, exercise)
        verdict = verdict_of(ran.loading, True)
        return _said(replace(about, verdict=verdict), words, None)
    if _is_missing(ran):
        return _missing(exercise, expectations, about, ran, source)
    scenes = judged_calls(exercise, expectations, cases, ran.executions)
    seen = JudgedCases(scenes, on_draws(expectations, drawn))
    return _compared(exercise, expectations, ran, about, seen, source, is_run, wanted)


def _compared(
    exercise: Exercise,
    expectations: Expectations,
    ran: Ran,
    about: Report,
    seen: JudgedCases,
    source: bytes,
    is_run: bool,
    wanted: str | None,
) -> Report:
    scenes = seen.scenes
    shown = tuple(map(as_shown, scenes))
    subject = subject_of(one_a_test(shown), wanted)
    tests = results(shown)
    verdict = worst(tuple(test.verdict for test in tests))
    report = replace(
        about,
        tests=tests,
        verdict=verdict,
        passed=sum(test.verdict is Verdict.ACCEPTED for test in tests),
    )
    if verdict is Verdict.ACCEPTED or subject is None:
        return _said(report, headline.accepted(len(tests), is_run), None)
    rule = aside("rules", lambda: _by_rule(exercise, expectations, ran, scenes, source), None)
    known = known_on(expectations, [scene.case for scene in scenes])
    diagnosis = rule
    off = sum(test.verdict not in (Verdict.ACCEPTED, Verdict.NOT_RUN) for test in tests)
    if rule is None and known is not None and (off > 1 or not is_run):
        diagnosis = aside("diagnosis", lambda: known_mistake(exercise, known, seen, is_run), None)
    findings: tuple[Finding, ...] = ()
    if diagnosis is None or _is_set(diagnosis):
        named = diagnosis
        findings = aside("findings", lambda: findings_of(exercise, expectations, seen, named), ())
    diagnosis, findings = _plainer(diagnosis, findings)

    def write() -> Words:
        by_rule = rule is not None
        return headline.headline_of(subject, diagnosis, findings, by_rule=by_rule)

    words = aside("words", write, Words(f"{report.passed} of {report.total} tests passed."))
    if is_run and diagnosis is None and known is not None:
        more = aside("fits", lambda: what_it_may_be(exercise, known, scenes), "")
        words = headline.with_more(words, more)
    report = replace(report, findings=findings, subject=subject.case.name)
    return _in_time(_said(report, words, diagnosis), exercise, subject, source)


def _in_time(report: Report, exercise: Exercise, subject: JudgedCase, source: bytes) -> Report:
    """The report with the line of a loop that cannot end, where its subject took too long."""
    if subject.verdict is not Verdict.TIME_LIMIT or report.diagnosis is not None:
        return report
    loop = aside("endless", lambda: endless_loop(source), None)
    if loop is None:
        return report
    limits = exercise.limits
    tests = tuple(at_line(test, loop, limits) for test in report.tests)
    return replace(report, tests=tests, message=still_running(loop, limits), help=loop.why())


def _plainer(
    diagnosis: Diagnosis | None, findings: tuple[Finding, ...]
) -> tuple[Diagnosis | None, tuple[Finding, ...]]:
    """A finding that says it all goes before a set of mistakes; else a diagnosis goes alone."""
    if diagnosis is None or any(finding.kind in SAYS_IT_ALL for finding in findings):
        return None, findings
    return diagnosis, ()


def _is_set(diagnosis: Diagnosis) -> bool:
    """Whether several known mistakes are named, or one certain part of several."""
    return len(diagnosis.mistakes) > 1 or not diagnosis.complete


def _by_rule(
    exercise: Exercise,
    expectations: Expectations,
    ran: Ran,
    scenes: Sequence[JudgedCase],
    source: bytes,
) -> Diagnosis | None:
    """Misconceptions seen in the source or in the call itself."""
    starter = rules.starter_unchanged(exercise, source)
    if starter is not None:
        return starter
    own = next((f for f in ran.functions if f.name == exercise.entry_point), None)
    n_arguments = len(scenes[0].case.arguments)
    if own is None or rules.accepts(own.parameters, n_arguments):
        return None
    refused = all(
        scene.execution.raised is not None
        and scene.execution.raised.type == "TypeError"
        and not scene.execution.raised.frames
        for scene in scenes
    )
    if not refused:
        return None
    return rules.wrong_parameters(exercise, own.parameters, expectations.parameters)


def _with_problems(about: Report, problems: Sequence[Problem], source: bytes) -> Report:
    shown_problems = tuple(
        replace(
            problem,
            message=shown(problem.message, MESSAGE_CHARACTERS),
            instead=shown(problem.instead, MESSAGE_CHARACTERS),
        )
        for problem in problems
    )
    is_syntax = any(problem.kind == "syntax" for problem in problems)
    verdict = Verdict.SYNTAX_ERROR if is_syntax else Verdict.POLICY_ERROR
    diagnosis = rules.mixed_tabs(source, problems)
    words = headline.problems(shown_problems, diagnosis)
    return _said(replace(about, verdict=verdict, problems=shown_problems), words, diagnosis)


def _is_missing(ran: Ran) -> bool:
    """Whether no call found a function of the entry point's name."""
    return bool(ran.executions) and all(
        execution.ended == "not_run" and execution.cause is Cause.NO_FUNCTION
        for execution in ran.executions
    )


def _missing(
    exercise: Exercise, expectations: Expectations, about: Report, ran: Ran, source: bytes
) -> Report:
    about = replace(about, verdict=Verdict.POLICY_ERROR)
    lost = lost_function(exercise.entry_point, source)
    if lost is not None:
        return _said(about, Words(*lost), None)
    n_arguments = len(expectations.parameters)
    near = rules.near_name(exercise.entry_point, ran.functions, n_arguments)
    diagnosis = rules.wrong_name(exercise, near) if near is not None else None
    words = headline.missing(exercise, ran.functions, diagnosis)
    return _said(about, words, diagnosis)


# ------------------------------------------------------------------ parts of a report


def _about(exercise: Exercise, ran: Ran, cases: Sequence[TestCase]) -> Report:
    """What every report of these cases says, with no test run yet."""
    end = "\n… cut here" if ran.loading.stdout_cut else ""
    return Report(
        exercise=exercise.slug,
        digest=exercise.digest,
        verdict=Verdict.NOT_RUN,
        passed=0,
        total=len(cases),
        message="",
        tests=tuple(unjudged(case, NOT_RUN) for case in cases),
        normalised=tuple(shown(text, MESSAGE_CHARACTERS) for text in ran.normalised),
        load_stdout=shown(ran.loading.stdout) + end,
        cpu_ms=ran.cpu_ms,
        wall_ms=ran.wall_ms,
        peak_memory_bytes=ran.peak_memory_bytes,
    )


def unjudged(case: TestCase, message: str) -> TestResult:
    """A test that was not run, and why."""
    return TestResult(case.name, case.purpose, case.visible, Verdict.NOT_RUN, message)


def _said(report: Report, words: Words, diagnosis: Diagnosis | None) -> Report:
    return replace(
        report,
        message=words.message,
        help=words.help.strip(),
        hint=words.hint,
        diagnosis=diagnosis,
    )
