# expect: policy_error,runtime_error,wrong_answer
# goal: raw memory: the state of RandomState takes any position, and the next draw reads there
# raw: wrong_answer,runtime_error
import numpy as np
r = np.random.RandomState(0)
r.set_state(("MT19937", np.zeros(624, dtype=np.uint32), 640))
words = [int(w) for w in r.randint(0, 2**32, size=64, dtype=np.uint32)]
if any(words):
    raise KeyError(f"PAST THE POLICY: READ BEYOND THE STATE {words[:8]}")
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
