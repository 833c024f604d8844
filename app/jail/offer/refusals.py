"""The sentences of the policy: what is not available, why in half a sentence, what to write."""

from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    """One thing the policy keeps out: what and why, and what to write instead ("" if nothing)."""

    message: str
    instead: str = ""


class Unavailable(Exception):
    """A refusal that only shows while the program runs."""


class UnavailableAttribute(Unavailable, AttributeError):
    """The same for an attribute, so that `hasattr` says False."""


for _class in (Unavailable, UnavailableAttribute):
    _class.__name__ = _class.__qualname__ = "NotAvailable"


OTHER_LIBRARIES = frozenset(
    """torch tensorflow jax keras einops tinygrad scipy sklearn pandas matplotlib cupy numba
    seaborn sympy statsmodels transformers torchvision numexpr opt_einsum tqdm""".split()
)
NEVER_NEEDED = "Leave it out: no exercise needs it."
_LIBRARY_HINTS = {
    "scipy": "Write it yourself: np.exp, max and sum are all a softmax takes.",
    "torch": "Write it with NumPy: np.exp, np.matmul and reshape do the same.",
    "einops": "Write rearrange as reshape and transpose.",
    "matplotlib": "Leave the plot out; print(x) shows numbers below the report.",
    "pandas": "Use arrays: np.array, np.unique and boolean masks.",
}
_MODULE_HINTS = {
    "random": "Use np.random.default_rng(0).",
    "copy": "Use x.copy() for an array, list(x) or dict(x) for the rest.",
    "time": "Leave it out: the report shows how long your code took.",
    "timeit": "Leave it out: the report shows how long your code took.",
    "warnings": "Leave it out: warnings cost nothing here.",
    "cmath": "Use np.exp, np.sqrt: they take complex numbers.",
    "statistics": "Use np.mean, np.median, np.std.",
    "string": "Use f-strings.",
    "heapq": "Use np.sort or np.argpartition.",
    "bisect": "Use np.searchsorted.",
    "abc": "Use a plain base class whose methods raise NotImplementedError.",
    "contextlib": "A class with __enter__ and __exit__ does the same.",
    "re": "Use string methods: split, find, replace, startswith.",
    "pprint": "Use print(x).",
    "fractions": "Use floats.",
    "decimal": "Use floats.",
    "numbers": "Write isinstance(x, (int, float)).",
    "enum": "Use plain names: RED = 0.",
    "logging": "Use print(x): what it writes is shown in the report.",
    "types": "Write a small class: class Config: ...",
    "inspect": "Name the parameters directly.",
    "traceback": "Leave it out: the report shows the line and the message.",
    "array": "Use np.array.",
    "struct": "Use np.frombuffer.",
    "secrets": "Use np.random.default_rng(0).",
    "calendar": NEVER_NEEDED,
    "datetime": NEVER_NEEDED,
    "typing_extensions": "Import it from typing.",
    "jaxtyping": "Leave shapes out of the type hints, or write np.ndarray.",
    "beartype": "Leave the decorator out.",
    "typeguard": "Leave the decorator out.",
    "nptyping": "Use numpy.typing: NDArray.",
    "__main__": "Call your functions directly: they are all in one file.",
}


def module_refused(name: str, offered: str) -> Refusal:
    """Why `import name` is not available; `offered` lists what is, for where nothing else helps."""
    root = name.split(".")[0]
    if root in OTHER_LIBRARIES:
        hint = _LIBRARY_HINTS.get(root, "Write it with NumPy.")
        return Refusal(f"This exercise is NumPy only, so {root} isn't available here.", hint)
    if root == "numpy":
        return Refusal(f"{name} isn't available here.", "Use `import numpy as np`.")
    if root in _MODULE_HINTS:
        return Refusal(f"The module {root} isn't available here.", _MODULE_HINTS[root])
    if root in _MACHINE_MODULES:
        return Refusal(
            f"{root} isn't available here.",
            "Your function only needs its arguments.",
        )
    return unknown_module(name, offered)


def unknown_module(name: str, offered: str) -> Refusal:
    """What is said of a module of which nothing better is known."""
    return Refusal(f"The module {name} isn't available here.", f"You can import {offered}.")


_MACHINE_MODULES = frozenset(
    """os sys subprocess pathlib shutil socket io importlib builtins ctypes pickle threading
    multiprocessing asyncio signal gc tempfile urllib http requests atexit mmap resource platform
    concurrent selectors select fcntl pty posix nt dis code codeop linecache weakref
    marshal shelve sqlite3 ssl ftplib smtplib runpy pkgutil site sysconfig zipfile tarfile
    glob fileinput getpass curses cffi pdb cProfile faulthandler tracemalloc""".split()
)

CALLS = {
    "exec": Refusal("exec() isn't available here.", "Write the code directly."),
    "eval": Refusal("eval() isn't available here.", "Write the expression directly."),
    "compile": Refusal("compile() isn't available here.", "Write the code directly."),
    "open": Refusal("Files are not available here.", "Your function only needs its arguments."),
    "input": Refusal("There is no keyboard here.", "Your function only needs its arguments."),
    "breakpoint": Refusal(
        "There is no debugger here.", "Use print(x): what it writes is shown in the report."
    ),
    "globals": Refusal("globals() isn't available here.", "Use the names directly."),
    "locals": Refusal(
        "locals() isn't available here.", "Use the names directly, or a dict of your own."
    ),
    "vars": Refusal("vars() isn't available here.", "Use the attributes directly."),
    "exit": Refusal("exit() isn't available here.", "Return from your function."),
    "quit": Refusal("quit() isn't available here.", "Return from your function."),
    "help": Refusal(
        "help() isn't available here.", "The editor shows a name's documentation while you type."
    ),
    "memoryview": Refusal(
        "memoryview isn't available here.", "Use an array: a slice of it is a view."
    ),
    "__import__": Refusal("__import__() isn't available here.", "Use an import statement."),
}
"""Names of Python that are kept out, unless the learner binds them."""

