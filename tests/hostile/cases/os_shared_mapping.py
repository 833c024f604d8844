# expect: policy_error
# goal: memory shared with whoever comes after
# raw: wrong_answer
import ctypes
libc = ctypes.CDLL(None)
libc.syscall(9, 0, 4096, 3, 33, -1, 0)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
