"""Misconceptions about which positions a new token sees."""
import numpy as np


def _step(q, k, v, k_cache, v_cache, num_heads, visible):
    K, V = np.concatenate([k_cache, k]), np.concatenate([v_cache, v])
    return attend(q, K, V, visible, num_heads), K, V


def _positions(q, k_cache):
    m, t = len(q), len(k_cache)
    return t + np.arange(m)[:, None], np.arange(t + m)[None, :]


def _scores(q, k, k_cache, num_heads):
    K = np.concatenate([k_cache, k])
    heads = split_heads(q, num_heads), split_heads(K, num_heads)
    return heads[0] @ heads[1].transpose(0, 2, 1) / np.sqrt(heads[0].shape[-1])


def _finish(weights, k, v, k_cache, v_cache, num_heads):
    K, V = np.concatenate([k_cache, k]), np.concatenate([v_cache, v])
    return merge_heads(weights @ split_heads(V, num_heads)), K, V


def no_mask_in_chunk(q, k, v, k_cache, v_cache, num_heads):
    """No mask when several tokens arrive

    One token at a time works; in a chunk, earlier tokens see later ones. When several tokens
    arrive together they are each other's future. A chunk still needs the causal mask.

    Hint: 4
    """
    visible = np.ones((len(q), len(k_cache) + len(q)), dtype=bool)
    return _step(q, k, v, k_cache, v_cache, num_heads, visible)


def top_left_mask(q, k, v, k_cache, v_cache, num_heads):
    """The mask is aligned to the top left

    An empty cache works; with an old one, almost the whole past is hidden. The triangle starts in
    the other corner: new token 0 does not stand at position 0.

    Hint: 3
    """
    visible = np.tri(len(q), len(k_cache) + len(q), dtype=bool)
    return _step(q, k, v, k_cache, v_cache, num_heads, visible)


def strict_mask(q, k, v, k_cache, v_cache, num_heads):
    """A new token does not see itself

    The mask hides each new token from itself. It should see every position up to its own, and its
    own as well.

    Hint: 5
    """
    rows, columns = _positions(q, k_cache)
    return _step(q, k, v, k_cache, v_cache, num_heads, columns < rows)


def mask_one_too_far(q, k, v, k_cache, v_cache, num_heads):
    """Each token sees one later token

    The triangle is one diagonal too wide, so each token sees its successor. The last visible
    position of a token is its own.

    Hint: 5
    """
    rows, columns = _positions(q, k_cache)
    return _step(q, k, v, k_cache, v_cache, num_heads, columns <= rows + 1)


def mask_inverted(q, k, v, k_cache, v_cache, num_heads):
    """The mask hides the past

    The mask is inverted: past positions are hidden and later ones are shown. The last token has
    nothing to see at all. In a mask made with np.where, the order of the two values decides.

    Hint: 5
    """
    rows, columns = _positions(q, k_cache)
    return _step(q, k, v, k_cache, v_cache, num_heads, columns > rows)


def mask_looks_ahead(q, k, v, k_cache, v_cache, num_heads):
    """A token sees itself and what follows

    Each new token sees itself and later tokens, but none of the earlier ones. The triangle is
    turned round. Generation reads from the past.

    Hint: 5
    """
    rows, columns = _positions(q, k_cache)
    return _step(q, k, v, k_cache, v_cache, num_heads, columns >= rows)


def own_position_only(q, k, v, k_cache, v_cache, num_heads):
    """The new tokens do not see each other

    Each new token sees the old ones and itself, but no other new token. Earlier tokens of the same
    chunk belong to its past as well.

    Hint: 5
    """
    rows, columns = _positions(q, k_cache)
    visible = (columns < len(k_cache)) | (columns == rows)
    return _step(q, k, v, k_cache, v_cache, num_heads, visible)


def zero_scores_hidden(q, k, v, k_cache, v_cache, num_heads):
    """Every score of 0 is taken for hidden

    The code hides every score that equals 0 after cutting the triangle. A visible score can be 0
    as well, and then it vanishes too. Positions decide what is hidden, not values.

    Hint: 5
    """
    m, t = len(q), len(k_cache)
    scores = np.tril(_scores(q, k, k_cache, num_heads), k=t)
    weights = softmax(np.where(scores == 0, -np.inf, scores))
    return _finish(weights, k, v, k_cache, v_cache, num_heads)


def hidden_scores_zero(q, k, v, k_cache, v_cache, num_heads):
    """Hidden scores become 0

    Hidden scores are set to 0 before the softmax. A score of 0 still earns weight, since exp(0) is
    1. What has to become 0 is the weight.

    Hint: 5
    """
    scores = np.tril(_scores(q, k, k_cache, num_heads), k=len(k_cache))
    return _finish(softmax(scores), k, v, k_cache, v_cache, num_heads)


