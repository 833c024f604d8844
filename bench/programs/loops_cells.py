# Multi-head attention cell by cell: every step is a subscript of an array.
import numpy as np


def multi_head_attention(Q, K, V, num_heads):
    length, d_model = Q.shape
    width = d_model // num_heads
    out = np.zeros((length, d_model))
    for head in range(num_heads):
        first = head * width
        for i in range(length):
            scores = np.zeros(length)
            for j in range(length):
                for c in range(first, first + width):
                    scores[j] += Q[i, c] * K[j, c]
            weights = np.exp((scores - scores.max()) / np.sqrt(width))
            weights = weights / weights.sum()
            for j in range(length):
                for c in range(first, first + width):
                    out[i, c] += weights[j] * V[j, c]
    return out
