"""Pre-norm transformer block: causal attention and feed-forward on a residual stream."""
import numpy as np


def layer_norm(z, gain, shift, eps):
    """Normalise every token over its features, then scale and shift."""
    centred = z - z.mean(axis=1, keepdims=True)
    variance = np.square(centred).mean(axis=1, keepdims=True)
    return centred / np.sqrt(variance + eps) * gain + shift


def gelu(z):
    """GELU in the tanh form, entry by entry."""
    return 0.5 * z * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * (z + 0.044715 * z**3)))


def softmax(scores):
    """Softmax over the keys, shifted by the maximum of each row."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scaled_scores(q, k):
    """Every query against every key, head by head."""
    return q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])


def hide_future(scores):
    """Minus infinity where the key comes after the query."""
    position = np.arange(scores.shape[-1])
    return np.where(position <= position[:, None], scores, -np.inf)


def weigh(scores):
    """Causal weights: (H, n, n) -> (H, n, n)."""
    return softmax(hide_future(scores))


def split_heads(x, num_heads):
    """(n, d_model) -> (num_heads, n, d_k)."""
    n, d_model = x.shape
    return x.reshape(n, num_heads, d_model // num_heads).transpose(1, 0, 2)


def merge_heads(heads):
    """(num_heads, n, d_k) -> (n, d_model)."""
    num_heads, n, d_k = heads.shape
    return heads.transpose(1, 0, 2).reshape(n, num_heads * d_k)


def attention(a, p, num_heads):
    """Causal multi-head self-attention with its four projections."""
    q, k, v = (split_heads(a @ p[name], num_heads) for name in ("W_Q", "W_K", "W_V"))
    return merge_heads(weigh(scaled_scores(q, k)) @ v) @ p["W_O"]


def feed_forward(z, p):
    """Widen, bend with GELU, narrow."""
    return gelu(z @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]


def first_half(x, p, num_heads, eps):
    """The stream after attention."""
    return x + attention(layer_norm(x, p["ln1_g"], p["ln1_b"], eps), p, num_heads)


def second_half(h, p, eps):
    """The stream after the feed-forward network."""
    return h + feed_forward(layer_norm(h, p["ln2_g"], p["ln2_b"], eps), p)


def transformer_block(x, p, num_heads, eps=1e-5):
    """Run x (n, d_model) through one pre-norm block."""
    return second_half(first_half(x, p, num_heads, eps), p, eps)
