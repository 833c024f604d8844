import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    dk, rem = divmod(d, num_heads)
    if rem: raise ValueError
    result = np.zeros((n, d)); i = 0
    while True:
        if i >= num_heads: break
        lo = i * dk; hi = lo + dk
        for r in range(n):
            row = []
            for c in range(n):
                acc = 0
                for t in range(lo, hi):
                    acc += Q[r][t] * K[c][t]
                row.append(acc / (dk ** 0.5))
            mx = max(row)
            row = [np.exp(z - mx) for z in row]
            sm = sum(row)
            for t in range(lo, hi):
                result[r][t] = sum([row[c] / sm * V[c][t] for c in range(n)])
        else:
            i += 1
            continue
        break
    return result
