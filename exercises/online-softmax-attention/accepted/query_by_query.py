import math

import numpy as np


def flash_attention(Q, K, V, block_size):
    n_k = K.shape[0]
    output = np.zeros((Q.shape[0], V.shape[1]))
    lse = np.zeros(Q.shape[0])
    for i, q in enumerate(Q):
        top, total, values = -math.inf, 0.0, np.zeros(V.shape[1])
        for block in range(math.ceil(n_k / block_size)):
            rows = range(block * block_size, min((block + 1) * block_size, n_k))
            scores = [float(np.dot(q, K[j])) / math.sqrt(len(q)) for j in rows]
            new_top = max(top, *scores)
            shrink = math.exp(top - new_top)
            total, values = total * shrink, values * shrink
            for j, score in zip(rows, scores):
                weight = math.exp(score - new_top)
                total += weight
                values = values + weight * V[j]
            top = new_top
        output[i] = values / total
        lse[i] = top + math.log(total)
    return output, lse
