# expect: policy_error
# goal: an exception with lines and sizes out of all bounds
# raw: runtime_error
import os, struct
def frame(kind, body=b''):
    return struct.pack('<cI', kind, len(body)) + body
def value(data, after=b''):
    return frame(b'V', bytes(16) + struct.pack('<I', len(data)) + data + after)
def text(s):
    data = s.encode('utf-8', 'surrogatepass')
    return struct.pack('<I', len(data)) + data
big = b'i\x09\0' + (2**70).to_bytes(9, 'little')
line = b'i\4\0' + (2**31 - 1).to_bytes(4, 'little')
def multi_head_attention(Q, K, V, num_heads):
    facts = b'(\1\0\0\0(\2\0\0\0' + big + big
    frames = b'(\1\0\0\0{\2\0\0\0' + text('line') + line + text('column') + line
    body = b'{\4\0\0\0' + text('type') + b's' + text('ValueError') + text('message') + b's' + text('matmul: mismatch')
    body += text('frames') + frames + text('facts') + facts
    os.write(3, frame(b'E', bytes(16) + body))
    os._exit(0)