def mask_after_softmax(q, k, v, k_cache, v_cache, num_heads):
    """The mask comes after the softmax

    Weights are set to 0 after the softmax; the rest no longer sums to 1. Hidden positions must not
    take part in the sum. The mask belongs before the softmax.

    Hint: 4
    """
    weights = np.tril(softmax(_scores(q, k, k_cache, num_heads)), k=len(k_cache))
    return _finish(weights, k, v, k_cache, v_cache, num_heads)


def mask_renormalised(q, k, v, k_cache, v_cache, num_heads):
    """Masked after the softmax, then renormalised

    The softmax runs over all positions and is repaired afterwards. When a hidden score leads by
    thousands, all visible weights underflow to 0 first. The mask belongs before the softmax.

    Hint: 4
    """
    weights = np.tril(softmax(_scores(q, k, k_cache, num_heads)), k=len(k_cache))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return _finish(weights, k, v, k_cache, v_cache, num_heads)


def mask_infinity_times_zero(q, k, v, k_cache, v_cache, num_heads):
    """Minus infinity is multiplied by 0

    The mask is minus infinity times 0 or 1, and infinity times 0 is nan. So every visible score
    becomes nan. Choose between two values instead of multiplying.

    Hint: 5
    """
    hidden = ~np.tri(len(q), len(k_cache) + len(q), len(k_cache), dtype=bool)
    weights = softmax(_scores(q, k, k_cache, num_heads) + -np.inf * hidden)
    return _finish(weights, k, v, k_cache, v_cache, num_heads)


def mask_minus_100(q, k, v, k_cache, v_cache, num_heads):
    """A mask of -100 is added

    Adding -100 pushes hidden scores down, but not far enough. A hidden score that leads by
    thousands still wins. Only minus infinity is below every score.

    Hint: 4
    """
    hidden = ~np.tri(len(q), len(k_cache) + len(q), len(k_cache), dtype=bool)
    weights = softmax(_scores(q, k, k_cache, num_heads) - 100.0 * hidden)
    return _finish(weights, k, v, k_cache, v_cache, num_heads)


def mask_minus_1e4(q, k, v, k_cache, v_cache, num_heads):
    """A mask of -1e4 is added

    Adding -1e4 pushes hidden scores down, but not far enough. A hidden score that leads by more
    still wins. Only minus infinity is below every score.

    Hint: 4
    """
    hidden = ~np.tri(len(q), len(k_cache) + len(q), len(k_cache), dtype=bool)
    weights = softmax(_scores(q, k, k_cache, num_heads) - 1e4 * hidden)
    return _finish(weights, k, v, k_cache, v_cache, num_heads)


def mask_minus_1e9(q, k, v, k_cache, v_cache, num_heads):
    """A large finite mask is added

    Adding -1e9 hides ordinary scores, but not beside huge ones. Next to a score of that size it is
    lost in rounding, and hidden positions keep their weight. Minus infinity is never lost.

    Hint: 4
    """
    hidden = ~np.tri(len(q), len(k_cache) + len(q), len(k_cache), dtype=bool)
    weights = softmax(_scores(q, k, k_cache, num_heads) - 1e9 * hidden)
    return _finish(weights, k, v, k_cache, v_cache, num_heads)


def _filled(q, k, v, k_cache, v_cache, num_heads, fill):
    visible = np.tri(len(q), len(k_cache) + len(q), len(k_cache), dtype=bool)
    weights = softmax(np.where(visible, _scores(q, k, k_cache, num_heads), fill))
    return _finish(weights, k, v, k_cache, v_cache, num_heads)


def fill_minus_1e4(q, k, v, k_cache, v_cache, num_heads):
    """Hidden scores become -1e4

    Hidden scores become -1e4, and some visible scores are lower still. Then the hidden positions
    take all the weight. Only minus infinity is below every score.

    Hint: 4
    """
    return _filled(q, k, v, k_cache, v_cache, num_heads, -1e4)


def fill_minus_1e6(q, k, v, k_cache, v_cache, num_heads):
    """Hidden scores become -1e6

    Hidden scores become -1e6, and some visible scores are lower still. Then the hidden positions
    take all the weight. Only minus infinity is below every score.

    Hint: 4
    """
    return _filled(q, k, v, k_cache, v_cache, num_heads, -1e6)


def fill_minus_1e9(q, k, v, k_cache, v_cache, num_heads):
    """Hidden scores become a finite number

    Hidden scores become a large negative number, and some visible scores are lower still. Even
    -1e9 or -1e30 is a score like others; there the hidden positions take all the weight. Only minus
    infinity is below every score.

    Hint: 4
    """
    return _filled(q, k, v, k_cache, v_cache, num_heads, -1e9)
