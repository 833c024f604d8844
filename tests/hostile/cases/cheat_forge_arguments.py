# expect: policy_error
# goal: say that the arguments are now something huge
# raw: runtime_error,sandbox_killed
import os, struct
def frame(kind, body=b''):
    return struct.pack('<cI', kind, len(body)) + body
def value(data, after=b''):
    return frame(b'V', bytes(16) + struct.pack('<I', len(data)) + data + after)
def multi_head_attention(Q, K, V, num_heads):
    after = b'(\4\0\0\0NNNs' + struct.pack('<I', 300_000) + b'x' * 300_000
    os.write(3, value(b'f' + bytes(8), after))
    os._exit(0)
