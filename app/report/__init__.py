"""The report as JSON, format 1: what the page, the API and the shell show.

Numbers of arrays are strings, for JSON has no NaN. A report is never longer than
`bounds.REPORT_BYTES`, whatever was returned or printed; what is cut says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from app.model import REPORT_FORMAT, Mismatch, Partial, Report, TestResult, Value
from app.model.bounds import PROBLEMS, VALUES, ValueBounds
from app.report import fitting
from app.report.fields import json_object, plain, read
from app.report.shared_values import once
from app.report.values import read_value, value

__all__ = ["Json", "from_json", "to_json", "value"]

Json: TypeAlias = dict[str, Any]


def to_json(report: Report) -> Json:
    """A report as plain dicts, lists, strings and numbers that any JSON writer takes.

    As JSON it has at most `bounds.REPORT_BYTES` bytes: prints are cut first, then values.

    >>> from app.model import Verdict
    >>> report = Report("multi-head-attention", "0" * 64, Verdict.ACCEPTED, 6, 6, "Accepted.", ())
    >>> found = to_json(report)
    >>> found["format"], str(found["verdict"]), found["passed"]
    (1, 'accepted', 6)
    >>> from_json(found) == report
    True
    """
    trace = fitting.trace(plain(report.trace))
    probe = fitting.probe(plain(report.probe))
    return fitting.fitted(lambda bounds: _spelled(report, trace, probe, bounds))


def from_json(found: Mapping[str, Any]) -> Report:
    """A report as it was written; of any version that wrote format 1.

    What a bound cut from a value stays cut: the value is a `Partial`.
    """
    return read(Report, found, tests=tuple(_read_test(test) for test in found["tests"]))


def _spelled(report: Report, trace: Json | None, probe: Json | None, bounds: ValueBounds) -> Json:
    return {
        "format": REPORT_FORMAT,
        **json_object(report, "tests", "problems", "trace", "probe"),
        "tests": [_test(test, bounds) for test in report.tests],
        "problems": [json_object(problem, "about") for problem in report.problems[:PROBLEMS]],
        "trace": trace,
        "probe": probe,
    }


def _test(test: TestResult, bounds: ValueBounds) -> Json:
    given = test.arguments
    arguments = None if given is None else _once(given, bounds, lambda: _values(given, bounds))
    expected = test.expected
    is_told = test.has_values or test.expected is not None
    without = [name for name in ("note", "original") if not getattr(test, name)]
    without += ["call"] if test.call is None else []
    return {
        **json_object(test, "arguments", "got", "expected", "has_values", "mismatch", *without),
        "arguments": arguments,
        "got": value(test.got, bounds) if test.has_values else None,
        "expected": _once(expected, bounds, lambda: value(expected, bounds)) if is_told else None,
        "mismatch": None if test.mismatch is None else _mismatch(test.mismatch),
    }


def _values(values: tuple[Value | Partial, ...], bounds: ValueBounds) -> list[Json]:
    return [value(each, bounds) for each in values]


def _once(source: object, bounds: ValueBounds, spell: Callable[[], Any]) -> Any:
    """What was spelled before, where it is a test's own and nothing is cut for the report."""
    if bounds is not VALUES[0] or not isinstance(source, np.ndarray | tuple):
        return spell()
    return once.get(source, spell)


def _read_test(found: Mapping[str, Any]) -> TestResult:
    arguments, got = found.get("arguments"), found.get("got")
    mismatch = found.get("mismatch")
    return read(
        TestResult,
        found,
        arguments=None if arguments is None else tuple(read_value(each) for each in arguments),
        got=None if got is None else read_value(got),
        expected=None if found.get("expected") is None else read_value(found["expected"]),
        has_values=got is not None,
        mismatch=None if mismatch is None else _read_mismatch(mismatch),
    )


def _mismatch(mismatch: Mismatch) -> Json:
    """Its numbers are texts, for JSON has no NaN; the argument is json_object by its name."""
    return {
        **json_object(mismatch, "argument_name"),
        "got_type": mismatch.got_type or None,
        "worst_abs": _number(mismatch.worst_abs),
        "worst_got": _number(mismatch.worst_got),
        "worst_expected": _number(mismatch.worst_expected),
        "argument": mismatch.argument_name,
    }


def _read_mismatch(found: Mapping[str, Any]) -> Mismatch:
    return read(Mismatch, found, argument=None, argument_name=found.get("argument"))


def _number(number: float | None) -> str | None:
    return None if number is None else f"{number:.6g}"
