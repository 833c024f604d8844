"""The layers of the wall in words, for `mlgrind doctor` and `/readyz`: there or not, what to do."""

from __future__ import annotations

from typing import Any

from app.metrics import LAYER
from app.model import Layer

NAMESPACES = {
    "user": "lets a server that is not root use the other namespaces",
    "network": "no network interface, not even this machine's own",
    "ipc": "no shared memory with other programs",
    "hostname": "a host name of its own",
    "mount": "mounts of its own",
    "process": "sees no other process; none outlives the keeper",
}


def describe(report: dict[str, Any], failures: tuple[str, ...]) -> tuple[Layer, ...]:
    """Every layer, from the keeper's report and the failures of the self-test."""
    return (
        _filter(bool(report["seccomp"])),
        Layer("no_new_privs", True, True, "checked in every child"),
        Layer("rlimits", True, True, "CPU, memory, files, processes: checked in every child"),
        Layer(
            "self-test",
            required=True,
            present=not failures,
            detail="; ".join(failures) or "a good program passes, six attacks end as they must",
            advice=""
            if not failures
            else "run on Linux 5.3 or later, in a container with its default seccomp profile",
        ),
        _landlock(int(report["landlock"])),
        _other_user(bool(report["other_user"])),
        *(_namespace(name, report["namespaces"]) for name in NAMESPACES),
    )


def keeper(*, restarts: int, present: bool) -> Layer:
    """The keeper's health: `present` unless none could be started the last time."""
    times = "once" if restarts == 1 else f"{restarts} times"
    return Layer(
        "keeper",
        required=True,
        present=present,
        detail="as it was started" if not restarts else f"died and was started again {times}",
        advice="" if present else "it could not be started again: the log says why",
    )


def counted(found: tuple[Layer, ...]) -> tuple[Layer, ...]:
    """The same layers, shown at `/metrics` as well."""
    for layer in found:
        LAYER.labels(layer.name).set(layer.present)
    return found


def _filter(present: bool) -> Layer:
    return Layer(
        "seccomp",
        required=True,
        present=present,
        detail="system calls by allow-list" if present else "no filter for this machine",
        advice="" if present else "run on x86-64 or 64-bit ARM",
    )


def _landlock(abi: int) -> Layer:
    return Layer(
        "landlock",
        required=False,
        present=abi > 0,
        detail=f"ABI {abi}" if abi else "the kernel has none, or it is switched off",
        advice="" if abi else "Linux 5.13 or later, with landlock among its security modules",
    )


def _other_user(present: bool) -> Layer:
    return Layer(
        "other user",
        required=False,
        present=present,
        detail="children run as nobody" if present else "children run as the server's own user",
        advice="" if present else "only a server that runs as root can do it: none is needed",
    )


def _namespace(name: str, entered: list[str]) -> Layer:
    present = name in entered
    return Layer(
        f"{name} namespace",
        required=False,
        present=present,
        detail=NAMESPACES[name],
        advice="" if present else "needs root, or a kernel that allows user namespaces",
    )
