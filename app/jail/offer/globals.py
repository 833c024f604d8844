"""What a learner's program finds around it: its builtins, its guards, and imports of namespaces."""

from __future__ import annotations

import builtins
import importlib
from collections.abc import Callable, Sequence
from typing import Any

from app.jail.offer.frozen import Namespace, names_of, sentence
from app.jail.offer.guards import Guards
from app.jail.offer.modules import MODULES, OFFERED
from app.jail.offer.names import MODULE
from app.jail.offer.patterns import Held
from app.jail.offer.refusals import CALLS, Refusal, Unavailable, module_refused
from app.jail.offer.stand_ins import TYPE, type_of

_PLAIN = """
    abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod
    enumerate filter float format frozenset hash hex id int isinstance issubclass iter len list map
    max min next object oct ord pow property range repr reversed round set slice sorted staticmethod
    str sum super tuple zip True False None NotImplemented Ellipsis __debug__
"""
_PRINT_ELSEWHERE = "print() writes to the report here. Leave out file=."


def _refuser(refusal: Refusal) -> Callable[..., Any]:
    def unavailable(*_arguments: Any, **_keywords: Any) -> Any:
        raise Unavailable(sentence(refusal))

    return unavailable


def _shared() -> dict[str, object]:
    names: dict[str, object] = {name: getattr(builtins, name) for name in _PLAIN.split()}
    names.update(
        (name, value)
        for name, value in vars(builtins).items()
        if isinstance(value, type) and issubclass(value, BaseException)
    )
    names.update((name, _refuser(refusal)) for name, refusal in CALLS.items())
    names["type"] = TYPE
    return names


_SHARED = _shared()
NAMES = frozenset({*_SHARED, "print", "getattr", "hasattr", "setattr", "delattr", "dir"}) - set(
    CALLS
)
"""Names a program finds without an import, for suggestions."""

OFFERED_VALUES = frozenset(
    id(value)
    for names in (_SHARED, *(names_of(module) for module in MODULES.values()))
    for value in names.values()
)
"""The identities of all values that programs are given; all of them live as long as this module."""


def namespace(write: Callable[[str], object], module: str = MODULE) -> dict[str, object]:
    """Fresh globals for one program; what it prints goes to `write`, one call a print.

    `np` is there as if the starter's import had been kept: programs pasted without their import
    line run as on the sites they come from.
    """
    guard = Guards(module)
    return {
        "__name__": module,
        "__builtins__": {
            **_SHARED,
            "print": _printer(write),
            "getattr": guard.getattr,
            "hasattr": guard.hasattr,
            "setattr": guard.setattr,
            "delattr": guard.delattr,
            "dir": guard.dir,
            "__build_class__": guard.build_class,
            "__import__": import_namespace,
        },
        "_getattr_": guard.read,
        "_write_": guard.write,
        "_change_": guard.change,
        "_pattern_": guard.pattern,
        "_held_": Held,
        "_class_of_": type_of,
        "_type_": type,
        "_plain_": guard.plain,
        "np": MODULES["numpy"],
    }


_OF_C_CODE = ("numpy", "_pylong")


def import_namespace(
    name: str,
    globals: object = None,
    locals: object = None,
    fromlist: Sequence[str] = (),
    level: int = 0,
) -> Namespace:
    """The `__import__` of a learner's program: gives namespaces only.

    A learner's own imports were checked when the program was compiled. C code of NumPy, and since
    3.12 of Python for large integers, also comes here, with the caller's `__import__`, to load its
    own modules; it takes them from `sys.modules` and does not look at what is returned.
    """
    if name in MODULES and not level:
        top = name if fromlist else name.partition(".")[0]
        return MODULES[top]
    if name.partition(".")[0] in _OF_C_CODE and not level:
        importlib.import_module(name)
        return MODULES["numpy"]
    raise ImportError(sentence(module_refused(name, OFFERED)), name=name)


def _printer(write: Callable[[str], object]) -> Callable[..., None]:
    def print(
        *values: object,
        sep: str | None = " ",
        end: str | None = "\n",
        file: object = None,
        flush: object = False,
    ) -> None:
        """Print values to the report, with `sep` between and `end` after them."""
        if file is not None:
            raise Unavailable(_PRINT_ELSEWHERE)
        for name, text in (("sep", sep), ("end", end)):
            if text is not None and not isinstance(text, str):
                raise TypeError(f"{name} must be None or a string, not {type(text).__name__}")
        between = " " if sep is None else str.__str__(sep)
        after = "\n" if end is None else str.__str__(end)
        write(between.join([str.__str__(str(value)) for value in values]) + after)

    return print
