from dataclasses import dataclass

import numpy as np


@dataclass
class Heads:
    count: int
    width: int

    def columns(self, W):
        return W.reshape(W.shape[0], self.count, self.width)


def multi_head_attention_layer(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    heads = Heads(num_heads, x_q.shape[-1] // num_heads)
    q = np.einsum("nd,dhk->hnk", x_q, heads.columns(W_Q)) / heads.width**0.5
    k = np.einsum("md,dhk->hmk", x_kv, heads.columns(W_K))
    v = np.einsum("md,dhk->hmk", x_kv, heads.columns(W_V))
    scores = np.einsum("hnk,hmk->hnm", q, k)
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    return np.einsum("hnm,hmk,hkd->nd", weights, v, W_O.reshape(num_heads, heads.width, -1))
