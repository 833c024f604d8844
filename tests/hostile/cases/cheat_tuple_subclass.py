# expect: wrong_answer
# goal: a tuple subclass of lying length that never ends
# raw: wrong_answer
class T(tuple):
    def __len__(self):
        return 10**18
    def __iter__(self):
        while True:
            yield 0.0
def multi_head_attention(Q, K, V, num_heads):
    return T((Q, K, V))
