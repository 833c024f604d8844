"""One test's result: what happened, in words, and only what its learner may see.

Visible cases show everything. Hidden cases show the kind of mismatch, shapes, how many values are
off, the worst error and where: never a value, never what was printed, never a learner's own
exception message. They come here reduced (`grading.hidden`).
"""

from __future__ import annotations

from dataclasses import replace

from app.grading.aside import aside
from app.grading.sentences import ending
from app.grading.sentences import mismatch as mismatch_words
from app.grading.sentences.exception import advise, advise_call
from app.grading.sentences.judged_case import JudgedCase
from app.grading.sentences.phrases import MESSAGE_CHARACTERS, count, shown
from app.model import (
    Execution,
    Mismatch,
    OddArray,
    Opaque,
    TestCase,
    TestResult,
    Value,
    Verdict,
)

SUBJECT = "This test"


def result(scene: JudgedCase) -> TestResult:
    """The result of a judged case."""
    execution, case, visible = scene.execution, scene.case, scene.case.visible
    raised = execution.raised
    frame = raised.frames[-1] if raised and raised.frames else None
    returned = execution.ended == "returned"
    return TestResult(
        name=case.name,
        purpose=case.purpose,
        visible=visible,
        verdict=scene.verdict,
        message=aside("message", lambda: message(scene), ""),
        help=aside("advice", lambda: advice(scene), ""),
        line=frame.line if frame else None,
        column=frame.column if frame else None,
        end_column=frame.end_column if frame else None,
        stdout=_stdout(execution) if visible else None,
        mismatch=_mismatch(scene),
        arguments=case.arguments if visible else None,
        got=printable(execution.value) if visible and returned else None,
        expected=case.expected if visible else None,
        has_values=visible and returned,
        cpu_ms=execution.cpu_ms,
        note=aside("note", lambda: ending.note(execution), ""),
        original=aside("original", lambda: ending.original(execution, visible), ""),
        call=None if scene.verdict is Verdict.ACCEPTED else scene.call,
    )


def message(scene: JudgedCase, subject: str = SUBJECT) -> str:
    """The sentence of a case; `subject` names it where it stands apart from the case."""
    if scene.verdict is Verdict.ACCEPTED:
        return _accepted(scene.case)
    if scene.mismatch is not None:
        return mismatch_words.sentence(scene, scene.mismatch)
    limits = scene.exercise.limits
    return ending.sentence(scene.execution, limits, scene.case.visible, subject)


def advice(scene: JudgedCase) -> str:
    """What to try for a case; "" where there is nothing general to say."""
    if scene.verdict is Verdict.ACCEPTED:
        return ""
    if scene.mismatch is not None:
        return mismatch_words.advice(scene, scene.mismatch)
    raised = scene.execution.raised
    if raised is not None and scene.verdict is Verdict.RUNTIME_ERROR:
        said = advise(raised, scene.exercise, scene.parameters, scene.case.arguments)
        said = said or advise_call(raised, scene.parameters, len(scene.case.arguments))
        return shown(said, MESSAGE_CHARACTERS)
    return ending.advice(scene.execution, scene.exercise.limits)


def _accepted(case: TestCase) -> str:
    if case.more:
        return f"All values of its {len(case.calls)} calls are equal."
    expected = case.expected
    parts = expected if isinstance(expected, tuple) else (expected,)
    size = sum(getattr(part, "size", 1) for part in parts)
    return "The value is equal." if size == 1 else f"All {count(size, 'value')} are equal."


def _stdout(execution: Execution) -> str:
    end = "\n… cut here" if execution.stdout_cut else ""
    return shown(execution.stdout) + end


def _mismatch(scene: JudgedCase) -> Mismatch | None:
    """The mismatch as it may be reported: an argument by name, a hidden case without values."""
    mismatch = scene.mismatch
    if mismatch is None:
        return None
    named = None
    if mismatch.argument is not None:
        named = shown(scene.argument(mismatch.argument), MESSAGE_CHARACTERS)
    clean = replace(
        mismatch,
        argument_name=named,
        got_type=shown(mismatch.got_type, MESSAGE_CHARACTERS),
        dtype=None if mismatch.dtype is None else shown(mismatch.dtype, MESSAGE_CHARACTERS),
    )
    return clean


def printable(value: Value) -> Value:
    """A value from the jail whose texts are safe to read; arrays and numbers stay as they are."""
    if isinstance(value, str):
        return shown(value, MESSAGE_CHARACTERS)
    if isinstance(value, Opaque):
        return Opaque(shown(value.type_name, MESSAGE_CHARACTERS))
    if isinstance(value, OddArray):
        return OddArray(shown(value.dtype, MESSAGE_CHARACTERS), value.shape)
    if isinstance(value, tuple):
        return tuple(printable(part) for part in value)
    if isinstance(value, dict):
        return {shown(key, MESSAGE_CHARACTERS): printable(part) for key, part in value.items()}
    return value
