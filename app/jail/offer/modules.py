"""The frozen namespaces themselves, by the name a learner imports them under."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Mapping
from types import ModuleType

import numpy as np
import numpy.typing

from app.jail.offer import numpy_arrays, numpy_names, stand_ins, standard_library
from app.jail.offer.frozen import Namespace, names_of, why_not
from app.jail.offer.refusals import Refusal

_IN_PLACE: dict[str, dict[str, object]] = {
    "numpy": {
        "ndarray": stand_ins.NDARRAY,
        "matrix": stand_ins.MATRIX,
        "asmatrix": stand_ins.asmatrix,
        **numpy_arrays.SAFE,
    },
    "numpy.typing": {
        "NDArray": stand_ins.NDARRAY_OF,
        "ArrayLike": numpy.typing.ArrayLike,
        "DTypeLike": numpy.typing.DTypeLike,
    },
}


def _expired() -> dict[str, str]:
    """What NumPy says of each name it once had."""
    messages = {}
    for name in (*np.__former_attrs__, *np.__expired_attributes__):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                getattr(np, name)
        except AttributeError as error:
            messages[name] = str(error)
    return messages


def _members(module: ModuleType, names: str, extra: Mapping[str, object]) -> dict[str, object]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        members = {name: getattr(module, name) for name in names.split() if hasattr(module, name)}
    return {**members, **extra}


def _namespace(name: str, module: ModuleType, members: Mapping[str, object]) -> Namespace:
    others = {n for n in dir(module) if n not in members and not n.startswith("__")}
    lacking = {n: numpy_names.refused(name, n) for n in others}
    return Namespace(name, members, lacking, _expired() if name == "numpy" else {})


def _make() -> dict[str, Namespace]:
    made: dict[str, Namespace] = {}
    for name, (module, names) in standard_library.NAMES.items():
        made[name] = _namespace(
            name, module, _members(module, names, standard_library.SAFE.get(name, {}))
        )
    for name in sorted({*numpy_names.NAMES, *_IN_PLACE}, key=lambda n: -n.count(".")):
        module = importlib.import_module(name)
        extra = dict(_IN_PLACE.get(name, {}))
        extra.update((n.rpartition(".")[2], made[n]) for n in made if n.rpartition(".")[0] == name)
        made[name] = _namespace(
            name, module, _members(module, numpy_names.NAMES.get(name, ""), extra)
        )
    abc = made["collections.abc"]
    collections = names_of(made["collections"])
    made["collections"] = _namespace(
        "collections", importlib.import_module("collections"), {**collections, "abc": abc}
    )
    return made


MODULES: Mapping[str, Namespace] = _make()
"""Every namespace by name: "numpy", "numpy.linalg", "math" …"""

OFFERED = "numpy, math, itertools, functools, collections, dataclasses, typing and operator"


def offers(module: str, name: str) -> bool:
    """Whether a namespace has this name."""
    return module in MODULES and name in MODULES[module].__dict__


def refused(module: str, name: str) -> Refusal | None:
    """Why the namespace does not offer a name its module has; None for all other names."""
    if f"{module}.{name}" in MODULES or module not in MODULES:
        return None
    return why_not(MODULES[module], name)
