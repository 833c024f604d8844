"""Softmax: over other axes, shifted by other maxima, or with a step of it missing."""

import numpy as np


def _attend_with_softmax(Q, K, V, num_heads, weights_of):
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(weights_of(scaled_scores(q, k)) @ v)


def _rows_to_one(exps):
    return exps / exps.sum(axis=-1, keepdims=True)


def softmax_axis_queries(Q, K, V, num_heads):
    """Softmax over the queries

    In your weights the columns sum to 1, not the rows. Each query shares out a total of 1 over the
    keys; here each key shares it out over the queries. Which axis of the scores counts the keys?

    Hint: 4
    """

    def over_queries(scores):
        exps = np.exp(scores - scores.max(axis=-2, keepdims=True))
        return exps / exps.sum(axis=-2, keepdims=True)

    return _attend_with_softmax(Q, K, V, num_heads, over_queries)


def softmax_axis_heads(Q, K, V, num_heads):
    """Softmax over the heads

    The heads compete with each other: your softmax runs over the head axis. With a single head
    every weight becomes 1. Heads are independent; what is shared out is one query's attention
    among the keys.

    Hint: 4
    """

    def over_heads(scores):
        exps = np.exp(scores - scores.max(axis=0))
        return exps / exps.sum(axis=0)

    return _attend_with_softmax(Q, K, V, num_heads, over_heads)


def softmax_sum_over_head(Q, K, V, num_heads):
    """Normalised by the sum of a whole head

    Each weight is divided by the sum of a whole head. With more than one token, a query's own row
    of weights then sums to less than 1. Every row is normalised by itself.

    Hint: 4
    """

    def by_head_sum(scores):
        exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return exps / exps.sum(axis=(-2, -1), keepdims=True)

    return _attend_with_softmax(Q, K, V, num_heads, by_head_sum)


def softmax_global_per_head(Q, K, V, num_heads):
    """One softmax for a whole head

    All the scores of a head share one softmax. The whole matrix of weights sums to 1, so each row
    sums to less. Without an axis, max and sum take in everything they are given; each query needs
    a softmax of its own.

    Hint: 4
    """

    def over_head(scores):
        exps = np.exp(scores - scores.max(axis=(-2, -1), keepdims=True))
        return exps / exps.sum(axis=(-2, -1), keepdims=True)

    return _attend_with_softmax(Q, K, V, num_heads, over_head)


def softmax_global(Q, K, V, num_heads):
    """One softmax for everything

    One softmax covers the scores of all heads at once. Together all the weights sum to 1, so one
    query gets only a sliver. Without an axis, max and sum take in the whole array; each query
    needs a softmax of its own.

    Hint: 4
    """

    def over_all(scores):
        exps = np.exp(scores - scores.max())
        return exps / exps.sum()

    return _attend_with_softmax(Q, K, V, num_heads, over_all)


def softmax_sum_no_keepdims(Q, K, V, num_heads):
    """Divided by the sums of other rows

    Each weight is divided by the sum of another row. The sums have lost an axis, so NumPy lines
    them up with the columns. Compare the shape of the exponentials with the shape of their sums.

    Hint: 5
    """
    # Head by head, as in a loop. On all heads at once NumPy stops with "operands could not be
    # broadcast together" wherever num_heads differs from seq_len.

    def by_shifted_sums(scores):
        exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return np.stack([head / head.sum(axis=-1) for head in exps])

    return _attend_with_softmax(Q, K, V, num_heads, by_shifted_sums)


def softmax_max_no_keepdims(Q, K, V, num_heads):
    """Shifted by the maxima of other rows

    From each score the maximum of another row is subtracted. The maxima have lost an axis, so
    NumPy lines them up with the columns, and a shift that differs within a row changes its
    weights. Compare the shape of the scores with the shape of their maxima.

    Hint: 5
    """
    # Head by head, as in a loop; on all heads at once see softmax_sum_no_keepdims.

    def by_shifted_maxima(scores):
        return _rows_to_one(np.exp(np.stack([head - head.max(axis=-1) for head in scores])))

    return _attend_with_softmax(Q, K, V, num_heads, by_shifted_maxima)


def softmax_max_per_column(Q, K, V, num_heads):
    """Shifted by the column maximum

    Each score is shifted by the maximum of its column, not of its row. A shift cancels only when
    it is the same along the whole row; here it changes the weights, and with large scores a row
    can underflow to 0/0, which is nan.

    Hint: 4
    """

    def by_column_maxima(scores):
        return _rows_to_one(np.exp(scores - scores.max(axis=-2, keepdims=True)))

    return _attend_with_softmax(Q, K, V, num_heads, by_column_maxima)


def softmax_unstable(Q, K, V, num_heads):
    """Softmax without a shift

    Right for moderate scores, nan for large ones. Above about 700 exp overflows to infinity, below
    about -700 a whole row becomes zeros, and either way a fraction turns into nan. A softmax stays
    the same when a row is shifted: which shift keeps exp in range?

    Hint: 4
    """

    def without_shift(scores):
        return _rows_to_one(np.exp(scores))

    return _attend_with_softmax(Q, K, V, num_heads, without_shift)


def softmax_max_global(Q, K, V, num_heads):
    """One maximum for all rows of all heads

    One maximum is subtracted for all heads and tokens. It keeps exp from overflowing, but a row
    far below it underflows to zeros, and 0/0 is nan. Which shift leaves at least one 1 in every
    row?

    Hint: 4
    """

    def by_one_maximum(scores):
        return _rows_to_one(np.exp(scores - scores.max()))

    return _attend_with_softmax(Q, K, V, num_heads, by_one_maximum)


