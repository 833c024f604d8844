import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    heads = [np.split(x, num_heads, axis=1) for x in (Q, K, V)]
    scores = [q @ k.T / np.sqrt(q.shape[1]) for q, k in zip(heads[0], heads[1])]
    powers = [np.exp(s - s.max(axis=1, keepdims=True)) for s in scores]
    outs = [p / p.sum(axis=1, keepdims=True) @ v for p, v in zip(powers, heads[2])]
    return np.hstack(outs)
