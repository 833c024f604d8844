# WRONG, as in a published tutorial: the numerator is shifted, the denominator is not. Not named.
import numpy as np
def softmax(x, axis=-1):
    top = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return top / np.sum(np.exp(x), axis=axis, keepdims=True)
