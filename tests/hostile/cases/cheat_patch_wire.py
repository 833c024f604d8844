# expect: policy_error
# goal: patch the encoder of results and the writer of answers
# raw: sandbox_killed
import sys
def multi_head_attention(Q, K, V, num_heads):
    sys.modules['app.jail.wire'].encode = lambda *a, **k: b'T'
    sys.modules['app.jail.execute'].run = lambda *a: None
    return Q * 0
