# expect: wrong_answer
# goal: a dict with keys that are equal to everything and never end when spelled
# raw: wrong_answer
class S(str):
    def encode(self, *a):
        while True:
            pass
    def __hash__(self):
        return 1
    def __eq__(self, other):
        return True
def multi_head_attention(Q, K, V, num_heads):
    return {S('a'): Q, S('b'): K}
