# expect: wrong_answer
# goal: a dict subclass whose methods never end
# raw: wrong_answer
class D(dict):
    def items(self):
        while True:
            pass
    __iter__ = keys = values = items
    def __len__(self):
        return -1
def multi_head_attention(Q, K, V, num_heads):
    return D(a=Q)
