# expect: runtime_error
# goal: a name that NumPy asks for, set on a class by the keywords of its statement
# raw: runtime_error
import numpy as np
class Base:
    def __init_subclass__(cls, **given):
        for name, value in given.items():
            setattr(cls, name, value)
class Own(Base, __array__=lambda self, dtype=None, copy=None: np.ones(3)):
    pass
raise KeyError(f"PAST THE POLICY {np.asarray(Own())!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
