# expect: policy_error
# goal: an array by description, of 64 axes of 2**64 - 1 elements, its dtype full of escapes
# raw: wrong_answer,runtime_error
import os, struct
def frame(kind, body=b''):
    return struct.pack('<cI', kind, len(body)) + body
def value(data, after=b''):
    return frame(b'V', bytes(16) + struct.pack('<I', len(data)) + data + after)
def text(s):
    data = s.encode('utf-8', 'surrogatepass')
    return struct.pack('<I', len(data)) + data
def multi_head_attention(Q, K, V, num_heads):
    name = '\u202efloat64<script>\x1b[2J'
    dims = bytes([64]) + struct.pack('<64Q', *[2**64 - 1] * 64)
    os.write(3, value(b'o' + text(name) + dims))
    os._exit(0)
