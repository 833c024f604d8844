# expect: policy_error
# goal: answer everything while loading: the functions, all results, the end
# raw: wrong_answer
import os, struct
def frame(kind, body=b''):
    return struct.pack('<cI', kind, len(body)) + body
def value(data, after=b''):
    return frame(b'V', bytes(16) + struct.pack('<I', len(data)) + data + after)
os.write(3, frame(b'L', bytes(16) + b'{\0\0\0\0'))
for n in range(6):
    os.write(3, frame(b'S', struct.pack('<I', n)) + value(b'N'))
os.write(3, frame(b'D'))
os._exit(0)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
