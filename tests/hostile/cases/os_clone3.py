# expect: policy_error
# goal: a process by clone3
# raw: wrong_answer
import ctypes
libc = ctypes.CDLL(None)
libc.syscall(435, 0, 0)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
