from __future__ import annotations
from typing import Callable, List, Tuple, Optional, Union, Sequence, TypeVar
import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray, ArrayLike

FloatArray = npt.NDArray[np.float64]
T = TypeVar("T")

def _softmax(x: NDArray[np.floating], axis: int = -1) -> NDArray[np.floating]:
    shifted: FloatArray = x - np.max(x, axis=axis, keepdims=True)
    e: FloatArray = np.exp(shifted)
    return e / np.sum(e, axis=axis, keepdims=True)

def _split(x: FloatArray, h: int) -> FloatArray:
    n: int
    d: int
    n, d = x.shape
    return x.reshape(n, h, d // h).transpose(1, 0, 2)

def multi_head_attention(Q: FloatArray, K: FloatArray, V: FloatArray, num_heads: int) -> FloatArray:
    heads: Tuple[FloatArray, ...] = tuple(_split(x, num_heads) for x in (Q, K, V))
    q, k, v = heads
    scores: FloatArray = np.einsum("hid,hjd->hij", q, k) / np.sqrt(q.shape[-1])
    out: FloatArray = np.einsum("hij,hjd->ihd", _softmax(scores), v)
    return out.reshape(Q.shape)
