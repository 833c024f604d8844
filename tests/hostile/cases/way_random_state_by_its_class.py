# expect: runtime_error
# goal: the state of RandomState by the method of its class
# raw: runtime_error
import numpy as np
set_state = getattr(np.random.RandomState, "set_state")
set_state(np.random.RandomState(0), ("MT19937", np.zeros(624, dtype=np.uint32), 624))
raise KeyError("PAST THE POLICY")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
