"""Misconceptions about heads, scale and softmax."""
import numpy as np


def _step(q, k, v, k_cache, v_cache, num_heads, split=split_heads, merge=merge_heads,
          weigh=softmax, scale=None):
    m, t = len(q), len(k_cache)
    K, V = np.concatenate([k_cache, k]), np.concatenate([v_cache, v])
    q, k_heads, v_heads = (split(a, num_heads) for a in (q, K, V))
    scores = q @ k_heads.transpose(0, 2, 1) / (np.sqrt(q.shape[-1]) if scale is None else scale)
    scores = np.where(np.tri(m, t + m, t, dtype=bool), scores, -np.inf)
    return merge(weigh(scores) @ v_heads), K, V


def scale_dmodel(q, k, v, k_cache, v_cache, num_heads):
    """Scaled by the full width

    The scale follows the full width, so several heads come out too flat. One head is exact. Each
    score is a sum over the columns of one head.

    Hint: 4
    """
    return _step(q, k, v, k_cache, v_cache, num_heads, scale=np.sqrt(q.shape[1]))


def scale_none(q, k, v, k_cache, v_cache, num_heads):
    """The scores are not scaled

    The scores go into the softmax unscaled, so the weights are too peaked. The formula divides
    them first.

    Hint: 4
    """
    return _step(q, k, v, k_cache, v_cache, num_heads, scale=1.0)


def scale_no_root(q, k, v, k_cache, v_cache, num_heads):
    """Divided by d_k, not by its root

    The scores are divided by d_k, so the weights are too flat. The formula takes the square root
    of d_k first.

    Hint: 4
    """
    return _step(q, k, v, k_cache, v_cache, num_heads, scale=q.shape[1] // num_heads)


def single_head(q, k, v, k_cache, v_cache, num_heads):
    """num_heads is never used

    The attention runs over the full width, as a single head. Every head has its own columns and
    its own weights.

    Hint: 3
    """
    return decode_step(q, k, v, k_cache, v_cache, 1)


def split_by_reshape(q, k, v, k_cache, v_cache, num_heads):
    """Heads are split without a transpose

    A direct reshape to (heads, tokens, d_k) mixes tokens into heads. A reshape never moves data.
    Split the last axis first, then bring the head axis to the front.

    Hint: 3
    """
    def split(x, num_heads):
        return x.reshape(num_heads, len(x), -1)

    return _step(q, k, v, k_cache, v_cache, num_heads, split=split)


def merge_by_reshape(q, k, v, k_cache, v_cache, num_heads):
    """Heads are merged without a transpose

    Every number is right, but in a chunk they stand in other places. A reshape never moves data,
    so it reads all tokens of head 0 first. Bring the token axis to the front before merging.

    Hint: 3
    """
    def merge(heads):
        return heads.reshape(heads.shape[1], -1)

    return _step(q, k, v, k_cache, v_cache, num_heads, merge=merge)


def softmax_over_queries(q, k, v, k_cache, v_cache, num_heads):
    """The softmax runs over the queries

    The weights of each key sum to 1 over the queries. It should be the other way round: each query
    shares out a weight of 1 among the keys it sees.

    Hint: 4
    """
    def weigh(scores):
        e = np.exp(scores - scores.max(axis=-2, keepdims=True))
        return e / e.sum(axis=-2, keepdims=True)

    return _step(q, k, v, k_cache, v_cache, num_heads, weigh=weigh)


def softmax_unshifted(q, k, v, k_cache, v_cache, num_heads):
    """exp without a shift

    Large scores overflow exp, and very negative ones all become 0. Both end in nan. Subtracting
    the maximum of a row changes no weight and keeps every exponent at or below 0.

    Hint: 4
    """
    def weigh(scores):
        e = np.exp(scores)
        return e / e.sum(axis=-1, keepdims=True)

    return _step(q, k, v, k_cache, v_cache, num_heads, weigh=weigh)


def softmax_one_maximum(q, k, v, k_cache, v_cache, num_heads):
    """One maximum for all rows

    One maximum is subtracted from all rows. A row that lies thousands below it underflows to 0,
    and 0 over 0 is nan. Each row has its own maximum.

    Hint: 4
    """
    def weigh(scores):
        e = np.exp(scores - scores.max())
        return e / e.sum(axis=-1, keepdims=True)

    return _step(q, k, v, k_cache, v_cache, num_heads, weigh=weigh)
