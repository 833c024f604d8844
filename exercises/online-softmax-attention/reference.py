"""Attention in one pass over blocks of keys, with a running softmax."""
import numpy as np


def block_scores(Q, K_block):
    """Scaled scores of all queries against one block of keys, (n_q, block)."""
    return Q @ K_block.T / np.sqrt(Q.shape[1])


def flash_attention(Q, K, V, block_size):
    """Return the output (n_q, d_v) and the log-sum-exp of the scaled scores (n_q,)."""
    n_q, n_k, d_v = len(Q), len(K), V.shape[1]
    m = np.full((n_q, 1), -np.inf)  # largest score so far
    l = np.zeros((n_q, 1))  # sum of exp(score - m)
    acc = np.zeros((n_q, d_v))  # sum of exp(score - m) * value
    for start in range(0, n_k, block_size):
        block = slice(start, start + block_size)
        s = block_scores(Q, K[block])
        m_new = np.maximum(m, s.max(axis=1, keepdims=True))
        repair = np.exp(m - m_new)  # 0 in the first block, where m is -inf
        p = np.exp(s - m_new)
        l = repair * l + p.sum(axis=1, keepdims=True)
        acc = repair * acc + p @ V[block]
        m = m_new
    return acc / l, (m + np.log(l))[:, 0]
