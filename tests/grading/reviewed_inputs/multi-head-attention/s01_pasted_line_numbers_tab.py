# Pasted with line numbers and tabs. Said: the line is indented too far.
  1	import numpy as np
  2	
  3	def multi_head_attention(Q, K, V, num_heads):
  4	    n, d = Q.shape
  5	    w = d // num_heads
  6	    q, k, v = (a.reshape(n, num_heads, w).transpose(1, 0, 2) for a in (Q, K, V))
  7	    s = q @ k.transpose(0, 2, 1) / np.sqrt(w)
  8	    e = np.exp(s - s.max(-1, keepdims=True))
  9	    return (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, d)
