# expect: policy_error
# goal: a tuple that claims four thousand million items
# raw: sandbox_killed
import os, struct
def frame(kind, body=b''):
    return struct.pack('<cI', kind, len(body)) + body
def value(data, after=b''):
    return frame(b'V', bytes(16) + struct.pack('<I', len(data)) + data + after)
def multi_head_attention(Q, K, V, num_heads):
    os.write(3, value(b'(\xff\xff\xff\xff' + b'N'))
    os._exit(0)
