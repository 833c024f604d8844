import numpy as np

def safe_div(a, b):
    try:
        r = a / b
    except (ZeroDivisionError, FloatingPointError) as e:
        print("error", e)
        raise
    else:
        return r
    finally:
        pass

def multi_head_attention(Q, K, V, num_heads):
    try:
        if Q.shape[1] % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        d_k = Q.shape[1] // num_heads
    except ValueError as exc:
        raise RuntimeError(str(exc)) from exc
    assert Q.shape == K.shape == V.shape, "shape mismatch"
    out = np.full(Q.shape, np.nan)
    for h in range(num_heads):
        c = list(range(h * d_k, (h + 1) * d_k))
        s = safe_div(Q[:, c] @ K[:, c].T, np.sqrt(d_k))
        s = s - s.max(axis=1).reshape(-1, 1)
        w = safe_div(np.exp(s), np.exp(s).sum(axis=1).reshape(-1, 1))
        out[:, c] = w @ V[:, c]
    assert not np.isnan(out).any()
    return out
