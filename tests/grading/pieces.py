"""Multi-head attention put together of pieces, each right or with one known mistake.

Slots do not depend on each other, so any two mistakes of different slots compose to a program with
both. Written apart from the exercise's own mistakes, so that their names are tested on other code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

Array = Any
Piece = Callable[..., Any]


def soft(s: Array, axis: int = -1) -> Array:
    e = np.exp(s - s.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def split(x: Array, H: int) -> Array:
    n, d = x.shape
    return x.reshape(n, H, d // H).transpose(1, 0, 2)


def merge(o: Array) -> Array:
    H, n, k = o.shape
    return o.transpose(1, 0, 2).reshape(n, H * k)


def _direct(x: Array, H: int) -> Array:
    return x.reshape(H, x.shape[0], x.shape[1] // H)


def _interleaved(x: Array, H: int) -> Array:
    return x.reshape(x.shape[0], x.shape[1] // H, H).transpose(2, 0, 1)


def _overwrite(o: Array) -> Array:
    out = np.zeros((o.shape[1], o.shape[0] * o.shape[2]))
    for x in o:
        out[:, : o.shape[2]] = x
    return out


def _exp(shift: Callable[[Array], Array], total: Callable[[Array], Array]) -> Piece:
    def weights(s: Array) -> Array:
        e = np.exp(s - shift(s))
        return e / total(e)

    return weights


def _row_max(s: Array) -> Array:
    return s.max(axis=-1, keepdims=True)


def _row_sum(e: Array) -> Array:
    return e.sum(axis=-1, keepdims=True)


def _whole(a: Array, how: str) -> Array:
    return getattr(a, how)(axis=(-2, -1), keepdims=True)


def _log(s: Array) -> Array:
    return np.log(soft(s))


def _shifted(s: Array) -> Array:
    t = s - _row_max(s)
    return t / t.sum(axis=-1, keepdims=True)


def _sum_without_keepdims(s: Array) -> Array:
    e = np.exp(s - _row_max(s))
    return np.stack([x / x.sum(axis=-1) for x in e])


def _base_two(s: Array) -> Array:
    e = 2.0 ** (s - _row_max(s))
    return e / _row_sum(e)


def _scale_in_place(Q: Array, K: Array, V: Array, H: int) -> tuple[Array, Array, Array]:
    root = np.sqrt(Q.shape[1] // H)
    Q /= root
    return Q * root, K, V


def _unit(x: Array) -> Array:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


SLOTS: dict[str, dict[str, Piece]] = {
    "inputs": {
        "mutates-inputs": _scale_in_place,
        "normalised-inputs": lambda Q, K, V, H: (_unit(Q), _unit(K), V),
        "roles-q-k-swapped": lambda Q, K, V, H: (K, Q, V),
        "roles-k-is-q": lambda Q, K, V, H: (Q, Q, V),
        "roles-v-is-k": lambda Q, K, V, H: (Q, K, K),
        "roles-k-is-v": lambda Q, K, V, H: (Q, V, V),
    },
    "split": {
        "split-direct-reshape": _direct,
        "split-interleaved": _interleaved,
        "float-width": lambda x, H: x.reshape(x.shape[0], H, x.shape[1] / H),
    },
    "scale": {
        "scale-d-model": lambda n, d, H, k: np.sqrt(d),
        "scale-none": lambda n, d, H, k: 1.0,
        "scale-no-sqrt": lambda n, d, H, k: float(k),
        "scale-precedence": lambda n, d, H, k: k**1 / 2,
        "scale-floor-sqrt": lambda n, d, H, k: int(np.sqrt(k)),
        "scale-num-heads": lambda n, d, H, k: np.sqrt(H),
        "scale-seq-len": lambda n, d, H, k: np.sqrt(n),
        "scale-multiply": lambda n, d, H, k: 1 / np.sqrt(k),
        "scale-hard-coded": lambda n, d, H, k: 8.0,
    },
    "scores": {
        "mask-causal": lambda s: np.where(np.tri(s.shape[-1], dtype=bool), s, -1e9),
        "mask-diagonal": lambda s: np.where(np.eye(s.shape[-1], dtype=bool), -1e9, s),
        "average-scores": lambda s: np.broadcast_to(s.mean(axis=0), s.shape),
    },
    "softmax": {
        "softmax-axis-queries": lambda s: soft(s, -2),
        "softmax-axis-heads": lambda s: soft(s, 0),
        "softmax-sum-over-head": _exp(_row_max, lambda e: _whole(e, "sum")),
        "softmax-global-per-head": _exp(lambda s: _whole(s, "max"), lambda e: _whole(e, "sum")),
        "softmax-global": _exp(lambda s: s.max(), lambda e: e.sum()),
        "softmax-sum-no-keepdims": _sum_without_keepdims,
        "softmax-max-per-column": _exp(lambda s: s.max(axis=-2, keepdims=True), _row_sum),
        "softmax-unstable": _exp(lambda s: 0.0, _row_sum),
        "softmax-max-global": _exp(lambda s: s.max(), _row_sum),
        "softmax-max-per-head": _exp(lambda s: _whole(s, "max"), _row_sum),
        "softmax-subtract-min": _exp(lambda s: s.min(axis=-1, keepdims=True), _row_sum),
        "softmax-clip": lambda s: soft(np.clip(s, -50, 50)),
        "softmax-no-exp": lambda s: s / _row_sum(s),
        "softmax-shifted-no-exp": _shifted,
        "softmax-missing": lambda s: s,
        "softmax-no-normalise": lambda s: np.exp(s - _row_max(s)),
        "softmax-twice": lambda s: soft(soft(s)),
        "softmax-log": _log,
        "softmax-sigmoid": lambda s: 1 / (1 + np.exp(-s)),
        "softmax-argmax": lambda s: np.eye(s.shape[-1])[s.argmax(axis=-1)],
        "softmax-base-two": _base_two,
    },
    "weights": {
        "roles-weights-transposed": lambda w: w.swapaxes(-1, -2),
        "mask-after-softmax": lambda w: w * np.tri(w.shape[-1]),
        "uniform-weights": lambda w: np.full_like(w, 1 / w.shape[-1]),
    },
    "merge": {
        "merge-no-transpose": lambda o: o.reshape(o.shape[1], -1),
        "merge-interleaved": lambda o: o.transpose(1, 2, 0).reshape(o.shape[1], -1),
        "head-order-reversed": lambda o: merge(o[::-1]),
        "concat-rows": lambda o: o.reshape(-1, o.shape[2]),
        "returns-heads-3d": lambda o: o,
        "returns-heads-3d-transposed": lambda o: o.transpose(1, 0, 2),
        "returns-last-head": lambda o: o[-1],
        "returns-first-head": lambda o: o[0],
        "heads-averaged": lambda o: o.mean(axis=0),
        "heads-overwrite-first-columns": _overwrite,
    },
    "output": {
        "rounded-3": lambda out: np.round(out, 3),
        "rounded-4": lambda out: np.round(out, 4),
        "integer-output": lambda out: out.astype(int),
        "returns-list": lambda out: out.tolist(),
        "returns-tuple": lambda out: (out, out),
        "returns-none": lambda out: None,
        "returns-batch-axis": lambda out: out[np.newaxis],
        "returns-transposed": lambda out: out.T,
    },
}


def _same(x: Array, *_: Any) -> Array:
    return x


def _three(Q: Array, K: Array, V: Array, H: int) -> tuple[Array, Array, Array]:
    return Q, K, V


@dataclass(frozen=True)
class Program:
    """Multi-head attention with these pieces instead of the right ones, and their slugs."""

    slugs: tuple[str, ...]
    pieces: dict[str, Piece] = field(hash=False)

    def piece(self, slot: str, right: Piece) -> Piece:
        """The piece of a slot."""
        return self.pieces.get(slot, right)

    def __call__(self, Q: Array, K: Array, V: Array, num_heads: int) -> Any:
        Q, K, V = self.piece("inputs", _three)(Q, K, V, num_heads)
        n, d = Q.shape
        k = d // num_heads
        q, kk, v = (self.piece("split", split)(x, num_heads) for x in (Q, K, V))
        divisor = self.piece("scale", lambda n, d, H, k: np.sqrt(k))(n, d, num_heads, k)
        s = self.piece("scores", _same)(q @ kk.swapaxes(-1, -2) / divisor)
        w = self.piece("weights", _same)(self.piece("softmax", soft)(s))
        return self.piece("output", _same)(self.piece("merge", merge)(w @ v))


def singles() -> list[Program]:
    """A program for each mistake alone."""
    return [Program((slug,), {slot: SLOTS[slot][slug]}) for slot in SLOTS for slug in SLOTS[slot]]


def pairs() -> list[Program]:
    """A program for each two mistakes of different slots."""
    return [
        Program((a, b), {one: SLOTS[one][a], other: SLOTS[other][b]})
        for one, other in combinations(SLOTS, 2)
        for a in SLOTS[one]
        for b in SLOTS[other]
    ]
