"""The named stages of the reference on the visible cases, for shape traces and first divergence."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from app.expectations.author_files import REFERENCE, Author, ended
from app.expectations.plain_values import n_bytes
from app.model import Array, Call, Source, TestCase, Value
from app.model.bounds import CASES_BYTES

STAGES = "stages.py"
_ADAPTER = "stages_inside.py"

Stages = tuple[tuple[str, tuple[Array, ...]], ...]


def stages(author: Author, cases: Sequence[TestCase]) -> dict[str, Stages]:
    """Stages by case, in order of computation; {} for an exercise without stages.py."""
    if STAGES not in author.exercise.files or not cases:
        return {}
    before = len(author.errors)
    own = author.functions(STAGES, after=(REFERENCE,))
    if all(function.name != "stages" for function in own):
        if len(author.errors) == before:
            author.complain(STAGES, "stages", "is not there; stages.py must define it.")
        return {}
    adapter = Source(_ADAPTER, files(__package__).joinpath(_ADAPTER).read_bytes())
    calls = [Call("stages_as_tuples", case.arguments) for case in cases]
    executions = author.run((REFERENCE, STAGES, adapter), calls)
    found = {}
    for case, execution in zip(cases, executions, strict=False):
        if execution.ended != "returned":
            author.complain(STAGES, "stages", f"{case.name}: {ended(execution)}.", ran=execution)
            continue
        read = _read(execution.value)
        if read is None:
            author.complain(
                STAGES, "stages", f"{case.name}: must return a dict of arrays, or lists of them."
            )
            continue
        found[case.name] = read
    size = sum(n_bytes(layouts) for read in found.values() for _, layouts in read)
    if size > CASES_BYTES:
        message = f"give over {CASES_BYTES // 2**20} MiB on all visible cases. Leave some out."
        author.complain(STAGES, "stages", message)
    return found


def _read(value: Value) -> Stages | None:
    if not isinstance(value, dict):
        return None
    found = []
    for name, layouts in value.items():
        if not isinstance(layouts, tuple) or not layouts:
            return None
        arrays = tuple(_array(layout) for layout in layouts)
        if any(array is None for array in arrays):
            return None
        found.append((name, tuple(array for array in arrays if array is not None)))
    return tuple(found)


def _array(layout: Value) -> Array | None:
    if isinstance(layout, np.ndarray):
        return layout
    return np.asarray(layout) if isinstance(layout, bool | int | float) else None
