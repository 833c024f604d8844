"""Loads ahead what NumPy, Python and the policy load when first used: a locked child opens no file."""

from __future__ import annotations

import warnings

from app.jail.explain import raised
from app.jail.facade import namespace
from app.jail.policy import compile_source

_PROGRAM = b'''
from __future__ import annotations
import math, itertools, functools, operator
import numpy as np
import numpy.linalg, numpy.fft, numpy.testing, numpy.typing as npt
from collections import Counter, namedtuple
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

@dataclass(order=True)
class Point:
    x: float = 0.0
    y: list = field(default_factory=list)

class Pair(NamedTuple):
    left: int
    right: int = 0

x = np.arange(12.0).reshape(3, 4)
for method in (x.max, x.min, x.sum, x.mean, x.std, x.var, x.any, x.all, x.prod, x.ptp if hasattr(x, "ptp") else x.sum,
               x.argmax, x.cumsum, x.trace):
    method()
x.clip(0, 1), x.round(2), x.dot(x.T), x @ x.T, x.astype(np.float32), x.astype(str), x.tolist()
print(x, repr(x), x.dtype, x > 1, x.astype(int), np.float32(1), f"{x[0, 0]:.3f}", x[:0], 1j * x)
print(np.array(["a"]), np.array([None, 1]), np.array([(1, 2.0)], dtype="i4,f8"), x.astype(np.float16))
np.einsum("ij,kj->ik", x, x, optimize=True), np.linalg.svd(x), np.linalg.inv(np.eye(3)), np.fft.fft(x)
np.linalg.eigh(np.eye(3)), np.linalg.qr(x), np.linalg.lstsq(x, x[:, 0]), np.linalg.norm(x), np.linalg.det(np.eye(2))
np.random.default_rng(0).normal(size=3), np.random.rand(2), np.random.seed(0), np.random.RandomState(0).randn(2)
np.random.default_rng().random(), np.random.default_rng(0).permutation(4), np.random.choice(4, 2)
np.apply_along_axis(np.sum, 0, x), np.vectorize(lambda v: v)(x), np.pad(x, 1), np.unique(x), np.median(x)
np.percentile(x, 50), np.concatenate([x, x]), np.stack([x, x]), np.split(x, 2, axis=1), np.histogram(x)
np.isclose(x, x), np.allclose(x, x), np.array_equal(x, x), np.where(x > 1), np.triu(x), np.r_[0, 1], np.mgrid[:2, :2]
np.lib.stride_tricks.sliding_window_view(x, (2, 2)), np.interp(1, [0, 2], [0, 2]), np.trapezoid(x), np.cov(x)
with np.errstate(all="ignore"), np.printoptions(precision=3):
    print(np.exp(x) / 0)
np.testing.assert_allclose(x, x)
np.set_printoptions(precision=8)
Counter("aab").most_common(1), Point() < Point(1.0), repr(Point()), Pair(1), namedtuple("P", "a b")(1, 2)
"{:.2f} {0}".replace("{0}", "").format(1.0), "{0.real}".format(1)
'''  # fmt: skip
_FAILING = (
    b"import numpy as np\nnp.testing.assert_allclose([1.0], [2.0])",
    b"import numpy as np\nnp.ones((2, 3)) + np.ones((4, 5))",
    b"import numpy as np\nnp.ones((2, 3)) @ np.ones((4, 5))",
    b"import numpy as np\nnp.ones((2, 3)).reshape(5)",
    b"import numpy as np\nnp.ones(3).sum(axis=2)",
    b"import numpy as np\nnp.linalg.inv(np.zeros((2, 2)))",
    b"import numpy as np\nnp.softmax(1)",
    b"import numpy as np\nnp.load('x')",
    b"sofmax = 1\nsoftmax(1)",
    b"import numpy as np\nnp.einsum('ij,jk', np.ones((2, 3)), np.ones((4, 5)))",
)
_BROKEN = (b"def f(:\n", "x = \u201ca\u201d".encode(), b"import os\nopen('x')\n")


def warm_up() -> None:
    """Compile and run programs that touch what is loaded lazily; run once, in the keeper.

    Raises what the programs raise: a keeper that cannot run them is of no use.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _run(_PROGRAM)
        for text in _FAILING:
            try:
                _run(text)
            except Exception as error:  # noqa: BLE001 -- each is made to fail, in its own way
                raised(error, {"solution.py": text.decode()})
    _warn()
    for text in _BROKEN:
        compile_source(text, "solution.py")


def _run(text: bytes) -> None:
    compiled = compile_source(text, "solution.py")
    if compiled.code is None:
        raise RuntimeError(f"the warm-up program is refused: {compiled.problems}")
    printed: list[str] = []
    exec(compiled.code, namespace(printed.append))


def _warn() -> None:
    """Load what Python loads to show a warning."""
    shown = warnings.formatwarning("warm", RuntimeWarning, "solution.py", 1, None)
    if "warm" not in shown:
        raise RuntimeError("warnings cannot be shown")
