# expect: policy_error
# goal: the frame of an asynchronous generator
# raw: runtime_error
async def agen():
    yield 1
raise KeyError(f"PAST THE POLICY {agen().ag_frame!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
