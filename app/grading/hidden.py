"""What may be shown of a hidden test's result: decided here for every sentence and every number.

A program knows a hidden test's arguments while it runs, and may spell them in whatever of its
result is shown: the name of a class, a shape, a message. So a hidden result is reduced before it
is put in words: names to those that Python, NumPy and the exercise have, numbers to sizes that
occur, messages to known ones. docs/security.md says how many bits are left.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from app.grading.hidden_messages import MESSAGES
from app.model import Execution, Mismatch, Raised, Value

MORE_AXES, TIMES, DIGITS = 1, 4, 2
OWN_TYPE, OWN_EXCEPTION, OTHER_DTYPE = "object", "exception", "another dtype"
REFUSED = "NotAvailable"
_REFUSED_WORDS = "This uses something that isn't available here"
_OF_NUMPY = (
    "LinAlgError numpy.linalg.LinAlgError AxisError numpy.exceptions.AxisError "
    "numpy._core._exceptions._ArrayMemoryError numpy._core._exceptions._UFuncNoLoopError "
    "_ArrayMemoryError _UFuncNoLoopError UFuncTypeError _UFuncOutputCastingError "
    "_UFuncInputCastingError ComplexWarning RankWarning FrozenInstanceError"
)
_EXCEPTIONS = frozenset(
    {n for n, v in vars(builtins).items() if isinstance(v, type) and issubclass(v, BaseException)}
    | {REFUSED, *_OF_NUMPY.split()}
)
_TYPES = frozenset(
    """
    None NoneType bool int float complex str bytes bytearray list tuple dict set frozenset range
    slice generator function method builtin_function_or_method type module ndarray matrix object
    ellipsis zip map filter enumerate reversed numpy.ndarray numpy.matrix numpy.bool
    numpy.generic ufunc numpy.ufunc dtype iterator super property poly1d nditer flatiter Generator
    RandomState Counter deque OrderedDict defaultdict
    """.split()
) | {prefix + kind.__name__ for kind in np.sctypeDict.values() for prefix in ("", "numpy.")}
_DTYPES = frozenset(str(np.dtype(kind)) for kind in np.typecodes["All"]) | {"structured"}
_CLOSED = _TYPES | {"matmul", "(n?,k),(k,m?)->(n?,m?)", "n?,k", "+", "-", "*", "/", "@", "**", "//"}
_ASKED = re.compile(r"Unable to allocate (\d+(?:\.\d+)?) ([KMGTPE]iB|bytes)\b")
_NUMBER = re.compile(r"-?\d+")


def reduced(execution: Execution, most: int, names: frozenset[str] = frozenset()) -> Execution:
    """An execution whose exception holds no size over `most` and no name but known ones."""
    raised = execution.raised
    return replace(
        execution,
        cpu_ms=rounded(execution.cpu_ms),
        raised=None if raised is None else _raised(raised, most, names),
    )


def largest(values: Iterable[Value]) -> int:
    """The largest number a message about these may hold: four times a length, or all of one."""
    arrays = [v for value in values for v in (value if isinstance(value, tuple) else (value,))]
    known = [value for value in arrays if isinstance(value, np.ndarray)]
    sizes: list[int] = [size for value in known for size in value.shape]
    return max([TIMES, *(TIMES * size for size in sizes), *(int(value.size) for value in known)])


def rounded(number: float) -> float:
    """A number with two significant digits: 0.83, 1200.0."""
    return float(f"{number:.{DIGITS}g}")


def may_show_shape(got: Sequence[int], expected: Sequence[int]) -> bool:
    """Whether a hidden result's shape is shown: one axis more at most, sizes up to four times.

    >>> may_show_shape((7, 5), (5, 12)), may_show_shape((5, 1234), (5, 12))
    (True, False)
    """
    most = TIMES * max([1, *expected])
    return len(got) <= len(expected) + MORE_AXES and all(size <= most for size in got)


def may_show_parts(number: int, expected: int) -> bool:
    """Whether it is shown into how many parts a hidden result falls."""
    return number <= TIMES * expected


def type_name(name: str) -> str:
    """The name of a type that Python or NumPy has; "object" for one that the program made."""
    return name if name in _TYPES else OWN_TYPE


def dtype_name(name: str) -> str:
    """The name of a dtype of numbers, objects or times; "another dtype" for one with a size."""
    return name if name in _DTYPES else OTHER_DTYPE


def message(text: str, most: int, names: frozenset[str] = frozenset()) -> str:
    """A message of Python or NumPy, what a program could put into it as "…"; "" if unknown.

    >>> message("index 5 is out of bounds for axis 0 with size 4", 48)
    'index 5 is out of bounds for axis 0 with size 4'
    >>> message("index 73911 is out of bounds for axis 0 with size 4", 48)
    'index … is out of bounds for axis 0 with size 4'
    """
    for pattern in MESSAGES:
        match = pattern.fullmatch(text)
        if match is not None:
            return _filled(text, match, most, names)
    return ""


def _filled(text: str, match: re.Match[str], most: int, names: frozenset[str]) -> str:
    parts, end = [], 0
    for group in range(1, match.re.groups + 1):
        start, stop = match.span(group)
        parts += [text[end:start], _shown(match[group], most, names)]
        end = stop
    return "".join([*parts, text[end:]])


def _shown(word: str, most: int, names: frozenset[str]) -> str:
    if word in _CLOSED or word in names or word in _DTYPES:
        return word
    plain = re.sub(r"[\s(),]|dim", "", _NUMBER.sub("", word))
    return word if not plain and _fits(word, most) else "…"


def _fits(text: str, most: int) -> bool:
    """Whether every number in a text is a size that occurs, and there are few of them."""
    numbers = _NUMBER.findall(text)
    return len(numbers) <= 2 * _FEW and all(abs(int(n)) <= most for n in numbers if len(n) < 9)


_FEW = 5


def advice(text: str, most: int) -> str:
    """The sentences of a help that hold no name made up as the program ran, and no large number."""
    sentences = re.split(r"(?<=[.?!])\s+(?=[A-Z`])", text)
    kept = [s for s in sentences if not _MADE_UP.search(s) and _is_small(s, most)]
    return " ".join(kept)


_MADE_UP = re.compile(r"Did you mean|holds a value here|is read with brackets|Write `import")


def _is_small(text: str, most: int) -> bool:
    return all(len(n) < 9 and abs(int(n)) <= most for n in _NUMBER.findall(text))


def _raised(raised: Raised, most: int, names: frozenset[str]) -> Raised:
    if raised.type == REFUSED:
        return replace(raised, message=_REFUSED_WORDS, help="", facts=())
    known = raised.type in _EXCEPTIONS
    if (asked := _ASKED.match(raised.message)) is not None:
        words = f"Unable to allocate {rounded(float(asked[1])):g} {asked[2]}"
        return replace(raised, message=words, help="", facts=())
    facts = tuple(f for f in raised.facts if len(f) <= _FEW and all(size <= most for size in f))
    said = message(raised.message, most, names)
    if raised.type == "KeyError":
        said = "that key is not in the dict."
    plain = bool(said) and said == raised.message and len(facts) == len(raised.facts)
    return replace(
        raised,
        type=raised.type if known else OWN_EXCEPTION,
        message=raised.message if raised.own else said,
        help=advice(raised.help, most),
        facts=facts if len(facts) == len(raised.facts) else (),
        gist=raised.gist if plain and _is_small(raised.gist, most) else "",
        note=advice(raised.note, most) if plain else "",
    )


def reduced_mismatch(mismatch: Mismatch) -> Mismatch:
    """A mismatch without values, of a shape and names that may be shown."""
    got, expected = mismatch.got_shape, mismatch.expected_shape
    shows = got is None or (expected is not None and may_show_shape(got, expected))
    return replace(
        mismatch,
        got_shape=got if shows else None,
        got_type=type_name(mismatch.got_type) if mismatch.got_type else "",
        dtype=None if mismatch.dtype is None else dtype_name(mismatch.dtype),
        worst_abs=None if mismatch.worst_abs is None else rounded(mismatch.worst_abs),
        worst_got=None,
        worst_expected=None,
    )
