"""Misconceptions about the feed-forward half."""
import math

import numpy as np


def _block(x, p, num_heads, eps, curve=gelu):
    h = x + attention(layer_norm(x, p["ln1_g"], p["ln1_b"], eps), p, num_heads)
    b = layer_norm(h, p["ln2_g"], p["ln2_b"], eps)
    return h + curve(b @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]


def relu(x, p, num_heads, eps=1e-5):
    """ReLU instead of GELU

    The attention half is right; the feed-forward half uses ReLU. Every negative pre-activation
    becomes exactly 0. GELU lets small negative values through.

    Hint: 2
    """
    return _block(x, p, num_heads, eps, lambda z: np.maximum(z, 0.0))


def gelu_erf(x, p, num_heads, eps=1e-5):
    """Exact (erf) GELU

    The GELU in this code is the exact form, built on erf. It stays within 0.0005 of the tanh form,
    so every value is close. This exercise uses the tanh form of the formula.

    Hint: 2
    """
    def curve(z):
        erf = np.array([math.erf(v) for v in (z / np.sqrt(2.0)).ravel()]).reshape(z.shape)
        return 0.5 * z * (1.0 + erf)

    return _block(x, p, num_heads, eps, curve)


def silu_for_gelu(x, p, num_heads, eps=1e-5):
    """SiLU instead of GELU

    The attention half is right; the feed-forward half uses SiLU. The two curves look alike, but
    they are off by up to 0.2 from each other.

    Hint: 2
    """
    return _block(x, p, num_heads, eps, lambda z: z * 0.5 * (1.0 + np.tanh(0.5 * z)))


def gelu_sigmoid(x, p, num_heads, eps=1e-5):
    """The quick sigmoid form of GELU

    The GELU in this code is the quick form, built on sigmoid(1.702 z). It is off by up to 0.02 for
    each activation. This exercise uses the tanh form of the formula.

    Hint: 2
    """
    return _block(x, p, num_heads, eps, lambda z: z * 0.5 * (1.0 + np.tanh(0.851 * z)))


def no_activation(x, p, num_heads, eps=1e-5):
    """No activation between W_1 and W_2

    Nothing bends the tokens between W_1 and W_2. Two linear maps in a row are one linear map. GELU
    belongs between them.

    Hint: 2
    """
    return _block(x, p, num_heads, eps, lambda z: z)


def no_biases(x, p, num_heads, eps=1e-5):
    """b_1 and b_2 are never used

    The feed-forward half has no biases: b_1 and b_2 are never used. Each of the two products is
    followed by one.

    Hint: 5
    """
    return transformer_block(x, {**p, "b_1": 0.0, "b_2": 0.0}, num_heads, eps)


def no_first_bias(x, p, num_heads, eps=1e-5):
    """b_1 is never used

    The first bias, b_1, is never used. It moves the point at which GELU opens.

    Hint: 5
    """
    return transformer_block(x, {**p, "b_1": 0.0}, num_heads, eps)


def no_second_bias(x, p, num_heads, eps=1e-5):
    """b_2 is never used

    The second bias, b_2, is never used. It is added to every token at the end of the feed-forward
    half.

    Hint: 5
    """
    return transformer_block(x, {**p, "b_2": 0.0}, num_heads, eps)


def bias_after_gelu(x, p, num_heads, eps=1e-5):
    """b_1 is added after GELU

    The first bias is added after the curve instead of before. There it cannot move the point at
    which GELU opens.

    Hint: 5
    """
    return _block(x, {**p, "b_1": 0.0}, num_heads, eps, lambda z: gelu(z) + p["b_1"])


def no_feed_forward(x, p, num_heads, eps=1e-5):
    """The feed-forward half is missing

    The output is the stream after attention. The second half of the block is missing.

    Hint: 1
    """
    return x + attention(layer_norm(x, p["ln1_g"], p["ln1_b"], eps), p, num_heads)


def no_attention(x, p, num_heads, eps=1e-5):
    """The attention half is missing

    Attention adds nothing to the stream, so no token knows of any other. The first half of the
    block is missing.

    Hint: 1
    """
    return x + feed_forward(layer_norm(x, p["ln2_g"], p["ln2_b"], eps), p)


def feed_forward_transposed(x, p, num_heads, eps=1e-5):
    """W_1 and W_2 are transposed

    W_1 and W_2 are used transposed, as PyTorch's Linear layer stores them. They are not square, so
    the product has no matching sizes. Here every matrix is used as x @ W.

    Hint: 5
    """
    return transformer_block(x, {**p, "W_1": p["W_1"].T, "W_2": p["W_2"].T}, num_heads, eps)
