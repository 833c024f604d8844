# expect: runtime_error
# goal: an exception whose text calls itself
# raw: runtime_error
class E(Exception):
    def __str__(self):
        return str(self) + '!'
def multi_head_attention(Q, K, V, num_heads):
    raise E()
