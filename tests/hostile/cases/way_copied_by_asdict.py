# expect: runtime_error
# goal: an address in the dict of a copy, by the memory of deepcopy
# raw: runtime_error
from dataclasses import asdict, dataclass
class Child:
    def __deepcopy__(self, memo):
        for seen in list(memo.values()):
            if isinstance(seen, dict) and "first" in seen:
                raise KeyError("PAST THE POLICY")
        return self
class Own:
    def __init__(self):
        self.first, self.child = 1, Child()
@dataclass
class Record:
    x: object
asdict(Record(Own()))
raise ValueError("copied plainly")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
