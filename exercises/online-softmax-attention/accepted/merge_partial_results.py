import numpy as np


def attend_block(Q, k, v):
    scores = np.einsum("id,jd->ij", Q, k) / Q.shape[1] ** 0.5
    top = np.max(scores, axis=-1)
    weights = np.exp(scores - top[:, None])
    total = np.sum(weights, axis=-1)
    return (weights / total[:, None]) @ v, top + np.log(total)


def flash_attention(Q, K, V, block_size):
    output, lse = attend_block(Q, K[:block_size], V[:block_size])
    start = block_size
    while start < len(K):
        end = min(start + block_size, len(K))
        more, more_lse = attend_block(Q, K[start:end], V[start:end])
        both = np.logaddexp(lse, more_lse)
        output = np.exp(lse - both)[:, None] * output + np.exp(more_lse - both)[:, None] * more
        lse = both
        start = end
    return output, lse
