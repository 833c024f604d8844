"""Did you mean: a sentence for names, attributes and modules that are not there."""

from __future__ import annotations

import difflib
from types import FrameType

from app.jail import facade, facade_modules
from app.jail.facade_frozen import Namespace
from app.jail.policy_refusals import Unavailable

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
    "view": "",
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
    "size": "",
}


def suggestion(error: BaseException, frame: FrameType) -> str:
    """One sentence for a name or an attribute that does not exist; "" where there is none."""
    name = getattr(error, "name", None)
    if type(name) is not str or isinstance(error, Unavailable):
        return ""
    if isinstance(error, AttributeError):
        return _attribute(error, name)
    if isinstance(error, NameError):
        return _name(name, frame)
    return ""


def _name(name: str, frame: FrameType) -> str:
    if name in frame.f_code.co_varnames or name in frame.f_code.co_cellvars:
        return f"{name} is assigned in this function, but only after this line."
    if name in facade_modules.MODULES:
        return f"Write `import {name}` at the top."
    near = _near(name, [*frame.f_locals, *frame.f_globals, *facade.NAMES])
    if near:
        return f"Did you mean {near}?"
    if facade_modules.offers("numpy", name):
        return f"Did you mean np.{name}?"
    homes = [m for m in ("math", "typing", "collections", "functools", "itertools", "dataclasses")
             if facade_modules.offers(m, name)]  # fmt: skip
    return f"Write `from {homes[0]} import {name}` at the top." if homes else ""


def _attribute(error: AttributeError, name: str) -> str:
    value = error.obj
    if isinstance(value, Namespace):
        if name in _LACKING:
            return _LACKING[name]
        near = _near(name, dir(value))
        return f"Did you mean {near}?" if near else _elsewhere(name)
    kind = type(value).__name__
    near = _near(name, _names(value))
    if near:
        return f"Did you mean {near}?"
    if name == "shape" or kind in ("ndarray", "list", "tuple", "float64", "float32"):
        return _ARRAY_LACKING.get(name, "").replace("{kind}", kind)
    if value is None:
        return "The value is None: a function without return gives None."
    return ""


def _elsewhere(name: str) -> str:
    for module in ("numpy", "numpy.linalg", "numpy.random", "numpy.fft", "math"):
        if facade_modules.offers(module, name):
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
    return found[0] if found else ""
