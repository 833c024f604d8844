import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    dk = Q.shape[1] // num_heads
    blocks = []
    for h in range(num_heads):
        idx = np.r_[h*dk:(h+1)*dk]
        s = Q[:, idx] @ K[:, idx].T / np.sqrt(dk)
        w = np.exp(s - s.max(1, keepdims=True))
        blocks.append(w / w.sum(1, keepdims=True) @ V[:, idx])
    return np.block([blocks])
