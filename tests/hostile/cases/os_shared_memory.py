# expect: policy_error
# goal: leave something in /dev/shm
# raw: runtime_error
from multiprocessing import shared_memory
shared_memory.SharedMemory('mlgrind_left', True, 100)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
