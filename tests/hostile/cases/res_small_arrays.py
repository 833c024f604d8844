# expect: memory_limit
# goal: memory by many small arrays
# raw: memory_limit
import numpy as np
def multi_head_attention(Q, K, V, num_heads):
    x = []
    while True:
        x.append(np.zeros(2))
