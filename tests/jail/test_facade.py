"""What a running program finds around it: namespaces, stand-ins, guards; and no way past them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.jail.offer.globals import namespace
from app.jail.offer.modules import MODULES
from app.jail.wire_values import Named, decode, encode
from tests.jail.programs import allowed, problems, run

_GLOBALS = "from functools import wraps\ndef mine():\n    return 1\n"
_ESCAPES = {
    "globals of a Cython function": "np.random.seed.func_globals",
    "globals of a Cython method": "np.random.default_rng(0).normal.func_globals['__builtins__']",
    "wraps that copies globals": (
        _GLOBALS + "wraps(np.indices, assigned=(), updated=('__globals__',))(mine)"
    ),
    "update_wrapper that copies globals": (
        "import functools\nfunctools.update_wrapper(len, np.indices, updated=('__globals__',))"
    ),
    "getattr in a map": "list(map(getattr, [1], ['__class__']))",
    "getattr in a vectorize": (
        "np.vectorize(getattr, otypes=[object])(np.array([1]), np.array(['__class__']))"
    ),
    "getattr by a lying text": (
        "class S(str):\n    def startswith(self, *a): return False\ngetattr(1, S('__class__'))"
    ),
    "getattr with a default": "getattr(len, '__globals__', None)",
    "dunder in a format": "'{0.__class__.__mro__}'.format(1)",
    "dunder in a nested format": "'{0:{1.__class__}}'.format(1, 2)",
    "dunder in a format_map": "'{a.__class__}'.format_map({'a': 1})",
    "format by its class": "list(map(str.format, ['{0.__class__}'], [1]))",
    "type with three arguments": "type('T', (), {'__array_ufunc__': None})",
    "a metaclass by typing": "import typing\nclass M(typing.Type): pass",
    "a metaclass by an alias": "class M(type[int]): pass",
    "a metaclass by the class of a class": "class M(type(int)): pass",
    "the real array class by an error": (
        "try:\n    np.ndarray.nothing\nexcept AttributeError as e:\n"
        "    e.obj((1,), dtype=object, buffer=bytearray(8))"
    ),
    "array over a buffer": "np.ndarray((1,), dtype=object, buffer=bytearray(b'A' * 8))",
    "array over a buffer by type": "type(np.ones(1))((1,), object, bytearray(8))",
    "array over a buffer by an alias": (
        "from numpy.typing import NDArray\nNDArray[np.float64]((1,), object, bytearray(8))"
    ),
    "addresses of objects": "np.frombuffer(np.array([len], dtype=object), dtype=np.int64)",
    "addresses in a record": "np.frombuffer(np.zeros(1, 'O,i8'), dtype=np.int64)",
    "a subclass of ndarray": "class A(np.ndarray): pass",
    "a subclass of matrix": "class A(np.matrix): pass",
    "a subclass of the real matrix": "class A(np.c_.makemat): pass",
    "a field that lies": "import dataclasses\nclass F(type(dataclasses.field())): pass",
    "a field renamed": (
        "from dataclasses import dataclass, fields\n@dataclass\nclass A:\n    x: int\n"
        "fields(A)[0].name = 'x=print'"
    ),
    "an address by a cached property": (
        "from functools import cached_property\np = cached_property(lambda self: {})\n"
        "p.attrname = '__array_interface__'"
    ),
    "an address by setattr": "class A: pass\nsetattr(A(), '__array_interface__', {})",
    "the caller's names": "np.r_['np']",
    "raw memory": "np.arange(3).ctypes",
    "raw memory by data": "np.arange(3).data",
    "raw memory by a scalar": "np.float64(1).data",
    "raw memory by strides": "x = np.ones(3)\nx.strides = (0,)",
    "a bit generator": "np.random.default_rng(0).bit_generator",
    "a file": "np.arange(3).tofile('/tmp/x')",
    "a file by its class": "np.ndarray.tofile(np.arange(3), '/tmp/x')",
    "a pickle": "np.arange(3).dumps()",
    "use after free": "np.ones(9).resize(1, refcheck=False)",
    "a frame of a generator": "g = (i for i in [1])\ngetattr(g, 'gi_frame')",
    "a traceback": "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    getattr(e, "
    "'__traceback__')",
    "a class changed": "list.append = len",
    "the array class changed": "np.ndarray.sum = len",
    "a namespace changed": "n = np\nn.exp = len",
    "a namespace changed by setattr": "setattr(np, 'exp', len)",
    "a namespace's name deleted": "n = np\ndel n.exp",
    "files by print": "print('x', file=3)",
    "a file by a pattern": "match np.ones(1):\n    case np.ndarray(tofile=f): pass",
    "open as a value": "f = [open for open in ()] or getattr(np, 'load')",
}


@pytest.mark.parametrize("source", _ESCAPES.values(), ids=_ESCAPES.keys())
def test_a_way_out_is_refused_as_the_program_runs(source: str) -> None:
    error = run("import numpy as np\n" + source).error
    assert error is not None, "it ran"
    assert error["type"] in ("NotAvailable", "TypeError"), error
    assert error["frames"][-1]["line"] >= 2
    assert error["help"] == ""


@pytest.mark.parametrize(
    "source",
    [
        "k = {'metaclass': lambda *a: 1}\nclass A(**k): pass",
        "class A:\n    def __getattr__(self, name): return 1",
        "class A:\n    def __class__(self): return int",
        "class A:\n    __array_interface__ = {}",
        "class A:\n    __array_interface__: dict = {}",
        "class A:\n    __match_args__ = ('__dict__',)",
        "class A:\n    __match_args__ = make()",
        "class A:\n    for __match_args__ in [('ctypes',)]: pass",
        "f = lambda: __builtins__",
        "def f():\n    return __class__",
        "x = (1).__class__",
        "x = (1).__class__.__name__.__class__",
        "(1).__class__.__name__ = 'x'; y = (1).__class__()",
        "f.__code__ = 1",
        "del f.__globals__",
        "from numpy import f2py",
        "import numpy._core",
        "x = f'{(1).__class__}'",
        "x: (1).__class__ = 2",
    ],
)
def test_a_way_out_is_refused_before_it_runs(source: str) -> None:
    assert problems(source)[0]["kind"] == "policy"


def test_a_metaclass_smuggled_past_the_compiler_is_refused_as_the_class_is_made() -> None:
    build: Any = namespace(print)["__builtins__"]
    with pytest.raises(Exception, match="A metaclass isn't available here"):
        build["__build_class__"](lambda: None, "A", metaclass=type)


def test_np_is_there_without_its_import() -> None:
    """Programs from sites that preload NumPy, or pasted without their first line, run."""
    assert run("x = np.ones(2).sum()").names["x"] == 2.0


def test_every_import_gives_a_namespace_and_no_module() -> None:
    for name, module in MODULES.items():
        alias = run(f"import {name} as m").names["m"] if name != "__future__" else module
        assert alias is module
        assert type(alias).__name__ == "module"
        assert not hasattr(alias, "__name__")


def test_numpys_own_imports_pass_and_give_nothing() -> None:
    give: Any = namespace(print)["__builtins__"]
    assert give["__import__"]("numpy._core._methods") is MODULES["numpy"]
    with pytest.raises(ImportError, match="os isn't available here"):
        give["__import__"]("os")


def test_the_stand_in_of_ndarray_passes_for_the_real_one() -> None:
    source = """
