"""What keeps an `einsum` from running: the letter whose sizes clash, or the letters that don't fit.

The subscripts are read from the source, the shapes from the frame: nothing runs again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from app.jail.explain.clash import Operand
from app.jail.explain.plain_words import NOTHING, PlainWords

_LONG = 80


def subscripts_of(node: ast.AST | None) -> str | None:
    """The text of subscripts where a call is an `einsum` that spells them; else None."""
    if not isinstance(node, ast.Call) or not node.args:
        return None
    name = node.func.attr if isinstance(node.func, ast.Attribute) else None
    name = node.func.id if isinstance(node.func, ast.Name) else name
    first = node.args[0]
    spelled = isinstance(first, ast.Constant) and isinstance(first.value, str)
    if name != "einsum" or not spelled or not isinstance(first, ast.Constant):
        return None
    text = str(first.value).replace(" ", "")
    return text if text.isprintable() and len(text) <= _LONG and "." not in text else None


def words(subscripts: str, operands: Sequence[Operand]) -> PlainWords:
    """The first thing that does not fit, as NumPy checks it; NOTHING where all seems to fit."""
    given, _, output = subscripts.partition("->")
    terms = given.split(",")
    facts = tuple(one.shape for one in operands if one.shape is not None)
    for look in (_number, _axes, _sizes, _outputs):
        found = look(terms, operands, output)
        if found is not None:
            return found._replace(facts=facts)
    return NOTHING


def _number(terms: Sequence[str], operands: Sequence[Operand], _output: str) -> PlainWords | None:
    if len(terms) == len(operands):
        return None
    return PlainWords(f"einsum has letters for {_arrays(len(terms))} and is given {len(operands)}")


def _arrays(number: int) -> str:
    return "one array" if number == 1 else f"{number} arrays"


def _axes(terms: Sequence[str], operands: Sequence[Operand], _output: str) -> PlainWords | None:
    for term, one in zip(terms, operands, strict=True):
        if one.shape is not None and len(one.shape) != len(term):
            letters = "letter" if len(term) == 1 else "letters"
            note = f"`{term}` has {len(term)} {letters}; {one.text} has shape {one.shape}."
            return PlainWords(f"einsum needs one letter for each axis of {one.text}", note)
    return None


def _sizes(terms: Sequence[str], operands: Sequence[Operand], _output: str) -> PlainWords | None:
    seen: dict[str, tuple[int, Operand]] = {}
    for letter, size, one in _letters(terms, operands):
        before, where = seen.setdefault(letter, (size, one))
        if before != size and 1 not in (before, size):
            note = f"In einsum, `{letter}` is {before} in {where.text} {where.shape} and {size} in "
            gist = f"the letter `{letter}` stands for {before} and for {size}"
            return PlainWords(gist, f"{note}{one.text} {one.shape}.")
    return None


def _letters(
    terms: Sequence[str], operands: Sequence[Operand]
) -> Iterator[tuple[str, int, Operand]]:
    for term, one in zip(terms, operands, strict=True):
        for letter, size in zip(term, one.shape or (), strict=False):
            yield letter, size, one


def _outputs(terms: Sequence[str], _operands: Sequence[Operand], output: str) -> PlainWords | None:
    for letter in output:
        if not any(letter in term for term in terms):
            return PlainWords(f"`{letter}` stands after `->` in einsum, but in no input before it")
        if output.count(letter) > 1:
            return PlainWords(f"`{letter}` stands twice after `->` in einsum")
    return None
