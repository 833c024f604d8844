# expect: policy_error
# goal: a system call of the future
# raw: wrong_answer
import ctypes
libc = ctypes.CDLL(None)
libc.syscall(5000)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
