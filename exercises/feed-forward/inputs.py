"""Random legal inputs of feed-forward."""
import numpy as np


def draw(rng):
    """The token axes, two widths, with a gate or without, and the size of the numbers."""
    leading = tuple(int(n) for n in rng.integers(1, 5, size=rng.integers(0, 4)))
    d_model, d_ff = (int(n) for n in rng.integers(1, 7, size=2))
    if rng.integers(4) == 0:
        d_ff = d_model
    x = rng.standard_normal((*leading, d_model))
    W_up, W_gate = (rng.standard_normal((d_model, d_ff)) for _ in range(2))
    W_down = rng.standard_normal((d_ff, d_model))
    kind = rng.choice(["plain", "plain", "large", "zero", "negative"])
    if kind == "large":  # pre-activations in the thousands, of both signs
        x = np.round(1000 * x)
        W_up, W_gate, W_down = (np.round(8 * W) / 8 for W in (W_up, W_gate, W_down))
    elif kind == "zero":
        x = np.zeros_like(x)
    elif kind == "negative":  # a shut gate
        x, W_gate, W_up = np.abs(x), -200 * np.abs(W_gate), np.abs(W_up)
    given = rng.integers(5)
    if given == 0:
        return x, W_up, W_down
    return x, W_up, W_down, None if given == 1 else W_gate
