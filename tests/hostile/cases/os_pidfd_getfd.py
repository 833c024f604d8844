# expect: policy_error
# goal: take a descriptor of another process
# raw: sandbox_killed
import ctypes
libc = ctypes.CDLL(None)
libc.syscall(438, 3, 0, 0)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
