"""Split: the heads get other columns than their own, or the weights are not one set a head."""

import numpy as np


def _reshape_straight_to_heads(x, num_heads):
    seq_len, d_model = x.shape
    return x.reshape(num_heads, seq_len, d_model // num_heads)


def _deal_out_columns(x, num_heads):
    seq_len, d_model = x.shape
    return x.reshape(seq_len, d_model // num_heads, num_heads).transpose(2, 0, 1)


def _heads_per_token(x, num_heads):
    seq_len, d_model = x.shape
    return x.reshape(seq_len, num_heads, d_model // num_heads)


def split_direct_reshape(Q, K, V, num_heads):
    """Split by a reshape alone

    The shapes are right, but each head holds pieces of different tokens. A reshape never moves
    data: cut this way, head 0 gets the first tokens' whole rows, not every token's first columns.
    Compare your head 0 with the first d_k columns of Q.

    Hint: 3
    """
    q, k, v = (_reshape_straight_to_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(attention(q, k, v))


def split_and_merge_direct(Q, K, V, num_heads):
    """Split and merge by a reshape alone

    Split and merge undo each other, but the heads are not blocks of columns. A reshape never moves
    data: cut this way, head 0 gets the first tokens' whole rows, and attention stays inside such a
    chunk. Compare your head 0 with the first d_k columns of Q.

    Hint: 3
    """
    q, k, v = (_reshape_straight_to_heads(x, num_heads) for x in (Q, K, V))
    return attention(q, k, v).reshape(Q.shape)


def split_interleaved(Q, K, V, num_heads):
    """Columns dealt out to the heads like cards

    The split deals the columns out like cards, one to each head in turn. Here a head owns a block
    of neighbouring columns, as the merge already has it. Print which columns of Q your head 0
    holds.

    Hint: 3
    """
    q, k, v = (_deal_out_columns(x, num_heads) for x in (Q, K, V))
    return merge_heads(attention(q, k, v))


def split_and_merge_interleaved(Q, K, V, num_heads):
    """Columns dealt out like cards, in and out

    The columns are dealt out to the heads like cards, and collected the same way. It fits
    together, but here a head owns a block of neighbouring columns. The first example can't show
    it; print which columns of Q your head 0 holds.

    Hint: 3
    """
    q, k, v = (_deal_out_columns(x, num_heads) for x in (Q, K, V))
    return attention(q, k, v).transpose(1, 2, 0).reshape(Q.shape)


def split_heads_as_batch_of_tokens(Q, K, V, num_heads):
    """Attention between the heads of one token

    No token ever looks at another one. The score matrices are heads by heads: inside each token
    its heads attend to each other. A batched product works on the last two axes; which two should
    they be?

    Hint: 2
    """
    q, k, v = (_heads_per_token(x, num_heads) for x in (Q, K, V))
    return attention(q, k, v).reshape(Q.shape)


def split_token_as_head(Q, K, V, num_heads):
    """Tokens taken for heads

    The loop over the heads picks tokens. After the reshape the first axis still counts tokens, so
    entry i is token i with all its heads. Which axis counts the heads?

    Hint: 3
    """
    q, k, v = (_heads_per_token(x, num_heads) for x in (Q, K, V))
    return np.concatenate([attention(q[i], k[i], v[i]) for i in range(num_heads)], axis=-1)


def split_width_is_num_heads(Q, K, V, num_heads):
    """Slices as wide as there are heads

    Each slice is num_heads columns wide. That fits only where a head happens to be as wide as
    there are heads. If num_heads heads share d_model columns, how many does each get?

    Hint: 1
    """
    d_k = Q.shape[1] // num_heads
    heads = []
    for h in range(num_heads):
        columns = slice(h * num_heads, (h + 1) * num_heads)
        scores = Q[:, columns] @ K[:, columns].T / np.sqrt(d_k)
        heads.append(softmax(scores) @ V[:, columns])
    return np.concatenate(heads, axis=1)


def split_num_heads_and_width_swapped(Q, K, V, num_heads):
    """Number and width of the heads exchanged

    The split makes d_k heads that are num_heads wide. The two sizes have changed places; the first
    two examples can't show it, since there they are equal. Which of them counts the heads?

    Hint: 3
    """
    seq_len, d_model = Q.shape
    d_k = d_model // num_heads
    q, k, v = (x.reshape(seq_len, d_k, num_heads).transpose(1, 0, 2) for x in (Q, K, V))
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(d_k))
    return merge_heads(weights @ v)


def split_off_by_one(Q, K, V, num_heads):
    """Slices one column short

    The last column of every head stays zero. The slices stop one column early, on the way in and
    on the way out. Does the end of a Python slice belong to it?

    Hint: 1
    """
    # Into a result made of zeros; joined by concatenate the output is num_heads columns too narrow.
    d_k = Q.shape[1] // num_heads
    output = np.zeros(Q.shape)
    for h in range(num_heads):
        columns = slice(h * d_k, (h + 1) * d_k - 1)
        scores = Q[:, columns] @ K[:, columns].T / np.sqrt(d_k)
        output[:, columns] = softmax(scores) @ V[:, columns]
    return output


def split_only_values(Q, K, V, num_heads):
    """Weights from the full width

    Every head uses the same weights, made from all d_model columns. A head should compare only its
    own columns of Q with its own columns of K. Splitting V alone changes nothing.

    Hint: 1
    """
    d_k = Q.shape[1] // num_heads
    weights = softmax(Q @ K.T / np.sqrt(d_k))
    return np.concatenate([weights @ v for v in np.split(V, num_heads, axis=1)], axis=1)


def split_v_direct(Q, K, V, num_heads):
    """V split by a reshape alone

    Q and K are split into heads, but V is cut across tokens. The weights are right; what they
    average is not. A reshape never moves data: give V the same treatment as the other two.

    Hint: 3
    """
    q, k = split_heads(Q, num_heads), split_heads(K, num_heads)
    return merge_heads(attention(q, k, _reshape_straight_to_heads(V, num_heads)))


def ignores_num_heads(Q, K, V, num_heads):
    """A single head of full width

    This is attention with a single head of full width. With several heads each block of columns
    needs weights of its own. Where does num_heads enter the computation?

    Hint: 1
    """
    return attention(Q, K, V)


def average_scores(Q, K, V, num_heads):
    """Scores averaged over the heads

    All your heads use the same weights: the scores are averaged over the heads. Several heads are
    there to look in several ways. Keep one matrix of scores a head up to the softmax and through
    it.

    Hint: 2
    """
    q, k, v = (split_heads(x, num_heads) for x in (Q, K, V))
    return merge_heads(softmax(scaled_scores(q, k).mean(axis=0)) @ v)


def heads_full_width(Q, K, V, num_heads):
    """Every head sees all the columns

    Every head works on all d_model columns, so the result is too wide. It is num_heads copies of
    the same answer. Head h should see only its own d_k columns.

    Hint: 1
    """
    d_k = Q.shape[1] // num_heads
    weights = softmax(Q @ K.T / np.sqrt(d_k))
    return np.concatenate([weights @ V] * num_heads, axis=1)


def hard_coded_two_heads(Q, K, V, num_heads):
    """Always two heads

    The code always makes two heads, whatever num_heads says. It is right only where two are asked
    for. Which sizes depend on num_heads?

    Hint: 1
    """
    # In a loop over slices half of d_model wide. With reshape it stops wherever d_model is odd.
    d_k = Q.shape[1] // 2
    heads = []
    for h in range(2):
        columns = slice(h * d_k, (h + 1) * d_k)
        heads.append(attention(Q[:, columns], K[:, columns], V[:, columns]))
    return np.concatenate(heads, axis=1)


def hard_coded_eight_heads(Q, K, V, num_heads):
    """Always eight heads

    The code always makes eight heads, whatever num_heads says. NumPy stops where d_model columns
    do not fall into eight equal parts. Which sizes depend on num_heads?

    Hint: 1
    """
    # The width is d_model // 8 as well. With d_model // num_heads NumPy names another shape.
    return multi_head_attention(Q, K, V, 8)
