"""Contract: what comes back is of another kind, precision or place, or the inputs are touched."""

import numpy as np


def returns_none(Q, K, V, num_heads):
    """Nothing returned

    Your function ends without returning anything. In Python that gives None, even when the result
    is printed or stored in a variable. Which array should leave the function?

    Hint: 4
    """
    multi_head_attention(Q, K, V, num_heads)


def returns_list(Q, K, V, num_heads):
    """A list returned

    A Python list comes back, but a NumPy array is asked for. The test stops at the type, so the
    numbers were not looked at.

    Hint: 4
    """
    return multi_head_attention(Q, K, V, num_heads).tolist()


def returns_matrix(Q, K, V, num_heads):
    """An np.matrix returned

    An np.matrix comes back, but a plain NumPy array is asked for. A matrix always has two axes,
    and its `*` is another product. Which call makes it?

    Hint: 4
    """
    return np.matrix(multi_head_attention(Q, K, V, num_heads))


def returns_tuple(Q, K, V, num_heads):
    """A tuple returned

    A tuple comes back, but a single array is asked for. It may hold the weights beside the output,
    or come from a comma at the end of a line.

    Hint: 4
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    weights = softmax(scaled_scores(q, k))
    return merge_heads(weights @ v), weights


def returns_weights(Q, K, V, num_heads):
    """The weights returned

    The weights come back, not the output. They are right. What is still to be done with them and
    V?

    Hint: 4
    """
    q, k = split_heads(Q, num_heads), split_heads(K, num_heads)
    return softmax(scaled_scores(q, k))


def returns_batch_axis(Q, K, V, num_heads):
    """An axis too many in front

    The output has an extra axis of length 1 in front. The numbers are right. There is no batch
    here: a row a token, a column a feature, nothing else.

    Hint: 3
    """
    return multi_head_attention(Q, K, V, num_heads)[None]


def returns_transposed(Q, K, V, num_heads):
    """The output transposed

    The output is right but transposed. Its rows should be tokens and its columns features, as in
    Q.

    Hint: 3
    """
    return multi_head_attention(Q, K, V, num_heads).T


def rounded_3(Q, K, V, num_heads):
    """Rounded to 3 decimals

    The values are right, but rounded to 3 decimals. The page prints short numbers; the tests
    compare full ones, so nothing should be rounded.

    Hint: 4
    """
    return np.round(multi_head_attention(Q, K, V, num_heads), 3)


def rounded_4(Q, K, V, num_heads):
    """Rounded to 4 decimals

    The values are right, but rounded to 4 decimals. The page prints short numbers; the tests
    compare full ones, so nothing should be rounded.

    Hint: 4
    """
    return np.round(multi_head_attention(Q, K, V, num_heads), 4)


def integer_output(Q, K, V, num_heads):
    """Integers returned

    The output holds integers, so the decimals are cut off. An array keeps the dtype it was made
    with: what is written into an integer array becomes an integer too. Where does the integer
    dtype come in?

    Hint: 4
    """
    return multi_head_attention(Q, K, V, num_heads).astype(int)


def half_precision(Q, K, V, num_heads):
    """Computed in float16

    Half precision (float16) is too coarse for these tests. It keeps about three decimal digits.
    Where do the arrays leave float64, NumPy's default? float32 would be precise enough as well.

    Hint: 4
    """
    # np.sqrt(d_k) is float64 and lifts the scores; scaled by d_k ** 0.5 all of it stays float16.
    q, k, v = (split_heads(x.astype(np.float16), num_heads) for x in (Q, K, V))
    return merge_heads(attention(q, k, v))


def mutates_inputs(Q, K, V, num_heads):
    """Inputs changed in place

    The output is right, but the function changes its inputs. An in-place step such as `/=` writes
    into the caller's array, also through what reshape or transpose returned. Make a new array
    instead.

    Hint: 4
    """
    Q /= np.sqrt(Q.shape[1] // num_heads)
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(softmax(q @ k.swapaxes(-1, -2)) @ v)


def special_case_one_head(Q, K, V, num_heads):
    """One head handled apart, without the scale

    A single head takes another path, and that path has no scale. With num_heads = 1 the general
    code gives plain attention by itself. Is the extra branch needed?

    Hint: 4
    """
    if num_heads == 1:
        return softmax(Q @ K.T) @ V
    return multi_head_attention(Q, K, V, num_heads)


def hard_coded_example(Q, K, V, num_heads):
    """The first example copied

    The first example's printed numbers come back, and zeros for all else. Even for that example
    the page prints rounded numbers; the function has to compute them.

    Hint: 1
    """
    if Q.shape == (2, 4):
        return np.array([[2.321, 3.321, 4.321, 5.321], [3.679, 4.679, 5.679, 6.679]])
    return np.zeros(Q.shape)
