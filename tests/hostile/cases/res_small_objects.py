# expect: memory_limit
# goal: memory by many small objects
# raw: memory_limit
class Node:
    def __init__(self, before):
        self.before = before
def multi_head_attention(Q, K, V, num_heads):
    x = None
    while True:
        x = Node(x)