import numpy as np
from typing import Optional
x = np.ones((2, 3))
R = [
    isinstance(x, np.ndarray), isinstance([1], np.ndarray), type(x) is np.ndarray,
    type(x) == np.ndarray, issubclass(type(x), np.ndarray), type(x).__name__, str(np.ndarray),
    np.ndarray.sum(x), np.ndarray((2, 3), int).shape, isinstance(int, type), type(int) is type,
    type(1) is int, isinstance(np.matrix([[1]]), np.matrix),
    isinstance(np.matrix([[1]]), np.ndarray),
]
hints = [np.ndarray | None, Optional[np.ndarray], list[np.ndarray], np.ndarray[int], type[int]]
match x:
    case np.ndarray():
        matched = True
"""
    names = run(source).names
    assert names["R"] == [
        True, False, True, True, True, "ndarray", "<class 'numpy.ndarray'>", 6.0,
        (2, 3), True, True, True, True, True,
    ]  # fmt: skip
    assert names["matched"]


def test_a_stand_in_is_called_a_type_as_any_class_is() -> None:
    source = "import numpy as np\ntry:\n    np.ndarray + 1\nexcept TypeError as error:\n"
    names = run(source + "    said = str(error)\nkind = type(np.ones(1))").names
    assert names["said"] == "unsupported operand type(s) for +: 'type' and 'int'"
    assert decode(encode(names["kind"])) == Named("type")


def test_a_matrix_is_a_real_matrix_so_that_it_is_told_apart() -> None:
    assert type(run("m = np.matrix([[1.0]])").names["m"]) is np.matrix
    assert type(run("m = np.asmatrix(np.ones(2))").names["m"]) is np.matrix


def test_own_objects_may_have_any_attribute() -> None:
    source = """
