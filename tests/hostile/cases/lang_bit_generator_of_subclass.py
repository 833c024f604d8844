# expect: wrong_answer,runtime_error,policy_error
# goal: the bit generator of a subclass of RandomState, whose ctypes and state are raw memory
# raw: wrong_answer,runtime_error,policy_error
import numpy as np
class R(np.random.RandomState):
    pass
bg = R(0)._bit_generator
raise KeyError(f"PAST THE POLICY: GOT A BIT GENERATOR {type(bg)} {hasattr(bg, 'ctypes')} {bg.state['state']['pos']}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
