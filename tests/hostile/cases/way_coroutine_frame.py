# expect: policy_error
# goal: the frame of a coroutine
# raw: runtime_error
async def co():
    pass
c = co()
frame = c.cr_frame
c.close()
raise KeyError(f"PAST THE POLICY {frame!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
