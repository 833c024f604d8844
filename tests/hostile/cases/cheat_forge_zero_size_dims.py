# expect: policy_error
# goal: an empty array one of whose axes has 2**64 - 1 elements
# raw: sandbox_killed
import os, struct
def frame(kind, body=b''):
    return struct.pack('<cI', kind, len(body)) + body
def value(data, after=b''):
    return frame(b'V', bytes(16) + struct.pack('<I', len(data)) + data + after)
def multi_head_attention(Q, K, V, num_heads):
    os.write(3, value(b'a' + bytes([11, 2]) + struct.pack('<2Q', 0, 2**64 - 1)))
    os._exit(0)
