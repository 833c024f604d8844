"""Methods that Python calls by itself, called by name: `Base.__init__(self)`.

An operator's method (`q.__matmul__(k)`) does what the operator does, on any object. The others are
there on the learner's own, and of a base class for the learner's own objects: code that Python
writes (a dataclass's `__init__`, a named tuple's `__new__`) sets and reads attributes without a
guard, so it must never be handed an object of others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.jail.offer.attribute_names import settable
from app.jail.offer.bases import BASES
from app.jail.offer.own import Own
from app.jail.offer.refusals import Unavailable

OPERATORS = frozenset(
    """
    __call__ __repr__ __str__ __format__ __bytes__ __len__ __bool__ __hash__ __getitem__ __setitem__
    __delitem__ __contains__ __iter__ __next__ __reversed__ __eq__ __ne__ __lt__ __le__ __gt__
    __ge__ __add__ __radd__ __iadd__ __sub__ __rsub__ __isub__ __mul__ __rmul__ __imul__ __truediv__
    __rtruediv__ __itruediv__ __floordiv__ __rfloordiv__ __ifloordiv__ __mod__ __rmod__ __imod__
    __divmod__ __rdivmod__ __pow__ __rpow__ __ipow__ __matmul__ __rmatmul__ __imatmul__ __and__
    __rand__ __iand__ __or__ __ror__ __ior__ __xor__ __rxor__ __ixor__ __lshift__ __rlshift__
    __ilshift__ __rshift__ __rrshift__ __irshift__ __neg__ __pos__ __abs__ __invert__ __float__
    __int__ __complex__ __index__ __round__ __trunc__ __floor__ __ceil__
    """.split()
)
"""What an operator or a builtin function does by itself, on whatever object."""

_OF_CLASSES = frozenset(["__init_subclass__", "__class_getitem__"])
_NOT_OWN = "{}.{}() takes an object of your own class as its first argument here."
_NEW_NOT_OWN = "__new__() makes objects of your own classes here. Call the class: {}(...)."
_FROZEN = "object.__setattr__ sets attributes of your own objects here."


def method(own: Own, value: Any, name: str) -> Any:
    """The method `name` of an object, a class or a `super()`, made safe; None where it is refused.

    Raises AttributeError as Python does where there is no such method.
    """
    if isinstance(value, super):
        return _checked(own, value, name) if own.behind(value) is not None else None
    if isinstance(value, type):
        return _checked(own, value, name) if value in own or value in BASES else None
    if name in OPERATORS or value in own:
        return getattr(value, name)
    return None


def setter(own: Own, value: Any) -> Callable[..., None] | None:
    """What `object.__setattr__` and `super().__setattr__` give: how a frozen dataclass sets itself.

    None on all else. The function takes the object, or where a `super()` knows it, does not.
    """
    if value is object:
        return lambda target, name, new, /: _set(own, target, name, new)
    if isinstance(value, super):
        target = own.behind(value)
        if target is not None and not isinstance(target, type):
            return lambda name, new, /: _set(own, target, name, new)
    return None


def _checked(own: Own, value: Any, name: str) -> Any:
    found = getattr(value, name)
    if name == "__new__":
        return _new(own, found)
    if isinstance(value, super):
        target = own.behind(value)
        if isinstance(target, type) and name not in _OF_CLASSES:
            return _unbound(own, target, name, found)  # super(A, A) binds nothing
        return found  # bound to the learner's own already
    if name in _OF_CLASSES:
        of_own = value in own or value is object or name == "__class_getitem__"
        return found if of_own else None
    if any(name in vars(base) for base in value.__mro__):
        return _unbound(own, value, name, found) if callable(found) else found
    return found if name in OPERATORS else None  # the class's own: A.__call__() is A()


def _new(own: Own, found: Callable[..., Any]) -> Callable[..., Any]:
    def __new__(cls: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if not own.subclass(cls):
            name = getattr(cls, "__name__", type(cls).__name__)
            raise Unavailable(_NEW_NOT_OWN.format(name))
        return found(cls, *arguments, **keywords)

    return __new__


def _unbound(own: Own, cls: type, name: str, found: Callable[..., Any]) -> Callable[..., Any]:
    of_any = name in OPERATORS and cls not in own

    def method(self: Any, /, *arguments: Any, **keywords: Any) -> Any:
        if cls not in type(self).__mro__ or not (of_any or own.instance(self)):
            raise Unavailable(_NOT_OWN.format(cls.__name__, name))
        return found(self, *arguments, **keywords)

    return method


def _set(own: Own, target: Any, name: Any, new: object) -> None:
    if not own.instance(target):
        raise Unavailable(_FROZEN)
    object.__setattr__(target, settable(name, target), new)
