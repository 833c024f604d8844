"""What every sandbox promises, the real one and the fake: inherit, and give a `sandbox` fixture."""

from __future__ import annotations

import numpy as np
import pytest

from app.model import Call, Execution, Formula, OddArray, Opaque, Order, Ran, Source, Value
from app.ports import Sandbox


def source(text: str, name: str = "solution.py") -> Source:
    return Source(name, text.encode())


def run(sandbox: Sandbox, text: str, *arguments: Value, function: str = "f") -> Ran:
    """One call of `f`."""
    return sandbox.run(Order((source(text),), (Call(function, arguments),)))


def only(ran: Ran) -> Execution:
    """The one execution of an order that loaded."""
    assert ran.problems == ()
    assert ran.loading.ended == "returned"
    (execution,) = ran.executions
    return execution


VALUES: dict[str, tuple[str, Value]] = {
    "none": ("None", None),
    "true": ("1 < 2", True),
    "int": ("-(2 ** 70)", -(2**70)),
    "float": ("0.5", 0.5),
    "infinity": ("float('inf')", float("inf")),
    "text": ("'snö\\n'", "snö\n"),
    "numpy float64 is a float": ("np.float64(2.5)", 2.5),
    "numpy float32 is a float": ("np.float32(0.5)", 0.5),
    "numpy int is an int": ("np.int32(7)", 7),
    "numpy bool is a bool": ("np.bool_(True)", True),
    "tuple": ("(1, 'a', (2.0, None))", (1, "a", (2.0, None))),
    "dict": ("{'a': 1, 'b': (2,)}", {"a": 1, "b": (2,)}),
    "list": ("[1, 2]", Opaque("list")),
    "list in a tuple": ("(1, [2])", (1, Opaque("list"))),
    "dict with other keys": ("{1: 2}", Opaque("dict")),
    "set": ("{1}", Opaque("set")),
    "generator": ("(i for i in range(3))", Opaque("generator")),
    "too deep": ("(1, (2, (3, (4,))))", (1, (2, (3, Opaque("tuple"))))),
    "complex array": ("np.zeros((2, 3), complex)", OddArray("complex128", (2, 3))),
    "object array": ("np.array([None, 1])", OddArray("object", (2,))),
    "text array": ("np.array(['ab', 'c'])", OddArray("<U2", (2,))),
}

ARRAYS = {
    "float64": "np.arange(6.0).reshape(2, 3)",
    "float32": "np.ones((2, 2), np.float32)",
    "float16": "np.ones(3, np.float16)",
    "int64": "np.arange(4)",
    "uint8": "np.arange(4, dtype=np.uint8)",
    "bool": "np.array([True, False])",
    "no dimension": "np.array(3.0)",
    "empty": "np.zeros((0, 5))",
    "Fortran order": "np.asfortranarray(np.arange(6.0).reshape(2, 3))",
    "negative strides": "np.arange(6.0)[::-2]",
    "read-only broadcast": "np.broadcast_to(np.arange(3.0), (4, 3))",
    "forty-two dimensions": "np.ones((2, 3) + (1,) * 40)",
    "NaN and infinity": "np.array([np.nan, np.inf, -np.inf, -0.0])",
}


