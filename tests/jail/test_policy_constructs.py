"""Every construct of the corpus: what is allowed runs, what is refused says why and where."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from app.jail.policy.compile import compile_source
from tests.jail.programs import CASES, FILE, run, run_plainly

_ALL: list[dict[str, str]] = json.loads((CASES / "constructs.json").read_text("utf-8"))
_SOLUTIONS = sorted((CASES / "ok").glob("*.py"))


def _of(want: str) -> list[Any]:
    return [pytest.param(c["source"], id=c["name"]) for c in _ALL if c["want"] == want]


@pytest.mark.parametrize("source", _of("allow"))
def test_an_allowed_construct_runs_as_in_plain_python(source: str) -> None:
    outcome = run(source)
    names, printed, error = run_plainly(source)
    assert (outcome.error, error) == (None, None)
    assert outcome.printed == printed
    assert repr(outcome.names["R"]) == repr(names["R"])


@pytest.mark.parametrize("source", _of("refuse"))
def test_a_refused_construct_gives_a_sentence_and_a_line(source: str) -> None:
    compiled = compile_source(source.encode(), FILE)
    if compiled.code is None:
        first = compiled.problems[0]
        assert first["kind"] == "policy"
        assert first["instead"]
        line, message = first["line"], first["message"]
    else:
        error = run(source).error
        assert error is not None, "it ran"
        line, message = error["frames"][-1]["line"], error["message"]
        # Python itself refuses `list.append = f`, in its own words.
        assert error["type"] == "NotAvailable" or "immutable type" in message
    assert 1 <= line <= source.count("\n") + 1
    assert any(words in message for words in (" here", "is taken", "immutable type"))


@pytest.mark.parametrize("path", _SOLUTIONS, ids=lambda p: p.stem)
def test_a_right_solution_runs_and_gives_what_plain_python_gives(path: Any) -> None:
    source = path.read_text("utf-8-sig")
    arrays = [np.random.default_rng(seed).normal(size=(6, 8)) for seed in range(3)]
    outcome = run(source)
    assert outcome.error is None
    names, _, _ = run_plainly(source)
    function = outcome.names["multi_head_attention"]
    plain = names["multi_head_attention"]
    given = function(*(a.copy() for a in arrays), 2)
    np.testing.assert_array_equal(given, plain(*(a.copy() for a in arrays), 2))
