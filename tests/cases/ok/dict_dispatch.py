import numpy as np

ACTIVATIONS = {
    "softmax": lambda x: np.exp(x - x.max(-1, keepdims=True)) / np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True),
    "identity": lambda x: x,
}

def multi_head_attention(Q, K, V, num_heads, *, activation="softmax", **options):
    params = {"n": Q.shape[0], "d": Q.shape[1], **options}
    params |= dict(h=num_heads)
    params.setdefault("dk", params["d"] // params["h"])
    act = ACTIVATIONS.get(activation, ACTIVATIONS["identity"])
    q, k, v = ({"x": x}["x"].reshape(params["n"], params["h"], params["dk"]).transpose(1, 0, 2) for x in [Q, K, V])
    out = act(q @ k.transpose(0, 2, 1) / np.sqrt(params["dk"])) @ v
    return out.transpose(1, 0, 2).reshape(params["n"], params["d"])
