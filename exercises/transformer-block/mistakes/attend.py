"""Misconceptions about the attention half."""
import numpy as np


def _visible(scores):
    return np.tri(scores.shape[-1]) == 1


def _causal(scores):
    return softmax(np.where(_visible(scores), scores, -np.inf))


def _block(x, p, num_heads, eps, weigh=_causal, split=split_heads, merge=merge_heads, scale=None,
           names=("W_Q", "W_K", "W_V")):
    a = layer_norm(x, p["ln1_g"], p["ln1_b"], eps)
    q, k, v = (split(a @ p[name], num_heads) for name in names)
    scores = q @ k.transpose(0, 2, 1) / (np.sqrt(q.shape[-1]) if scale is None else scale)
    h = x + merge(weigh(scores) @ v) @ p["W_O"]
    return h + feed_forward(layer_norm(h, p["ln2_g"], p["ln2_b"], eps), p)


def _pushed_down(amount):
    return lambda scores: softmax(scores - amount * ~_visible(scores))


def _filled(value):
    return lambda scores: softmax(np.where(_visible(scores), scores, value))


def no_mask(x, p, num_heads, eps=1e-5):
    """Attention is not causal

    Only the last token is right: earlier tokens see later ones. In a decoder block a token sees
    itself and what came before.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, weigh=softmax)


def mask_inverted(x, p, num_heads, eps=1e-5):
    """The mask hides the past

    Each token sees itself and later tokens, but none of the earlier ones. The triangle is turned
    round.

    Hint: 4
    """
    def weigh(scores):
        return softmax(np.where(np.triu(np.ones(scores.shape[-2:])) == 1, scores, -np.inf))

    return _block(x, p, num_heads, eps, weigh=weigh)


def strict_mask(x, p, num_heads, eps=1e-5):
    """A token does not see itself

    The mask hides each token from itself. The first token then sees nothing, and its softmax is
    nan. The diagonal belongs to what is visible.

    Hint: 4
    """
    def weigh(scores):
        return softmax(np.where(np.tri(scores.shape[-1], k=-1) == 1, scores, -np.inf))

    return _block(x, p, num_heads, eps, weigh=weigh)


def hidden_scores_zero(x, p, num_heads, eps=1e-5):
    """Hidden scores become 0

    Hidden scores are set to 0 before the softmax. A score of 0 still earns weight, since exp(0) is
    1. What has to become 0 is the weight.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, weigh=lambda scores: softmax(np.tril(scores)))


def zero_scores_hidden(x, p, num_heads, eps=1e-5):
    """Every score of 0 is taken for hidden

    The code hides every score that equals 0 after cutting the triangle. A visible score can be 0
    as well, and then it vanishes too. Positions decide what is hidden, not values.

    Hint: 4
    """
    def weigh(scores):
        scores = np.tril(scores)
        return softmax(np.where(scores == 0, -np.inf, scores))

    return _block(x, p, num_heads, eps, weigh=weigh)


def mask_infinity_times_zero(x, p, num_heads, eps=1e-5):
    """Minus infinity is multiplied by 0

    The mask is minus infinity times 0 or 1, and infinity times 0 is nan. So every visible score
    becomes nan. Choose between two values instead of multiplying.

    Hint: 4
    """
    def weigh(scores):
        return softmax(scores + -np.inf * ~_visible(scores))

    return _block(x, p, num_heads, eps, weigh=weigh)


def mask_after_softmax(x, p, num_heads, eps=1e-5):
    """The mask comes after the softmax

    Weights are set to 0 after the softmax; the rest no longer sums to 1. Hidden tokens must not
    take part in the sum.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, weigh=lambda scores: np.tril(softmax(scores)))


def mask_renormalised(x, p, num_heads, eps=1e-5):
    """Masked after the softmax, then renormalised

    The softmax runs over all tokens and is repaired afterwards. When a hidden score leads by
    thousands, all visible weights underflow to 0 first. The mask belongs before the softmax.

    Hint: 4
    """
    def weigh(scores):
        weights = np.tril(softmax(scores))
        return weights / weights.sum(axis=-1, keepdims=True)

    return _block(x, p, num_heads, eps, weigh=weigh)


def mask_minus_100(x, p, num_heads, eps=1e-5):
    """A mask of -100 is added

    Adding -100 pushes hidden scores down, but not far enough. A hidden score that leads by
    thousands still wins. Only minus infinity is below every score.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, weigh=_pushed_down(100.0))


def mask_minus_1e9(x, p, num_heads, eps=1e-5):
    """A large finite mask is added

    Adding -1e9 hides ordinary scores, but not beside huge ones. A hidden score that leads by more
    still wins, and next to a huge score the mask is lost in rounding. Minus infinity is never lost.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, weigh=_pushed_down(1e9))


def fill_minus_1e4(x, p, num_heads, eps=1e-5):
    """Hidden scores become -1e4

    Hidden scores become -1e4, and some visible scores are lower still. Then the hidden tokens take
    all the weight. Only minus infinity is below every score.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, weigh=_filled(-1e4))


