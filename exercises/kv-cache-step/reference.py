"""One decoding step: grow the KV cache and attend to everything up to each new token."""
import numpy as np


def split_heads(x, num_heads):
    """(n, d_model) -> (num_heads, n, d_k)."""
    n, d_model = x.shape
    return x.reshape(n, num_heads, d_model // num_heads).transpose(1, 0, 2)


def merge_heads(x):
    """(num_heads, n, d_k) -> (n, d_model)."""
    num_heads, n, d_k = x.shape
    return x.transpose(1, 0, 2).reshape(n, num_heads * d_k)


def scaled_scores(q, k):
    """Every new token against every key, head by head: (H, m, n_k)."""
    return q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])


def visible_keys(m, t):
    """True where new token i may see position j: (m, t + m)."""
    return np.arange(t + m) <= t + np.arange(m)[:, None]


def hide(scores, visible):
    """Minus infinity where a position is not visible."""
    return np.where(visible, scores, -np.inf)


def shift(scores):
    """Take each row's own maximum off, which keeps exp finite."""
    return scores - scores.max(axis=-1, keepdims=True)


def softmax(scores):
    """Softmax over the keys."""
    e = np.exp(shift(scores))
    return e / e.sum(axis=-1, keepdims=True)


def weigh(scores, visible):
    """The weights of all visible positions."""
    return softmax(hide(scores, visible))


def attend(q, K, V, visible, num_heads):
    """Multi-head attention of q (m, d_model) over K, V; visible is (m, n_k)."""
    q, K, V = split_heads(q, num_heads), split_heads(K, num_heads), split_heads(V, num_heads)
    return merge_heads(weigh(scaled_scores(q, K), visible) @ V)


def decode_step(q, k, v, k_cache, v_cache, num_heads):
    """Return the output of the new tokens and both caches with the new rows appended."""
    K = np.concatenate([k_cache, k])  # (t + m, d_model)
    V = np.concatenate([v_cache, v])
    return attend(q, K, V, visible_keys(len(q), len(k_cache)), num_heads), K, V
