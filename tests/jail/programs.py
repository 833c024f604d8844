"""Programs run the two ways that must agree: as plain Python, and under the policy."""

from __future__ import annotations

import functools
import io
import traceback
from pathlib import Path
from typing import Any, NamedTuple

from app.jail.explain.exceptions import raised
from app.jail.offer.globals import namespace
from app.jail.policy.compile import Compiled, compile_source

CASES = Path(__file__).parents[1] / "cases"
FILE = "solution.py"


class Outcome(NamedTuple):
    """What running a program came to; `error` has the keys of `model.Raised`, or is None."""

    names: dict[str, Any]
    printed: str
    error: dict[str, Any] | None


def allowed(source: str) -> Compiled:
    """The compiled program; the test fails where the policy refuses it."""
    compiled = compile_source(source.encode("utf-8", "surrogatepass"), FILE)
    assert compiled.code is not None, compiled.problems
    return compiled


def problems(source: str | bytes) -> list[dict[str, Any]]:
    """What keeps a program from running; the test fails where nothing does."""
    text = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
    compiled = compile_source(text, FILE)
    assert compiled.code is None
    assert compiled.problems
    return compiled.problems


def run(source: str) -> Outcome:
    """Run a program under the policy."""
    code = allowed(source).code
    assert code is not None
    printed: list[str] = []
    names = namespace(printed.append)
    try:
        exec(code, names)  # noqa: S102 -- as the jail does
    except Exception as error:  # noqa: BLE001 -- what it raises is what is looked at
        return Outcome(names, "".join(printed), raised(error, {FILE: source}))
    return Outcome(names, "".join(printed), None)


def run_plainly(source: str) -> tuple[dict[str, Any], str, tuple[str, str, list[int]] | None]:
    """Run a program as Python does: names, output, and its error's type, message and own lines."""
    output = io.StringIO()
    names: dict[str, Any] = {
        "__name__": "solution",
        "print": functools.partial(print, file=output),
    }
    try:
        exec(compile(source, FILE, "exec", dont_inherit=True), names)  # noqa: S102 -- our own
    except Exception as error:  # noqa: BLE001 -- what it raises is what is looked at
        steps = traceback.extract_tb(error.__traceback__)
        lines = [step.lineno or 0 for step in steps if step.filename == FILE]
        return names, output.getvalue(), (type(error).__name__, str(error), lines)
    return names, output.getvalue(), None
