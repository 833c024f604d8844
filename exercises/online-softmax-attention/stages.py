"""The arrays a solution passes through, in order; blocks are given as equivalent arrays."""
import numpy as np


def stages(Q, K, V, block_size):
    m, l, acc = np.full((len(Q), 1), -np.inf), np.zeros((len(Q), 1)), np.zeros((len(Q), V.shape[1]))
    scores, maxima, repairs, exponentials = [], [], [], []
    for start in range(0, len(K), block_size):
        s = block_scores(Q, K[start:start + block_size])
        m_new = np.maximum(m, s.max(axis=1, keepdims=True))
        repair, p = np.exp(m - m_new), np.exp(s - m_new)
        l = repair * l + p.sum(axis=1, keepdims=True)
        acc = repair * acc + p @ V[start:start + block_size]
        m = m_new
        scores.append(s)
        maxima += [m, m[:, 0]]
        repairs += [repair, repair[:, 0]]
        exponentials.append(p)
    lse = (m + np.log(l))[:, 0]
    return {
        "scores of a block": scores,
        "running maximum": maxima,
        "repair factor": repairs,
        "shifted exponentials of a block": exponentials,
        "last maximum": [m, m[:, 0]],
        "sum of exponentials": [l, l[:, 0]],
        "weighted sum of values": acc,
        "output": acc / l,
        "lse": [lse, lse[:, None]],
    }
