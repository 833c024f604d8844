# expect: policy_error
# goal: rewrite bytecode of a function
# raw: runtime_error,wrong_answer
# note: it reads past the end of a tuple: what that gives is chance
def f():
    return 1
f.__code__ = f.__code__.replace(co_code=b'\x64\x7f\x53\x00')
f()
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
