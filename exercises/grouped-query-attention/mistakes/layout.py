"""Misconceptions about splitting and merging heads."""
import numpy as np


def _attend(q, k, v):
    return softmax(q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])) @ v


def _shared(x, num_q_heads, num_kv_heads, split):
    return split(x, num_kv_heads).repeat(num_q_heads // num_kv_heads, axis=0)


def split_by_reshape(Q, K, V, num_q_heads, num_kv_heads):
    """Heads are split without a transpose

    A direct reshape to (heads, tokens, d) mixes tokens into heads. A reshape never moves data.
    Split the last axis first, then bring the head axis to the front.

    Hint: 4
    """
    def split(x, num_heads):
        return x.reshape(num_heads, len(x), -1)

    k, v = (_shared(a, num_q_heads, num_kv_heads, split) for a in (K, V))
    return merge_heads(_attend(split(Q, num_q_heads), k, v))


def heads_interleaved(Q, K, V, num_q_heads, num_kv_heads):
    """Columns are dealt out to the heads

    The columns are dealt out to the heads one by one. Head h owns a block of neighbouring columns,
    h*d to (h+1)*d. The order of the two new axes in the reshape decides.

    Hint: 4
    """
    def split(x, num_heads):
        return x.reshape(len(x), -1, num_heads).transpose(2, 0, 1)

    k, v = (_shared(a, num_q_heads, num_kv_heads, split) for a in (K, V))
    return merge_heads(_attend(split(Q, num_q_heads), k, v))


def merge_by_reshape(Q, K, V, num_q_heads, num_kv_heads):
    """Heads are merged without a transpose

    Every number is right, but they stand in other places. A reshape never moves data, so it reads
    all tokens of head 0 first. Bring the token axis to the front before merging.

    Hint: 4
    """
    k, v = (_shared(a, num_q_heads, num_kv_heads, split_heads) for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v).reshape(Q.shape)


def merge_interleaved(Q, K, V, num_q_heads, num_kv_heads):
    """The heads are merged feature by feature

    Every number is right, but they stand in other places. The result holds feature 0 of all heads,
    then feature 1, and so on. Head h belongs in the columns h*d to (h+1)*d.

    Hint: 4
    """
    k, v = (_shared(a, num_q_heads, num_kv_heads, split_heads) for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v).transpose(1, 2, 0).reshape(Q.shape)


def heads_not_merged(Q, K, V, num_q_heads, num_kv_heads):
    """The heads are not merged

    The result still has a head axis. The heads stand side by side in the last axis of the output,
    query head 0 first.

    Hint: 4
    """
    k, v = (_shared(a, num_q_heads, num_kv_heads, split_heads) for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v)


def heads_averaged(Q, K, V, num_q_heads, num_kv_heads):
    """The heads are averaged

    The heads are averaged, so the output is as narrow as one head. Each head keeps its own columns
    in the output.

    Hint: 4
    """
    k, v = (_shared(a, num_q_heads, num_kv_heads, split_heads) for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v).mean(axis=0)


def final_squeeze(Q, K, V, num_q_heads, num_kv_heads):
    """Axes of length 1 are squeezed away

    An axis of length 1 is missing from the result. Squeezing removes every such axis, also the one
    of a single query. The result is always (n_q, num_q_heads * d).

    Hint: 3
    """
    return np.squeeze(grouped_query_attention(Q, K, V, num_q_heads, num_kv_heads))
