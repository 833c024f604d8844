"""The arrays a solution passes through, in order."""
import numpy as np


def stages(x, W_up, W_down, W_gate=None):
    up = x @ W_up
    if W_gate is None:
        hidden = gelu(up)
        return {"up": up, "hidden": hidden, "output": hidden @ W_down}
    gate = x @ W_gate
    hidden = silu(gate) * up
    return {
        "up": up,
        "gate": gate,
        "sigmoid of the gate": 0.5 * (1.0 + np.tanh(0.5 * gate)),
        "activated gate": silu(gate),
        "hidden": hidden,
        "output": hidden @ W_down,
    }
