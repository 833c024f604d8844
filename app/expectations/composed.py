"""Loaded in the jail after reference.py, mistakes/ and the names made for them; never imported.

Puts wrong helpers in the place of right ones, and runs the entry point with them in place. The
names it works on (`_right`, `_modes`, `_put_names`, `_put_arguments`, `_entry`) are written by
app/expectations/modes.py.
"""

from typing import Any

_now = dict(_right)
_heard: Any = None


def _set(name: Any, function: Any) -> Any:
    _now[name] = function
    _put_names(_now)


def _stand_in(name: Any, wrong: Any, inner: Any, top: Any) -> Any:
    """`wrong` in the place of a helper; inside it the helper's name means `inner`."""

    def stand_in(*arguments: Any, **keywords: Any) -> Any:
        before = _now[name]
        _set(name, inner)
        try:
            given = wrong(*arguments, **keywords)
        finally:
            _set(name, before)
        if top and _heard is not None:
            _heard.append((name, given))
        return given

    return stand_in


def _heeded(name: Any, function: Any) -> Any:
    def heeded(*arguments: Any, **keywords: Any) -> Any:
        given = function(*arguments, **keywords)
        _heard.append((name, given))
        return given

    return heeded


def _bind(chain: Any) -> Any:
    """Put these modes in place; of one helper the first is the outermost."""
    for name in _right:
        wrong = [w for n, w in chain if n == name]
        inner = _right[name]
        if _heard is not None:
            inner = _heeded(name, inner)
        for at, one in enumerate(wrong[::-1]):
            inner = _stand_in(name, one, inner, at == len(wrong) - 1)
        _set(name, inner)


def _copied(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    return value


def _untouched(a: Any, b: Any) -> Any:
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_untouched(a[key], b[key]) for key in a)
    return True


def _changed(before: Any, after: Any) -> Any:
    """The position of the first argument that is not as before; -1 where all are."""
    for at, (a, b) in enumerate(zip(before, after)):
        if not _untouched(a, b):
            return at
    return -1


def wrong(at: Any, *arguments: Any) -> Any:
    """What the entry point gives with one mistake in place; raises what it raises."""
    _bind((_modes[at],))
    _put_arguments(tuple(_copied(a) for a in arguments))
    return _now[_entry](*arguments)


def composed(chains: Any, cases: Any) -> Any:
    """For every chain of modes, case by case: the value, and which argument was changed first.

    Both are None where it raised. Flat, for what crosses the wall is nested three deep at most.
    """
    found = []
    for chain in chains:
        _bind([_modes[at] for at in chain])
        outcomes: Any = []
        for arguments in cases:
            given = tuple(_copied(a) for a in arguments)
            _put_arguments(tuple(_copied(a) for a in arguments))
            try:
                value = _now[_entry](*given)
            except Exception:  # the edge of an author's wrong code
                outcomes += [None, None]
            else:
                outcomes += [value, _changed(arguments, given)]
        found.append(tuple(outcomes))
    _bind(())
    return tuple(found)


def predicted(chains: Any, arguments: Any) -> Any:
    """For every chain what the helpers give on one case, in order: name, value, name, value …"""
    global _heard
    found = []
    for chain in chains:
        _heard = []
        _bind([_modes[at] for at in chain])
        given = tuple(_copied(a) for a in arguments)
        _put_arguments(tuple(_copied(a) for a in arguments))
        try:
            _now[_entry](*given)
        except Exception:  # the edge of an author's wrong code
            pass
        found.append(tuple(part for pair in _heard for part in pair))
    _heard = None
    _bind(())
    return tuple(found)
