"""The report as JSON, format 1 (design.md section 6): what the page, the API and the shell show.

Numbers of arrays are strings, for JSON has no NaN; arrays are cut over 4,096 numbers and say so.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from app.model import (
    REPORT_FORMAT,
    Array,
    Mismatch,
    OddArray,
    Opaque,
    Report,
    TestResult,
    Value,
)

Json: TypeAlias = dict[str, Any]

NUMBERS = 4_096

KEPT_NUMBERS = 256
"""Arrays of no more numbers than this are remembered as text: some 25 MiB at the very most."""


def to_json(report: Report) -> Json:
    """A report as plain dicts, lists, strings and numbers that any JSON writer takes."""
    return {
        "format": REPORT_FORMAT,
        "exercise": report.exercise,
        "digest": report.digest,
        "submission": report.submission,
        "verdict": report.verdict.value,
        "passed": report.passed,
        "total": report.total,
        "message": report.message,
        "help": report.help,
        "tests": [_test(test) for test in report.tests],
        "diagnosis": asdict(report.diagnosis) if report.diagnosis else None,
        "findings": [
            {**asdict(finding), "cases": list(finding.cases)} for finding in report.findings
        ],
        "hint": report.hint,
        "problems": [asdict(problem) for problem in report.problems],
        "normalised": list(report.normalised),
        "trace": report.trace,
        "probe": report.probe,
        "load_stdout": report.load_stdout,
        "cpu_ms": round(report.cpu_ms, 3),
        "wall_ms": round(report.wall_ms, 3),
        "peak_memory_bytes": report.peak_memory_bytes,
        "error_id": report.error_id,
    }


def _test(test: TestResult) -> Json:
    arguments = None if test.arguments is None else [value(a) for a in test.arguments]
    return {
        "name": test.name,
        "purpose": test.purpose,
        "visible": test.visible,
        "verdict": test.verdict.value,
        "message": test.message,
        "help": test.help,
        "line": test.line,
        "column": test.column,
        "end_column": test.end_column,
        "stdout": test.stdout,
        "arguments": arguments,
        "got": value(test.got) if test.has_values else None,
        "expected": value(test.expected) if test.has_values or test.expected is not None else None,
        "mismatch": None if test.mismatch is None else _mismatch(test.mismatch),
        "cpu_ms": round(test.cpu_ms, 3),
    }


def _mismatch(mismatch: Mismatch) -> Json:
    where = mismatch.where
    return {
        "kind": mismatch.kind,
        "part": mismatch.part,
        "got_type": mismatch.got_type or None,
        "got_shape": _shape(mismatch.got_shape),
        "expected_shape": _shape(mismatch.expected_shape),
        "dtype": mismatch.dtype,
        "wrong": mismatch.wrong,
        "size": mismatch.size,
        "nan": mismatch.nan,
        "inf": mismatch.inf,
        "worst_abs": _number(mismatch.worst_abs),
        "worst_index": _shape(mismatch.worst_index),
        "worst_got": _number(mismatch.worst_got),
        "worst_expected": _number(mismatch.worst_expected),
        "argument": mismatch.argument,
        "where": None
        if where is None
        else {"rows": list(where.rows), "columns": list(where.columns), "mask": where.mask},
    }


def _shape(shape: tuple[int, ...] | None) -> list[int] | None:
    return None if shape is None else list(shape)


def _number(number: float | None) -> str | None:
    return None if number is None else f"{number:.6g}"


def value(value: Value) -> Json:
    """A value with its kind: "array", "number", "text", "none", "tuple", "dict" or "other".

    An array has dtype, shape and data, flat in row-major order, each number the shortest text that
    reads back as it; an array that never crossed the wall has data null.
    """
    if isinstance(value, np.ndarray):
        return {"kind": "array", **_array(value)}
    if isinstance(value, OddArray):
        return {"kind": "array", "dtype": value.dtype, "shape": list(value.shape), "data": None}
    if isinstance(value, Opaque):
        return {"kind": "other", "type": value.type_name}
    if value is None:
        return {"kind": "none", "type": "None"}
    if isinstance(value, str):
        return {"kind": "text", "type": "str", "text": value}
    if isinstance(value, tuple):
        return {"kind": "tuple", "type": "tuple", "parts": [_value(part) for part in value]}
    if isinstance(value, dict):
        entries = {key: _value(part) for key, part in value.items()}
        return {"kind": "dict", "type": "dict", "entries": entries}
    return {"kind": "number", "type": type(value).__name__, "text": _integer_or_repr(value)}


def _value(part: Value) -> Json:
    return value(part)


def _integer_or_repr(number: bool | int | float) -> str:
    """A number's text; an int too long for Python to print in full is told by its length."""
    if isinstance(number, int) and number.bit_length() > 4_000:
        return f"a whole number of {number.bit_length():,} bits"
    return repr(number)


def _array(array: Array) -> Json:
    flat = array.ravel()[:NUMBERS]
    if flat.size <= KEPT_NUMBERS:
        data = _kept_numerals(flat.dtype.str, flat.tobytes())
    else:
        data = _numerals(flat)
    found: Json = {"dtype": str(array.dtype), "shape": list(array.shape), "data": list(data)}
    return {**found, "cut": True} if array.size > NUMBERS else found


def _numerals(flat: Array) -> tuple[str, ...]:
    if flat.dtype.kind == "f" and flat.dtype.itemsize < 8:
        return tuple(str(number) for number in flat)
    return tuple(repr(number) for number in flat.tolist())


@lru_cache(maxsize=1_024)
def _kept_numerals(dtype: str, data: bytes) -> tuple[str, ...]:
    """The same arrays, those of the tests, come in report after report: a third of a verdict's time
    would go into spelling them again.
    """
    return _numerals(np.frombuffer(data, dtype))
