"""The six test cases of feed-forward, and an example whose sizes all differ."""
import numpy as np


def _gated(seed, shape, d_ff):
    rng = np.random.default_rng(seed)
    d_model = shape[-1]
    W_up, W_gate = rng.standard_normal((d_model, d_ff)), rng.standard_normal((d_model, d_ff))
    return rng.standard_normal(shape), W_up, rng.standard_normal((d_ff, d_model)), W_gate


def worked_gelu():
    """The statement's first example: GELU of 1 and of -1, with identity weights."""
    return np.array([[1.0, -1.0]]), np.eye(2), np.eye(2)


def worked_gate():
    """The statement's second example: one gated number."""
    return np.array([[2.0]]), np.array([[3.0]]), np.array([[1.0]]), np.array([[-0.5]])


def gelu_curve():
    """The GELU curve from -6 to 6, read off through identity weights. The input is a single token
    without a token axis.
    """
    return np.linspace(-6.0, 6.0, 25), np.eye(25), np.eye(25)


def huge_gate():
    """Gates of ±1000 on a single token without a token axis: no nan may appear, and a gate of -1000
    is shut completely.
    """
    x = np.array([-1000.0, -50.0, 0.0, 50.0, 1000.0])
    return x, 0.5 * np.eye(5), 2.0 * np.eye(5), -np.eye(5)


def batch_of_sequences():
    """A batch of sequences through a gated network; all sizes differ. Also as many tokens as
    features, with a gate and without.
    """
    rng = np.random.default_rng(805)
    x = rng.standard_normal((2, 3, 5))
    W_up, W_gate = rng.standard_normal((5, 7)), rng.standard_normal((5, 7))
    square = _gated(808, (4, 4), 4)
    gated = x, W_up, rng.standard_normal((7, 5)), W_gate
    return [gated, _gated(809, (3, 5, 5), 2), square, square[:3]]


def gelu_far_out():
    """A batch without a gate: one sequence of ordinary size, one with pre-activations in the
    hundreds.
    """
    rng = np.random.default_rng(806)
    x = rng.standard_normal((2, 4, 3)) * np.array([1.0, 50.0])[:, None, None]
    return x, rng.standard_normal((3, 7)), rng.standard_normal((7, 3))


def five_tokens_gated():
    """Example: five tokens of width 4 through a gated network of width 6."""
    rng = np.random.default_rng(807)
    W_up, W_gate = rng.standard_normal((4, 6)), rng.standard_normal((4, 6))
    return rng.standard_normal((5, 4)), W_up, rng.standard_normal((6, 4)), W_gate
