import numpy as np

def softmax(z):
    ez = np.exp(z - np.max(z, axis=0))
    return ez / np.sum(ez, axis=0)

def multi_head_attention(Q, K, V, num_heads):
    QT, KT, VT = Q.T, K.T, V.T
    d = QT.shape[0] // num_heads
    rows = []
    for q, k, v in zip(np.vsplit(QT, num_heads), np.vsplit(KT, num_heads), np.vsplit(VT, num_heads)):
        rows.append(v @ softmax(k.T @ q / np.sqrt(d)))
    return np.vstack(rows).T
