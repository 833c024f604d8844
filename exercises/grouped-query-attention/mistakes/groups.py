"""Misconceptions about which query head reads which KV head."""
import numpy as np


def _attend(q, k, v):
    return merge_heads(softmax(q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])) @ v)


def tile(Q, K, V, num_q_heads, num_kv_heads):
    """The KV heads are dealt out in turns

    The KV heads come in turns: 0, 1, 0, 1. Multi-head and multi-query attention pass, the cases
    between do not. Neighbouring query heads should share; an early version of the ONNX
    specification had it like this code.

    Hint: 2
    """
    g = num_q_heads // num_kv_heads
    k, v = (np.tile(split_heads(a, num_kv_heads), (g, 1, 1)) for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v)


def tiled_values(Q, K, V, num_q_heads, num_kv_heads):
    """Keys and values are copied in different orders

    The keys are grouped as asked, but the values are dealt out in turns. A query head has to read
    its values from the KV head that holds its keys.

    Hint: 2
    """
    g = num_q_heads // num_kv_heads
    k = split_heads(K, num_kv_heads).repeat(g, axis=0)
    v = np.tile(split_heads(V, num_kv_heads), (g, 1, 1))
    return _attend(split_heads(Q, num_q_heads), k, v)


def divides_by_kv_heads(Q, K, V, num_q_heads, num_kv_heads):
    """Query head h reads KV head h // num_kv_heads

    The index of the query head is divided by the number of KV heads. It should be divided by the
    size of a group. The two are equal for 4 query heads on 2 KV heads, which hides it.

    Hint: 2
    """
    shared = [h // num_kv_heads for h in range(num_q_heads)]
    k, v = (split_heads(a, num_kv_heads)[shared] for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v)


def groups_reversed(Q, K, V, num_q_heads, num_kv_heads):
    """The groups run backwards

    The first group reads the last KV head. Groups and KV heads are both counted from 0: the first
    group belongs to the first KV head.

    Hint: 2
    """
    g = num_q_heads // num_kv_heads
    k, v = (split_heads(a, num_kv_heads)[::-1].repeat(g, axis=0) for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v)


def repeats_features(Q, K, V, num_q_heads, num_kv_heads):
    """Single columns are repeated

    The code repeats single columns of K and V before it splits heads. A head then consists of
    copies of a few features. What has to be repeated is a head as a whole.

    Hint: 3
    """
    g = num_q_heads // num_kv_heads
    k, v = (split_heads(a.repeat(g, axis=1), num_q_heads) for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v)


def repeats_tokens(Q, K, V, num_q_heads, num_kv_heads):
    """The tokens are repeated

    The repetition adds keys, not heads: it runs along the token axis. With one KV head it changes
    nothing, because doubled keys share their weight. The head axis has to grow.

    Hint: 3
    """
    g = num_q_heads // num_kv_heads
    k, v = (split_heads(a, num_kv_heads).repeat(g, axis=1) for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v)


def nothing_repeated(Q, K, V, num_q_heads, num_kv_heads):
    """The KV heads are never shared out

    There are fewer KV heads than query heads, and the product cannot pair them. It works for one
    KV head, which broadcasts, and for equal numbers. Each query head needs its KV head first.

    Hint: 3
    """
    k, v = (split_heads(a, num_kv_heads) for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v)


def first_head_only(Q, K, V, num_q_heads, num_kv_heads):
    """Every query head reads KV head 0

    Only KV head 0 is read; the later ones are never used. That is multi-query attention. Here each
    group has a KV head of its own.

    Hint: 2
    """
    k, v = (split_heads(a, num_kv_heads)[:1] for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v)


def mean_of_kv(Q, K, V, num_q_heads, num_kv_heads):
    """The KV heads are averaged

    All KV heads are averaged into one, which every query head reads. Averaging is how a checkpoint
    is converted before training. At run time each group keeps its own head.

    Hint: 2
    """
    k, v = (split_heads(a, num_kv_heads).mean(axis=0, keepdims=True) for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v)


def kv_split_by_query_heads(Q, K, V, num_q_heads, num_kv_heads):
    """K and V are cut into num_q_heads heads

    K and V are cut into as many heads as Q, too narrow ones. The width of a head is the same for
    queries, keys and values. K and V simply hold fewer heads.

    Hint: 4
    """
    q, k, v = (split_heads(a, num_q_heads) for a in (Q, K, V))
    return _attend(q, k, v)


def one_length(Q, K, V, num_q_heads, num_kv_heads):
    """n_q is used for keys and values

    The number of queries is used for the keys and values as well. Their number may differ: a
    single new query looks back at many keys. Each array has its own length.

    Hint: 3
    """
    n, d = Q.shape[0], Q.shape[1] // num_q_heads
    g = num_q_heads // num_kv_heads
    k, v = (a.reshape(n, num_kv_heads, d).transpose(1, 0, 2).repeat(g, axis=0) for a in (K, V))
    return _attend(split_heads(Q, num_q_heads), k, v)
