# WRONG: the sigmoid is clipped at 10. Values are off by up to 45; said is that they are nearly right.
import numpy as np
def feed_forward(x, W_up, W_down, W_gate=None):
    up = x @ W_up
    if W_gate is None:
        return (0.5 * up * (1 + np.tanh(np.sqrt(2 / np.pi) * (up + 0.044715 * up ** 3)))) @ W_down
    g = x @ W_gate
    return (g / (1 + np.exp(-np.clip(g, -10, 10))) * up) @ W_down
