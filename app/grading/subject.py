"""The case a report speaks of: headline, note, shapes, marks and the open row are all about it."""

from __future__ import annotations

from collections.abc import Sequence

from app.grading.axes import labels
from app.grading.sentences.judged_case import JudgedCase
from app.model import Verdict

_FINE = (Verdict.ACCEPTED, Verdict.NOT_RUN)
_RANKS = {"type": 0, "dtype": 1, "shape": 2, "not_finite": 3, "values": 3, "arguments_changed": 4}


def subject_of(scenes: Sequence[JudgedCase], wanted: str | None = None) -> JudgedCase | None:
    """The case that is `wanted` by name and was run, else the first visible one that is off.

    Where only hidden ones are off it is the one that is told most clearly. None where all pass.
    """
    off = [scene for scene in scenes if scene.verdict not in _FINE]
    ran = [scene for scene in scenes if scene.verdict is not Verdict.NOT_RUN]
    chosen = next((scene for scene in ran if scene.case.name == wanted), None)
    if off and chosen is not None:
        return chosen
    visible = next((scene for scene in off if scene.case.visible), None)
    return visible or min(off, key=_clearness, default=None)


def _clearness(scene: JudgedCase) -> tuple[bool, int, bool, int]:
    """Smaller is clearer: stopped before off, kind of mismatch, shapes with one reading, number."""
    kind = _RANKS[scene.mismatch.kind] if scene.mismatch is not None else -1
    return scene.verdict is Verdict.WRONG_ANSWER, kind, _is_ambiguous(scene), scene.number


def _is_ambiguous(scene: JudgedCase) -> bool:
    """Whether shapes could be named in several ways: then another case tells it better."""
    if scene.mismatch is not None and scene.mismatch.kind == "shape":
        got = scene.mismatch.got_shape
        return got is None or labels(got, scene.sizes) is None
    facts = scene.execution.raised.facts if scene.execution.raised is not None else ()
    return any(labels(fact, scene.sizes) is None for fact in facts)
