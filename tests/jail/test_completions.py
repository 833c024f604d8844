"""What the editor completes is what the program will find."""

from __future__ import annotations

import json

from app.jail.offer.completions import completions
from app.jail.offer.modules import MODULES


def test_every_offered_name_is_there_and_no_other() -> None:
    found = {(c["module"], c["name"]) for c in completions()}
    offered = {(module, name) for module, names in MODULES.items() for name in dir(names)}
    assert {pair for pair in found if pair[0] in MODULES} == offered
    assert ("numpy", "load") not in found
    assert {("", "print"), ("", "range"), ("ndarray", "reshape")} <= found
    assert not {("", "open"), ("", "eval"), ("ndarray", "tofile")} & found


def test_a_name_comes_with_signature_and_first_line() -> None:
    by_name = {(c["module"], c["name"]): c for c in completions()}
    assert by_name["numpy", "einsum"] == {
        "module": "numpy",
        "name": "einsum",
        "signature": (
            "(subscripts, *operands, out=None, dtype=None, order='K', casting='safe', "
            "optimize=False)"
        ),
        "kind": "function",
        "doc": "Evaluates the Einstein summation convention on the operands.",
    }
    assert by_name["numpy.linalg", "norm"]["signature"] == (
        "(x, ord=None, axis=None, keepdims=False)"
    )
    assert by_name["numpy", "pi"]["kind"] == "value"
    assert by_name["numpy", "linalg"]["kind"] == "module"
    functions = [c for c in by_name.values() if c["kind"] == "function"]
    assert len([c for c in functions if not c["doc"]]) < 5
    assert len([c for c in functions if c["signature"] in ("", "(…)")]) < 10


def test_they_are_plain_data_of_a_modest_size_and_always_the_same() -> None:
    text = json.dumps(completions())
    assert text == json.dumps(completions())
    assert len(text) < 300_000
    assert " at 0x" not in text
