"""The report as JSON: format 1, numbers as strings, what is cut says so."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.model import (
    Diagnosis,
    EarlierCells,
    EqualBefore,
    Finding,
    LabelledCell,
    Mismatch,
    NamedShape,
    OddArray,
    Opaque,
    Partial,
    ProbeResult,
    Problem,
    Report,
    ShapeDivergence,
    ShapeLine,
    ShapeTrace,
    Slug,
    TestResult,
    Value,
    Verdict,
    Where,
)
from app.model.bounds import REPORT_BYTES
from app.report import from_json, to_json, value
from app.report.values import read_value

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


def test_prints_are_cut_before_any_value_is() -> None:
    printed = replace(TEST, stdout="\x07" * 60_000, got=np.arange(4_000.0), has_values=True)
    found = to_json(replace(REPORT, tests=(printed,)))
    (test,) = found["tests"]
    assert len(json.dumps(found)) <= REPORT_BYTES
    assert len(test["got"]["data"]) == 4_000
    assert test["stdout"].endswith("cut here") and len(test["stdout"]) > 10_000


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


# ------------------------------------------------------------------ read back

GOLDENS = sorted((Path(__file__).parent / "golden").glob("*/report.json"))


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.parent.name)
def test_a_stored_report_is_read_back_and_written_the_same(golden: Path) -> None:
    stored, accepted = (
        json.loads((folder / "report.json").read_text("utf-8"))
        for folder in (golden.parent, golden.parents[1] / "accepted")
    )
    for test, whole in zip(stored["tests"], accepted["tests"], strict=True):
        repeated = {key for key in ("arguments", "expected") if test[key] == "as in accepted"}
        test |= {key: whole[key] for key in repeated}
    assert to_json(from_json(stored)) == stored


def test_there_are_goldens_of_every_verdict_but_our_fault() -> None:
    seen = {json.loads(golden.read_text("utf-8"))["verdict"] for golden in GOLDENS}
    assert seen >= {"accepted", "wrong_answer", "runtime_error", "time_limit", "syntax_error"}


def test_a_report_with_all_its_parts_is_read_back_whole() -> None:
    held = NamedShape("Q", "ndarray", (4, 2), "float64", axes=("seq_len", "d_k"))
    line = ShapeLine(3, "softmax", "assign", 2, (held,), (held,), "differs", None)
    divergence = ShapeDivergence(3, "Q", "queries", "Q differs.", EqualBefore(2, "K", "keys"))
    cell, mixed = LabelledCell(0, 1, "t0·c1", False), LabelledCell(None, None, "mix", True)
    whole = replace(
        REPORT,
        verdict=Verdict.WRONG_ANSWER,
        diagnosis=Diagnosis("no_transpose", "Reshape only", "A reshape moves nothing.", 2, "Seen."),
        findings=(Finding("permuted", "The rows are permuted.", ("a_case",), None),),
        problems=(Problem("policy", 1, 2, 3, "No imports.", "Use np."),),
        normalised=("2 curly quotes",),
        trace=ShapeTrace("a_case", "What it probes.", (line,), "", "returned", 3, divergence),
        probe=ProbeResult("own_tokens", "Where.", "1 cell moved.", "Look.", "moved", 1, 1, 2, 2,
                          ((cell,),), ((mixed,),), None, EarlierCells(2, "heads", (((cell,),),))),
        error_id="abcd",
    )  # fmt: skip
    assert from_json(json.loads(json.dumps(to_json(whole)))) == whole


def test_what_an_earlier_version_did_not_write_reads_as_nothing() -> None:
    stored = to_json(REPORT)
    for key in ("trace", "probe", "hint", "findings", "normalised", "load_stdout", "error_id"):
        del stored[key]
    for key in ("column", "end_column", "help", "stdout"):
        del stored["tests"][0][key]
    assert from_json(stored) == REPORT


def test_what_a_later_version_adds_is_passed_over() -> None:
    assert from_json({**to_json(REPORT), "added_later": {"more": 1}}) == REPORT


@pytest.mark.parametrize(
    "given",
    [
        np.zeros(5_000),
        1 << 9_999,
        "x" * 5_000,
        (np.zeros(5_000), 1.5),
        {"weights": np.zeros(5_000), "bias": 0.5},
        tuple(range(100)),
    ],
    ids=["array", "number", "text", "tuple", "dict", "long tuple"],
)
def test_what_was_cut_stays_cut_and_is_never_taken_for_whole(given: Value) -> None:
    stored = value(given)
    assert value(read_value(stored)) == stored


@pytest.mark.parametrize(
    "stored",
    [
        {"kind": "array", "dtype": "float64", "shape": [2], "data": ["1.0"]},
        {"kind": "array", "dtype": "nothing", "shape": [1], "data": ["1.0"]},
        {"kind": "number", "type": "int", "text": "one"},
        {"kind": "later"},
        {},
    ],
)
def test_a_value_that_cannot_be_read_keeps_its_text(stored: dict[str, Any]) -> None:
    assert read_value(stored) == Partial(stored)


def test_every_field_of_a_report_is_written_and_read_by_its_own_name() -> None:
    """So a new one needs a line in the model, one where it is made and one where it is shown."""
    document = to_json(REPORT)
    assert {each.name for each in fields(Report)} <= document.keys()
    assert from_json({**document, "hint": 2, "subject": "a_case"}) == replace(
        from_json(document), hint=2, subject="a_case"
    )
