import numpy as np


def feed_forward(x, W_up, W_down, W_gate=None):
    tokens = x.reshape(-1, x.shape[-1])
    out = np.zeros(tokens.shape)
    for t, token in enumerate(tokens):
        widened = np.dot(token, W_up)
        if W_gate is None:
            # GELU is z * sigmoid(2u), because (1 + tanh(u)) / 2 = sigmoid(2u)
            inner = np.sqrt(8 / np.pi) * (widened + 0.044715 * np.power(widened, 3))
            hidden = widened / (1 + np.exp(-np.clip(inner, -700, 700)))
        else:
            gate = np.dot(token, W_gate)
            hidden = widened * gate / (1 + np.exp(np.clip(-gate, -700, 700)))
        out[t] = np.dot(hidden, W_down)
    return out.reshape(x.shape)
