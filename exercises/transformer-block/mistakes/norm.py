"""Misconceptions about the two norms."""
import numpy as np


def _block(x, p, num_heads, eps, first=layer_norm, second=layer_norm):
    h = x + attention(first(x, p["ln1_g"], p["ln1_b"], eps), p, num_heads)
    return h + feed_forward(second(h, p["ln2_g"], p["ln2_b"], eps), p)


def reuses_ln1(x, p, num_heads, eps=1e-5):
    """The first norm is used twice

    Both norms use the parameters of the first one. The second norm has its own scale and shift.

    Hint: 4
    """
    return _block(x, {**p, "ln2_g": p["ln1_g"], "ln2_b": p["ln1_b"]}, num_heads, eps)


def norms_swapped(x, p, num_heads, eps=1e-5):
    """The parameters of the norms are exchanged

    The two norms have exchanged their parameters. The first half uses ln1, the second one ln2.

    Hint: 4
    """
    swapped = {"ln1_g": p["ln2_g"], "ln1_b": p["ln2_b"], "ln2_g": p["ln1_g"], "ln2_b": p["ln1_b"]}
    return _block(x, {**p, **swapped}, num_heads, eps)


def no_first_norm(x, p, num_heads, eps=1e-5):
    """Attention reads the raw stream

    Attention reads the stream as it is, without the first norm. Each half reads a normalised copy.

    Hint: 1
    """
    return _block(x, p, num_heads, eps, first=lambda z, g, b, eps: z)


def no_second_norm(x, p, num_heads, eps=1e-5):
    """The feed-forward half reads the raw stream

    The feed-forward half reads the stream as it is, without the second norm. Each half reads a
    normalised copy.

    Hint: 1
    """
    return _block(x, p, num_heads, eps, second=lambda z, g, b, eps: z)


def final_norm_added(x, p, num_heads, eps=1e-5):
    """One more norm at the end

    The output is normalised once more. A stack of blocks ends with such a norm, but a single block
    does not: its stream goes on.

    Hint: 1
    """
    return layer_norm(_block(x, p, num_heads, eps), p["ln2_g"], p["ln2_b"], eps)


def no_gain_and_shift(x, p, num_heads, eps=1e-5):
    """Scale and shift are left out

    The tokens are normalised, but the scale and shift of the norms are never used. Both norms have
    a vector g and a vector b.

    Hint: 4
    """
    def norm(z, g, b, eps):
        return layer_norm(z, 1.0, 0.0, eps)

    return _block(x, p, num_heads, eps, norm, norm)


def no_shift(x, p, num_heads, eps=1e-5):
    """The shift of the norms is left out

    The norms scale but do not shift: ln1_b and ln2_b are never used. The formula adds b at the
    end.

    Hint: 4
    """
    def norm(z, g, b, eps):
        return layer_norm(z, g, 0.0, eps)

    return _block(x, p, num_heads, eps, norm, norm)


def rms_norm(x, p, num_heads, eps=1e-5):
    """RMS norm instead of layer norm

    The mean is not subtracted, so this is the RMS norm. Layer norm centres every token before it
    divides.

    Hint: 3
    """
    def norm(z, g, b, eps):
        return z / np.sqrt(np.square(z).mean(axis=1, keepdims=True) + eps) * g + b

    return _block(x, p, num_heads, eps, norm, norm)


def norm_over_tokens(x, p, num_heads, eps=1e-5):
    """The norm runs over the tokens

    Mean and variance are taken over the tokens, one pair for each feature. That mixes tokens, also
    later ones into earlier ones. Each token is normalised over its own features.

    Hint: 3
    """
    def norm(z, g, b, eps):
        return (z - z.mean(axis=0)) / np.sqrt(z.var(axis=0) + eps) * g + b

    return _block(x, p, num_heads, eps, norm, norm)


def norm_over_everything(x, p, num_heads, eps=1e-5):
    """One mean for all tokens

    Mean and variance are taken over the whole array at once. Each token has its own mean and
    variance, taken over its features.

    Hint: 3
    """
    def norm(z, g, b, eps):
        return (z - z.mean()) / np.sqrt(z.var() + eps) * g + b

    return _block(x, p, num_heads, eps, norm, norm)


def sample_variance(x, p, num_heads, eps=1e-5):
    """The variance divides by d_model - 1

    The variance is that of a sample. It divides by one less than the number of features. A layer
    norm divides by their number.

    Hint: 3
    """
    def norm(z, g, b, eps):
        variance = z.var(axis=1, keepdims=True, ddof=1)
        return (z - z.mean(axis=1, keepdims=True)) / np.sqrt(variance + eps) * g + b

    return _block(x, p, num_heads, eps, norm, norm)


def no_root(x, p, num_heads, eps=1e-5):
    """Divided by the variance

    The tokens are divided by their variance, not by its square root. After a norm, a token has a
    spread of about 1, whatever it had before.

    Hint: 3
    """
    def norm(z, g, b, eps):
        return (z - z.mean(axis=1, keepdims=True)) / (z.var(axis=1, keepdims=True) + eps) * g + b

    return _block(x, p, num_heads, eps, norm, norm)


def eps_outside_root(x, p, num_heads, eps=1e-5):
    """eps is added outside the root

    The values are off where eps is large: it is added to the standard deviation. The formula adds
    it to the variance, under the root.

    Hint: 3
    """
    def norm(z, g, b, eps):
        return (z - z.mean(axis=1, keepdims=True)) / (z.std(axis=1, keepdims=True) + eps) * g + b

    return _block(x, p, num_heads, eps, norm, norm)


def no_eps(x, p, num_heads, eps=1e-5):
    """eps is left out

    The argument eps is never added, which shows where it is large. It also guards against a
    division by 0 when all features of a token are equal.

    Hint: 3
    """
    def norm(z, g, b, eps):
        return layer_norm(z, g, b, 0.0)

    return _block(x, p, num_heads, eps, norm, norm)


def ignores_eps(x, p, num_heads, eps=1e-5):
    """eps is always 1e-5

    Both norms use 1e-5, whatever eps says. The argument has to reach them.

    Hint: 4
    """
    return _block(x, p, num_heads, 1e-5)


def ln1_ignores_eps(x, p, num_heads, eps=1e-5):
    """The first norm does not receive eps

    The first norm uses its default instead of the given eps. Only the second one receives the
    argument. Both norms share it.

    Hint: 4
    """
    def norm(z, g, b, eps):
        return layer_norm(z, g, b, 1e-5)

    return _block(x, p, num_heads, eps, first=norm)


def ln2_ignores_eps(x, p, num_heads, eps=1e-5):
    """The second norm does not receive eps

    The second norm uses its default instead of the given eps. Only the first one receives the
    argument. Both norms share it.

    Hint: 4
    """
    def norm(z, g, b, eps):
        return layer_norm(z, g, b, 1e-5)

    return _block(x, p, num_heads, eps, second=norm)