class A:
    def __init__(self):
        self.data, self.resize, self.lock, self._x, self.__y = 1, 2, 3, 4, 5
        self.mro = self.format = 6
    def all(self):
        return (self.data, self.resize, self.lock, self._x, self.__y, self.mro, self.format)
    def dump(self):
        return "dumped"
def f():
    pass
f.calls = 1
f.calls += 1
R = (A().all(), A().dump(), f.calls, getattr(A(), "data"), hasattr(A(), "__len__"),
     hasattr([], "__len__"))
"""
    assert run(source).names["R"] == ((1, 2, 3, 4, 5, 6, 6), "dumped", 2, 1, False, True)


def test_attributes_of_arrays_may_be_set_as_numpy_allows() -> None:
    source = (
        "x = np.arange(4.0)\nx.shape = (2, 2)\nx.flags.writeable = False\nR = x.flags.writeable"
    )
    outcome = run(source)
    assert (outcome.error, outcome.names["R"], outcome.names["x"].shape) == (None, False, (2, 2))


def test_dataclasses_and_named_tuples_work_also_with_annotations_as_text() -> None:
    source = """
from __future__ import annotations
from collections import namedtuple
from dataclasses import InitVar, asdict, dataclass, field, replace
from typing import ClassVar, NamedTuple
@dataclass(order=True, slots=True)
class Layer:
    width: int
    scale: InitVar[float] = 1.0
    weights: list = field(default_factory=list)
    count: ClassVar[int] = 7
    def __post_init__(self, scale):
        self.weights.append(scale)
class Pair(NamedTuple):
    left: int
    right: int = 0
    def total(self):
        return self.left + self.right
Point = namedtuple("Point", "x y", defaults=[0])
R = (repr(Layer(2)), asdict(Layer(1, 2.0)), Layer.count, Layer(1) < Layer(2),
     replace(Layer(1), width=3, scale=1).width, Pair(1)._replace(right=2).total(),
     Point(1)._asdict(), Point._fields)
"""
    assert run(source).names["R"] == (
        "Layer(width=2, weights=[1.0])", {"width": 1, "weights": [2.0]}, 7, True, 3,
        3, {"x": 1, "y": 0}, ("x", "y"),
    )  # fmt: skip


@pytest.mark.parametrize("names", ["'a b; print'", "['a', 'b=print']", "['class']", "['_a']"])
def test_named_tuples_take_identifiers_only(names: str) -> None:
    error = run(f"from collections import namedtuple\nnamedtuple('P', {names})").error
    assert error is not None
    assert error["type"] == "ValueError"


def test_a_decorator_keeps_the_functions_name() -> None:
    source = """
