# expect: policy_error
# goal: an exception with escapes, markup, NUL and a lone surrogate in every text
# raw: runtime_error
import os, struct
def frame(kind, body=b''):
    return struct.pack('<cI', kind, len(body)) + body
def value(data, after=b''):
    return frame(b'V', bytes(16) + struct.pack('<I', len(data)) + data + after)
def text(s):
    data = s.encode('utf-8', 'surrogatepass')
    return struct.pack('<I', len(data)) + data
def multi_head_attention(Q, K, V, num_heads):
    evil = '\u202e\x1b]0;x\x07<img src=x onerror=alert(1)>\ud800\0'
    body = b'{\4\0\0\0' + text('type') + b's' + text(evil) + text('message') + b's' + text(evil * 100)
    body += text('help') + b's' + text(evil) + text('frames') + b'(\0\0\0\0'
    os.write(3, frame(b'E', bytes(16) + body))
    os._exit(0)
