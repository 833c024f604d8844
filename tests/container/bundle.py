"""A container as a careful host starts it: an unprivileged user, no capability, read-only files.

The default seccomp profile that Docker and podman use is brought into the form `runc` reads, for a
process without capabilities.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.container import machine
from tests.container.image import Image

USER = 10001
MEMORY_BYTES = 4 * 1024**3
MACHINES = {"x86_64": ("amd64", "SCMP_ARCH_X86_64"), "aarch64": ("arm64", "SCMP_ARCH_AARCH64")}
NAMESPACES = ("pid", "network", "ipc", "uts", "mount")
SCRATCH = ("/tmp", "/data", "/dev/shm")  # noqa: S108 - inside the container


@dataclass(frozen=True)
class Container:
    """A running container of an image, and where it is kept."""

    image: Image
    name: str
    folder: Path
    process: subprocess.Popen[str]

    def execute(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run one more program in it, as its user."""
        words = ["runc", f"--root={self.folder / 'state'}", "exec", self.name, *command]
        return subprocess.run(words, env=_environment(), capture_output=True, text=True)

    def errors(self) -> str:
        """What its command wrote to its error output."""
        return (self.folder / "errors").read_text()


@contextlib.contextmanager
def running(
    image: Image,
    command: Sequence[str],
    folder: Path,
    *,
    mounts: Sequence[tuple[Path, str]] = (),
    environment: Sequence[str] = (),
) -> Iterator[Container]:
    """`command` in a container of the image; its output is the container's `process.stdout`."""
    folder.mkdir(parents=True)
    setup = _configuration(image, command, mounts, environment)
    (folder / "config.json").write_text(json.dumps(setup))
    name, state = f"mlgrind-{os.getpid()}-{folder.name}", folder / "state"
    words = ["runc", f"--root={state}", "run", f"--bundle={folder}", name]
    with (
        (folder / "errors").open("w") as errors,
        subprocess.Popen(
            words,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        try:
            yield Container(image, name, folder, process)
        finally:
            subprocess.run(
                ["runc", f"--root={state}", "delete", "--force", name],
                env=_environment(),
                capture_output=True,
            )


def _environment() -> dict[str, str]:
    return {"PATH": machine.PATH}


def _configuration(
    image: Image,
    command: Sequence[str],
    mounts: Sequence[tuple[Path, str]],
    environment: Sequence[str],
) -> dict[str, Any]:
    """An OCI runtime configuration, https://github.com/opencontainers/runtime-spec."""
    nothing: list[str] = []
    capabilities = dict.fromkeys(("bounding", "effective", "permitted", "inheritable"), nothing)
    return {
        "ociVersion": "1.0.2",
        "process": {
            "user": {"uid": USER, "gid": USER},
            "args": list(command),
            "env": [*image.configuration["Env"], *environment],
            "cwd": image.configuration["WorkingDir"],
            "capabilities": capabilities,
            "noNewPrivileges": True,
            "oomScoreAdj": 0,
        },
        "root": {"path": str(image.files), "readonly": True},
        "hostname": "mlgrind",
        "mounts": [*_system_mounts(), *(_bind(source, at) for source, at in mounts)],
        "linux": {
            "namespaces": [{"type": kind} for kind in NAMESPACES],
            "resources": {
                "devices": [{"allow": False, "access": "rwm"}],
                "memory": {"limit": MEMORY_BYTES},
                "pids": {"limit": 256},
            },
            "seccomp": seccomp(json.loads(machine.PROFILE.read_text()), platform.machine()),
            "maskedPaths": ["/proc/kcore", "/proc/keys", "/proc/timer_list", "/sys/firmware"],
            "readonlyPaths": ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"],
        },
    }


def _system_mounts() -> list[dict[str, Any]]:
    hard = ["nosuid", "nodev", "noexec"]
    own = [*hard, f"uid={USER}", f"gid={USER}", "size=512m"]
    return [
        {"destination": "/proc", "type": "proc", "source": "proc"},
        _tmpfs("/dev", ["nosuid", "strictatime", "mode=755", "size=64k"]),
        *(_tmpfs(at, [*own, "mode=700" if at == "/data" else "mode=1777"]) for at in SCRATCH),
    ]


def _tmpfs(at: str, options: list[str]) -> dict[str, Any]:
    return {"destination": at, "type": "tmpfs", "source": "tmpfs", "options": options}


def _bind(source: Path, at: str) -> dict[str, Any]:
    options = ["rbind", "ro", "nosuid", "nodev"]
    return {"destination": at, "type": "bind", "source": str(source), "options": options}


def seccomp(profile: dict[str, Any], machine_name: str) -> dict[str, Any]:
    """The profile's rules that hold on this machine for a process without any capability.

    The profile is containers/common's `seccomp.json`: a rule counts when all that it `includes`
    is there and nothing that it `excludes`.
    """
    short, full = MACHINES[machine_name]
    architectures = next(a for a in profile["archMap"] if a["architecture"] == full)
    return {
        "defaultAction": profile["defaultAction"],
        "defaultErrnoRet": profile["defaultErrnoRet"],
        "architectures": [full, *architectures["subArchitectures"]],
        "syscalls": [_rule(rule) for rule in profile["syscalls"] if _counts(rule, short)],
    }


def _counts(rule: dict[str, Any], machine_name: str) -> bool:
    includes, excludes = rule.get("includes") or {}, rule.get("excludes") or {}
    here = machine_name in includes.get("arches", [machine_name])
    not_here = machine_name in excludes.get("arches", [])
    return here and not not_here and not includes.get("caps")


def _rule(rule: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {
        name: rule[name] for name in ("names", "action", "errnoRet") if name in rule
    }
    return {**kept, "args": rule.get("args") or []}
