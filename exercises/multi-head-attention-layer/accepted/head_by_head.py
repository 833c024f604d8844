import numpy as np


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def multi_head_attention_layer(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    d_k = W_Q.shape[1] // num_heads
    output = np.zeros((x_q.shape[0], W_O.shape[1]))
    for h in range(num_heads):
        block = slice(h * d_k, (h + 1) * d_k)
        q, k, v = x_q @ W_Q[:, block], x_kv @ W_K[:, block], x_kv @ W_V[:, block]
        output += softmax(q @ k.T / np.sqrt(d_k)) @ v @ W_O[block]
    return output
