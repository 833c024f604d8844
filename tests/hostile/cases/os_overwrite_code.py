# expect: policy_error
# goal: overwrite the interpreter's own code
# raw: runtime_error
import ctypes
ctypes.memset(ctypes.cast(ctypes.pythonapi.Py_Finalize, ctypes.c_void_p).value, 0xcc, 16)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
