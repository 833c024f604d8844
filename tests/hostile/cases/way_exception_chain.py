# expect: policy_error
# goal: the exception that another came from, and its traceback
# raw: runtime_error
try:
    try:
        1 / 0
    except ZeroDivisionError:
        [][0]
except IndexError as error:
    raise KeyError(f"PAST THE POLICY {error.__context__.__traceback__!r}")

def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
