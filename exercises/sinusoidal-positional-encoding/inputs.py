"""Random legal inputs of sinusoidal-positional-encoding."""


def draw(rng):
    """A length and a width, odd or even; a few tables are long and narrow."""
    d_model = int(rng.integers(1, 20))
    seq_len = int(rng.integers(1, 13))
    kind = rng.integers(32)
    if kind == 0:
        seq_len, d_model = int(rng.integers(4500, 5501)), int(rng.integers(1, 3))
    elif kind < 4:
        seq_len, d_model = int(rng.integers(100, 401)), int(rng.integers(1, 9))
    elif rng.integers(8) == 0:
        seq_len = d_model
    return seq_len, d_model
