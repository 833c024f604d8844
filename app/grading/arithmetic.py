"""The tiny arithmetic of axis sizes: + - * // % and brackets over names and integers, nothing else.

It reads expressions of exercise.toml such as "d_model // num_heads" without any `eval`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping

_TOKEN = re.compile(r"\s*(?:(\d{1,9})|([A-Za-z_]\w*)|(//|[-+*%()]))")
_DEPTH = 20
_PRODUCT: Mapping[str, Callable[[int, int], int]] = {
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
_COMPARISON = re.compile(r"(==|!=|<=|>=|<|>)")
_COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


class SizeExpressionError(ValueError):
    """The expression is not one of ours, or a name in it has no size; the text says which."""


def evaluate(expression: str, sizes: Mapping[str, int]) -> int:
    """The value of `expression` where names stand for `sizes`.

    Raises SizeExpressionError for anything but + - * // % ( ) over known names and integers,
    and for a division by zero.
    """
    reader = _Reader(_tokens(expression), sizes)
    value = reader.sum(0)
    if reader.at < len(reader.tokens):
        raise SizeExpressionError(f"unexpected {reader.tokens[reader.at]!r} in {expression!r}")
    return value


def holds(relation: str, sizes: Mapping[str, int]) -> bool:
    """Whether a comparison of two expressions holds, as in "d_model % num_heads == 0".

    Raises SizeExpressionError as `evaluate`, and where there is not exactly one of
    == != <= >= < >.

    >>> holds("d_model % num_heads == 0", {"d_model": 12, "num_heads": 5})
    False
    """
    parts = _COMPARISON.split(relation)
    if len(parts) != 3:
        raise SizeExpressionError("a relation compares two sizes, as in n_q <= n_k")
    left, sign, right = parts
    return _COMPARE[sign](evaluate(left, sizes), evaluate(right, sizes))


def names(expression: str) -> frozenset[str]:
    """The names an expression uses; raises SizeExpressionError as `evaluate`."""
    return frozenset(t for t in _tokens(expression) if t[0].isalpha() or t[0] == "_")


def _tokens(expression: str) -> list[str]:
    tokens, at = [], 0
    text = expression.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise SizeExpressionError(f"cannot read {expression!r} at column {at + 1}")
        tokens.append(match.group().strip())
        at = match.end()
    return tokens


class _Reader:
    """Recursive descent over the tokens: a sum of products of names, integers and brackets."""

    def __init__(self, tokens: list[str], sizes: Mapping[str, int]) -> None:
        self.tokens, self.sizes, self.at = tokens, sizes, 0

    def take(self, *wanted: str) -> str | None:
        """The next token where it is one of `wanted`, and step over it."""
        if self.at < len(self.tokens) and self.tokens[self.at] in wanted:
            self.at += 1
            return self.tokens[self.at - 1]
        return None

    def sum(self, depth: int) -> int:
        """product (+|- product)*"""
        value = self.product(depth)
        while sign := self.take("+", "-"):
            other = self.product(depth)
            value = value + other if sign == "+" else value - other
        return value

    def product(self, depth: int) -> int:
        """atom (*|//|% atom)*"""
        value = self.atom(depth)
        while sign := self.take("*", "//", "%"):
            other = self.atom(depth)
            if sign != "*" and other == 0:
                raise SizeExpressionError("division by zero")
            value = _PRODUCT[sign](value, other)
        return value

    def atom(self, depth: int) -> int:
        """An integer, a name or a sum in brackets."""
        if depth > _DEPTH:
            raise SizeExpressionError("too many brackets")
        if self.take("("):
            value = self.sum(depth + 1)
            if not self.take(")"):
                raise SizeExpressionError("a bracket is not closed")
            return value
        if self.at >= len(self.tokens):
            raise SizeExpressionError("the expression ends too early")
        token = self.tokens[self.at]
        self.at += 1
        if token.isdecimal():
            return int(token)
        if token not in self.sizes:
            raise SizeExpressionError(f"nothing is named {token!r}")
        return self.sizes[token]
