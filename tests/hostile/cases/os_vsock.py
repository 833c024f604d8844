# expect: policy_error
# goal: a socket to the host of this machine
# raw: sandbox_killed
import socket
socket.socket(40, socket.SOCK_STREAM)
def multi_head_attention(Q, K, V, num_heads):
    return Q * 0
