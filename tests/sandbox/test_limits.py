"""Every death and every limit is named, belongs to its call, and leaves the other calls alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.model import Call, Cause, Ended, Execution, Lane, Limits, OddArray, Order, Ran
from app.sandbox.pool import LocalSandbox
from tests.sandbox.contract import source

SHORT = Limits(cpu_s=0.2)
"""Only one limit is near: what watches a child may itself wait for a CPU, and be late."""

LOOP = "def f(x):\n    while x:\n        pass\n    return x\n"


def order(text: str, *arguments: object, limits: Limits = SHORT, lane: Lane = Lane.AUTHOR) -> Order:
    """A call of `f` for each argument."""
    calls = tuple(Call("f", (argument,)) for argument in arguments or (1,))  # type: ignore[arg-type]
    return Order((source(text),), calls, limits, lane)


def endings(ran: Ran) -> list[Ended]:
    return [execution.ended for execution in ran.executions]


def facts(execution: Execution) -> tuple[Cause | None, float, str]:
    return execution.cause, execution.amount, execution.signal


def test_endless_loop_is_time_limit(sandbox: LocalSandbox) -> None:
    ran = sandbox.run(order(LOOP, 0, 1, 0))
    assert endings(ran) == ["returned", "time_limit", "returned"]
    assert facts(ran.executions[1]) == (Cause.CALL, 0.2, "")
    assert ran.executions[1].cpu_ms >= 200


def test_loop_in_c_code_is_time_limit(sandbox: LocalSandbox) -> None:
    ran = sandbox.run(order("def f(x):\n    return sum(range(10 ** 12))\n"))
    assert endings(ran) == ["time_limit"]


def test_loop_while_loading_is_the_loadings(sandbox: LocalSandbox) -> None:
    ran = sandbox.run(order("print('before')\nwhile True:\n    pass\n", 1, 1))
    assert ran.loading.ended == "time_limit"
    assert ran.loading.stdout == "before\n"
    assert endings(ran) == ["not_run", "not_run"]


def test_output_before_an_endless_loop_is_kept(sandbox: LocalSandbox) -> None:
    ran = sandbox.run(order("def f(x):\n    print('x is', x)\n    while True:\n        pass\n"))
    assert ran.executions[0].stdout == "x is 1\n"


def test_two_deaths_end_the_order(sandbox: LocalSandbox) -> None:
    limits = replace(SHORT, budget_cpu_s=10.0)
    ran = sandbox.run(order(LOOP, 1, 0, 1, 0, 0, limits=limits))
    assert endings(ran) == ["time_limit", "returned", "time_limit", "not_run", "not_run"]


def test_all_calls_share_a_budget_of_cpu(sandbox: LocalSandbox) -> None:
    text = "def f(x):\n    for _ in range(10 ** 9):\n        pass\n"
    limits = Limits(cpu_s=0.6, budget_cpu_s=0.9)  # far from each other, for a watch that is late
    ran = sandbox.run(order(text, 1, 2, 3, limits=limits))
    assert endings(ran) == ["time_limit", "time_limit", "not_run"]
    assert facts(ran.executions[1]) == (Cause.SHARED, 0.9, "")


def test_many_calls_each_within_its_limit_are_fine(sandbox: LocalSandbox) -> None:
    text = "def f(x):\n    t = 0\n    for i in range(300000):\n        t += i\n    return x\n"
    limits = Limits(cpu_s=0.3, budget_cpu_s=4.0)
    assert endings(sandbox.run(order(text, *range(6), limits=limits))) == ["returned"] * 6


def test_sleeping_is_sleep_limit(unrestricted: LocalSandbox) -> None:
    text = (
        "import threading\nlock = threading.Lock()\nlock.acquire()\ndef f(x):\n    lock.acquire()\n"
    )
    ran = unrestricted.run(order(text, limits=Limits(sleep_s=0.3)))
    assert endings(ran) == ["sleep_limit"]
    assert ran.executions[0].cpu_ms < 200


def test_child_of_the_fast_lane_leaves_it(sandbox: LocalSandbox) -> None:
    ran = sandbox.run(order(LOOP, 0, 1, 0, limits=Limits(), lane=Lane.FAST))
    assert ran.left_fast_lane
    assert endings(ran)[0] == "returned"
    assert endings(ran)[2] == "not_run"
    assert ran.cpu_ms < 2000, "it ran into its own limit"


def test_memory_error_is_memory_limit(sandbox: LocalSandbox) -> None:
    text = "import numpy as np\ndef f(x):\n    return np.ones(10 ** 9 if x else 2).sum()\n"
    ran = sandbox.run(order(text, 0, 1, 0))
    assert endings(ran) == ["returned", "memory_limit", "returned"]
    assert facts(ran.executions[1]) == (Cause.MEMORY, 512 * 1024**2, "")


def test_memory_taken_in_small_pieces_is_memory_limit(sandbox: LocalSandbox) -> None:
    text = "x = []\nwhile True:\n    x.append(bytearray(10 ** 6))\n"
    ran = sandbox.run(order(text, limits=Limits(memory_bytes=64 * 2**20)))
    assert ran.loading.ended == "memory_limit"


def test_memory_taken_by_small_objects_is_memory_limit(sandbox: LocalSandbox) -> None:
    """Not one small object fits any more when it is noticed: the last words need their reserve."""
    text = (
        "class Node:\n    def __init__(self, before):\n        self.before = before\n"
        "def f(x):\n    while True:\n        x = Node(x)\n"
    )
    limits = Limits(memory_bytes=64 * 2**20)
    for _ in range(5):
        ran = sandbox.run(order(text, 1, 2, limits=limits))
        assert endings(ran) == ["memory_limit", "memory_limit"]


def test_half_a_gibibyte_less_a_little_is_there(sandbox: LocalSandbox) -> None:
    text = "import numpy as np\ndef f(x):\n    return np.ones(60 * 10 ** 6).sum()\n"
    ran = sandbox.run(order(text, limits=Limits()))
    assert ran.executions[0].value == 6e7
    assert ran.peak_memory_bytes > 480e6


def test_crash_near_the_memory_limit_is_memory_limit(unrestricted: LocalSandbox) -> None:
    text = (
        "import ctypes\nimport numpy as np\n"
        "def f(x):\n    held = np.ones(15 * 2 ** 20)\n    ctypes.string_at(0)\n"
    )
    ran = unrestricted.run(order(text, limits=Limits(memory_bytes=128 * 2**20)))
    assert endings(ran) == ["memory_limit"]
    assert facts(ran.executions[0]) == (Cause.NEAR_MEMORY, 128 * 1024**2, "SIGSEGV")


def test_crash_is_named_by_its_signal(unrestricted: LocalSandbox) -> None:
    text = "import ctypes\ndef f(x):\n    return x or ctypes.string_at(0)\n"
    ran = unrestricted.run(order(text, 1, 0, 1))
    assert endings(ran) == ["returned", "crashed", "returned"]
    assert facts(ran.executions[1]) == (Cause.SIGNAL, 0, "SIGSEGV")


def test_forbidden_system_call_is_killed(unrestricted: LocalSandbox) -> None:
    ran = unrestricted.run(order("import os\ndef f(x):\n    return x or os.fork()\n", 1, 0, 1))
    assert endings(ran) == ["returned", "killed", "returned"]
    assert facts(ran.executions[1]) == (Cause.SYSTEM_CALL, 0, "")


def test_too_much_output_is_output_limit(sandbox: LocalSandbox) -> None:
    text = "def f(x):\n    print('y' * x)\n    return x\n"
    ran = sandbox.run(order(text, 10, 70_000, 20))
    assert endings(ran) == ["returned", "output_limit", "returned"]
    cut = ran.executions[1]
    assert facts(cut) == (Cause.PRINTS, 64 * 1024, "")
    assert cut.stdout_cut
    assert cut.stdout == "y" * (64 * 1024 - 11)
    assert cut.raised is not None and cut.raised.frames[-1].line == 2


def test_output_up_to_the_limit_is_fine(sandbox: LocalSandbox) -> None:
    text = "def f(x):\n    print('y' * x)\n    return x\n"
    ran = sandbox.run(order(text, 64 * 1024 - 1))
    assert endings(ran) == ["returned"]
    assert len(ran.executions[0].stdout) == 64 * 1024


def test_too_many_results_are_output_limit(sandbox: LocalSandbox) -> None:
    text = "import numpy as np\ndef f(x):\n    return np.zeros(x)\n"
    ran = sandbox.run(order(text, 150_000, 150_000, 10))
    assert endings(ran) == ["returned", "output_limit", "returned"]
    assert facts(ran.executions[1]) == (Cause.RESULTS, 2 * 1024**2, "")


def test_array_that_could_never_cross_comes_by_its_shape(sandbox: LocalSandbox) -> None:
    """It is wrong by its shape, and that teaches more than a limit."""
    text = "import numpy as np\ndef f(x):\n    return np.broadcast_to(0.0, (10 ** 4,) * 3)\n"
    ran = sandbox.run(order(text))
    assert ran.executions[0].value == OddArray("float64", (10**4,) * 3)


@pytest.mark.parametrize("leave", ["os._exit(0)", "os._exit(3)"])
def test_leaving_early_is_no_result(unrestricted: LocalSandbox, leave: str) -> None:
    ran = unrestricted.run(order(f"import os\ndef f(x):\n    return x or {leave}\n", 1, 0, 1))
    assert endings(ran) == ["returned", "crashed", "returned"]
    assert facts(ran.executions[1]) == (Cause.LEFT, 0, "")


FORGED = {
    "no frame": "b'nonsense and more of it'",
    "a frame of another kind": "b'Z' + bytes(4)",
    "a value out of turn": "b'V' + (17).to_bytes(4, 'little') + bytes(17)",
    "done too soon": "b'D' + bytes(4)",
    "more than a frame may hold": "b'V' + b'\\xff' * 4",
    "a start out of turn": "b'S' + (4).to_bytes(4, 'little') + (5).to_bytes(4, 'little')",
    "hello again": "b'H' + bytes(4)",
}


@pytest.mark.parametrize("frames", FORGED.values(), ids=FORGED.keys())
def test_forged_frame_is_killed(unrestricted: LocalSandbox, frames: str) -> None:
    text = f"import os\ndef f(x):\n    if not x:\n        os.write(3, {frames})\n    return x\n"
    ran = unrestricted.run(order(text, 1, 0, 1))
    assert endings(ran) == ["returned", "killed", "returned"]


def test_frames_forged_before_leaving_give_a_value_at_most(unrestricted: LocalSandbox) -> None:
    """A submission can lie about its value, never about how it ended."""
    text = (
        "import os\ndef f(x):\n"
        "    value = b'f' + bytes(8)\n"
        "    body = bytes(16) + len(value).to_bytes(4, 'little') + value\n"
        "    os.write(3, b'V' + len(body).to_bytes(4, 'little') + body)\n"
        "    os.write(3, b'D' + bytes(4))\n"
        "    os._exit(0)\n"
    )
    ran = unrestricted.run(order(text))
    assert endings(ran) == ["returned"]
    assert ran.executions[0].value == 0.0
    ran = unrestricted.run(order(text, 1, 1))
    assert endings(ran) == ["killed", "returned"]


def test_flood_of_frames_is_output_limit(unrestricted: LocalSandbox) -> None:
    text = "import os\ndata = b'x' * 65536\nwhile True:\n    os.write(3, data)\n"
    ran = unrestricted.run(order(text, limits=Limits()))
    assert ran.loading.ended == "output_limit"


def test_raw_writes_to_standard_output_spoil_nothing(unrestricted: LocalSandbox) -> None:
    text = "import os\ndef f(x):\n    os.write(1, b'raw')\n    os.write(2, b'raw')\n    return x\n"
    ran = unrestricted.run(order(text, 1, 2))
    assert [e.value for e in ran.executions] == [1, 2]
    assert [e.stdout for e in ran.executions] == ["", ""]


def test_reading_on_behind_the_order_gives_an_end(unrestricted: LocalSandbox) -> None:
    ran = unrestricted.run(order("import os\ndef f(x):\n    return len(os.read(0, 100))\n"))
    assert ran.executions[0].value == 0


def test_chance_is_the_same_in_every_child(sandbox: LocalSandbox) -> None:
    text = (
        "import numpy as np\ndef f(x):\n"
        "    return np.random.rand(), list({'a', 'b', 'c', 'd'}) == sorted({'a', 'b', 'c', 'd'})\n"
    )
    first = sandbox.run(order(text, limits=Limits(), lane=Lane.FAST)).executions[0].value
    later = [
        sandbox.run(order(text, limits=Limits(), lane=lane)).executions[0].value for lane in Lane
    ]
    assert later == [first] * 3


def test_cost_of_a_call_is_its_own(sandbox: LocalSandbox) -> None:
    text = "def f(x):\n    t = 0\n    for i in range(x):\n        t += i\n    return t\n"
    ran = sandbox.run(order(text, 10, 400_000, limits=Limits()))
    short, long = ran.executions
    assert 0 < short.cpu_ms < long.cpu_ms <= ran.cpu_ms
    assert ran.peak_memory_bytes > 10 * 2**20


def test_large_arguments_cross_both_ways(sandbox: LocalSandbox) -> None:
    given = np.arange(200_000.0)
    ran = sandbox.run(order("def f(x):\n    x *= 2\n    return x[:3]\n", given, limits=Limits()))
    after = ran.executions[0].arguments
    assert after is not None
    assert np.array_equal(np.asarray(after[0]), given * 2)


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        (
            "y = np.ones((100000, 100000))",
            3,
            "Unable to allocate 74.5 GiB for an array with shape (100000, 100000)",
        ),
        ("y = [0] * 10 ** 10", 3, ""),
        ("raise MemoryError('12 GiB of (1, 2)')", 3, ""),
    ],
)
def test_the_line_that_ran_out_of_memory_is_known(
    sandbox: LocalSandbox, body: str, line: int, message: str
) -> None:
    text = f"import numpy as np\ndef f(x):\n    {body}\n    return y\n"
    execution = sandbox.run(order(text, 1)).executions[0]
    assert execution.ended == "memory_limit"
    assert execution.raised is not None
    assert (execution.raised.line, execution.raised.message) == (line, message)
