"""Feed-forward network: widen, bend, narrow, with a gate or without."""
import numpy as np


def gelu(z):
    """GELU in the tanh form, entry by entry."""
    return 0.5 * z * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * (z + 0.044715 * z**3)))


def silu(z):
    """z * sigmoid(z); written with tanh, the sigmoid cannot overflow."""
    return z * 0.5 * (1.0 + np.tanh(0.5 * z))


def gated(gate, up):
    """The signal, as far as the valve lets it through."""
    return silu(gate) * up


def hidden_layer(x, W_up, W_gate):
    """Widen every token and bend it: (..., d_model) -> (..., d_ff)."""
    up = x @ W_up
    return gelu(up) if W_gate is None else gated(x @ W_gate, up)


def feed_forward(x, W_up, W_down, W_gate=None):
    """Apply the GELU network, or the SwiGLU network when W_gate is given, to every token."""
    return hidden_layer(x, W_up, W_gate) @ W_down  # (..., d_model)
