"""An output beside what it should be, array by array, as the rows of a report show them."""

from __future__ import annotations

from dataclasses import dataclass

from app.grading.checker import equal_cells
from app.model import Exercise, TestResult, Verdict
from app.web.report.arrays import SIDE as TABLE_SIDE
from app.web.report.arrays import Frame, Grid, Table, differences, grid, single, tables, worst
from app.web.report.numbers import array_of
from app.web.report.pictures import Strip, strip


@dataclass(frozen=True)
class Comparison:
    """One array of an output (a part of a tuple, or all of it), compared."""

    title: str
    tables: tuple[Table, ...] = ()
    strip: Strip | None = None
    zoom: str = ""
    note: str = ""


def _parts(value: object) -> tuple[tuple[str, object], ...]:
    """An output as its parts: itself, or each of a tuple."""
    if isinstance(value, tuple):
        return tuple((f"Part {n}", part) for n, part in enumerate(value))
    return (("", value),)


def comparisons(test: TestResult, exercise: Exercise, frame: Frame) -> tuple[Comparison, ...]:
    """The arrays of a test that is off, compared; none where it is right."""
    if test.verdict is Verdict.ACCEPTED and test.name != "custom":
        return ()
    expected, got = _parts(test.expected), dict(_parts(test.got))
    found = (_comparison(t, want, got.get(t), exercise, frame) for t, want in expected)
    return tuple(comparison for comparison in found if comparison is not None)


def _comparison(
    title: str, expected: object, got: object, exercise: Exercise, frame: Frame
) -> Comparison | None:
    want, have = array_of(expected), array_of(got)
    numbers = have is not None and want is not None and want.ndim == have.ndim == 0
    if want is None or want.size == 0 or numbers:  # of one number the sentence says both
        return None
    wanted = grid(want, frame)
    if have is None or have.shape != want.shape:
        alone = [single("Expected", wanted, frame)] if max(wanted.shape) <= TABLE_SIDE else []
        if have is not None and have.size and max(grid(have, frame).shape) <= TABLE_SIDE:
            alone.append(single("Yours", grid(have, frame), frame))
        return Comparison(title, tuple(alone)) if alone else None
    return _side_by_side(title, wanted, grid(have, frame), exercise, frame)


def _side_by_side(
    title: str, wanted: Grid, have: Grid, exercise: Exercise, frame: Frame
) -> Comparison:
    columns = wanted.shape[1]
    if max(wanted.shape) <= TABLE_SIDE:
        return Comparison(title, tables(have, wanted, exercise.tolerance, frame, columns))
    gap = differences(have.values, wanted.values)
    picture = strip(
        (("Expected", wanted.values), ("Yours", have.values), ("Difference", gap)), frame
    )
    wrong = ~equal_cells(have.values, wanted.values, exercise.tolerance)
    at = worst(wrong, gap)
    if at is None:
        return Comparison(title, strip=picture)
    near = tables(have.window(*at), wanted.window(*at), exercise.tolerance, frame, columns)
    place = f"{wanted.labels[at[0]]} {wanted.column_labels[at[1]]}".strip()
    return Comparison(title, near, picture, zoom=f"Around the worst value, at {place}")
