# expect: policy_error
# goal: memory that nobody else can look into
# raw: sandbox_killed
import ctypes
libc = ctypes.CDLL(None)
libc.syscall(447, 0)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
