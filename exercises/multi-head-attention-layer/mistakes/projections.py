"""A projection is left out, transposed, exchanged, or applied at another place."""
import numpy as np


def transposed_projections(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Uses the transposed weights

    All four weights are applied transposed. That is how torch.nn.Linear stores them; here a row
    of a weight belongs to an input feature. Symmetric weights such as the identity hide it.

    Hint: 3
    """
    return attend(x_q @ W_Q.T, x_kv @ W_K.T, x_kv @ W_V.T, num_heads) @ W_O.T


def wo_transposed(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """W_O is applied transposed

    Everything before the output projection is right. W_O itself is applied the other way round;
    it follows the same convention as the other three, with the merged heads as its input.

    Hint: 3
    """
    return attend(x_q @ W_Q, x_kv @ W_K, x_kv @ W_V, num_heads) @ W_O.T


def no_output_projection(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """The output projection is missing

    These are the heads side by side. One step is left: the projection in which information from
    different heads can mix.

    Hint: 1
    """
    return attend(x_q @ W_Q, x_kv @ W_K, x_kv @ W_V, num_heads)


def no_projections(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Only the output projection is applied

    The heads look at slices of the raw tokens. W_Q, W_K and W_V are never used, so no head can
    choose what it looks at.

    Hint: 2
    """
    return attend(x_q, x_kv, x_kv, num_heads) @ W_O


def values_unprojected(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """The values are not projected

    The weights are right, but they average the raw tokens. The values need their own projection,
    like the queries and the keys.

    Hint: 2
    """
    return attend(x_q @ W_Q, x_kv @ W_K, x_kv, num_heads) @ W_O


def slice_before_project(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Splits the token before projecting it

    Every head projects only its own slice of the token. In the layer each head sees the whole
    token: the full matrix comes first and the split comes after it. One head alone hides it.

    Hint: 4
    """
    d_k = x_q.shape[1] // num_heads
    own_block = np.kron(np.eye(num_heads), np.ones((d_k, d_k)))
    q, k, v = x_q @ (W_Q * own_block), x_kv @ (W_K * own_block), x_kv @ (W_V * own_block)
    return attend(q, k, v, num_heads) @ W_O


def swapped_qk(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """W_Q and W_K are swapped

    The query tokens meet the projection of the keys, and the other way round. Identity weights hide
    it; with real ones every score is off.

    Hint: 2
    """
    return attend(x_q @ W_K, x_kv @ W_Q, x_kv @ W_V, num_heads) @ W_O


def swapped_kv(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """W_K and W_V are swapped

    The keys meet the projection of the values, and the other way round. Scores and averages are
    both off as soon as the two matrices differ.

    Hint: 2
    """
    return attend(x_q @ W_Q, x_kv @ W_V, x_kv @ W_K, num_heads) @ W_O


def output_projection_first(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """W_O is applied to the values

    W_O comes before the heads instead of behind them. There every head gets columns that mix all
    heads' values, and after the averages nothing mixes any more. The result is the same only with
    one head, or where all heads have the same weights.

    Hint: 4
    """
    return attend(x_q @ W_Q, x_kv @ W_K, x_kv @ W_V @ W_O, num_heads)


def adds_residual(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads):
    """Adds the querying tokens to the result

    The result is the layer's output plus `x_q`. A transformer block adds the tokens back around
    the layer; the layer itself does not.

    Hint: 1
    """
    return x_q + attend(x_q @ W_Q, x_kv @ W_K, x_kv @ W_V, num_heads) @ W_O
