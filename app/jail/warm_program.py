"""A learner's program that uses what NumPy and Python load when first used; see `warm`."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections import Counter, defaultdict, namedtuple
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.fft
import numpy.linalg
import numpy.testing
import numpy.typing as npt


@dataclass(order=True)
class Point:
    """A dataclass: its methods are made with `exec`."""

    x: float = 0.0
    y: list[int] = field(default_factory=list)


class Pair(NamedTuple):
    """A named tuple."""

    left: int
    right: int = 0


TEMPLATE = "{0:.2f} {0.real}"
Third = namedtuple("Third", "a b")


def methods(x: npt.NDArray[np.float64]) -> list[Any]:
    """Methods that NumPy writes in Python and finds by import."""
    flat = [x.max(), x.min(), x.sum(), x.mean(), x.std(), x.var(), x.any(), x.all(), x.prod()]
    flat += [x.argmax(), x.cumsum(), x.trace(), x.clip(0, 1), x.round(2), x.dot(x.T), x @ x.T]
    flat += [x.astype(np.float32), x.astype(str), x.tolist(), x.nonzero(), np.sort(x)]
    return flat


def functions(x: npt.NDArray[np.float64]) -> list[Any]:
    """Functions of every part that is offered."""
    square = np.eye(3)
    rng = np.random.default_rng(0)
    np.random.seed(0)
    with np.errstate(all="ignore"), np.printoptions(precision=3):
        print(np.exp(x) / 0)
    np.testing.assert_allclose(x, x)
    return [
        *[np.einsum("ij,kj->ik", x, x, optimize=True), np.linalg.svd(x), np.linalg.inv(square)],
        *[np.linalg.eigh(square), np.linalg.qr(x), np.linalg.lstsq(x, x[:, 0]), np.linalg.norm(x)],
        *[np.linalg.det(square), np.linalg.eig(square), np.linalg.pinv(x), np.fft.fft(x)],
        *[rng.normal(size=3), rng.permutation(4), rng.choice(4, 2), np.random.rand(2)],
        *[np.random.default_rng().random(), np.random.RandomState(0).randn(2), np.median(x)],
        *[np.apply_along_axis(np.sum, 0, x), np.vectorize(math.exp)(x), np.pad(x, 1), np.unique(x)],
        *[np.percentile(x, 50), np.concatenate([x, x]), np.stack([x, x]), np.split(x, 2, axis=1)],
        *[np.histogram(x), np.isclose(x, x), np.allclose(x, x), np.array_equal(x, x), np.triu(x)],
        *[np.where(x > 1), np.r_[0, 1], np.mgrid[:2, :2], np.interp(1, [0, 2], [0, 2]), np.cov(x)],
        *[
            np.lib.stride_tricks.sliding_window_view(x, (2, 2)),
            np.trapezoid(x),
            np.polyfit(x[0], x[1], 1),
        ],
    ]


def library() -> list[Any]:
    """The standard library's parts."""
    cached = functools.lru_cache(lambda n: n)
    return [
        *[
            Counter("aab").most_common(1),
            Point() < Point(1.0),
            repr(Point()),
            Pair(1)._replace(left=2),
        ],
        *[Third(1, 2), cached(1), list(itertools.chain([1])), operator.add(1, 2)],
        *[
            TEMPLATE.format(1.0),
            defaultdict(list),
            functools.reduce(max, [1]),
            10**9000 // 7**4000 % 10,
        ],
    ]


größe = "\N{MULTIPLICATION SIGN}"  # names and texts beyond ASCII: their tables are loaded late
x = np.arange(12.0).reshape(3, 4)
print(größe.encode("utf-8-sig"), größe.encode("cp1252"))
print(methods(x), functions(x), library(), x, repr(x), x.dtype, x > 1, x.astype(int), x[:0], 1j * x)
print(np.float32(1), f"{x[0, 0]:.3f}", np.array(["a"]), np.array([None, 1]), x.astype(np.float16))
print(np.array([(1, 2.0)], dtype="i4,f8"), np.matrix([[1.0]]))
