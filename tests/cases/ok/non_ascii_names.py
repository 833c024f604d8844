# -*- coding: utf-8 -*-
import numpy as np
# 多头注意力 — реализация
π = np.pi

def вес(σ):
    """Softmax по строкам."""
    μ = σ.max(axis=-1, keepdims=True)
    ε = np.exp(σ - μ)
    return ε / ε.sum(axis=-1, keepdims=True)

def multi_head_attention(Q, K, V, num_heads):
    größe, länge = Q.shape
    δ = länge // num_heads
    头 = []
    for η in range(num_heads):
        α, β = η * δ, (η + 1) * δ
        头.append(вес(Q[:, α:β] @ K[:, α:β].T / np.sqrt(δ)) @ V[:, α:β])
    return np.concatenate(头, axis=1)
