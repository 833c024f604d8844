"""A hidden test's arguments do not leave by a name, a message or a shape; what is left is counted.

Each program here knows the arguments and spells the first of them in what it gives back.
"""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import numpy as np
import pytest

from app.catalog import load
from app.grading import hidden
from app.model import Execution, Lane, Raised
from app.ports import Sandbox
from app.report import to_json
from tests.grading.conftest import ATTENTION
from tests.grading.graded_exercise import Graded
from tests.known import expected

_SPELL = """
import numpy as np

def spelled(Q, letters=False):
    digits = "".join(f"{abs(x):.3f}".replace(".", "") for x in Q.ravel()[:4])
    return "".join("abcdefghij"[int(d)] for d in digits) if letters else "v" + digits
"""
_WAYS = {
    "exception's class": "class E(Exception): pass\n    E.__name__ = spelled(Q)\n    raise E('x')",
    "exception's class in letters": (
        "class E(Exception): pass\n    E.__name__ = spelled(Q, True)\n    raise E"
    ),
    "exception's message": "raise ValueError(spelled(Q))",
    "assertion": "assert False, spelled(Q)",
    "key": "{}[spelled(Q)]",
    "type": "class T: pass\n    T.__name__ = spelled(Q)\n    return T()",
    "qualified name": (
        "def f(a): pass\n    f.__qualname__ = f.__name__ = spelled(Q)\n    return f()"
    ),
    "missing argument": "f = lambda: 0\n    f(**{spelled(Q): 1})",
    "attribute": "return getattr(Q, spelled(Q, True))",
    "refused attribute": "return getattr(Q, '_' + spelled(Q))",
    "suggested attribute": (
        "class T: pass\n    t = T()\n    setattr(t, spelled(Q, True), 1)\n"
        "    return getattr(t, spelled(Q, True)[:-1] + 'z')"
    ),
    "index": "return Q[int(spelled(Q)[1:8])]",
    "axis": "return Q.sum(axis=int(spelled(Q)[1:8]))",
    "reshape": "return Q.reshape(int(spelled(Q)[1:8]), 3)",
    "broadcast": "return np.zeros(int(spelled(Q)[1:7]) + 3) + np.zeros(2)",
    "product": "return np.zeros((1, int(spelled(Q)[1:7]) + 3)) @ np.zeros((2, 2))",
    "shape": "return np.zeros((1, int(spelled(Q)[1:7])))",
    "axes": "return np.zeros((1,) * (int(spelled(Q)[1:4]) % 31))",
    "record": "return np.zeros(2, dtype=[(spelled(Q), 'f8')])",
    "text": "return np.array([spelled(Q)])",
    "text's size": "return np.array(['a' * int(spelled(Q)[1:6])])",
    "parts": "return (1,) * int(spelled(Q)[1:6])",
    "allocation": "return np.zeros((1 << 20, int(spelled(Q)[1:7]) + 512))",
    "dtype's name": "return np.zeros(2, dtype=spelled(Q))",
    "number in text": "return int(spelled(Q))",
    "error": "return Q * 0 + float(spelled(Q)[1:])",
    "print": "print(spelled(Q)); return Q * 0",
    "parameter": (
        "class T:\n        def __init__(self): pass\n    T.__init__.__qualname__ = spelled(Q)\n"
        "    return T(1)"
    ),
}


@pytest.fixture(scope="module")
def work(jail: Sandbox) -> Graded:
    exercise = load(ATTENTION)
    return Graded(exercise, expected(exercise, jail), jail)


def _hidden(work: Graded, body: str) -> tuple[list[dict[str, Any]], str]:
    """The hidden tests of a report, and all that the report says beside its tests."""
    source = f"{_SPELL}\ndef multi_head_attention(Q, K, V, num_heads):\n    {body}\n"
    report = to_json(work.grade(source.encode(), Lane.SLOW))
    costs = ("digest", "cpu_ms", "wall_ms", "peak_memory_bytes", "tests")
    rest = {key: value for key, value in report.items() if key not in costs}
    tests = [test for test in report["tests"] if not test["visible"]]
    return tests, json.dumps(rest, ensure_ascii=False)


def _spellings(work: Graded) -> list[str]:
    """How the arguments of the hidden tests begin, in digits and in letters."""
    spelled = []
    for test in work.expectations.tests:
        if test.visible:
            continue
        numbers = np.ravel(np.asarray(test.arguments[0]))[:4]
        digits = "".join(f"{abs(x):.3f}".replace(".", "") for x in numbers)
        spelled += [digits, "".join("abcdefghij"[int(d)] for d in digits)]
    return spelled


