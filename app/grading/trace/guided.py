"""A trace on one case, read by what is certain of the same program on another.

Where sizes happen to be equal, an array may equal a stage by chance. Which line goes wrong first is
therefore found on a case where nothing can be mixed up; its numbers and shapes come from the case
that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.grading.trace.divergence import first_divergence
from app.grading.trace.signs import Context, sign
from app.grading.trace.steps import Step
from app.model import ShapeDivergence, ShapeLine, ShapeTrace


def divergence(guide: ShapeTrace, context: Context) -> ShapeDivergence | None:
    """The guide's first line that goes wrong, as it is on this case; None where it is right here.

    None too where the line never ran.
    """
    found = guide.divergence
    if found is None:
        return None
    names = tuple(found.name.split(", "))
    step = _step(context.flow.steps, found.line, names[0])
    if step is None or (step.match is not None and step.match.index == _index(found, context)):
        return None
    before = found.before
    last = None if before is None else _step(context.flow.steps, before.line, before.name)
    how = _how(found, step, context)
    return replace(found, message=first_divergence(step, names, last, how), how=how)


def _how(found: ShapeDivergence, step: Step, context: Context) -> str:
    """The guide's own words where they hold no number; else they are looked up on this case."""
    if not any(character.isdigit() for character in found.how):
        return found.how
    at = _index(found, context)
    return "" if at is None else sign(step, at, context).text


def _index(found: ShapeDivergence, context: Context) -> int | None:
    names = context.book.names
    return names.index(found.stage) if found.stage in names else None


def _step(steps: Sequence[Step], line: int, name: str) -> Step | None:
    return next((s for s in steps if s.line.line == line and s.name == name), None)


def marked(
    lines: Sequence[ShapeLine], guide: ShapeTrace | None, off: int | None
) -> tuple[ShapeLine, ...]:
    """Lines marked as the guide has them: right only where both are."""
    right = set() if guide is None else {one.line for one in guide.lines if one.state == "equal"}
    return tuple(_marked(line, line.line in right, off) for line in lines)


def _marked(line: ShapeLine, is_certain: bool, off: int | None) -> ShapeLine:
    if line.line == off:
        return replace(line, state="differs", stage=None)
    return line if line.state == "equal" and is_certain else replace(line, state=None, stage=None)
