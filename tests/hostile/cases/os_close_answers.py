# expect: policy_error
# goal: close the answers and go on
# raw: runtime_error
import os
os.close(3)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
