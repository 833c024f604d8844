# expect: policy_error
# goal: ignore every signal that could end us
# raw: time_limit
import signal
for n in range(1, 65):
    try:
        signal.signal(n, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    pass
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
