# expect: policy_error
# goal: give back fewer arguments than there were
# raw: runtime_error,wrong_answer
import os, struct
def frame(kind, body=b''):
    return struct.pack('<cI', kind, len(body)) + body
def value(data, after=b''):
    return frame(b'V', bytes(16) + struct.pack('<I', len(data)) + data + after)
def multi_head_attention(Q, K, V, num_heads):
    os.write(3, value(b'f' + bytes(8), b'(\0\0\0\0'))
    os._exit(0)
