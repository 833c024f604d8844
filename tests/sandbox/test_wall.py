"""Learner code and the truth never share a process, and every layer says whether it is there."""

from __future__ import annotations

import os

import numpy as np
import pytest

from app.model import Call, Lane, Layer, Order
from app.ports import SandboxFault
from app.sandbox import layers, self_test
from app.sandbox.conversation import spell
from app.sandbox.keeper import Layers
from app.sandbox.pool import LocalSandbox
from tests.sandbox.contract import source


def answer(sandbox: LocalSandbox, text: str) -> object:
    ran = sandbox.run(Order((source(text),), (Call("f", ()),), lane=Lane.AUTHOR))
    return ran.executions[0].value


def test_jail_has_loaded_nothing_of_the_app_but_itself(unrestricted: LocalSandbox) -> None:
    text = (
        "import sys\ndef f():\n    return ' '.join(n for n in sys.modules if n.startswith('app'))\n"
    )
    loaded = str(answer(unrestricted, text)).split()
    assert "app.jail.execute" in loaded
    assert {name for name in loaded if not name.startswith("app.jail")} == {"app"}


def test_order_on_the_wire_holds_what_it_was_given_and_no_more() -> None:
    """What the grader expects has no place in an order; this is all that a child is sent."""
    expected = np.full((2, 2), 0.123456789)
    given = np.eye(2)
    order = Order((source("def f(x):\n    return x\n"),), (Call("f", (given,)),))
    sent = spell(order, order.calls)
    assert given.tobytes() in sent
    assert b"def f(x)" in sent
    assert expected.tobytes() not in sent
    assert len(sent) < len(given.tobytes()) + 200


def test_environment_of_the_jail_holds_no_secret(
    unrestricted: LocalSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_KEY", "not for the jail")
    sandbox = LocalSandbox(parts=Layers(policy=False))
    try:
        names = answer(sandbox, "import os\ndef f():\n    return ' '.join(sorted(os.environ))\n")
    finally:
        sandbox.close()
    assert set(str(names).split()) - {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "LC_CTYPE"} == {
        *("LANG", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"),
        *("PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED"),
    }


def test_children_run_as_nobody_where_the_server_is_root(sandbox: LocalSandbox) -> None:
    present = {layer.name: layer.present for layer in sandbox.layers()}
    assert present["other user"] is (os.geteuid() == 0)


@pytest.mark.parametrize("switch", ["landlock", "namespaces", "other_user"])
def test_optional_layers_may_be_missing(switch: str) -> None:
    sandbox = LocalSandbox(parts=Layers(**{switch: False}))
    try:
        assert answer(sandbox, "def f():\n    return 1\n") == 1
        missing = [layer for layer in sandbox.layers() if not layer.present]
        assert any(switch.rstrip("s").replace("_", " ") in layer.name for layer in missing)
        assert all(layer.advice for layer in missing)
        assert not any(layer.required for layer in missing)
    finally:
        sandbox.close()


def test_children_that_cannot_be_locked_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wall with a hole is refused at the start, with what to do."""

    def hole(run: self_test.Run) -> tuple[str, ...]:
        return ("opening a socket ends the child: it did not",)

    monkeypatch.setattr(self_test, "failures", hole)
    with pytest.raises(SandboxFault, match=r"self-test: opening a socket .*run on Linux"):
        LocalSandbox()


def test_self_test_notices_that_seccomp_is_missing() -> None:
    sandbox = LocalSandbox(parts=Layers(seccomp=False))
    try:
        found = {layer.name: layer for layer in sandbox.layers()}
    finally:
        sandbox.close()
    assert not found["seccomp"].present
    assert not found["self-test"].present
    assert "opening a socket ends the child" in found["self-test"].detail


def test_layers_on_a_machine_with_nothing_say_what_to_do() -> None:
    bare = {"namespaces": [], "landlock": 0, "seccomp": False, "other_user": False}
    described = layers.describe(bare, ("an endless loop is ended: it did not",))
    assert all(isinstance(layer, Layer) for layer in described)
    missing = [layer for layer in described if not layer.present]
    assert {layer.name for layer in missing if layer.required} == {"seccomp", "self-test"}
    assert all(layer.advice for layer in missing)


def test_keeper_that_does_not_start_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(SandboxFault, match="did not start"):
        LocalSandbox()
