"""Well-known messages of Python and NumPy in plain words: what follows "Line 3 stops: ".

Each sentence is made of the learner's own expression, of names in the message, and of types by
their everyday names. What is not known here is told by the exception's own message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

_TYPES = {
    "NoneType": "None",
    "ndarray": "an array",
    "int": "a whole number",
    "float": "a float",
    "complex": "a complex number",
    "str": "a string",
    "bool": "True or False",
    "list": "a list",
    "tuple": "a tuple",
    "dict": "a dict",
    "set": "a set",
    "function": "a function",
    "method": "a method",
    "builtin_function_or_method": "a function",
    "type": "a class",
    "module": "a module",
    "Namespace": "a module",
    "generator": "a generator",
}
_OPERATORS = {
    "+": "added to", "-": "subtracted from", "*": "multiplied with", "/": "divided by",
    "@": "multiplied with", "//": "divided by", "** or pow()": "raised to", "%": "divided by",
}  # fmt: skip


class Failed(NamedTuple):
    """The match in the message, the failing expression's parts as they are written."""

    match: re.Match[str]
    parts: Sequence[str]

    @property
    def first(self) -> str:
        """The first part, in backticks; "a value" where it is not known."""
        return self.parts[0] if self.parts else "a value"


Gist = Callable[[Failed], str]


def gist(message: str, parts: Sequence[str]) -> str:
    """A clause without a full stop; "" for a message that is not known.

    >>> gist("division by zero", ["`a`", "`n`"])
    '`n` is 0, and nothing can be divided by 0'
    """
    for pattern, words in _GISTS:
        match = pattern.search(message)
        if match is not None:
            return words(Failed(match, parts))
    return ""


def type_words(name: str) -> str:
    """What a type is called in a sentence: "an array", "None", "a `Layer`".

    >>> type_words("numpy.ndarray"), type_words("NoneType"), type_words("Layer")
    ('an array', 'None', 'a `Layer`')
    """
    short = name.rpartition(".")[2]
    if name.startswith("numpy.") and short not in _TYPES:
        return "a single number"
    return _TYPES.get(short, f"a `{short}`")


def _said(text: str) -> Gist:
    return lambda failed: failed.match.expand(text)


def _operands(failed: Failed) -> str:
    sign, left, right = failed.match[1], failed.match[2], failed.match[3]
    for kind, part in zip((left, right), failed.parts, strict=False):
        if kind == "NoneType":
            return f"{part} is None"
    left, right = type_words(left), type_words(right)
    if "None" in (left, right):
        return "one side is None"
    what = _OPERATORS.get(sign, "")
    if sign == "-":
        left, right = right, left
    return (
        f"{left} can't be {what} {right}" if what else f"`{sign}` doesn't join {left} and {right}"
    )


def _compared(failed: Failed) -> str:
    sign, left, right = failed.match[1], failed.match[2], failed.match[3]
    for kind, part in zip((left, right), failed.parts, strict=False):
        if kind == "NoneType":
            return f"{part} is None"
    return f"`{sign}` doesn't compare {type_words(left)} with {type_words(right)}"


def _is(rest: str) -> Gist:
    """ "`x` is None", and what that rules out."""

    def words(failed: Failed) -> str:
        kind = type_words(failed.match[1])
        return f"{failed.first} is {kind}" + ("" if kind == "None" else rest)

    return words


def _zero(failed: Failed) -> str:
    if len(failed.parts) < 2 or failed.parts[1].strip("`0.") == "":
        return "it divides by 0"
    return f"{failed.parts[1]} is 0, and nothing can be divided by 0"


def _missing(failed: Failed) -> str:
    names = re.sub(r"'(\w+)'", r"`\1`", failed.match[2]).replace(", and", " and")
    return f"`{failed.match[1]}` is called without {names}"


def _too_many(failed: Failed) -> str:
    name, most, given = failed.match[1], failed.match[2], failed.match[3]
    takes = most.replace("from ", "").replace("exactly ", "")
    what = "argument" if takes == "1" else "arguments"
    return f"`{name}` takes {takes} {what} and is given {given}"


def _named(failed: Failed) -> str:
    return f"`{failed.match[1].lstrip('_')}` has no argument `{failed.match[2]}`"


def _loop(failed: Failed) -> str:
    kind, name = failed.match[1], failed.match[2]
    one = f"{failed.parts[0]} is" if failed.parts else "it is given"
    return f"{one} None" if kind == "NoneType" else f"np.{name} doesn't work on {type_words(kind)}"


def _module(name: str) -> str:
    return "NumPy" if name == "numpy" else f"`{name.replace('numpy.', 'np.', 1)}`"


def _attribute(failed: Failed) -> str:
    owner, name = failed.match[1], failed.match[2]
    if owner == "NoneType":
        return f"{failed.first} is None"
    words = type_words(owner)
    return f"{words} has no `{name}`"


