"""What this machine must have for the container tests, and how it reaches packages.

The places packages come from are read from the machine's own configuration when the tests run: no
tracked file names one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

TOOLS = ("buildah", "runc", "debootstrap", "unshare", "tar")
PROFILE = Path("/usr/share/containers/seccomp.json")
"""The default profile of Debian's golang-github-containers-common: that of podman and buildah."""

QUOTES = "'\""
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"


def missing() -> str:
    """What keeps the container tests from running here, in words; "" where nothing does."""
    absent = [tool for tool in TOOLS if shutil.which(tool, path=PATH) is None]
    absent += [] if PROFILE.exists() else [str(PROFILE)]
    if absent:
        return f"not on this machine: {', '.join(absent)}. `make packages` installs them."
    if os.geteuid() != 0:
        return "building an image from nothing needs root: run `make test` as root, as CI does."
    return ""


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """What a program printed; raises AssertionError with its error output where it failed."""
    environment = os.environ | {"PATH": PATH, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        said = f"{done.stdout[-2000:]}\n{done.stderr[-6000:]}"
        raise AssertionError(f"{command[0]} ended with {done.returncode}:\n{said}")
    return done.stdout


def release() -> tuple[str, str]:
    """The mirror this machine installs its own system from, and the name of its release."""
    about = dict(
        line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if line
    )
    codename = about["VERSION_CODENAME"].strip('"')
    wanted = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
    targets = run("apt-get", "indextargets", "--format", wanted, "Identifier: Packages")
    for target in targets.splitlines():
        uri, name, component = target.split()
        if name == codename and component == "main":
            return uri, codename
    raise AssertionError(f"apt-get on this machine has no archive of {codename}: apt-get update")


def package_settings(folder: Path) -> list[str]:
    """Mounts that give the steps of a build this machine's certificates and its package indexes."""
    pip, npm = folder / "pip.conf", folder / "npmrc"
    pip.write_text("\n".join(["[global]", *_pip_settings()]) + "\n")
    npm.write_text("\n".join(_npm_settings()) + "\n")
    mounts = [f"{pip}:/etc/pip.conf:ro", f"{npm}:/root/.npmrc:ro"]
    if CERTIFICATES.exists():
        mounts.append(f"{CERTIFICATES.resolve()}:{CERTIFICATES}:ro")
    return mounts


def _pip_settings() -> Iterable[str]:
    """The index alone: directories of this machine's own do not exist in the image."""
    for line in run(sys.executable, "-m", "pip", "config", "list").splitlines():
        name, _, value = line.partition("=")
        if name.rpartition(".")[2] in ("index-url", "trusted-host", "default-timeout"):
            yield f"{name.rpartition('.')[2]} = {value.strip(QUOTES)}"
    if CERTIFICATES.exists():
        yield f"cert = {CERTIFICATES}"


def _npm_settings() -> Iterable[str]:
    if shutil.which("npm", path=PATH) is not None:
        yield f"registry = {run('npm', 'config', 'get', 'registry').strip()}"
    if CERTIFICATES.exists():
        yield f"cafile = {CERTIFICATES}"
