"""What the editor completes: every offered name with its signature and one line of what it does."""

from __future__ import annotations

import builtins
import inspect
import json
import re
import sys
from typing import Any, TypedDict

import numpy as np

from app.jail.offer.frozen import Namespace, names_of
from app.jail.offer.globals import NAMES
from app.jail.offer.modules import MODULES
from app.jail.offer.stand_ins import StandIn

_LINE = 120
_SIGNATURE = 200
_WRITTEN = re.compile(r"\s*(?:a\.)?\w+(\(.*?\))(?: *-> *\w[\w ]*)? *(?:\n|$)", re.S)
"""What C functions begin their documentation with: `exp(x, /, out=None)`."""
_ARRAY_METHODS = """
    all any argmax argmin argsort astype clip copy cumprod cumsum diagonal dot dtype fill flatten
    item max mean min ndim nonzero prod ravel repeat reshape round shape size sort squeeze std sum
    swapaxes T tolist trace transpose var view
"""


class Completion(TypedDict):
    """One name: where it lives, what it takes ("" for a value), what it is, what it does."""

    module: str
    name: str
    signature: str
    kind: str
    doc: str


def completions() -> list[Completion]:
    """Every name a learner may write, by module; "" are Python's own, "ndarray" an array's.

    Plain data, ready for JSON, the same on every call with one release of NumPy.
    """
    found = [
        _completion(module, name, value)
        for module, namespace in sorted(MODULES.items())
        for name, value in sorted(names_of(namespace).items())
    ]
    methods = sorted(_ARRAY_METHODS.split())
    found += [_completion("ndarray", name, getattr(np.ndarray, name)) for name in methods]
    found += [_completion("", name, vars(builtins)[name]) for name in sorted(NAMES)]
    return found


def _completion(module: str, name: str, value: object) -> Completion:
    documentation = _documentation(value)
    return {
        "module": module,
        "name": name,
        "signature": _signature(value, documentation),
        "kind": _kind(value),
        "doc": _first_line(documentation),
    }


def _kind(value: object) -> str:
    if isinstance(value, Namespace):
        return "module"
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) else "value"


def _documentation(value: object) -> str:
    if isinstance(value, Namespace) or not (callable(value) or inspect.isdatadescriptor(value)):
        return ""
    text: Any = getattr(value, "__doc__", None)
    return inspect.cleandoc(text) if isinstance(text, str) else ""


def _signature(value: object, documentation: str) -> str:
    """The parameters as the documentation begins with them, else as Python knows them."""
    if not callable(value) or isinstance(value, StandIn):
        return ""
    written = _WRITTEN.match(documentation)
    if written:
        return re.sub(r"\s+", " ", written[1])[:_SIGNATURE]
    try:
        text = str(inspect.signature(value))
    except (ValueError, TypeError):
        return "(…)"
    text = re.sub(r"=<[^>]*>", "=…", text)
    return text[:_SIGNATURE].replace("(self, /, ", "(").replace("(self, /)", "()")


def _first_line(documentation: str) -> str:
    """The first line that is not a signature."""
    rest = documentation
    while written := _WRITTEN.match(rest):
        rest = rest[written.end() :]
    return next((line.strip()[:_LINE] for line in rest.split("\n") if line.strip()), "")


if __name__ == "__main__":  # how `app.sandbox.offered_names` asks
    json.dump(completions(), sys.stdout)
