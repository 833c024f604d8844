"""Extras: something is added that this exercise does not ask for, or attention is left out."""

import numpy as np


def mask_causal(Q, K, V, num_heads):
    """A causal mask

    Later tokens are hidden from earlier ones, but no mask is asked for. Here every query sees
    every key. Only the last token's row is right.

    Hint: 4
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    may_see = np.tri(len(Q), dtype=bool)
    return merge_heads(softmax(np.where(may_see, scaled_scores(q, k), -np.inf)) @ v)


def mask_after_softmax(Q, K, V, num_heads):
    """Weights of later tokens set to zero

    The weights of later tokens are set to zero; no mask is asked for. What is left of a row no
    longer sums to 1. Here every query sees every key.

    Hint: 4
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    weights = softmax(scaled_scores(q, k)) * np.tri(len(Q))
    return merge_heads(weights @ v)


def mask_diagonal(Q, K, V, num_heads):
    """No token may look at itself

    Each token is kept from looking at itself. Here every query sees every key, its own token's
    included. What happens to the diagonal of your scores?

    Hint: 4
    """
    # With a large negative number. With -np.inf a single token has nothing left to look at: nan.
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    scores = scaled_scores(q, k) - 1e9 * np.eye(len(Q))
    return merge_heads(softmax(scores) @ v)


def residual_added(Q, K, V, num_heads):
    """Q added to the output

    The attention is right, but Q is added to it. A residual connection belongs to a whole
    transformer block, not to this function.

    Hint: 4
    """
    return multi_head_attention(Q, K, V, num_heads) + Q


def normalised_inputs(Q, K, V, num_heads):
    """Q and K brought to unit length

    The rows of Q and K are brought to length 1 before they meet. That makes the scores cosines.
    Here the dot products are taken as they are, and only scaled.

    Hint: 4
    """

    def unit_rows(x):
        return x / np.linalg.norm(x, axis=1, keepdims=True)

    return multi_head_attention(unit_rows(Q), unit_rows(K), V, num_heads)


def projection_added(Q, K, V, num_heads):
    """An output projection

    The merged heads are multiplied by a random matrix. In a full layer that is the place of W_O;
    here there is no output projection, and the task ends with the merge.

    Hint: 4
    """
    # Known by its numbers, so only when the matrix is drawn in the commonest way.
    np.random.seed(0)
    d_model = Q.shape[1]
    W_O = np.random.randn(d_model, d_model)
    return multi_head_attention(Q, K, V, num_heads) @ W_O


def returns_v(Q, K, V, num_heads):
    """V returned as it is

    V comes back unchanged; the weights play no part. Each output row should be an average of the
    rows of V, head by head.

    Hint: 4
    """
    return V.copy()


def uniform_weights(Q, K, V, num_heads):
    """Equal weights for all keys

    Every key gets the same weight, so each row is the plain mean of V. The weights should depend
    on how well a query matches a key. Do the scores reach the softmax?

    Hint: 4
    """
    return np.repeat(V.mean(axis=0, keepdims=True), len(V), axis=0)
