"""Merge: each head is right, but the heads are not put back side by side in their order."""

import numpy as np


def _heads(Q, K, V, num_heads):
    return attention(*(split_heads(x, num_heads) for x in (Q, K, V)))


def merge_no_transpose(Q, K, V, num_heads):
    """Merged by a reshape alone

    Every number is right, but they are in the wrong places. A reshape never moves data: on a
    (heads, tokens, d_k) array it fills the first output row with token 0, 1, … of head 0. Which
    axis has to come first before the rows can be filled token by token?

    Hint: 3
    """
    return _heads(Q, K, V, num_heads).reshape(Q.shape)


def merge_interleaved(Q, K, V, num_heads):
    """Heads woven together

    The heads are woven together: neighbouring output columns come from different heads. The
    numbers are right, but each head should keep its columns in one block. In which order does your
    last reshape meet the head axis and the column axis?

    Hint: 3
    """
    return _heads(Q, K, V, num_heads).transpose(1, 2, 0).reshape(Q.shape)


def head_order_reversed(Q, K, V, num_heads):
    """Heads in reverse order

    The heads are right, but the last one comes first. Head 0 belongs in the first d_k columns.
    Look at how the list or the axis of heads is filled.

    Hint: 1
    """
    return merge_heads(_heads(Q, K, V, num_heads)[::-1])


def concat_rows(Q, K, V, num_heads):
    """Heads stacked below each other

    The heads are stacked below each other, not side by side. So the result has num_heads times too
    many rows. Which axis should grow when heads are joined?

    Hint: 1
    """
    return np.concatenate(list(_heads(Q, K, V, num_heads)), axis=0)


def returns_heads_3d(Q, K, V, num_heads):
    """Heads not merged

    The heads are never merged: the result still has an axis for them. Each head is right by
    itself. Each token's d_k columns from all the heads belong in one row of the output.

    Hint: 3
    """
    return _heads(Q, K, V, num_heads)


def returns_heads_3d_transposed(Q, K, V, num_heads):
    """Last step of the merge missing

    One step of the merge is missing: the result still has three axes. The tokens are in front
    already, but each token's heads stand apart. They should form one row of d_model columns.

    Hint: 3
    """
    return _heads(Q, K, V, num_heads).transpose(1, 0, 2)


def returns_last_head(Q, K, V, num_heads):
    """Only the last head is returned

    Only the last head comes back. Each pass of a loop replaces what the pass before it has made,
    unless it is kept. Where do the other heads go?

    Hint: 1
    """
    return _heads(Q, K, V, num_heads)[-1]


def returns_first_head(Q, K, V, num_heads):
    """Only the first head is returned

    Only head 0 comes back. Either the function returns in the first pass of its loop, or the later
    passes find nothing left to cut because Q, K and V were replaced. What does the second pass
    see?

    Hint: 1
    """
    return _heads(Q, K, V, num_heads)[0]


def loop_shadows_input(Q, K, V, num_heads):
    """Inputs replaced inside the loop

    Only head 0 reaches the result. If the loop gives its slices the names Q, K and V, the second
    pass cuts a slice out of a slice and finds it empty; if it returns in the first pass, there is
    no second one.

    Hint: 1
    Same as: returns-first-head
    """
    # Joined by concatenate. Written into a result made beforehand, NumPy stops in the second pass:
    # "could not broadcast input array from shape (2,0) into shape (2,2)".
    d_k = Q.shape[1] // num_heads
    heads = []
    for h in range(num_heads):
        columns = slice(h * d_k, (h + 1) * d_k)
        Q, K, V = Q[:, columns], K[:, columns], V[:, columns]
        heads.append(softmax(Q @ K.T / np.sqrt(d_k)) @ V)
    return np.concatenate(heads, axis=1)


def heads_averaged(Q, K, V, num_heads):
    """Heads averaged

    The heads are averaged into one; they should stand side by side. An average keeps only d_k
    columns and loses what each head saw.

    Hint: 1
    """
    return _heads(Q, K, V, num_heads).mean(axis=0)


def heads_overwrite_first_columns(Q, K, V, num_heads):
    """Heads written over each other

    Every head is written to the same d_k columns. The last one stays there, and the rest of the
    output is zero. Which columns belong to head h?

    Hint: 1
    """
    d_k = Q.shape[1] // num_heads
    output = np.zeros(Q.shape)
    for head in _heads(Q, K, V, num_heads):
        output[:, :d_k] = head
    return output
