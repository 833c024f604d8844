"""In a fresh process, where NumPy has loaded nothing of what it loads when first used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.jail.programs import CASES

_ROOT = Path(__file__).parents[2]
_ONE = """
import sys
from app.jail.policy.compile import compile_source
from app.jail.offer.globals import namespace

def solve(path):
    import numpy as np
    text = open(path, "rb").read()
    opened.clear()
    compiled = compile_source(text, "solution.py")
    assert compiled.code is not None, compiled.problems
    names = namespace(lambda text: None)
    exec(compiled.code, names)
    arrays = [np.arange(24.0).reshape(4, 6) / n for n in (1, 2, 3)]
    result = names["multi_head_attention"](*arrays, 2)
    assert type(result) is np.ndarray and result.shape == (4, 6)

def evaluate(line):
    text = "import numpy as np\\nx = np.arange(3.0)\\n" + line
    exec(compile_source(text.encode(), "solution.py").code, namespace(lambda text: None))

opened = []
"""
_COLD = (
    _ONE
    + """
import os, traceback
failed = []
for program in sys.argv[2:]:
    child = os.fork()
    if child == 0:  # as cold as this process, which has run no program yet
        try:
            (solve if sys.argv[1] == "solve" else evaluate)(program)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        failed.append(program)
assert not failed, failed
"""
)
_WARM = (
    _ONE
    + """
from app.jail.warm import warm_up
warm_up()
sys.addaudithook(lambda event, args: opened.append(args) if event in ("open", "import") else None)
for path in sys.argv[1:]:
    solve(path)
    assert not opened, (path, opened)
"""
)
_METHODS = [
    "x.max()",
    "x.min()",
    "x.sum()",
    "x.mean()",
    "x.std()",
    "x.var()",
    "x.any()",
    "x.all()",
    "x.prod()",
    "x.clip(0, 1)",
    "str(x)",
    "repr(x)",
    "print(x)",
    "x.astype(str)",
    "f'{x}'",
    "x.dot(x)",
    "x.round(1)",
    "np.median(x)",
    "np.einsum('i,i', x, x)",
    "np.random.rand(2)",
    "np.linalg.norm(x)",
    "np.fft.fft(x)",
    "np.testing.assert_allclose(x, x)",
    "np.unique(x)",
    "np.pad(x, 1)",
    "x @ x",
]
_SOLUTIONS = sorted(map(str, (CASES / "ok").glob("*.py")))


def _run(program: str, *arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, *arguments],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-4000:]


def test_every_right_solution_runs_in_a_cold_process() -> None:
    _run(_COLD, "solve", *_SOLUTIONS)


def test_what_numpy_loads_late_it_may_load_from_a_learners_program() -> None:
    _run(_COLD, "evaluate", *_METHODS)


def test_after_the_warm_up_a_right_solution_opens_and_imports_nothing() -> None:
    """A locked child cannot open a file: what is missing in `warm` fails there."""
    _run(_WARM, *_SOLUTIONS)
