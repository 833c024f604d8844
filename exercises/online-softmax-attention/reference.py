"""Attention in one pass over blocks of keys, with a running softmax."""
import numpy as np


def blocks(n_keys, block_size):
    """The rows of each block; the last one may be shorter."""
    return [slice(start, start + block_size) for start in range(0, n_keys, block_size)]


def block_scores(Q, K_block):
    """Scaled scores of all queries against one block of keys, (n_q, block)."""
    return Q @ K_block.T / np.sqrt(Q.shape[1])


def first_maximum(n_q):
    """Below every score, (n_q, 1)."""
    return np.full((n_q, 1), -np.inf)


def new_maximum(m, s):
    """The largest score of each query so far, (n_q, 1)."""
    return np.maximum(m, s.max(axis=1, keepdims=True))


def repair_factor(m, m_new):
    """What repairs all that was collected: 0 in the first block, where m is -inf."""
    return np.exp(m - m_new)


def exponentials(s, m_new):
    """(n_q, block)."""
    return np.exp(s - m_new)


def add_to_sum(l, repair, p):
    """The sum of exp(score - m), with this block, (n_q, 1)."""
    return repair * l + p.sum(axis=1, keepdims=True)


def add_to_values(acc, repair, p, V_block):
    """The sum of exp(score - m) * value, with this block, (n_q, d_v)."""
    return repair * acc + p @ V_block


def share_out(acc, l):
    """The weights sum to 1."""
    return acc / l


def log_sum_exp(m, l):
    """The logarithm of the sum, measured from 0 again, (n_q,)."""
    return (m + np.log(l))[:, 0]


def flash_attention(Q, K, V, block_size):
    """Return the output (n_q, d_v) and the log-sum-exp of the scaled scores (n_q,)."""
    m = first_maximum(len(Q))
    l = np.zeros((len(Q), 1))
    acc = np.zeros((len(Q), V.shape[1]))
    for block in blocks(len(K), block_size):
        s = block_scores(Q, K[block])
        m_new = new_maximum(m, s)
        repair = repair_factor(m, m_new)
        p = exponentials(s, m_new)
        l = add_to_sum(l, repair, p)
        acc = add_to_values(acc, repair, p, V[block])
        m = m_new
    return share_out(acc, l), log_sum_exp(m, l)
