"""Values of every shape that a call may give, for tests that nothing fails on any of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from app.model import OddArray, Opaque, Value

_DTYPES = ("bool", "int8", "int64", "uint64", "float16", "float32", "float64")
_NUMBERS = (0, 1, -1, 3, 2**62, -(2**63))
_FLOATS = (0.0, -0.0, 1.5, 1e-300, 1e300, np.nan, np.inf, -np.inf)

sizes = st.integers(0, 5)
shapes = st.one_of(
    st.lists(sizes, max_size=5).map(tuple),
    st.integers(33, 64).map(lambda axes: (1,) * axes),
    st.tuples(st.integers(0, 3), st.integers(0, 400)),
)


@st.composite
def arrays(draw: Any) -> Any:
    """Arrays of no cell, of one, of many axes, with nan and inf among their numbers."""
    shape, dtype = draw(shapes), np.dtype(draw(st.sampled_from(_DTYPES)))
    chosen = draw(st.lists(st.sampled_from(_FLOATS if dtype.kind == "f" else _NUMBERS), min_size=1))
    with np.errstate(all="ignore"):
        return np.resize(np.array(chosen), shape).astype(dtype)


texts = st.text(st.characters(), max_size=30) | st.sampled_from(
    ["\ud800", "\0", "\u202e", "x" * 9000]
)
plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([10**400, -(10**1200), 2**63, 10**23]),
    st.floats(),
    texts,
    texts.map(Opaque),
    st.builds(OddArray, texts, shapes),
    arrays(),
)
values: st.SearchStrategy[Value] = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=6).map(tuple) | st.dictionaries(texts, inner, max_size=4)
    ),
    max_leaves=8,
)

LARGE: dict[str, Value] = {
    "nested_nones": ((None,) * 2_000,) * 2,
    "many_arrays": tuple(np.zeros(9) for _ in range(900)),
    "many_floats": {"a": (0.1,) * 4_000},
    "many_texts": tuple("\u4e00" * 500 for _ in range(300)),
    "long_text": "\0" * 1_000_000,
    "long_keys": {f"{n}" + "k" * 5_000: n for n in range(300)},
    "large_array": np.full((1_000, 200), 0.1),
    "many_axes": np.zeros((1,) * 64),
    "huge_int": 10**1_200,
}
"""Values that are large in one way each; what a jail lets through is no larger."""
