"""Misconceptions about how the cache grows and what comes back."""
import numpy as np


def stale_cache(q, k, v, k_cache, v_cache, num_heads):
    """Attends to the old cache only

    The returned caches are right, but the attention ran over the old ones. A new token does not
    see itself, and with an empty cache there is nothing to see. The order of appending and
    attending matters.

    Hint: 2
    """
    visible = np.ones((len(q), len(k_cache)), dtype=bool)
    output = attend(q, k_cache, v_cache, visible, num_heads)
    return output, np.concatenate([k_cache, k]), np.concatenate([v_cache, v])


def new_tokens_only(q, k, v, k_cache, v_cache, num_heads):
    """Attends to the new tokens only

    The attention runs over the new tokens alone; the past is never read. With an empty cache
    nothing shows. The cache is there to be attended to.

    Hint: 2
    """
    output = attend(q, k, v, np.tri(len(q), dtype=bool), num_heads)
    return output, np.concatenate([k_cache, k]), np.concatenate([v_cache, v])


def stale_values(q, k, v, k_cache, v_cache, num_heads):
    """Keys grow, values do not

    The keys of the attention include the new tokens, but the values do not. There are more weights
    in a row than there are values. Keys and values always grow together.

    Hint: 2
    """
    m, t = len(q), len(k_cache)
    K = np.concatenate([k_cache, k])
    output = attend(q, K, v_cache, np.tri(m, t + m, t, dtype=bool), num_heads)
    return output, K, np.concatenate([v_cache, v])


def prepends(q, k, v, k_cache, v_cache, num_heads):
    """New tokens come first

    The output is right, but the caches come back with the new tokens in front. Positions are
    implied by the order of the rows, oldest first.

    Hint: 4
    """
    output, _, _ = decode_step(q, k, v, k_cache, v_cache, num_heads)
    return output, np.concatenate([k, k_cache]), np.concatenate([v, v_cache])


def returns_new_rows(q, k, v, k_cache, v_cache, num_heads):
    """Only the new rows come back

    The output is right, but only the new keys and values come back. The next step would have
    forgotten the past. What it needs is the grown cache.

    Hint: 4
    """
    output, _, _ = decode_step(q, k, v, k_cache, v_cache, num_heads)
    return output, k, v


def returns_old_caches(q, k, v, k_cache, v_cache, num_heads):
    """The old caches come back

    The output is right, but the caches come back as they were. The next step would not know the
    new tokens. What it needs is the grown cache.

    Hint: 4
    """
    output, _, _ = decode_step(q, k, v, k_cache, v_cache, num_heads)
    return output, k_cache, v_cache


def swapped_caches(q, k, v, k_cache, v_cache, num_heads):
    """Keys and values change places

    Keys and values have changed places in the returned tuple. The order is output, then keys, then
    values.

    Hint: 4
    """
    output, K, V = decode_step(q, k, v, k_cache, v_cache, num_heads)
    return output, V, K


def caches_first(q, k, v, k_cache, v_cache, num_heads):
    """The output comes last

    The caches come first in the returned tuple and the output last. The order is output, then
    keys, then values.

    Hint: 4
    """
    output, K, V = decode_step(q, k, v, k_cache, v_cache, num_heads)
    return K, V, output


def output_only(q, k, v, k_cache, v_cache, num_heads):
    """Only the output comes back

    A single array comes back where three are expected. The caller needs the grown caches for its
    next step.

    Hint: 4
    """
    return decode_step(q, k, v, k_cache, v_cache, num_heads)[0]


def joins_columns(q, k, v, k_cache, v_cache, num_heads):
    """New rows are joined as columns

    Old and new tokens are joined along the feature axis. A token is a row, so the cache grows
    downwards, not sideways.

    Hint: 4
    """
    m, t = len(q), len(k_cache)
    K, V = np.concatenate([k_cache, k], axis=-1), np.concatenate([v_cache, v], axis=-1)
    return attend(q, K, V, np.tri(m, t + m, t, dtype=bool), num_heads), K, V


def joins_flat(q, k, v, k_cache, v_cache, num_heads):
    """The caches are flattened

    The caches come back as flat arrays. np.append flattens its arguments unless it is told an
    axis. A cache keeps one row for each token.

    Hint: 4
    """
    output, _, _ = decode_step(q, k, v, k_cache, v_cache, num_heads)
    return output, np.append(k_cache, k), np.append(v_cache, v)


def overwrites_cache(q, k, v, k_cache, v_cache, num_heads):
    """New rows overwrite old ones

    The new rows overwrite the last rows of the given caches. Old tokens are lost, and the
    arguments are changed. The step returns longer caches and leaves the given ones as they were.

    Hint: 2
    """
    m, t = len(q), len(k_cache)
    k_cache[t - m:] = k
    v_cache[t - m:] = v
    return attend(q, k_cache, v_cache, np.tri(m, t, t - m, dtype=bool), num_heads), k_cache, v_cache


def final_squeeze(q, k, v, k_cache, v_cache, num_heads):
    """Axes of length 1 are squeezed away

    An axis of length 1 is missing from the output. Squeezing removes every such axis, including
    that of a single new token. The output is always (m, d_model).

    Hint: 3
    """
    output, K, V = decode_step(q, k, v, k_cache, v_cache, num_heads)
    return np.squeeze(output), K, V
