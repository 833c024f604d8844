# expect: policy_error
# goal: unmap everything
# raw: runtime_error
import ctypes
libc = ctypes.CDLL(None)
libc.syscall(11, ctypes.c_long(4096), ctypes.c_ulong(2**47 - 8192))
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
