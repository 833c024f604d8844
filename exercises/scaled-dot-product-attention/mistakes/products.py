"""The matrix products take the arrays in another role or order, or the result another shape."""
import numpy as np


def swapped_qk(Q, K, V):
    """Queries and keys are exchanged

    The rows of the scores belong to the keys. Queries ask and keys answer: there is one row of
    scores for each query, and only then do the weights fit the values.

    Hint: 2
    """
    return softmax(K @ Q.T / np.sqrt(K.shape[1])) @ V


def weights_transposed(Q, K, V):
    """The weights are transposed before the values

    Each output mixes the weights of different queries. Row i of the result needs row i of the
    weights, and those sit in place already.

    Hint: 3
    """
    return softmax(Q @ K.T / np.sqrt(K.shape[1])).T @ V


def averages_keys(Q, K, V):
    """Averages the keys instead of the values

    The weights are right, but they average the keys. Keys decide how much; the values are what is
    averaged.

    Hint: 3
    """
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ K


def keys_not_transposed(Q, K, V):
    """K is not transposed

    Queries and keys meet along the axis of the keys. Two matrices with vectors in their rows need
    one of them turned before the product pairs row with row.

    Hint: 2
    """
    return softmax(Q @ K / np.sqrt(K.shape[1])) @ V


def returns_weights(Q, K, V):
    """Returns the weights

    These are the weights, one row for each query. The last step is missing: the average of the
    values under them.

    Hint: 3
    """
    return softmax(Q @ K.T / np.sqrt(K.shape[1]))


def squeezed(Q, K, V):
    """Axes of length 1 are removed

    The numbers are right, but axes of length 1 are gone from the result. A single query still
    gives an array with two axes, one row long.

    Hint: 3
    """
    return np.squeeze(softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V)


def returns_both(Q, K, V):
    """Returns the weights beside the output

    Two arrays come back where one is expected. Many books return the weights beside the output;
    this exercise asks for the output alone.

    Hint: 4
    """
    weights = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return weights @ V, weights
