"""The report as JSON, format 1: what the page, the API and the shell show.

Numbers of arrays are strings, for JSON has no NaN. A report is never longer than
`bounds.REPORT_BYTES`, whatever was returned or printed; what is cut says so.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, TypeAlias

from app.model import REPORT_FORMAT, Mismatch, Problem, Report, TestResult
from app.model.bounds import PROBLEMS, ValueBounds
from app.report import fitting
from app.report.values import value

__all__ = ["Json", "to_json", "value"]

Json: TypeAlias = dict[str, Any]


def to_json(report: Report) -> Json:
    """A report as plain dicts, lists, strings and numbers that any JSON writer takes.

    As JSON it has at most `bounds.REPORT_BYTES` bytes: prints are cut first, then values.
    """
    trace, probe = fitting.trace(report.trace), fitting.probe(report.probe)
    return fitting.fitted(lambda bounds: _spelled(report, trace, probe, bounds))


def _spelled(report: Report, trace: Json | None, probe: Json | None, bounds: ValueBounds) -> Json:
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
        "tests": [_test(test, bounds) for test in report.tests],
        "diagnosis": asdict(report.diagnosis) if report.diagnosis else None,
        "findings": [
            {**asdict(finding), "cases": list(finding.cases)} for finding in report.findings
        ],
        "hint": report.hint,
        "problems": [_problem(problem) for problem in report.problems[:PROBLEMS]],
        "normalised": list(report.normalised),
        "trace": trace,
        "probe": probe,
        "load_stdout": report.load_stdout,
        "cpu_ms": round(report.cpu_ms, 3),
        "wall_ms": round(report.wall_ms, 3),
        "peak_memory_bytes": report.peak_memory_bytes,
        "error_id": report.error_id,
    }


def _test(test: TestResult, bounds: ValueBounds) -> Json:
    arguments = None if test.arguments is None else [value(a, bounds) for a in test.arguments]
    is_told = test.has_values or test.expected is not None
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
        "got": value(test.got, bounds) if test.has_values else None,
        "expected": value(test.expected, bounds) if is_told else None,
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
        "argument": mismatch.argument_name,
        "where": None
        if where is None
        else {"rows": list(where.rows), "columns": list(where.columns), "mask": where.mask},
    }


def _shape(shape: tuple[int, ...] | None) -> list[int] | None:
    return None if shape is None else list(shape)


def _number(number: float | None) -> str | None:
    return None if number is None else f"{number:.6g}"


def _problem(problem: Problem) -> Json:
    return {key: value for key, value in asdict(problem).items() if key != "about"}
