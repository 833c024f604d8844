"""The gate meets the signal in another way."""
import numpy as np


def gate_swapped(gate, up):
    """SiLU on the up branch

    The two widened branches have changed roles. The branch of W_gate is the valve and is bent; the
    branch of W_up carries the signal and stays linear.

    Hint: 2
    """
    return gate * silu(up)


def silu_of_product(gate, up):
    """SiLU of the product

    SiLU comes after the product of the two branches, one step too late. A valve has to be bent
    before it meets the signal, or the signal changes the valve.

    Hint: 2
    """
    return silu(gate * up)


def silu_on_both(gate, up):
    """SiLU on both branches

    Both widened branches pass through SiLU. Only the gate is bent; the other branch carries the
    signal and has to reach the product unchanged.

    Hint: 2
    """
    return silu(gate) * silu(up)


def branches_added(gate, up):
    """The branches are added

    The activated gate is added to the signal. A valve scales what flows through it, so the two
    have to be multiplied entry by entry.

    Hint: 2
    """
    return silu(gate) + up