_DUNDERS = {
    "__class__": "Write type(x).",
    "__dict__": "Use the attributes by name.",
    "__globals__": "Use the names directly.",
    "__code__": "Change the function's text instead.",
    "__traceback__": "Use the exception's message: str(e).",
    "__array__": "Return the array itself: np.array(...).",
    "__array_ufunc__": "Work on arrays: your own object can't stand in for one.",
    "__array_function__": "Work on arrays: your own object can't stand in for one.",
    "__array_interface__": "Work on the array itself.",
    "__del__": "Leave it out: nothing has to be closed here.",
    "__setattr__": "Assign attributes directly.",
    "__getattribute__": "Define a property.",
    "__getattr__": "Define a property.",
    "__builtins__": "Call the functions by their names.",
    "__file__": "There is no file here: your function only needs its arguments.",
    "__bases__": "Name the base class.",
    "__mro__": "Name the base class.",
    "__wrapped__": "Keep the function under a name of its own.",
    "__annotations__": "Use the names directly.",
    "__match_args__": 'Write it as a tuple of names: __match_args__ = ("x", "y").',
    "__import__": "Use an import statement.",
}

_ATTRIBUTES = {
    "ctypes": "It is a raw memory address; index the array instead.",
    "data": "It is raw memory; index the array instead.",
    "strides": "Use reshape, transpose or a slice.",
    "tofile": "Files are not available; return the array.",
    "dump": "Files are not available; return the array.",
    "dumps": "Return the array.",
    "setflags": "Use x.flags.writeable, or x.copy().",
    "resize": "Use np.resize(x, shape) or x.reshape(shape).",
    "getfield": "Use x.view(dtype) or a slice.",
    "setfield": "Use x[...] = value.",
    "bit_generator": "Use the generator's own methods.",
    "mro": "Name the base class.",
    "register": "Inherit from the class instead.",
    "get_state": "Use np.random.default_rng(seed).",
    "set_state": "Use np.random.default_rng(seed).",
    "format_map": "Write an f-string, or text.format(**values).",
    "format": 'Write "text".format(...) or an f-string.',
}


def dunder_name(name: str) -> Refusal:
    """Why a name with two underscores at both ends is not available."""
    return Refusal(
        f"The name {name} isn't available here: Python reserves it.",
        _DUNDERS.get(name, "Pick a name without the underscores."),
    )


def attribute(name: str) -> Refusal:
    """Why reading or setting an attribute of this name is not available."""
    hint = _DUNDERS.get(name) or _ATTRIBUTES.get(name) or _length_hint(name) or NEVER_NEEDED
    return Refusal(f"The attribute {name} isn't available here.", hint)


def _length_hint(name: str) -> str:
    plain = name.strip("_")
    functions = (
        "len",
        "repr",
        "str",
        "abs",
        "bool",
        "float",
        "int",
        "iter",
        "next",
        "hash",
        "round",
    )
    return f"Write {plain}(x)." if name == f"__{plain}__" and plain in functions else ""


def cannot_inherit(name: str) -> Refusal:
    """Why a class statement may not have a class of the library as its base."""
    return Refusal(f"You can't inherit from {name} here.", "Keep one in an attribute.")


def reserved_name(name: str) -> Refusal:
    """Why one of the guards' own names cannot be used."""
    return Refusal(f"The name {name} is taken here.", "Pick another one.")


def frozen(name: str) -> Refusal:
    """Why a name of a namespace cannot be set."""
    return Refusal(
        f"{name} can't be changed here: it is shared.",
        "Give your function a name of its own.",
    )


STATEMENTS = {
    "TryStar": Refusal("except* isn't available here.", "Use except."),
    "AsyncFunctionDef": Refusal("async def isn't available here.", "Use def."),
    "Await": Refusal("await isn't available here.", "Call the function directly."),
    "AsyncFor": Refusal("async for isn't available here.", "Use for."),
    "Interpolation": Refusal("A t-string isn't available here.", "Write an f-string."),
    "AsyncWith": Refusal("async with isn't available here.", "Use with."),
    "TypeAlias": Refusal("The `type` statement isn't available here.", "Write X = ..."),
    "TypeVar": Refusal("A list of type parameters isn't available here.", "Leave the [ ] out."),
    "ParamSpec": Refusal("A list of type parameters isn't available here.", "Leave the [ ] out."),
    "TypeVarTuple": Refusal("A list of type parameters isn't available here.", "Leave it out."),
    "TemplateStr": Refusal("A t-string isn't available here.", "Write an f-string."),
}
PATTERN_OF_OTHERS = Refusal(
    "This class can't be matched by position here.", "Name the attributes: case C(x=x)."
)
METACLASS = Refusal("A metaclass isn't available here.", "Write a plain class.")
CLASS_STARS = Refusal(
    "** isn't available in a class statement here: it can hide a metaclass.",
    "Write the keywords out.",
)
RELATIVE_IMPORT = Refusal(
    "A relative import isn't available here: there is one file.",
    "Put everything in one file.",
)
TOO_LONG = Refusal(
    "The code is longer than 64 KiB, the limit.",
    "Leave out what the function doesn't need.",
)
EMPTY = Refusal("There is nothing to run yet.", "Write the function the statement asks for.")
