# expect: runtime_error
# goal: getattr called by functions of the library
# raw: runtime_error
import functools
import numpy as np
def gen():
    yield 1
g = gen()
def get(name):
    return getattr(g, name)
WAYS = (
    lambda: functools.reduce(getattr, [g, "gi_frame"]),
    lambda: list(map(getattr, [g], ["gi_frame"]))[0],
    lambda: functools.partial(getattr, g)("gi_frame"),
    lambda: np.frompyfunc(getattr, 2, 1)(g, "gi_frame"),
    lambda: np.vectorize(get, otypes=[object])(["gi_frame"])[0],
    lambda: functools.lru_cache(getattr)(g, "gi_frame"),
)
for take in WAYS:
    try:
        frame = take()
    except Exception as error:
        if type(error).__name__ == "NotAvailable":
            continue
    raise KeyError(f"PAST THE POLICY {frame!r}")
raise ValueError("all refused")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
