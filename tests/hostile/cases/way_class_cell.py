# expect: policy_error
# goal: the cell that super() reads
# raw: runtime_error
class Own:
    def look(self):
        return __class__
raise KeyError(f"PAST THE POLICY {Own().look()!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
