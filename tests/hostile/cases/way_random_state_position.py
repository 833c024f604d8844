# expect: runtime_error
# goal: raw memory: the state of RandomState takes any position, and the next draw reads there
# raw: runtime_error
import numpy as np
r = np.random.RandomState(0)
r.set_state(("MT19937", np.zeros(624, dtype=np.uint32), 624))
raise KeyError(f"PAST THE POLICY {r.get_state()[2]}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