class SandboxContract:
    """The promises. Sources use only what every sandbox can do."""

    @pytest.mark.parametrize(("expression", "value"), VALUES.values(), ids=VALUES.keys())
    def test_value_crosses(self, sandbox: Sandbox, expression: str, value: Value) -> None:
        execution = only(run(sandbox, f"import numpy as np\ndef f():\n    return {expression}\n"))
        assert execution.ended == "returned"
        assert execution.value == value
        assert type(execution.value) is type(value)

    @pytest.mark.parametrize("expression", ARRAYS.values(), ids=ARRAYS.keys())
    def test_array_crosses_with_dtype_and_shape(self, sandbox: Sandbox, expression: str) -> None:
        value = only(run(sandbox, f"import numpy as np\ndef f():\n    return {expression}\n")).value
        expected = eval(expression, {"np": np})  # noqa: S307 - an expression of this file
        assert type(value) is np.ndarray
        assert value.dtype == expected.dtype
        assert value.shape == expected.shape
        assert np.array_equal(value, expected, equal_nan=value.dtype.kind == "f")

    def test_arguments_arrive_as_they_are(self, sandbox: Sandbox) -> None:
        text = "def f(a, n, s, d):\n    return (a.sum() + d['k'][0], n + 1, s * 2)\n"
        arguments: tuple[Value, ...] = (np.array([1.0, 2.0]), 3, "ab", {"k": np.array([10.0])})
        assert only(run(sandbox, text, *arguments)).value == (13.0, 4, "abab")

    def test_unchanged_arguments_come_back(self, sandbox: Sandbox) -> None:
        given = np.arange(3.0)
        execution = only(run(sandbox, "def f(a, n):\n    return a * n\n", given, 2))
        assert execution.arguments is not None
        assert np.array_equal(np.asarray(execution.arguments[0]), given)
        assert execution.arguments[1] == 2

    def test_changed_arguments_come_back_changed(self, sandbox: Sandbox) -> None:
        given = np.arange(3.0)
        execution = only(run(sandbox, "def f(a):\n    a += 1\n    return a\n", given))
        assert execution.arguments is not None
        assert np.array_equal(np.asarray(execution.arguments[0]), [1.0, 2.0, 3.0])
        assert np.array_equal(given, [0.0, 1.0, 2.0])

    def test_each_call_gets_fresh_arguments(self, sandbox: Sandbox) -> None:
        given = np.zeros(2)
        order = Order(
            (source("def f(a):\n    a += 1\n    return a.sum()\n"),), (Call("f", (given,)),) * 3
        )
        assert [e.value for e in sandbox.run(order).executions] == [2.0, 2.0, 2.0]

    def test_calls_of_one_order_share_a_namespace(self, sandbox: Sandbox) -> None:
        text = "calls = []\ndef f():\n    calls.append(1)\n    return len(calls)\n"
        order = Order((source(text),), (Call("f", ()),) * 3)
        assert [e.value for e in sandbox.run(order).executions] == [1, 2, 3]

    def test_orders_share_nothing(self, sandbox: Sandbox) -> None:
        text = "calls = []\ndef f():\n    calls.append(1)\n    return len(calls)\n"
        assert [only(run(sandbox, text)).value for _ in range(3)] == [1, 1, 1]

    def test_files_are_loaded_in_order_into_one_namespace(self, sandbox: Sandbox) -> None:
        sources = (
            source("def double(x):\n    return 2 * x\n", "reference.py"),
            source("def f(x):\n    return double(x) + 1\n", "mistakes/scale.py"),
        )
        ran = sandbox.run(Order(sources, (Call("f", (3,)), Call("double", (4,)))))
        assert [e.value for e in ran.executions] == [7, 8]
        assert [f.name for f in ran.functions] == ["double", "f"]

    def test_exception_is_told_with_the_line(self, sandbox: Sandbox) -> None:
        text = "def f(x):\n    y = x + 1\n    return y / 0\n"
        execution = only(run(sandbox, text, 1))
        assert execution.ended == "raised"
        assert execution.raised is not None
        assert execution.raised.type == "ZeroDivisionError"
        assert execution.raised.line == 3

    def test_calls_after_an_exception_still_run(self, sandbox: Sandbox) -> None:
        calls = tuple(Call("f", (x,)) for x in (1, 0, 2))
        ran = sandbox.run(Order((source("def f(x):\n    return 1 / x\n"),), calls))
        assert [e.ended for e in ran.executions] == ["returned", "raised", "returned"]

    def test_system_exit_is_an_exception(self, sandbox: Sandbox) -> None:
        execution = only(run(sandbox, "def f():\n    raise SystemExit(0)\n"))
        assert execution.ended == "raised"

    def test_output_belongs_to_its_call(self, sandbox: Sandbox) -> None:
        text = "print('loading')\ndef f(x):\n    print('call', x)\n    return x\n"
        ran = sandbox.run(Order((source(text),), (Call("f", (1,)), Call("f", (2,)))))
        assert ran.loading.stdout == "loading\n"
        assert [e.stdout for e in ran.executions] == ["call 1\n", "call 2\n"]

    def test_exception_while_loading(self, sandbox: Sandbox) -> None:
        ran = run(sandbox, "print('so far')\nx = 1 / 0\ndef f():\n    return 1\n")
        assert ran.loading.ended == "raised"
        assert ran.loading.stdout == "so far\n"
        assert ran.loading.raised is not None
        assert ran.loading.raised.line == 2
        assert [e.ended for e in ran.executions] == ["not_run"]

    def test_source_that_does_not_parse(self, sandbox: Sandbox) -> None:
        ran = run(sandbox, "x = 1\ndef f(:\n")
        assert [(p.kind, p.line) for p in ran.problems] == [("syntax", 2)]
        assert [e.ended for e in ran.executions] == ["not_run"]

    def test_missing_function_is_not_run(self, sandbox: Sandbox) -> None:
        ran = run(sandbox, "def near(x):\n    return x\n", 1)
        assert [e.ended for e in ran.executions] == ["not_run"]
        assert [f.name for f in ran.functions] == ["near"]

    def test_describes_public_functions_in_order(self, sandbox: Sandbox) -> None:
        text = (
            "import numpy as np\n"
            "def second(a, b=2, *rest, c='x', **more):\n    '''Words.'''\n    return a\n"
            "def _hidden():\n    return 1\n"
            "def first():\n    return 2\n"
        )
        functions, problems = sandbox.describe(source(text, "cases.py"))
        assert problems == ()
        assert [(f.name, f.docstring, f.line) for f in functions] == [
            ("second", "Words.", 2),
            ("first", "", 7),
        ]
        assert [(p.name, p.kind, p.default) for p in functions[0].parameters] == [
            ("a", "POSITIONAL_OR_KEYWORD", None),
            ("b", "POSITIONAL_OR_KEYWORD", "2"),
            ("rest", "VAR_POSITIONAL", None),
            ("c", "KEYWORD_ONLY", "'x'"),
            ("more", "VAR_KEYWORD", None),
        ]

    def test_describe_tells_why_a_file_does_not_load(self, sandbox: Sandbox) -> None:
        functions, problems = sandbox.describe(source("x = 1\ny = x / 0\n", "cases.py"))
        assert functions == ()
        assert [p.line for p in problems] == [2]

    def test_formulas_are_set_in_their_order(self, sandbox: Sandbox) -> None:
        made = sandbox.typeset(
            (Formula("x", False), Formula(r"\frac{1", False), Formula("y^2", True))
        )
        assert [one.mathml for one in made] == [
            "<math><mi>x</mi></math>",
            "",
            '<math display="block"><msup><mi>y</mi><mn>2</mn></msup></math>',
        ]
        assert [bool(one.complaint) for one in made] == [False, True, False]
        assert sandbox.typeset(()) == ()

    def test_every_required_layer_is_present(self, sandbox: Sandbox) -> None:
        layers = sandbox.layers()
        assert layers
        assert all(layer.present for layer in layers if layer.required)
