# expect: wrong_answer
# goal: a result whose repr and str call each other for ever
# raw: wrong_answer
class R:
    def __repr__(self):
        return str(self)
    def __str__(self):
        return repr(self)
def multi_head_attention(Q, K, V, num_heads):
    return R()