import functools
def timed(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    return inner
@timed
def f(x):
    "Twice."
    return 2 * x
R = f(2), f.__name__, f.__doc__
"""
    assert run(source).names["R"] == (4, "f", "Twice.")


def test_the_name_of_a_class_may_be_asked_of_an_object() -> None:
    source = """
class A:
    def __repr__(self):
        return f"{self.__class__.__name__}({self.__class__.__qualname__})"
R = repr(A()), np.ones(1).__class__.__name__
"""
    assert run(source).names["R"] == ("A(A)", "ndarray")


def test_print_writes_each_call_at_once() -> None:
    written: list[str] = []
    code = allowed("print(1, 'a', sep='-', end='!')\nprint()\nlist(map(print, [np.ones(2)]))").code
    assert code is not None
    exec(code, namespace(written.append))  # noqa: S102 -- as the jail does
    assert written == ["1-a!", "\n", "[1. 1.]\n"]


def test_print_options_hold() -> None:
    outcome = run("with np.printoptions(precision=2):\n    print(np.array([1 / 3]))")
    assert outcome.printed == "[0.33]\n"


def test_what_numpy_lacks_is_an_attribute_error_and_what_is_kept_out_a_refusal() -> None:
    lacking = run("x = np.softmax(1)").error
    assert lacking is not None
    assert (lacking["type"], lacking["message"]) == (
        "AttributeError",
        "module 'numpy' has no attribute 'softmax'",
    )
    assert lacking["help"] == "Write it with np.exp, max and sum."
    kept_out = run("n = np\nx = n.loadtxt('a')").error
    assert kept_out is not None
    assert kept_out["type"] == "NotAvailable"
    assert kept_out["message"].startswith("np.loadtxt isn't available here: there are no files.")


def test_all_offered_names_of_numpy_exist() -> None:
    """A name that NumPy renamed is missed here first."""
    from app.jail.offer.numpy_names import NAMES

    lacking = {
        (module, name)
        for module, names in NAMES.items()
        for name in names.split()
        if not hasattr(MODULES[module], name)
    }
    # These depend on the machine, or belong to releases of NumPy before or after this one.
    assert {name for _, name in lacking} <= {
        "float128", "complex256", "in1d", "trapz", "row_stack", "TooHardError", "fix",
        "broadcast_to", "broadcast_arrays", "random_integers", "RankWarning",
    }, lacking  # fmt: skip
    assert len(MODULES["numpy"].__dict__) > 400


@pytest.mark.parametrize("use", ["x.data", "x.data = 1", "x.data += 1", "del x.data"])
def test_a_class_known_to_be_plain_opens_no_door_for_others(use: str) -> None:
    """Compiled code passes the guard by for objects of classes it has seen, and for no others."""
    outcome = run(
        "import numpy as np\n"
        "class A:\n    def __init__(self): self.data = 1\n"
        f"for x in (A(), A(), A(), np.ones(1)):\n    {use}\n    passed = type(x)\n"
    )
    assert outcome.error is not None
    assert outcome.error["type"] == "NotAvailable"
    assert outcome.names["passed"] is outcome.names["A"]


@pytest.mark.parametrize("base", ["tuple", "list", "dict", "set"])
def test_attributes_of_an_own_container_are_the_learners(base: str) -> None:
    outcome = run(
        f"class A({base}): pass\n"
        "x = A(); x.data = 1; x.args = x.data + 1; x._own = 3\n"
        "R = (x.data, x.args, x._own, [v.data for v in (x, x)])\n"
    )
    assert outcome.error is None
    assert outcome.names["R"] == (1, 2, 3, [1, 1])


def test_what_a_pattern_runs_against_cannot_be_reached_or_changed() -> None:
    """A class body keeps the names that its patterns were looked up under."""
    source = (
        "class P:\n    __match_args__ = ('x',)\nclass A:\n    match 1:\n        case P(x): pass\n"
    )
    kept = vars(run(source).names["A"])["@0"]
    with pytest.raises(Exception, match="can't be changed here"):
        kept.matches = lambda instance: True
    error = run(source + "getattr(A, '@0')").error
    assert error is not None
    assert error["message"] == "there is no attribute called '@0'"


def test_print_asks_nothing_of_a_text_of_a_class_of_its_own() -> None:
    source = (
        "class S(str):\n    def join(self, items): return 5\n"
        "    def __radd__(self, other): return 6\n"
        "print('a', 'b', sep=S('-'), end=S('!'))"
    )
    assert run(source).printed == "a-b!"
