# expect: runtime_error
# goal: the methods of an object of the library by super()
# raw: runtime_error
import numpy as np
class Own:
    pass
v = np.vectorize(len)
super(np.vectorize, v).__init__()
raise KeyError(f"PAST THE POLICY {super(np.vectorize, v).__init__!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
