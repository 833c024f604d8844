from scipy.special import softmax
import os

def multi_head_attention(Q, K, V, num_heads):
    return softmax(Q)
