"""Proof of what is drawn: the statement's pictures, a probe's labels, names of stages' axes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from app.grading.trace.cell_labels import NEAR
from app.model import Array, Probe, TestCase
from app.verify.lines_in_files import line_with
from app.verify.proof import Complaint
from app.verify.trial import SETTINGS, STATEMENT, Trial

DRAWING = "drawing:"
_IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")


def statement(trial: Trial) -> Iterator[Complaint]:
    """Every picture of the statement is there, and says in words what it shows."""
    data = trial.exercise.files[STATEMENT]
    for words, source in _IMAGE.findall(trial.exercise.statement):
        line = line_with(data, source)
        if not words.strip():
            message = f"{source} has no text alternative. Write ![what it shows]({source})."
            yield Complaint(STATEMENT, message, "", line)
        name = source.removeprefix(DRAWING)
        if source.startswith(DRAWING):
            if trial.drawings and name not in trial.drawings:
                known = ", ".join(sorted(trial.drawings))
                yield Complaint(STATEMENT, f"{name} is no drawing; there are {known}.", "", line)
        elif source not in trial.exercise.files:
            message = f"{source} is not in the folder. Add it, as a PNG, or take the picture out."
            yield Complaint(STATEMENT, message, "", line)


def probe(trial: Trial) -> Iterator[Complaint]:
    """In every probe each value of the labels is another, and each cell of the output is one."""
    wanted = trial.exercise.probe
    if wanted is None:
        return
    names = [parameter.name for parameter in trial.expectations.parameters]
    unknown = [label for label in wanted.labels if label not in names]
    if unknown or not wanted.labels:
        message = f"names {', '.join(unknown) or 'nothing'}, no argument. Name arrays to be traced."
        yield trial.complaint(SETTINGS, "probe.labels", message)
        return
    for case in trial.cases:
        if case.name in wanted.cases:
            message = _probe_off(wanted, case, names)
            if message:
                yield trial.complaint(SETTINGS, "probe.cases", f"{case.name}: {message}")


def _probe_off(wanted: Probe, case: TestCase, names: list[str]) -> str:
    given = dict(zip(names, case.arguments, strict=False))
    parts = [given.get(label) for label in wanted.labels]
    arrays = [part for part in parts if isinstance(part, np.ndarray) and part.ndim == 2]
    if len(arrays) < len(parts) or len({array.shape[1] for array in arrays}) != 1:
        return "its labels are no tables of the same width. Give them as (tokens, columns)."
    labels = np.concatenate([array.astype(np.float64).ravel() for array in arrays])
    ordered = np.sort(labels)
    if (np.diff(ordered) <= NEAR).any():
        return "two of its labels are (nearly) equal. Give every cell a number of its own."
    output = case.expected[0] if isinstance(case.expected, tuple) else case.expected
    cells = np.asarray(output, dtype=np.float64).ravel()
    near = np.searchsorted(ordered, cells + NEAR, "right") > np.searchsorted(ordered, cells - NEAR)
    if not near.all():
        return "a cell of the right output is no label. Let every output cell be one cell."
    return ""


def stage_axes(trial: Trial) -> Iterator[Complaint]:
    """[stage_axes] names stages there are, as many axes as their first form has."""
    for name, axes in trial.exercise.stage_axes.items():
        key = f"stage_axes.{name}"
        forms = [
            layouts[0]
            for stages in trial.expectations.stages.values()
            for stage, layouts in stages
            if stage == name
        ]
        if not forms:
            yield trial.complaint(SETTINGS, key, "names no stage of stages.py. Is it misspelled?")
        elif any(not _fits(axes, form) for form in forms):
            shape = next(form.shape for form in forms if not _fits(axes, form))
            message = f"names {len(axes)} axes; the stage has shape {shape}. Name them all."
            yield trial.complaint(SETTINGS, key, message)


def _fits(axes: tuple[str, ...], form: Array) -> bool:
    return form.ndim == len(axes)
