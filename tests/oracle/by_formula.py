"""The shipped exercises once more, number by number from their formulas, in plain Python.

No array is multiplied and nothing is broadcast here: each output is a sum over named indices, added
by `math.fsum`. Slow, and made in another way than the references, so that both are hardly wrong
alike. Arguments are NumPy arrays; outputs are nested lists, or a tuple of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

Rows: TypeAlias = list[list[float]]


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    """The sum of products of two equally long rows."""
    return math.fsum(float(x) * float(y) for x, y in zip(a, b, strict=True))


def product(left: Any, right: Any) -> Rows:
    """(n, m) times (m, k), entry by entry."""
    columns = [[row[j] for row in right] for j in range(len(right[0]))]
    return [[dot(row, column) for column in columns] for row in left]


def weights(scores: Sequence[float]) -> list[float]:
    """Softmax of one row; all zeros where every score is minus infinity."""
    top = max(scores, default=-math.inf)
    if top == -math.inf:
        return [0.0] * len(scores)
    powers = [math.exp(score - top) for score in scores]
    total = math.fsum(powers)
    return [power / total for power in powers]


def attend(query: Sequence[float], keys: Any, values: Any, seen: int | None = None) -> list[float]:
    """One query's mixture of the values of the first `seen` keys, all where it is None.

    Zeros where no key is seen. Vaswani et al. (2017), equation 1.
    """
    count = len(keys) if seen is None else max(0, seen)
    scores = [dot(query, key) / math.sqrt(len(query)) for key in keys[:count]]
    shares = weights(scores)
    return [
        math.fsum(w * float(values[j][c]) for j, w in enumerate(shares) if w)
        for c in range(len(values[0]))
    ]


def columns(rows: Any, head: int, width: int) -> Any:
    """The slice of each row that belongs to a head."""
    return [row[head * width : (head + 1) * width] for row in rows]


def heads(
    queries: Any, keys: Any, values: Any, count: int, seen: Callable[[int], int | None]
) -> Rows:
    """Multi-head attention of rows of queries; `seen` says how many keys a query may see."""
    width = len(queries[0]) // count
    split = [[columns(x, h, width) for x in (queries, keys, values)] for h in range(count)]
    return [
        [number for q, k, v in split for number in attend(q[i], k, v, seen(i))]
        for i in range(len(queries))
    ]


def everything(_: int) -> None:
    """A query that sees all keys."""


def scaled_dot_product_attention(Q: Any, K: Any, V: Any) -> Rows:
    """Each query over all keys."""
    return [attend(query, K, V) for query in Q]


def causal_attention(Q: Any, K: Any, V: Any) -> Rows:
    """The queries are the last of the positions."""
    return [attend(query, K, V, i + len(K) - len(Q) + 1) for i, query in enumerate(Q)]


def multi_head_attention(Q: Any, K: Any, V: Any, num_heads: int) -> Rows:
    """Heads side by side."""
    return heads(Q, K, V, num_heads, everything)


def multi_head_attention_layer(
    x_q: Any, x_kv: Any, W_Q: Any, W_K: Any, W_V: Any, W_O: Any, num_heads: int
) -> Rows:
    """The same between four projections."""
    projected = product(x_q, W_Q), product(x_kv, W_K), product(x_kv, W_V)
    return product(heads(*projected, num_heads, everything), W_O)


def grouped_query_attention(Q: Any, K: Any, V: Any, num_q_heads: int, num_kv_heads: int) -> Rows:
    """Query head h reads KV head h // group."""
    width, group = len(Q[0]) // num_q_heads, num_q_heads // num_kv_heads
    out: Rows = []
    for row in Q:
        out.append([])
        for h in range(num_q_heads):
            k, v = (columns(x, h // group, width) for x in (K, V))
            out[-1] += attend(row[h * width : (h + 1) * width], k, v)
    return out


def decode_step(
    q: Any, k: Any, v: Any, k_cache: Any, v_cache: Any, num_heads: int
) -> tuple[Rows, Rows, Rows]:
    """New token i sees the old ones, those before it and itself."""
    keys, values = [*k_cache.tolist(), *k.tolist()], [*v_cache.tolist(), *v.tolist()]
    old = len(k_cache)
    return heads(q, keys, values, num_heads, lambda i: old + i + 1), keys, values


def flash_attention(Q: Any, K: Any, V: Any, block_size: int) -> tuple[Rows, list[float]]:
    """What no block size may change: attention, and the logarithm of each row's sum."""
    sums = []
    for query in Q:
        scores = [dot(query, key) / math.sqrt(len(query)) for key in K]
        top = max(scores)
        sums.append(top + math.log(math.fsum(math.exp(score - top) for score in scores)))
    return scaled_dot_product_attention(Q, K, V), sums


def over_last(x: Any, change: Callable[[list[float]], list[float]]) -> Any:
    """Nested lists in which each innermost row is changed."""
    if x.ndim == 1:
        return change(x.tolist())
    return [over_last(part, change) for part in x]


def normalized(row: list[float], gamma: Any, beta: Any, eps: float, centred: bool) -> list[float]:
    """One token: its mean taken off or not, over the root of its mean square."""
    mean = math.fsum(row) / len(row) if centred else 0.0
    rest = [x - mean for x in row]
    spread = math.sqrt(math.fsum(x * x for x in rest) / len(rest) + eps)
    added = [0.0] * len(row) if beta is None else beta
    return [x / spread * g + b for x, g, b in zip(rest, gamma, added, strict=True)]


def normalize(x: Any, gamma: Any, beta: Any = None, eps: float = 1e-5, kind: str = "layer") -> Any:
    """LayerNorm, or RMSNorm, which knows no beta."""
    layer = kind == "layer"
    kept = beta if layer else None
    return over_last(x, lambda row: normalized(row, gamma, kept, eps, layer))


def gelu(z: float) -> float:
    """The tanh form (Hendrycks and Gimpel, 2016)."""
    return 0.5 * z * (1 + math.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))


def silu(z: float) -> float:
    """z times its sigmoid."""
    return z / (1 + math.exp(-z)) if z > -700 else 0.0


def feed_forward(x: Any, W_up: Any, W_down: Any, W_gate: Any = None) -> Any:
    """Every token by itself: wide, bent, narrow."""

    def change(row: list[float]) -> list[float]:
        wide = product([row], W_up)[0]
        if W_gate is None:
            bent = [gelu(z) for z in wide]
        else:
            bent = [silu(z) * up for z, up in zip(product([row], W_gate)[0], wide, strict=True)]
        return product([bent], W_down)[0]

    return over_last(x, change)


def apply_rope(x: Any, positions: Any, base: float = 10000.0) -> Any:
    """Each pair of neighbours turned by position times base ** (-2i / d) (Su et al., 2021)."""
    out = np.array(x, dtype=float)
    d = x.shape[-1]
    for index in itertools.product(*map(range, x.shape[:-1])):
        position = float(positions[index[-1]])
        for i in range(d // 2):
            angle = position * base ** (-2 * i / d)
            even, odd = float(x[(*index, 2 * i)]), float(x[(*index, 2 * i + 1)])
            out[(*index, 2 * i)] = even * math.cos(angle) - odd * math.sin(angle)
            out[(*index, 2 * i + 1)] = even * math.sin(angle) + odd * math.cos(angle)
    return out.tolist()


def positional_encoding(seq_len: int, d_model: int) -> Rows:
    """Sine in the even columns, cosine of the same angle beside it."""
    return [
        [
            (math.cos if c % 2 else math.sin)(position / 10000 ** (c // 2 * 2 / d_model))
            for c in range(d_model)
        ]
        for position in range(seq_len)
    ]


def softmax(x: Any, axis: int = -1) -> Any:
    """Weights along an axis."""
    moved = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    found = np.array(over_last(moved, weights)).reshape(moved.shape)
    return np.moveaxis(found, -1, axis).tolist()


def transformer_block(x: Any, p: Mapping[str, Any], num_heads: int, eps: float = 1e-5) -> Rows:
    """Pre-norm: each half is added to the stream it was made from."""
    a = normalize(x, p["ln1_g"], p["ln1_b"], eps)
    q, k, v = (product(a, p[name]) for name in ("W_Q", "W_K", "W_V"))
    mixed = product(heads(q, k, v, num_heads, lambda i: i + 1), p["W_O"])
    h = np.array(mixed) + x
    z = normalize(h, p["ln2_g"], p["ln2_b"], eps)
    wide = [
        [gelu(n + b) for n, b in zip(row, p["b_1"], strict=True)] for row in product(z, p["W_1"])
    ]
    out: Rows = (np.array(product(wide, p["W_2"])) + p["b_2"] + h).tolist()
    return out
