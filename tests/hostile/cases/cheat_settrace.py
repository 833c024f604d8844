# expect: policy_error
# goal: trace the code that calls us
# raw: wrong_answer
import sys
def spy(frame, event, arg):
    for name in list(frame.f_locals):
        if name == 'expected':
            raise KeyError('EXPECTED FOUND')
    return spy
sys.settrace(spy)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
