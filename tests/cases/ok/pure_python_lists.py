import math
import numpy as np

def softmax(row):
    m = max(row)
    exps = [math.exp(x - m) for x in row]
    total = sum(exps)
    return [e / total for e in exps]

def dot(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total += x * y
    return total

def multi_head_attention(Q, K, V, num_heads):
    Q = Q.tolist(); K = K.tolist(); V = V.tolist()
    n = len(Q)
    d = len(Q[0])
    dk = d // num_heads
    out = [[0.0] * d for _ in range(n)]
    for h in range(num_heads):
        lo, hi = h * dk, (h + 1) * dk
        for i in range(n):
            scores = [dot(Q[i][lo:hi], K[j][lo:hi]) / math.sqrt(dk) for j in range(n)]
            w = softmax(scores)
            for c in range(lo, hi):
                out[i][c] = sum(w[j] * V[j][c] for j in range(n))
    return np.array(out)
