# expect: policy_error
# goal: have everybody signalled by a pipe
# raw: wrong_answer
import ctypes
libc = ctypes.CDLL(None)
libc.syscall(72, 3, 8, -1)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
