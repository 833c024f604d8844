# expect: policy_error
# goal: tuples in tuples, far deeper than any value
# raw: sandbox_killed
import os, struct
def frame(kind, body=b''):
    return struct.pack('<cI', kind, len(body)) + body
def value(data, after=b''):
    return frame(b'V', bytes(16) + struct.pack('<I', len(data)) + data + after)
def multi_head_attention(Q, K, V, num_heads):
    os.write(3, value(b'(\1\0\0\0' * 100_000 + b'N'))
    os._exit(0)
