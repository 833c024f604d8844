# expect: policy_error
# goal: half a frame, then wait for ever
# raw: time_limit
import os, struct
def frame(kind, body=b''):
    return struct.pack('<cI', kind, len(body)) + body
def value(data, after=b''):
    return frame(b'V', bytes(16) + struct.pack('<I', len(data)) + data + after)
import threading
os.write(3, frame(b'L', bytes(1000))[:10])
lock = threading.Lock()
lock.acquire()
lock.acquire()
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
