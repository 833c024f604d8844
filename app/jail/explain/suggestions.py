"""Did you mean: a sentence for names, attributes and modules that are not there."""

from __future__ import annotations

import difflib
import re
from types import FrameType

from app.jail.offer import globals as offered
from app.jail.offer import modules
from app.jail.offer.frozen import Namespace
from app.jail.offer.refusals import Unavailable

_MOST = 2000
_LACKING = {
    "softmax": "NumPy has no softmax: write it with np.exp, max and sum.",
    "relu": "NumPy has no relu: write np.maximum(x, 0).",
    "sigmoid": "NumPy has no sigmoid: write 1 / (1 + np.exp(-x)).",
    "gelu": "NumPy has no gelu: write it with np.tanh.",
    "dropout": "NumPy has no dropout: write a mask with np.random.default_rng(0).random(shape).",
    "cat": "NumPy calls it np.concatenate.",
    "tensor": "NumPy calls it np.array.",
    "unsqueeze": "NumPy calls it np.expand_dims.",
    "permute": "NumPy calls it np.transpose.",
    "view": "NumPy calls it np.reshape.",
    "bmm": "NumPy calls it np.matmul.",
    "mm": "NumPy calls it np.matmul.",
    "erf": "NumPy has no erf: write it with np.tanh, or math.erf for one number.",
    "product": "NumPy calls it np.prod.",
    "len": "Write len(x) or x.shape[0].",
}
_ARRAY_LACKING = {
    "permute": "A NumPy array calls it transpose.",
    "unsqueeze": "Write x[..., None] or np.expand_dims(x, axis).",
    "softmax": "NumPy has no softmax: write it with np.exp, max and sum.",
    "exp": "Write np.exp(x).",
    "sqrt": "Write np.sqrt(x).",
    "log": "Write np.log(x).",
    "abs": "Write np.abs(x).",
    "matmul": "Write x @ y.",
    "numpy": "It is a NumPy array already.",
    "detach": "It is a NumPy array already.",
    "append": "An array has no append: collect in a list, then np.array(list).",
    "shape": "A {kind} has no shape: make it an array with np.array(x).",
    "dim": "A NumPy array calls it ndim.",
    "float": "Write x.astype(np.float64).",
}
_GENERATOR_LACKING = {"randn": "standard_normal", "rand": "random", "randint": "integers"}
_NUMERIC = frozenset(["ndarray", "list", "tuple", "float", "int", "float64", "float32"])
_NONE = "Something here is None: is an argument missing, or does a function return nothing?"
_WHOLE = "This needs an integer: // divides without a fraction."
_LISTS = "You can't calculate with a list: make it an array with np.array(x)."
_KNOWN = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (r"'float' object cannot be interpreted as an integer", _WHOLE),
        (r"only integers, slices", _WHOLE),
        (r"only integer scalar arrays",
         "This needs one integer. To join arrays, put them in a list: np.concatenate([a, b])."),
        (r"slice indices must be integers", _WHOLE),
        (r"expected a sequence of integers or a single integer", _WHOLE),
        (r"indices must be integers or slices, not (?:float|numpy)", _WHOLE),
        (r"indices must be integers or slices, not tuple",
         "Write x[i][j], or make the list an array."),
        (r"NoneType", _NONE),
        (r"'(?:int|float|numpy\.\w+)' object is not iterable",
         "You can't loop over a number. Did you mean range(n)?"),
        (r"list assignment index out of range",
         "The list isn't that long yet: append to it, or start with an array of the full size."),
        (r"can only concatenate str", "To put a value into a string, use an f-string."),
        (r"math domain error", "A negative number has no real square root, and 0 has no "
         "logarithm."),
        (r"math range error|[Rr]esult (?:too large|out of range)",
         "The result is too large for a float, which ends at about 1.8e308."),
        (r"unsupported operand type\(s\).*'(?:list|tuple)'", _LISTS),
        (r"can't multiply sequence by non-int", _LISTS),
        (r"bad operand type for unary -: 'list'", _LISTS),
        (r"only (?:length-1|0-dimensional|size-1) arrays can be converted",
         "`math` works on single numbers; use np.exp, np.sqrt and so on for arrays."),
        (r"inhomogeneous shape", "The rows have different lengths."),
        (r"Cannot cast ufunc '\w+' output",
         "An integer array can't hold fractions. Write x = x / y instead of x /= y."),
        (r"assignment destination is read-only", "Work on a copy: x.copy()."),
        (r"maximum recursion depth", "A function keeps calling itself and never stops."),
        (r"'module' object is not callable", "Name the function: np.sum(x), not np(x)."),
        (r"'(?:tuple|numpy\.ndarray|list|float|int|numpy\.\w+)' object is not callable",
         "This isn't a function: x[i] takes brackets, x.shape and x.T no parentheses. Or did you "
         "reuse a function's name?"),
        (r"missing 1 required positional argument: 'self'", "Make an object first: Name()."),
        (r"got an unexpected keyword argument '(?:dim|keepdim)'",
         "NumPy calls them axis and keepdims."),
        (r"transpose\(\) got an unexpected keyword argument '(?:perm|dims|axis)'",
         "NumPy calls it axes."),
        (r"\bview\(\) (?:takes|got)", "In NumPy, view changes the dtype; reshape changes the "
         "shape."),
        (r"stack\(\) takes 1 positional", "Put the arrays in one list: np.hstack([a, b])."),
        (r"need at least one array", "The list is empty: nothing was appended to it."),
        (r"transpose\(\) takes from 1 to 2", "Give the axes as one tuple: np.transpose(x, (1, "
         "0))."),
        (r"order must be str, not", "Give the shape as one tuple: np.reshape(x, (2, 3))."),
        (r"Cannot interpret '-?\d+' as a data type",
         "Give the shape as one tuple: np.zeros((2, 3)). view takes a dtype, reshape a shape."),
        (r"'tuple' object cannot be interpreted as an integer",
         "Give the sizes one by one here: np.random.randn(2, 3)."),
        (r"unhashable type: '(?:numpy\.)?ndarray'",
         "An array can't be a key of a dict, a set or a cache. Leave the cache out, or use "
         "x.tobytes() as the key."),
        (r"unhashable type: '(?:list|dict|set)'",
         "A list can't be a key. Make it a tuple: tuple(x)."),
        (r"Singular matrix", "The matrix has no inverse."),
    )
)  # fmt: skip


