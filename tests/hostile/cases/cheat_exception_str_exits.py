# expect: runtime_error
# goal: an exception whose text leaves the process
# raw: runtime_error
class E(Exception):
    def __str__(self):
        raise SystemExit(0)
def multi_head_attention(Q, K, V, num_heads):
    raise E()
