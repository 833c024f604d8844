"""Formulas that end their parser, fill memory or the page: short, for a macro may be called often.

The first ended the process that parsed it when it was found.
"""

DEEP = (
    r"\def\a{" + r"\sqrt" * 80 + r"}\def\b{\a\a\a\a\a\a\a\a\a\a}"
    r"\def\c{\b\b\b\b\b\b\b\b\b\b}\c\c\c\c\c\c\c x"
)
"""56,000 levels of 480 characters, no brace in another."""

LONG = r"\def\a{" + "x" * 400 + r"}\def\b{\a\a\a\a\a\a\a\a\a\a}\def\c{\b\b\b\b\b\b\b\b\b\b}\c\c\c"
"""1.2 million characters of MathML."""
