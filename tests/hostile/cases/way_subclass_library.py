# expect: runtime_error
# goal: a subclass of any class of the library that is no container, interface or error
# raw: runtime_error
import functools, itertools, typing
import numpy as np
CLASSES = (functools.partial, functools.cached_property, functools.partialmethod,
           np.float64, np.int64, np.ndindex, np.vectorize, np.poly1d, np.errstate,
           np.random.RandomState, np.random.Generator, itertools.count, typing.Any, classmethod)
for Base in CLASSES:
    try:
        class Own(Base):
            pass
    except Exception as error:
        if type(error).__name__ == "NotAvailable":
            continue
    raise KeyError(f"PAST THE POLICY {Base!r}")
raise ValueError("all refused")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
