# expect: policy_error
# goal: starts and results of all six tests, and a clean end, by hand
# raw: wrong_answer
import os, struct
def frame(kind, body=b''):
    return struct.pack('<cI', kind, len(body)) + body
def value(data, after=b''):
    return frame(b'V', bytes(16) + struct.pack('<I', len(data)) + data + after)
def multi_head_attention(Q, K, V, num_heads):
    for n in range(6):
        if n:
            os.write(3, frame(b'S', struct.pack('<I', n)))
        os.write(3, value(b'f' + bytes(8)))
    os.write(3, frame(b'D'))
    os._exit(0)
