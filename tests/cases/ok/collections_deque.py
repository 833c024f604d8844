import numpy as np
from collections import defaultdict, deque, OrderedDict, Counter

def multi_head_attention(Q, K, V, num_heads):
    heads = defaultdict(dict)
    for name, x in OrderedDict(Q=Q, K=K, V=V).items():
        for i, part in enumerate(np.split(x, num_heads, axis=-1)):
            heads[i][name] = part
    queue = deque(sorted(heads))
    done = {}
    while queue:
        i = queue.popleft()
        h = heads[i]
        s = h["Q"] @ h["K"].T
        s /= np.sqrt(h["Q"].shape[-1])
        s -= s.max(axis=-1, keepdims=True)
        w = np.exp(s)
        w /= w.sum(axis=-1, keepdims=True)
        done[i] = w @ h["V"]
    return np.concatenate([done[i] for i in range(num_heads)], axis=-1)
