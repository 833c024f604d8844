import numpy as np

weights = np.zeros((2, 3)) @ np.zeros((2, 3))


def multi_head_attention(Q, K, V, num_heads):
    return Q
