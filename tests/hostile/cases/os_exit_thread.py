# expect: policy_error
# goal: end the only thread, with status 0
# raw: runtime_error
import ctypes
libc = ctypes.CDLL(None)
libc.syscall(60, 0)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
