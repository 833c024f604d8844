"""Roles: Q, K and V stand in each other's place, or do not meet as every query with every key."""

import numpy as np


def roles_q_k_swapped(Q, K, V, num_heads):
    """Queries and keys exchanged

    Queries and keys have changed places. Row i of your weights says how token i is looked at, not
    what it looks at. It shows only where Q and K differ.

    Hint: 4
    """
    return multi_head_attention(K, Q, V, num_heads)


def roles_weights_transposed(Q, K, V, num_heads):
    """Weights transposed before V

    The weights are right, but they meet V transposed. Their rows sum to 1, one row a query; after
    the transposition a row belongs to a key. With symmetric weights, as in the first example, it
    doesn't show.

    Hint: 4
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    weights = softmax(scaled_scores(q, k))
    return merge_heads(weights.swapaxes(-1, -2) @ v)


def roles_k_is_q(Q, K, V, num_heads):
    """Q in place of K

    Q is compared with itself, and K plays no part. Where Q and K are equal, as in the first
    example, it doesn't show. Look at the line that makes the keys.

    Hint: 4
    """
    return multi_head_attention(Q, Q, V, num_heads)


def roles_v_is_k(Q, K, V, num_heads):
    """K in place of V

    The output averages the rows of K, and V plays no part. The weights are right. Look at what
    they are multiplied with.

    Hint: 4
    """
    return multi_head_attention(Q, K, K, num_heads)


def roles_k_is_v(Q, K, V, num_heads):
    """V in place of K

    Q is compared with V, and K plays no part. Values are what gets averaged; keys are what queries
    are compared with. Look at the line that makes the keys.

    Hint: 4
    """
    return multi_head_attention(Q, V, V, num_heads)


def k_not_transposed(Q, K, V, num_heads):
    """K not transposed

    The columns of the queries meet the tokens of the keys. matmul can join the two only where
    there are as many tokens as columns in a head. A score pairs the columns of one query with the
    columns of one key; how must K stand for that?

    Hint: 4
    """
    # With @ or np.matmul, in a loop or on all heads at once. np.dot and einsum word it otherwise.
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(softmax(q @ k / np.sqrt(q.shape[-1])) @ v)


def k_t_on_3d(Q, K, V, num_heads):
    """.T on an array with three axes

    On an array with three axes, `.T` reverses all of them. So (H, n, d_k) becomes (d_k, n, H), and
    matmul can no longer pair the heads. Only two of the axes should change places; which?

    Hint: 4
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(softmax(q @ k.T / np.sqrt(q.shape[-1])) @ v)


def swapaxes_wrong(Q, K, V, num_heads):
    """Heads and tokens of K exchanged

    The keys have their heads and tokens exchanged, so matmul can't join them. The head axis should
    stay in front, where the product treats it as a batch. Which two axes of K should change
    places?

    Hint: 4
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(softmax(q @ k.swapaxes(0, 1) / np.sqrt(q.shape[-1])) @ v)


def np_dot_3d(Q, K, V, num_heads):
    """np.dot on arrays with three axes

    np.dot pairs every head with every other head. On arrays with more than two axes it does not go
    head by head, so the result grows new axes. Which product treats the leading axes as a batch?

    Hint: 2
    """
    # Returned as it comes. A merge by transpose(1, 0, 2) after it stops: "axes don't match array".
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    scores = np.dot(q, k.swapaxes(-1, -2)) / np.sqrt(q.shape[-1])
    return np.dot(softmax(scores), v)


def elementwise_product(Q, K, V, num_heads):
    """Products element by element

    Queries and keys are multiplied element by element, so no token meets another. `*` pairs equal
    positions; attention needs sums of products between every query and every key.

    Hint: 2
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(softmax(q * k / np.sqrt(q.shape[-1])) * v)
