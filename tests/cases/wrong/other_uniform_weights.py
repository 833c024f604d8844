# mistake: uniform-weights
# symptom: mean of V
import numpy as np


def multi_head_attention(Q, K, V, num_heads):
    return np.tile(V.mean(axis=0), (len(Q), 1))