def fill_minus_1e9(x, p, num_heads, eps=1e-5):
    """Hidden scores become a finite number

    Hidden scores become a large negative number, and some visible scores are lower still. Even -1e9
    or -1e30 is a score like others; there the hidden tokens take all the weight. Only minus
    infinity is below every score.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, weigh=_filled(-1e9))


def softmax_unshifted(x, p, num_heads, eps=1e-5):
    """exp without a shift

    Large scores overflow exp, and very negative ones all become 0. Both end in nan. Subtracting
    the maximum of a row changes no weight and keeps every exponent at or below 0.

    Hint: 4
    """
    def weigh(scores):
        e = np.exp(np.where(_visible(scores), scores, -np.inf))
        return e / e.sum(axis=-1, keepdims=True)

    return _block(x, p, num_heads, eps, weigh=weigh)


def softmax_one_maximum(x, p, num_heads, eps=1e-5):
    """One maximum for all rows

    One maximum is subtracted from all rows. A row that lies thousands below it underflows to 0,
    and 0 over 0 is nan. Each row has its own maximum.

    Hint: 4
    """
    def weigh(scores):
        scores = np.where(_visible(scores), scores, -np.inf)
        e = np.exp(scores - scores.max())
        return e / e.sum(axis=-1, keepdims=True)

    return _block(x, p, num_heads, eps, weigh=weigh)


def softmax_over_queries(x, p, num_heads, eps=1e-5):
    """The softmax runs over the queries

    The weights of each key sum to 1 over the queries. It should be the other way round: each query
    shares out a weight of 1 among the keys it sees.

    Hint: 4
    """
    def weigh(scores):
        scores = np.where(_visible(scores), scores, -np.inf)
        return softmax(scores.transpose(0, 2, 1)).transpose(0, 2, 1)

    return _block(x, p, num_heads, eps, weigh=weigh)


def scale_dmodel(x, p, num_heads, eps=1e-5):
    """Scaled by the full width

    The scale follows the full width, so several heads come out too flat. Each score is a sum over
    the columns of one head.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, scale=np.sqrt(x.shape[1]))


def scale_none(x, p, num_heads, eps=1e-5):
    """The scores are not scaled

    The scores go into the softmax unscaled, so the weights are too peaked. The formula divides
    them first.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, scale=1.0)


def scale_no_root(x, p, num_heads, eps=1e-5):
    """Divided by d_k, not by its root

    The scores are divided by d_k, so the weights are too flat. The formula takes the square root
    of d_k first.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, scale=x.shape[1] // num_heads)


def single_head(x, p, num_heads, eps=1e-5):
    """num_heads is never used

    The attention runs over the full width, as a single head. Every head has its own columns and
    its own weights.

    Hint: 3
    """
    return transformer_block(x, p, 1, eps)


def split_by_reshape(x, p, num_heads, eps=1e-5):
    """Heads are split without a transpose

    A direct reshape to (heads, tokens, d_k) mixes tokens into heads. A reshape never moves data.
    Split the last axis first, then bring the head axis to the front.

    Hint: 3
    """
    def split(z, num_heads):
        return z.reshape(num_heads, len(z), -1)

    return _block(x, p, num_heads, eps, split=split)


def merge_by_reshape(x, p, num_heads, eps=1e-5):
    """Heads are merged without a transpose

    The heads are right, but merging scrambles them. A reshape never moves data, so it reads all
    tokens of head 0 first. Bring the token axis to the front before merging.

    Hint: 3
    """
    return _block(x, p, num_heads, eps, merge=lambda heads: heads.reshape(x.shape))


def no_output_projection(x, p, num_heads, eps=1e-5):
    """W_O is never used

    The merged heads go straight into the stream, without W_O. Even a W_O of zeros does not switch
    attention off then. The heads are mixed by W_O before they are added.

    Hint: 4
    """
    return transformer_block(x, {**p, "W_O": np.eye(x.shape[1])}, num_heads, eps)


def queries_and_keys_swapped(x, p, num_heads, eps=1e-5):
    """Queries and keys are exchanged

    W_Q and W_K have changed roles. Token i then scores with what it offers, not with what it asks
    for. The rows of the score matrix belong to queries.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, names=("W_K", "W_Q", "W_V"))


def values_from_keys(x, p, num_heads, eps=1e-5):
    """The values are the keys

    The weights are applied to the keys; W_V is never used. What a token is found by and what it
    hands over are two different projections.

    Hint: 4
    """
    return _block(x, p, num_heads, eps, names=("W_Q", "W_K", "W_K"))


def projections_transposed(x, p, num_heads, eps=1e-5):
    """The attention weights are transposed

    The four attention matrices are used transposed, as PyTorch's Linear layer stores them. They
    are square, so nothing complains. Here every matrix is used as x @ W.

    Hint: 5
    """
    transposed = {name: p[name].T for name in ("W_Q", "W_K", "W_V", "W_O")}
    return transformer_block(x, {**p, **transposed}, num_heads, eps)
