# expect: policy_error
# goal: modules that look into objects
# raw: runtime_error
import enum, types, inspect, contextlib, weakref, abc, gc, sys
raise KeyError("PAST THE POLICY")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
