"""Weights that are left out or not shared out."""
import numpy as np


def ignores_weights(x, w):
    """Weights left out

    Every token counts the same here. A token's weight says how much it counts.

    Hint: 1
    """
    return x.mean(axis=0)


def not_shared_out(x, w):
    """Weights that do not sum to one

    The result grows with the weights. Shares sum to one.

    Hint: 2
    """
    return w @ x


def counts_tokens(x, w):
    """Divided by the number of tokens

    The weighted sum is divided by how many tokens there are.

    Hint: 2
    """
    return w @ x / len(x)
