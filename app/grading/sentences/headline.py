"""The first thing a learner reads: one headline, what to try, and the hint that fits.

Order: the code's own problem (policy, syntax), exception or limit, a known mistake, the first step
that goes wrong, structure, shape and type, values. All of it is about one case, the subject.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.grading.sentences import case as case_words
from app.grading.sentences import ending
from app.grading.sentences.judged_case import JudgedCase, ordinal
from app.grading.sentences.named import is_set, set_list
from app.grading.sentences.phrases import headline, listed, shown, small
from app.model import (
    Cause,
    Diagnosis,
    Execution,
    Exercise,
    Finding,
    FunctionInfo,
    Problem,
    Report,
    ShapeTrace,
    Verdict,
)

MACHINES = (
    "It ran on two different machines, and both went down while it ran. It is not tried on a third."
)


@dataclass(frozen=True)
class Words:
    """A headline and what to try, with the hint that fits (None without one)."""

    message: str
    help: str = ""
    hint: int | None = None


def accepted(total: int, is_run: bool) -> Words:
    """Everything is right."""
    if is_run:
        what = "the example" if total == 1 else f"all {small(total)} examples"
        return Words(f"Right on {what}.", "Submit to try the hidden tests too.")
    return Words(f"Right on all {small(total)}.")


def our_fault() -> Words:
    """We could not judge it."""
    return Words(
        "We could not judge your submission. This one is on us.",
        "There is nothing to change. We will judge it again automatically, and it doesn't count.",
    )


def being_repaired() -> Words:
    """The files of its exercise fail: that is its author's fault."""
    return Words(
        "This exercise is being repaired, so your submission was not judged.",
        "Its author made a mistake, not you. Your code is kept, and it doesn't count.",
    )


def problems(found: Sequence[Problem], diagnosis: Diagnosis | None) -> Words:
    """The source was not run: syntax and policy problems, all at once."""
    if diagnosis is not None:
        return _diagnosed(diagnosis)
    first = found[0]
    where = f"Line {first.line}: " if first.line is not None else ""
    message = where + first.message
    if len(found) == 1:
        return Words(message, first.instead)
    lines = sorted({problem.line for problem in found if problem.line is not None})
    shown_lines = [f"line {line}" for line in lines[:4]]
    more = [f"{len(lines) - 4} more"] if len(lines) > 4 else []
    return Words(
        f"{small(len(found)).capitalize()} things to change before this can run.",
        f"See {listed(shown_lines + more)}." if lines else message,
    )


def loading(execution: Execution, exercise: Exercise) -> Words:
    """The code outside functions did not come to its end."""
    told = ending.sentence(execution, exercise.limits, True, "Your code")
    first, rest = headline(told)
    if execution.cause is Cause.MACHINES:
        return Words(first, f"{rest} {MACHINES}".strip())
    when = "This happened in code outside your function, before any test ran."
    note, advice = ending.note(execution), ending.advice(execution, exercise.limits)
    if note[:-1].lower() in first.lower():
        note = ""
    return Words(first, " ".join(filter(None, [rest, note, when, advice])))


def missing(
    exercise: Exercise, functions: Sequence[FunctionInfo], diagnosis: Diagnosis | None
) -> Words:
    """No function of the entry point's name is there."""
    if diagnosis is not None:
        return _diagnosed(diagnosis)
    names = [f"`{shown(function.name, 60)}`" for function in functions[:4]]
    there = (
        f"It defines {listed(names)}."
        if names
        else "It defines no public function outside a class."
    )
    return Words(
        f"There is no function `{exercise.entry_point}` in this code.",
        f"{there} The tests call `{exercise.entry_point}` by its name; Reset brings the starter's "
        "signature back.",
    )


def _diagnosed(diagnosis: Diagnosis) -> Words:
    if is_set(diagnosis):
        return Words(diagnosis.message, set_list(diagnosis), diagnosis.hint)
    first, rest = headline(diagnosis.message)
    return Words(first, rest, diagnosis.hint)


def headline_of(
    subject: JudgedCase,
    diagnosis: Diagnosis | None,
    findings: Sequence[Finding],
    *,
    by_rule: bool,
) -> Words:
    """The headline of code that ran and is not right everywhere; it speaks of the subject alone.

    `by_rule` says that the diagnosis was seen in the source or the call, before any value.
    """
    if diagnosis is not None and by_rule:
        return _diagnosed(diagnosis)
    hint = diagnosis.hint if diagnosis else next((f.hint for f in findings), None)
    if subject.verdict is Verdict.ACCEPTED:
        return Words("This one passes; others don't.", diagnosis.message if diagnosis else "", hint)
    if subject.verdict is not Verdict.WRONG_ANSWER:
        return _case_headline(subject, diagnosis, hint)
    if diagnosis is not None:
        return _diagnosed(diagnosis)
    name = subject.case.name
    about = [finding for finding in findings if name in finding.cases]
    if about and about[0].kind != "arguments_changed":
        first, rest = headline(about[0].message)
        others = [finding.message for finding in about[1:2]]
        words = [rest, _which_part(subject), *others]
        return Words(first, " ".join(filter(None, words)), hint)
    if subject.mismatch is None or subject.mismatch.kind not in ("values", "not_finite"):
        return _case_headline(subject, None, hint)
    said, rest = headline(case_words.message(subject))
    others = [finding.message for finding in about]
    return Words(said, " ".join(filter(None, [rest, *(others or [UNKNOWN])])), hint)


UNKNOWN = "We don't recognise the mistake."
MAY_BE = "It may be a known mistake: submit to be sure."
SEVERAL = "Several known mistakes give this on the examples: submit to tell which it is."


def with_more(words: Words, more: str) -> Words:
    """Words with what else is known, in place of "we don't recognise it"."""
    if not more:
        return words
    plain = words.help.removesuffix(UNKNOWN).strip()
    return replace(words, help=" ".join(filter(None, [plain, more])))


def with_trace(report: Report, trace: ShapeTrace) -> Report:
    """The report once its subject was traced: where it goes wrong, and else where to start.

    The first step that goes wrong is the headline wherever no known mistake and no exception is.
    """
    if report.diagnosis is not None or report.verdict is Verdict.ACCEPTED:
        return report
    subject = next((t for t in report.tests if t.name == report.subject), None)
    if subject is None or subject.verdict is not Verdict.WRONG_ANSWER:
        return report
    divergence, start = trace.divergence, trace.start
    if divergence is not None:
        first, rest = headline(divergence.message)
        said, _ = headline(report.message)
        more = [words for words in (MAY_BE, SEVERAL) if words in report.help]
        return replace(report, message=first, help=" ".join(filter(None, [rest, said, *more])))
    if start is None or UNKNOWN not in report.help:
        return report
    there = f"{UNKNOWN[:-1]}; start at line {start}."
    return replace(report, help=report.help.replace(UNKNOWN, there))


def _case_headline(lead: JudgedCase, diagnosis: Diagnosis | None, hint: int | None) -> Words:
    """A case's own sentence as the headline, the diagnosis after it."""
    first, rest = headline(case_words.message(lead, "Your code"))
    after = case_words.advice(lead) if diagnosis is None else diagnosis.message
    if diagnosis is not None and is_set(diagnosis):
        after = f"{diagnosis.message} {set_list(diagnosis)}"
    return Words(first, " ".join(filter(None, [rest, after])), hint)


def _which_part(lead: JudgedCase) -> str:
    """What a finding is about, where the output has several parts."""
    part = lead.mismatch.part if lead.mismatch is not None else None
    return "" if part is None else f"This is about the {ordinal(part)} part of the output."
