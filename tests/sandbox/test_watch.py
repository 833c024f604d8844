"""Nobody gets more time or more of our CPU by looking busy: the kernel's own account decides."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from dataclasses import replace

from app.model import Call, Lane, Limits, Order
from app.sandbox.pool import LocalSandbox
from tests.sandbox.contract import only, source

LIMITS = Limits(cpu_s=2.0, sleep_s=1.0, budget_wall_s=10.0)

SLEEPER = """
import threading, time
lock = threading.Lock(); lock.acquire()
begun, cpu0 = time.monotonic() - 0.006, time.process_time() - 0.005
def f(limit):
    at, cpu = begun, time.process_time()
    while True:
        due = at + limit - (cpu - cpu0)
        wait = due - 0.025 - time.monotonic()
        if wait > 0:
            lock.acquire(timeout=wait)
        while time.monotonic() < due + 0.0005:
            pass
        at, cpu = time.monotonic(), time.process_time()
        while time.monotonic() < due + 0.020:
            pass
"""
"""Asleep, but ready to run whenever its limit is near."""

DOZER = """
import threading, time
lock = threading.Lock(); lock.acquire()
def f(nap):
    while True:
        lock.acquire(timeout=nap)
        until = time.monotonic() + nap / 3
        while time.monotonic() < until:
            pass
"""


def order(text: str, argument: float, limits: Limits = LIMITS, lane: Lane = Lane.SLOW) -> Order:
    return Order((source(text),), (Call("f", (argument,)),), limits, lane)


def test_sleep_is_charged_to_who_is_ready_when_looked_at(unrestricted: LocalSandbox) -> None:
    began = time.monotonic()
    ended = only(unrestricted.run(order(SLEEPER, 1.0))).ended
    assert ended in ("sleep_limit", "time_limit")
    assert time.monotonic() - began < 3 * (LIMITS.sleep_s + 0.5)


def test_short_naps_are_charged_all_together(unrestricted: LocalSandbox) -> None:
    """Ready in one look of four: by samples, a quarter of the naps would pass for waiting."""
    began = time.monotonic()
    assert only(unrestricted.run(order(DOZER, 0.004))).ended == "sleep_limit"
    assert time.monotonic() - began < 3 * (LIMITS.sleep_s / 0.75 + 0.5)


def test_waiting_for_a_cpu_is_nobodys_sleep(sandbox: LocalSandbox) -> None:
    """Six loops on each CPU: every one waits far longer than it may sleep."""
    text = "def f(x):\n    for _ in range(10 ** 9):\n        pass\n"
    limits = Limits(cpu_s=0.3, sleep_s=0.2, budget_wall_s=10.0)
    burn = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(burn) for _ in range(6 * (os.cpu_count() or 1))]
    try:
        ran = sandbox.run(order(text, 1.0, limits))
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert only(ran).ended == "time_limit"


def _own_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def test_empty_frames_are_not_listened_to(unrestricted: LocalSandbox) -> None:
    text = (
        "import os\ndata = b'O' + bytes(4)\n"
        "def f(x):\n    while True:\n        os.write(3, data * 13000)\n"
    )
    before = _own_cpu_s()
    assert only(unrestricted.run(order(text, 1.0))).ended in ("killed", "output_limit")
    assert _own_cpu_s() - before < 0.5


def test_little_pieces_cost_us_no_more_than_their_sender(unrestricted: LocalSandbox) -> None:
    """A frame byte by byte: what we use for it is less than what its sender may use."""
    text = (
        "import os\ndef f(x):\n"
        "    os.write(3, b'V' + (2 ** 20).to_bytes(4, 'little'))\n"
        "    while True:\n        os.write(3, b'x')\n"
    )
    limits = replace(LIMITS, cpu_s=1.0)
    before = _own_cpu_s()
    ran = unrestricted.run(order(text, 1.0, limits))
    assert only(ran).ended in ("time_limit", "output_limit", "killed")
    assert _own_cpu_s() - before < max(0.5, ran.cpu_ms / 1e3)


def test_print_without_end_of_line_is_heard_letter_by_letter(sandbox: LocalSandbox) -> None:
    text = "def f(x):\n    for _ in range(int(x)):\n        print('y', end='')\n    return 1\n"
    ran = sandbox.run(order(text, 20_000.0, replace(LIMITS, sleep_s=3.0)))
    assert only(ran).stdout == "y" * 20_000
