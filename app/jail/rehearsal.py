"""What a spare child runs before it is needed, as if a learner had sent it; see `child`."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def softmax(x: Array) -> Array:
    """Softmax along the last axis."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    weights: Array = e / e.sum(axis=-1, keepdims=True)
    return weights


def rehearse(Q: Array, K: Array, V: Array, num_heads: int = 2) -> Array:
    """Two ways to attend, added up; shapes as in the multi-head exercise."""
    out = np.zeros(Q.shape)
    d = Q.shape[-1] // num_heads
    for h in range(num_heads):
        part = slice(h * d, (h + 1) * d)
        out[:, part] += softmax(Q[:, part] @ K[:, part].T / np.sqrt(d)) @ V[:, part]
    print(out.shape, f"{out.mean():.3f}")
    q, k, v = (x.reshape(-1, num_heads, d).transpose(1, 0, 2) for x in (Q, K, V))
    weights = softmax(np.einsum("hid,hjd->hij", q, k))
    return np.concatenate(list(weights @ v), axis=-1) + out
