"""Misconceptions about scale, softmax and mask."""
import numpy as np


def _gqa(Q, K, V, num_q_heads, num_kv_heads, scale=None, weigh=softmax):
    group = num_q_heads // num_kv_heads
    q = split_heads(Q, num_q_heads)
    k, v = (split_heads(a, num_kv_heads).repeat(group, axis=0) for a in (K, V))
    scores = q @ k.transpose(0, 2, 1) / (np.sqrt(q.shape[-1]) if scale is None else scale)
    return merge_heads(weigh(scores) @ v)


def scale_kv_width(Q, K, V, num_q_heads, num_kv_heads):
    """Scaled by the width of K

    The scale follows the full width of K, all KV heads together. That is right for a single KV
    head only. Each score is a sum over the features of one head.

    Hint: 4
    """
    return _gqa(Q, K, V, num_q_heads, num_kv_heads, scale=np.sqrt(K.shape[1]))


def scale_dmodel(Q, K, V, num_q_heads, num_kv_heads):
    """Scaled by the width of Q

    The scale follows the full width of Q, so the weights are too flat. Each score is a sum over
    the features of one head, and it is that width that counts.

    Hint: 4
    """
    return _gqa(Q, K, V, num_q_heads, num_kv_heads, scale=np.sqrt(Q.shape[1]))


def scale_none(Q, K, V, num_q_heads, num_kv_heads):
    """The scores are not scaled

    The scores go into the softmax unscaled, so the weights are too peaked. The formula divides
    them first.

    Hint: 4
    """
    return _gqa(Q, K, V, num_q_heads, num_kv_heads, scale=1.0)


def scale_no_root(Q, K, V, num_q_heads, num_kv_heads):
    """Divided by d, not by its root

    The scores are divided by the width of a head. That makes the weights too flat. The formula
    takes the square root of that width.

    Hint: 4
    """
    return _gqa(Q, K, V, num_q_heads, num_kv_heads, scale=Q.shape[1] // num_q_heads)


def softmax_over_queries(Q, K, V, num_q_heads, num_kv_heads):
    """The softmax runs over the queries

    The weights of each key sum to 1 over the queries. It should be the other way round: each query
    shares out a weight of 1 among the keys.

    Hint: 4
    """
    def weigh(scores):
        return softmax(scores.transpose(0, 2, 1)).transpose(0, 2, 1)

    return _gqa(Q, K, V, num_q_heads, num_kv_heads, weigh=weigh)


def softmax_over_heads(Q, K, V, num_q_heads, num_kv_heads):
    """The softmax runs over the heads

    The softmax runs over the head axis, so the heads compete with each other. Heads are
    independent: in each one, a query shares out a weight of 1 among the keys.

    Hint: 4
    """
    def weigh(scores):
        return softmax(scores.transpose(1, 2, 0)).transpose(2, 0, 1)

    return _gqa(Q, K, V, num_q_heads, num_kv_heads, weigh=weigh)


def no_softmax(Q, K, V, num_q_heads, num_kv_heads):
    """The softmax is left out

    The scaled scores multiply the values directly. Scores may be negative and do not sum to 1. A
    softmax turns each row into weights first.

    Hint: 4
    """
    return _gqa(Q, K, V, num_q_heads, num_kv_heads, weigh=lambda scores: scores)


def softmax_unshifted(Q, K, V, num_q_heads, num_kv_heads):
    """exp without a shift

    Scores in the thousands overflow exp, and infinity over infinity is nan. Subtracting the
    maximum of a row changes no weight and keeps every exponent at or below 0.

    Hint: 4
    """
    def weigh(scores):
        e = np.exp(scores)
        return e / e.sum(axis=-1, keepdims=True)

    return _gqa(Q, K, V, num_q_heads, num_kv_heads, weigh=weigh)


def softmax_one_maximum(Q, K, V, num_q_heads, num_kv_heads):
    """One maximum for all rows

    One maximum is subtracted from all rows. A row that lies thousands below it underflows to 0,
    and 0 over 0 is nan. Each row has its own maximum.

    Hint: 4
    """
    def weigh(scores):
        e = np.exp(scores - scores.max())
        return e / e.sum(axis=-1, keepdims=True)

    return _gqa(Q, K, V, num_q_heads, num_kv_heads, weigh=weigh)


def softmax_maximum_per_head(Q, K, V, num_q_heads, num_kv_heads):
    """One maximum for each head

    All rows of a head share one maximum. A row that lies thousands below it underflows to 0, and 0
    over 0 is nan. Each row has its own maximum.

    Hint: 4
    """
    def weigh(scores):
        e = np.exp(scores - scores.max(axis=(-2, -1), keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    return _gqa(Q, K, V, num_q_heads, num_kv_heads, weigh=weigh)


def causal_mask_added(Q, K, V, num_q_heads, num_kv_heads):
    """A causal mask nobody asked for

    Later keys are hidden from earlier queries. This exercise has no mask: every query sees every
    key.

    Hint: 4
    """
    def weigh(scores):
        return softmax(np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf))

    return _gqa(Q, K, V, num_q_heads, num_kv_heads, weigh=weigh)