def suggestion(error: BaseException, message: str, frame: FrameType) -> str:
    """One sentence for a name or an attribute that does not exist, or for a well-known message.

    "" where there is nothing to say that the message does not.
    """
    if isinstance(error, Unavailable):
        return ""
    name = getattr(error, "name", None)
    if isinstance(error, AttributeError) and type(name) is str:
        return _attribute(error, name, frame)
    if isinstance(error, UnboundLocalError):
        return (
            "The function assigns or deletes it, so it is a local name, and it has no value here."
        )
    if isinstance(error, NameError) and type(name) is str:
        return _name(name, frame)
    return known(message)


def known(message: str) -> str:
    """The sentence for a well-known message, wherever it came from; "" for any other."""
    return next((said for pattern, said in _KNOWN if pattern.search(message)), "")


def _name(name: str, frame: FrameType) -> str:
    if name in modules.MODULES:
        return f"Write `import {name}` at the top."
    near = _near(name, [*frame.f_locals, *frame.f_globals, *offered.NAMES])
    if near:
        return f"Did you mean {near}?"
    if modules.offers("numpy", name):
        return f"Did you mean np.{name}?"
    homes = [m for m in ("math", "typing", "collections", "functools", "itertools", "dataclasses")
             if modules.offers(m, name)]  # fmt: skip
    return f"Write `from {homes[0]} import {name}` at the top." if homes else ""


def _attribute(error: AttributeError, name: str, frame: FrameType) -> str:
    value = error.obj
    if isinstance(value, Namespace):
        if name in _LACKING:
            return _LACKING[name]
        near = _near(name, dir(value))
        return f"Did you mean {near}?" if near else _elsewhere(name)
    if value is None:
        return _NONE
    if type(value) is dict and name in value:
        return f'Read a dict with brackets: ["{name}"].'
    kind = type(value).__name__
    if "np" in frame.f_locals and frame.f_locals["np"] is value:
        return f"Here np is a value ({kind}), not NumPy. Give that value another name."
    if kind == "Generator" and name in _GENERATOR_LACKING:
        return f"A Generator calls it {_GENERATOR_LACKING[name]}."
    if kind in _NUMERIC and name in _ARRAY_LACKING:
        return _ARRAY_LACKING[name].replace("{kind}", kind)
    near = _near(name, _names(value))
    return f"Did you mean {near}?" if near else ""


def _elsewhere(name: str) -> str:
    for module in ("numpy", "numpy.linalg", "numpy.random", "numpy.fft", "math"):
        if modules.offers(module, name):
            return f"Did you mean {module.replace('numpy', 'np', 1)}.{name}?"
    return ""


def _names(value: object) -> list[str]:
    """The names of a value, without asking a `__dir__` of the learner's."""
    names = set(object.__dir__(value)) if not isinstance(value, type) else set(type.__dir__(value))
    return [name for name in names if type(name) is str and not name.startswith("__")]


def _near(name: str, candidates: list[str]) -> str:
    """The candidate most like a name, as Python's own suggestions would find it."""
    if len(name) > 40:
        return ""
    pool = sorted({c for c in candidates[:_MOST] if type(c) is str and not c.startswith("_")})
    by_case = [c for c in pool if c.lower() == name.lower() and c != name]
    if by_case:
        return by_case[0]
    found = difflib.get_close_matches(name, pool, n=1, cutoff=0.7)
    found = found or [c for c in pool if _is_one_off(name, c)][:1]
    return found[0] if found else ""


def _is_one_off(name: str, other: str) -> bool:
    """Whether a short name differs in one letter, or in two that changed places: ezp and exp."""
    if not 3 <= len(name) == len(other) <= 5:
        return False
    off = [i for i in range(len(name)) if name[i] != other[i]]
    if len(off) == 2:
        first, second = off
        return second - first == 1 and name[first] + name[second] == other[second] + other[first]
    return len(off) == 1 and name[0] == other[0]
