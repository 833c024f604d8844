"""The first thing a learner reads: one headline, what to try, and the hint that fits.

Order: the code's own problem (policy, syntax, exception, limit), then type and shape, then the
diagnosis, then structure, then values. Change a sentence of a case in `ending` or `mismatch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.grading.axes import labels
from app.grading.sentences import case as case_words
from app.grading.sentences import ending
from app.grading.sentences.judged_case import JudgedCase, ordinal
from app.grading.sentences.phrases import headline, listed, shown, small
from app.model import (
    Diagnosis,
    Execution,
    Exercise,
    Finding,
    FunctionInfo,
    Problem,
    Verdict,
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
        return Words(f"Right on {what}.", "Submit to try it on the tests it was not written for.")
    return Words(f"Right on all {small(total)}.")


def our_fault() -> Words:
    """We could not judge it."""
    return Words(
        "We could not judge your submission. This one is on us.",
        "There is nothing to change. It is judged again by itself, and not counted.",
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
    when = "This happened while the code outside functions ran, once and before any test."
    if ending.tells_shapes(execution):
        rest = ""
    advice = ending.advice(execution, exercise.limits)
    return Words(first, " ".join(filter(None, [rest, when, advice])))


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
        else "It defines no public function outside of a class."
    )
    return Words(
        f"There is no function `{exercise.entry_point}` in this code.",
        f"{there} The tests call `{exercise.entry_point}` by its name; Reset brings the starter's "
        "signature back.",
    )


def _diagnosed(diagnosis: Diagnosis) -> Words:
    first, rest = headline(diagnosis.message)
    return Words(first, rest, diagnosis.hint)


def headline_of(
    scenes: Sequence[JudgedCase],
    verdict: Verdict,
    diagnosis: Diagnosis | None,
    findings: Sequence[Finding],
    *,
    by_rule: bool,
) -> Words:
    """The headline of code that ran and is not right everywhere.

    `by_rule` says that the diagnosis was seen in the source or the call, before any value.
    """
    if diagnosis is not None and by_rule:
        return _diagnosed(diagnosis)
    hint = diagnosis.hint if diagnosis else next((f.hint for f in findings), None)
    if verdict is not Verdict.WRONG_ANSWER:
        return _told(_first(scenes, verdict), len(scenes), diagnosis, hint)
    off = [scene for scene in scenes if scene.verdict is verdict]
    lead = min(off, key=lambda scene: (_rank(scene), _is_ambiguous(scene), scene.number))
    if _rank(lead) < _VALUES:
        return _told(lead, len(scenes), diagnosis, hint)
    if diagnosis is not None:
        return _diagnosed(diagnosis)
    if findings and findings[0].kind != "arguments_changed":
        first, rest = headline(findings[0].message)
        others = [finding.message for finding in findings[1:2]]
        words = [rest, _which_part(lead), *others, _where(lead, scenes)]
        return Words(first, " ".join(filter(None, words)), hint)
    if _rank(lead) > _VALUES:
        return _told(lead, len(scenes), None, hint)
    said, rest = headline(case_words.message(lead))
    others = [finding.message for finding in findings]
    words = [rest, *(others or ["We can't say why."]), _where(lead, scenes)]
    return Words(said, " ".join(filter(None, words)), hint)


_RANKS = {"type": 0, "dtype": 1, "shape": 2, "not_finite": 3, "values": 3, "arguments_changed": 4}
_VALUES = 3


def _rank(scene: JudgedCase) -> int:
    return _RANKS[scene.mismatch.kind] if scene.mismatch is not None else 0


def _first(scenes: Sequence[JudgedCase], verdict: Verdict) -> JudgedCase:
    """The first case of a verdict, or one that stops in the same place with clearer shapes."""
    worst = [scene for scene in scenes if scene.verdict is verdict]
    alike = [scene for scene in worst if _place(scene) == _place(worst[0])]
    return min(alike, key=lambda scene: (_is_ambiguous(scene), scene.number))


def _place(scene: JudgedCase) -> tuple[str, int | None]:
    raised = scene.execution.raised
    return ("", None) if raised is None else (raised.type, raised.line)


def _is_ambiguous(scene: JudgedCase) -> bool:
    """Whether shapes could be named in several ways: then another case tells it better."""
    if scene.mismatch is not None and scene.mismatch.kind == "shape":
        if scene.mismatch.got_shape is None:
            return True
        return labels(scene.mismatch.got_shape or (), scene.sizes) is None
    raised = scene.execution.raised
    if raised is not None and not raised.message and not raised.facts and not scene.case.visible:
        return True  # a visible test says more
    facts = raised.facts if raised is not None else ()
    return any(labels(fact, scene.sizes) is None for fact in facts)


def _told(lead: JudgedCase, total: int, diagnosis: Diagnosis | None, hint: int | None) -> Words:
    """A case's own sentence as the headline, the diagnosis after it."""
    subject = f"The {ordinal(lead.number)} test" if total > 1 else case_words.SUBJECT
    first, rest = headline(case_words.message(lead, subject))
    after = diagnosis.message if diagnosis is not None else case_words.advice(lead)
    if ending.tells_shapes(lead.execution):
        rest = ""  # the shapes say better what NumPy's own message says
    return Words(first, " ".join(filter(None, [rest, after])), hint)


def _which_part(lead: JudgedCase) -> str:
    """What a finding is about, where the output has several parts."""
    part = lead.mismatch.part if lead.mismatch is not None else None
    return "" if part is None else f"This is about the {ordinal(part)} part of the output."


def _where(lead: JudgedCase, scenes: Sequence[JudgedCase]) -> str:
    right = sum(scene.verdict is Verdict.ACCEPTED for scene in scenes)
    if right == 0:
        return ""
    first = f"the {ordinal(lead.number)} is the first that is off"
    are = "is" if right == 1 else "are"
    return f"{small(right).capitalize()} of {small(len(scenes))} tests {are} right; {first}."
