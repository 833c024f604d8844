"""The arrays a solution passes through, in order."""
import numpy as np


def _grouped(x, num_kv_heads):
    return x.reshape(num_kv_heads, -1, *x.shape[1:])


def stages(Q, K, V, num_q_heads, num_kv_heads):
    group = num_q_heads // num_kv_heads
    q, k, v = split_heads(Q, num_q_heads), split_heads(K, num_kv_heads), split_heads(V, num_kv_heads)
    k_all, v_all = k.repeat(group, axis=0), v.repeat(group, axis=0)
    root = np.sqrt(q.shape[-1])
    raw = q @ k_all.transpose(0, 2, 1)
    scores = raw / root
    weights = softmax(scores)
    heads = weights @ v_all
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return {
        "query heads": [q, q.transpose(1, 0, 2), _grouped(q, num_kv_heads), q / root],
        "KV heads: keys": [k, k.transpose(1, 0, 2), k.transpose(0, 2, 1)],
        "KV heads: values": [v, v.transpose(1, 0, 2)],
        "keys for each query head": [k_all, k_all.transpose(1, 0, 2), k_all.transpose(0, 2, 1)],
        "values for each query head": [v_all, v_all.transpose(1, 0, 2)],
        "raw scores": [raw, _grouped(raw, num_kv_heads)],
        "scaled scores": [scores, _grouped(scores, num_kv_heads)],
        "shifted exponentials": [e, _grouped(e, num_kv_heads)],
        "weights": [weights, _grouped(weights, num_kv_heads)],
        "output of each head": [heads, heads.transpose(1, 0, 2), _grouped(heads, num_kv_heads)],
        "output": merge_heads(heads),
    }
