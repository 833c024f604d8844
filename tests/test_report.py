"""The report as JSON: format 1, numbers as strings, what is cut says so."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from app.model import (
    Mismatch,
    OddArray,
    Opaque,
    Report,
    Slug,
    TestResult,
    Value,
    Verdict,
    Where,
)
from app.report import to_json, value

TEST = TestResult("a_case", "What it probes.", True, Verdict.ACCEPTED)
REPORT = Report(Slug("softmax"), "d" * 64, Verdict.ACCEPTED, 1, 1, "Right.", (TEST,))

KEYS = {
    "format", "exercise", "digest", "submission", "verdict", "passed", "total", "message", "help",
    "tests", "diagnosis", "findings", "hint", "problems", "normalised", "trace", "load_stdout",
    "cpu_ms", "wall_ms", "peak_memory_bytes", "error_id",
}  # fmt: skip
TEST_KEYS = {
    "name", "purpose", "visible", "verdict", "message", "help", "line", "column", "end_column",
    "stdout", "arguments", "got", "expected", "mismatch", "cpu_ms",
}  # fmt: skip


def test_report_holds_the_keys_of_format_1() -> None:
    report = to_json(REPORT)
    assert report["format"] == 1
    assert report.keys() >= KEYS
    assert report["tests"][0].keys() >= TEST_KEYS
    assert json.loads(json.dumps(report, allow_nan=False)) == report


@pytest.mark.parametrize(
    ("given", "spelled"),
    [
        (
            np.array([[0.1, np.nan], [np.inf, -0.0]]),
            {
                "kind": "array",
                "dtype": "float64",
                "shape": [2, 2],
                "data": ["0.1", "nan", "inf", "-0.0"],
            },
        ),
        (
            np.array([0.1], np.float32),
            {"kind": "array", "dtype": "float32", "shape": [1], "data": ["0.1"]},
        ),
        (
            np.array([True, False]),
            {"kind": "array", "dtype": "bool", "shape": [2], "data": ["True", "False"]},
        ),
        (np.zeros((0, 3)), {"kind": "array", "dtype": "float64", "shape": [0, 3], "data": []}),
        (
            OddArray("object", (2,)),
            {"kind": "array", "dtype": "object", "shape": [2], "data": None},
        ),
        (Opaque("list"), {"kind": "other", "type": "list"}),
        (None, {"kind": "none", "type": "None"}),
        ("layer", {"kind": "text", "type": "str", "text": "layer"}),
        (2, {"kind": "number", "type": "int", "text": "2"}),
        (float("nan"), {"kind": "number", "type": "float", "text": "nan"}),
        (True, {"kind": "number", "type": "bool", "text": "True"}),
        (
            (1,),
            {
                "kind": "tuple",
                "type": "tuple",
                "parts": [{"kind": "number", "type": "int", "text": "1"}],
            },
        ),
        (
            {"a": None},
            {"kind": "dict", "type": "dict", "entries": {"a": {"kind": "none", "type": "None"}}},
        ),
        (1 << 5000, {"kind": "number", "type": "int", "text": "a whole number of 5,001 bits"}),
    ],
)
def test_values_are_spelled(given: Value, spelled: object) -> None:
    assert value(given) == spelled


def test_large_arrays_are_cut_and_say_so() -> None:
    whole, cut = value(np.zeros(4096)), value(np.zeros((64, 65)))
    assert "cut" not in whole
    assert (len(cut["data"]), cut["cut"], cut["shape"]) == (4096, True, [64, 65])


def test_values_of_a_hidden_test_are_null() -> None:
    test = to_json(replace(REPORT, tests=(replace(TEST, visible=False),)))["tests"][0]
    assert test["got"] is test["expected"] is test["arguments"] is None


def test_a_none_that_was_returned_is_told_apart_from_no_value() -> None:
    test = to_json(replace(REPORT, tests=(replace(TEST, has_values=True),)))["tests"][0]
    assert test["got"] == {"kind": "none", "type": "None"}


def test_mismatch_is_spelled() -> None:
    mismatch = Mismatch(
        "values", got_shape=(7, 15), expected_shape=(7, 15), dtype="float64", wrong=105, size=105,
        worst_abs=0.8, worst_index=(3, 2), where=Where((0, 6), (0, 14), "AA=="),
    )  # fmt: skip
    test = to_json(replace(REPORT, tests=(replace(TEST, mismatch=mismatch),)))["tests"][0]
    assert test["mismatch"] == {
        "kind": "values", "part": None, "got_type": None, "got_shape": [7, 15],
        "expected_shape": [7, 15], "dtype": "float64", "wrong": 105, "size": 105, "nan": 0,
        "inf": 0, "worst_abs": "0.8", "worst_index": [3, 2], "worst_got": None,
        "worst_expected": None, "argument": None,
        "where": {"rows": [0, 6], "columns": [0, 14], "mask": "AA=="},
    }  # fmt: skip
