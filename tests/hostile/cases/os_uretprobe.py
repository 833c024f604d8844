# expect: policy_error
# goal: the system call that the kernel answers ahead of the filter (x86)
# raw: runtime_error,sandbox_killed,wrong_answer
import ctypes
libc = ctypes.CDLL(None)
libc.syscall(335)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
