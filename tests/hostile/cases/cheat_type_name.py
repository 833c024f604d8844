# expect: runtime_error
# goal: a class named with escapes, markup and bidi, fourteen thousand characters long
# raw: wrong_answer
Evil = type('\x1b[2J<script>\u202e' * 1000, (), {})
def multi_head_attention(Q, K, V, num_heads):
    return Evil()