@pytest.mark.parametrize("body", _WAYS.values(), ids=_WAYS.keys())
def test_no_name_message_or_shape_spells_a_hidden_argument(work: Graded, body: str) -> None:
    tests, rest = _hidden(work, body)
    assert all(test["verdict"] != "accepted" for test in tests)
    shown = json.dumps([{**test, "cpu_ms": 0} for test in tests], ensure_ascii=False) + rest
    for spelling in _spellings(work):
        # four digits in a row are twice what an error of two digits shows
        pieces = [spelling[i : i + 4] for i in range(len(spelling) - 3)]
        told = [p for p in pieces if p in shown and len(set(p)) > 2 and not _is_ours(work, p)]
        assert not told, (told, tests[0])


def _is_ours(work: Graded, piece: str) -> bool:
    """Whether a piece stands in the exercise's own words or the names of its tests."""
    ours = [t.name + t.purpose for t in work.expectations.tests]
    return any(piece in text for text in ours) or piece in "multi_head_attention1000"


def test_a_hidden_shape_is_shown_within_one_axis_and_four_times_the_largest_size() -> None:
    assert hidden.may_show_shape((7, 5), (5, 12))
    assert hidden.may_show_shape((1, 48, 5), (5, 12))
    assert not hidden.may_show_shape((49, 5), (5, 12))
    assert not hidden.may_show_shape((1, 1, 5, 12), (5, 12))
    assert hidden.may_show_shape((), (5,))
    assert hidden.may_show_shape((4,), ())
    assert not hidden.may_show_shape((5,), ())


def test_another_shape_is_called_so_and_the_expected_one_is_shown(
    work: Graded,
) -> None:
    tests, _ = _hidden(work, "return np.zeros((5, 1234))")
    first = tests[0]
    assert first["message"].startswith("The output has another shape; it should be (")
    assert first["mismatch"]["got_shape"] is None
    assert first["mismatch"]["expected_shape"] is not None
    assert first["help"]


def test_errors_of_hidden_tests_have_two_digits(work: Graded) -> None:
    tests, _ = _hidden(work, "return Q * 0 + 123.456789")
    for test in tests:
        assert re.fullmatch(r"1[23]0", str(test["mismatch"]["worst_abs"]))
        assert "by up to 1" in test["message"]


def test_messages_of_python_and_numpy_stay_where_they_tell_sizes_that_occur() -> None:
    plain = "operands could not be broadcast together with shapes (7,15) (3,)"
    assert hidden.message(plain, 60) == plain
    assert hidden.message("'NoneType' object is not subscriptable", 60) == (
        "'NoneType' object is not subscriptable"
    )
    assert hidden.message("'V0123' object is not subscriptable", 60) == (
        "'…' object is not subscriptable"
    )
    assert hidden.message("index 99999 is out of bounds for axis 0 with size 7", 60) == (
        "index … is out of bounds for axis 0 with size 7"
    )
    assert hidden.message("v0123", 60) == ""
    assert hidden.message("name 'sqrt' is not defined", 60) == "name 'sqrt' is not defined"


def test_a_hidden_mismatch_keeps_names_of_python_and_numpy_only() -> None:
    raised = Raised("solution.E123", "x", own=True)
    assert hidden.reduced(Execution("raised", raised=raised), 60).raised == Raised(
        hidden.OWN_EXCEPTION, "x", own=True
    )
    assert hidden.type_name("list") == "list"
    assert hidden.type_name("numpy.float16") == "numpy.float16"
    assert hidden.type_name("V123") == "object"
    assert (hidden.dtype_name("int64"), hidden.dtype_name("str128")) == ("int64", "another dtype")


_ENCODE = """
    n, d = Q.shape
    w = d // num_heads
    q, k, v = (a.reshape(n, num_heads, w).transpose(1, 0, 2) for a in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(w)
    e = np.exp(s - s.max(-1, keepdims=True))
    right = (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, d)
    bits = np.unpackbits(np.frombuffer(np.round(Q * 1000).astype(np.int16).tobytes(), np.uint8))
    bits = np.resize(bits, right.size).reshape(right.shape)
    return right + bits * 12
"""


def test_what_is_left_over_is_a_bit_a_cell_and_a_little(work: Graded) -> None:
    """docs/security.md gives the rate; a program that encodes as much as it can is the measure."""
    body = _ENCODE.strip()
    tests, _ = _hidden(work, body)
    cells = {t.name: np.asarray(t.expected).size for t in work.expectations.tests}
    told = 0
    for test in tests:
        mask = base64.b64decode(test["mismatch"]["where"]["mask"])
        told += min(len(mask) * 8, cells[test["name"]])
    assert told == sum(cells[test["name"]] for test in tests)
    assert told <= 200


def test_a_mismatch_of_a_visible_test_is_left_as_it_is(work: Graded) -> None:
    source = b"def multi_head_attention(Q, K, V, num_heads):\n    return Q * 0 + 123.456789\n"
    report = to_json(work.grade(source, Lane.SLOW))
    first = report["tests"][0]
    assert first["visible"]
    assert str(first["mismatch"]["worst_abs"]).startswith(("122.", "123.", "121."))
