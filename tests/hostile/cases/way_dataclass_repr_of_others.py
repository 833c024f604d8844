# expect: runtime_error
# goal: what dataclass reads of an object of the library, as text
# raw: runtime_error
from dataclasses import dataclass
import numpy as np
@dataclass
class Names:
    _bit_generator: int
text = Names.__repr__(np.random.RandomState(0))
raise KeyError(f"PAST THE POLICY {text}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
