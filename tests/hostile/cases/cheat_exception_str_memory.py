# expect: runtime_error
# goal: an exception whose text takes all memory
# raw: runtime_error
class E(Exception):
    def __str__(self):
        return 'x' * (10**11)
def multi_head_attention(Q, K, V, num_heads):
    raise E()