_QUOTED = r"'([\w.]+)'"
_CALL = r"(?:[\w.<>]+\.)?(\w+)\(\)"
_GISTS: tuple[tuple[re.Pattern[str], Gist], ...] = tuple(
    (re.compile(pattern, re.S), _said(words) if isinstance(words, str) else words)
    for pattern, words in (
        (r"^cannot access local variable '(\w+)'", r"`\1` has no value yet"),
        (r"^name '(\w+)' is not defined", r"there is no name `\1`"),
        (r"^module '([\w.]+)' has no attribute '(\w+)'",
         lambda f: f"{_module(f.match[1])} has no `{f.match[2]}`"),
        (rf"^(?:type object )?{_QUOTED} object has no attribute '(\w+)'", _attribute),
        (r"^type object '(\w+)' has no attribute '(\w+)'", r"`\1` has no `\2`"),
        (rf"^unsupported operand type\(s\) for (.+?): {_QUOTED} and {_QUOTED}", _operands),
        (rf"^'(\S+)' not supported between instances of {_QUOTED} and {_QUOTED}", _compared),
        (rf"^bad operand type for (.+?):? {_QUOTED}$",
         lambda f: f"`{f.match[1]}` doesn't work on {type_words(f.match[2])}"),
        (rf"^{_QUOTED} object is not subscriptable", _is(": it has no entries")),
        (r"^invalid index to scalar variable",
         lambda f: f"{f.first} is a single number: it has no entries"),
        (rf"^{_QUOTED} object is not callable", _is(": it can't be called")),
        (rf"^(?:cannot unpack non-iterable )?{_QUOTED} object is not iterable",
         _is(": there is nothing to loop over")),
        (r"^cannot unpack non-iterable ([\w.]+) object", _is(": it can't be unpacked")),
        (rf"^object of type {_QUOTED} has no len", _is(": it has no length")),
        (rf"^{_QUOTED} object does not support item assignment",
         _is(": its entries can't be changed")),
        (rf"^{_QUOTED} object cannot be interpreted as an integer",
         lambda f: f"{type_words(f.match[1])} stands where a whole number must"),
        (r"^can't multiply sequence by non-int of type",
         r"a list or a tuple can only be repeated a whole number of times"),
        (r'^can only concatenate (\w+) \(not "([\w.]+)"\)',
         lambda f: f"{type_words(f.match[2])} can't be added to {type_words(f.match[1])}"),
        (r"^only integers, slices", r"an index must be a whole number, a slice or an array"),
        (r"^(list|tuple) indices must be integers or slices", r"the index of a \1 must be a whole "
         r"number or a slice"),
        (r"^slice indices must be integers", r"a slice needs whole numbers"),
        (r"^(list|tuple) (?:assignment )?index out of range", r"the \1 has no such entry"),
        (r"^pop from empty list", r"the list is empty"),
        (r"^only integer scalar arrays can be converted",
         r"an array stands where a whole number must"),
        (r"^only (?:length-1|0-dimensional|size-1) arrays can be converted",
         r"an array stands where a single number must"),
        (r"^can only convert an array of size 1", r"an array stands where a single number "
         r"must"),
        (r"^division by zero|^(?:float|integer) (?:division|modulo|division or modulo)", _zero),
        (r"^integer division or modulo by zero", _zero),
        (r"^0\.0 cannot be raised to a negative power", r"0 can't be raised to a negative power"),
        (r"^math domain error|^expected a (?:non|pos)", r"that isn't a real number"),
        (r"^math range error", r"the result is out of range"),
        (r"^maximum recursion depth", r"a function calls itself forever"),
        (rf"^{_CALL} missing \d+ required (?:positional|keyword-only) arguments?: (.+)$", _missing),
        (rf"^{_CALL} takes (\d+|from \d+ to \d+|exactly \w+) (?:positional )?arguments? (?:but |\()"
         r"(\d+)", _too_many),
        (rf"^{_CALL} got an unexpected keyword argument '(\w+)'", _named),
        (rf"^{_CALL} got multiple values for argument '(\w+)'", r"`\1` is given `\2` twice"),
        (r"^loop of ufunc does not support argument \d of type ([\w.]+) which has no callable "
         r"(\w+) method", _loop),
        (r"^ufunc '(\w+)' not supported for the input types", r"np.\1 doesn't work on these types"),
        (r"^assignment destination is read-only|^output array is read-only",
         r"this array is read-only"),
        (r"^Cannot cast ufunc '\w+' output from dtype\('(\w+)'\) to dtype\('(\w+)'\)",
         r"\1 values don't fit in place into an array of \2"),
        (r"inhomogeneous shape", r"these rows don't form an array"),
        (r"^setting an array element with a sequence", r"one entry can't take a whole array"),
        (r"^can only specify one unknown dimension", r"a shape may hold -1 only once"),
        (r"^need at least one array to (\w+)", r"there is no array to \1"),
        (r"^zero-dimensional arrays cannot be concatenated",
         r"single numbers can't be concatenated"),
        (r"^zero-size array to reduction operation (\w+)", r"an empty array has no \1"),
        (r"^attempt to get (\w+) of an empty sequence", r"an empty array has no \1"),
        (r"^negative dimensions are not allowed", r"a size must not be negative"),
        (r"^Singular matrix", r"the matrix has no inverse"),
        (r"^Last 2 dimensions of the array must be square", r"the matrix is not square"),
        (rf"^unhashable type: {_QUOTED}",
         lambda f: f"{type_words(f.match[1])} can't be a key"),
        (r"^too many values to unpack \(expected (\d+)", r"there are more values than \1 names"),
        (r"^not enough values to unpack \(expected (\d+), got (\d+)\)",
         r"there are \2 values for \1 names"),
    )
)  # fmt: skip
