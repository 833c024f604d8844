# expect: policy_error
# goal: splice our pages into the answers
# raw: wrong_answer
import ctypes
libc = ctypes.CDLL(None)
libc.syscall(278, 3, 0, 0, 0)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