def softmax_max_per_head(Q, K, V, num_heads):
    """One maximum for a whole head

    One maximum is subtracted for all rows of a head. It keeps exp from overflowing, but a row far
    below it underflows to zeros, and 0/0 is nan. Which shift leaves at least one 1 in every row?

    Hint: 4
    """

    def by_head_maximum(scores):
        return _rows_to_one(np.exp(scores - scores.max(axis=(-2, -1), keepdims=True)))

    return _attend_with_softmax(Q, K, V, num_heads, by_head_maximum)


def softmax_subtract_min(Q, K, V, num_heads):
    """Shifted by the minimum

    The minimum is subtracted, so exp can still overflow. Every exponent is then zero or more, and
    rows whose scores lie far apart end in nan. The idea of a shift is right: which one makes every
    exponent zero or less?

    Hint: 4
    """

    def by_minimum(scores):
        return _rows_to_one(np.exp(scores - scores.min(axis=-1, keepdims=True)))

    return _attend_with_softmax(Q, K, V, num_heads, by_minimum)


def softmax_clip(Q, K, V, num_heads):
    """Scores clipped before the exponential

    Clipping keeps exp finite, but it changes the weights. Scores beyond the limit all become
    equal, so their keys share alike. There is a change that costs nothing: adding one number to
    all the scores of a row.

    Hint: 4
    """
    # Limits from 15 to 100 give the same weights on the six cases; with 500 and more a row differs.

    def clipped(scores):
        return _rows_to_one(np.exp(np.clip(scores, -50, 50)))

    return _attend_with_softmax(Q, K, V, num_heads, clipped)


def softmax_no_exp(Q, K, V, num_heads):
    """Exponential missing

    The scores are divided by their sum; the exponential is missing. Without it weights can be
    negative, or huge when the scores nearly cancel. What makes every score positive first?

    Hint: 4
    """
    return _attend_with_softmax(Q, K, V, num_heads, _rows_to_one)


def softmax_shifted_no_exp(Q, K, V, num_heads):
    """Exponential missing after the shift

    The maximum is subtracted, but the exponential after it is missing. So the best key gets weight
    0 and the worst one the most. What turns the shifted scores into weights that favour the best?

    Hint: 4
    """

    def shifted_only(scores):
        return _rows_to_one(scores - scores.max(axis=-1, keepdims=True))

    return _attend_with_softmax(Q, K, V, num_heads, shifted_only)


def softmax_missing(Q, K, V, num_heads):
    """No softmax

    The scaled scores themselves serve as weights: the softmax is missing. The weights of a query
    should all be positive and sum to 1; raw scores need do neither.

    Hint: 4
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(scaled_scores(q, k) @ v)


def softmax_no_normalise(Q, K, V, num_heads):
    """Exponentials not normalised

    The exponentials are never divided by their sum. In each row the largest is 1, so the row sums
    to more than that, and the output grows with it. What should the weights of one query sum to?

    Hint: 4
    """

    def exponentials(scores):
        return np.exp(scores - scores.max(axis=-1, keepdims=True))

    return _attend_with_softmax(Q, K, V, num_heads, exponentials)


def softmax_twice(Q, K, V, num_heads):
    """Softmax applied twice

    The softmax is applied twice. The second one sees only numbers between 0 and 1, so it makes the
    weights nearly equal. Is there a function that applies it, and a line that does so again?

    Hint: 4
    """

    def twice(scores):
        return softmax(softmax(scores))

    return _attend_with_softmax(Q, K, V, num_heads, twice)


def softmax_log(Q, K, V, num_heads):
    """Log-softmax as weights

    The weights are logarithms: this is the log-softmax. Log-probabilities are zero or negative and
    useful in losses; weights of an average should be positive and sum to 1.

    Hint: 4
    """

    def log_softmax(scores):
        return np.log(softmax(scores))

    return _attend_with_softmax(Q, K, V, num_heads, log_softmax)


def softmax_sigmoid(Q, K, V, num_heads):
    """Sigmoid in place of the softmax

    Each score goes through a sigmoid by itself. That gives numbers between 0 and 1, but nothing
    makes a row of them sum to 1. In a softmax the keys of one query compete.

    Hint: 4
    """

    def sigmoid(scores):
        return 1 / (1 + np.exp(-scores))

    return _attend_with_softmax(Q, K, V, num_heads, sigmoid)


def softmax_argmax(Q, K, V, num_heads):
    """Only the best key counts

    Only the best key gets any weight; all the others get 0. That is hard attention. A softmax
    leaves the others a share that falls with the distance of their scores.

    Hint: 4
    """

    def best_only(scores):
        return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]

    return _attend_with_softmax(Q, K, V, num_heads, best_only)


def softmax_base_two(Q, K, V, num_heads):
    """Powers of 2 in place of e

    The weights are made of powers of 2, not of e. They come out flatter than they should be. Look
    at the function that turns scores into positive numbers.

    Hint: 4
    """

    def powers_of_two(scores):
        return _rows_to_one(2.0 ** (scores - scores.max(axis=-1, keepdims=True)))

    return _attend_with_softmax(Q, K, V, num_heads, powers_of_two)


def softmax_on_output(Q, K, V, num_heads):
    """Softmax after the product with V

    The softmax comes after the product with V, not before it. So each token's output in a head
    sums to 1, and raw scores serve as weights. The softmax belongs to the step that turns scores
    into weights.

    Hint: 4
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(softmax(scaled_scores(q, k) @ v))
