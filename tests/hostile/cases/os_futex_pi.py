# expect: policy_error
# goal: the futex with the bad history
# raw: wrong_answer
import ctypes
libc = ctypes.CDLL(None)
libc.syscall(202, ctypes.byref(ctypes.c_int(0)), 6, 0, 0, 0, 0)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
