%matplotlib inline
!pip install numpy
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    return Q
