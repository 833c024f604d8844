import numpy as np
NEG_INF = -1e9
AXIS = -1
_cache = {}
DEBUG = False

def softmax(x):
	global _cache
	_cache['last'] = x.shape
	x = x - np.max(x, axis=AXIS, keepdims=True)
	e = np.exp(x)
	return e / np.sum(e, axis=AXIS, keepdims=True)

def multi_head_attention(Q, K, V, num_heads):
	seq_len, d_model = Q.shape
	d_k = d_model // num_heads
	# (heads, seq, d_k)
	Qh = Q.reshape(seq_len, num_heads, d_k).transpose(1, 0, 2)
	Kh = K.reshape(seq_len, num_heads, d_k).transpose(1, 0, 2)
	Vh = V.reshape(seq_len, num_heads, d_k).transpose(1, 0, 2)
	if DEBUG:
		print(Qh)
	attn = softmax(Qh @ Kh.transpose(0, 2, 1) / np.sqrt(d_k))
	return (attn @ Vh).transpose(1, 0, 2).reshape(seq_len, d_model)
