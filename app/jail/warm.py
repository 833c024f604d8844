"""Loads ahead what NumPy, Python and the policy load when first used: a locked child opens no file.

The programs are compiled and run as a learner's are, so that the policy's own paths are warm too.
"""

from __future__ import annotations

import warnings
from pathlib import Path

from app.jail.explain.exceptions import raised
from app.jail.offer.globals import namespace
from app.jail.policy.compile import compile_source

_PROGRAM = Path(__file__).with_name("warm_program.py")
_FAILING = (
    "np.testing.assert_allclose([1.0], [2.0])",
    "np.ones((2, 3)) + np.ones((4, 5))",
    "np.ones((2, 3)) @ np.ones((4, 5))",
    "np.ones((2, 3)).reshape(5)",
    "np.ones(3).sum(axis=2)",
    "np.linalg.inv(np.zeros((2, 2)))",
    "np.einsum('ij,jk', np.ones((2, 3)), np.ones((4, 5)))",
    "np.add('a', 1)",
    "np.softmax(1)",
    "getattr(np, 'load')",
    "softmax(1)",
    "n, d = np.ones((2, 3, 4)).shape",
)
_BROKEN = ("def f(:", "x = \u201ca\u201d", "import os\nopen('x')", "return 1")


def warm_up() -> None:
    """Compile and run programs that touch what is loaded lazily; run once, in the keeper.

    Raises RuntimeError where one of them does not do what it must: such a keeper is of no use.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        error = _run(_PROGRAM.read_bytes())
        if error is not None:
            raise RuntimeError("the warm-up program fails") from error
        for line in _FAILING:
            _explain(line)
    for text in _BROKEN:
        compile_source(text.encode(), "solution.py")
    # Showing a warning loads what reads the line it is about.
    warnings.formatwarning("warm", RuntimeWarning, "solution.py", 1, None)


def _explain(line: str) -> None:
    error = _run(line.encode())
    if error is None:
        raise RuntimeError(f"a warm-up line does not fail: {line}")
    raised(error, {"solution.py": line})


def _run(text: bytes) -> Exception | None:
    """What the program raised, or None."""
    compiled = compile_source(text, "solution.py")
    if compiled.code is None:
        raise RuntimeError(f"a warm-up program is refused: {compiled.problems}")
    printed: list[str] = []
    try:
        exec(compiled.code, namespace(printed.append))
    except Exception as error:  # noqa: BLE001 -- the edge of a program that runs as a learner's
        return error
    return None
