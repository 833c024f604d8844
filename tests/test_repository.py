"""The checkout keeps its promises: locked by hash, tied to no place, import rules that bite."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONTRACTS = {
    contract["id"]: contract["name"] for contract in PYPROJECT["tool"]["importlinter"]["contracts"]
}


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    files = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [file for file in files if file.is_file()]


def files_with(pattern: bytes) -> list[str]:
    found = re.compile(pattern, re.IGNORECASE)
    return [str(f.relative_to(ROOT)) for f in tracked_files() if found.search(f.read_bytes())]


def requirements(name: str) -> dict[str, str]:
    """A lock file: name -> all that is said of it (a name may have two entries, by marker)."""
    entries: dict[str, str] = {}
    for entry in re.split(r"\n(?=\S)", (ROOT / "requirements" / name).read_text().strip()):
        package = entry.partition("==")[0]
        entries[package] = entries.get(package, "") + entry + "\n"
    return entries


# ------------------------------------------------------------------------------- tied to no place


def test_no_tracked_file_names_a_package_registry() -> None:
    """A mirror, an offline machine and a school's proxy must all do."""
    hosts = [
        ("pypi", "org"),
        ("python" + "hosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("deb.debian", "org"),
        ("snapshot.debian", "org"),
    ]
    pattern = "|".join(re.escape(".".join(host)) for host in hosts).encode()
    assert files_with(pattern) == []


def test_no_package_and_no_program_of_others_is_tracked() -> None:
    kinds = {".whl", ".egg", ".gz", ".tgz", ".xz", ".zst", ".so", ".jar", ".node", ".exe", ".wasm"}
    stored = {"tests/stored/data_0_1_0.zip"}  # data that an earlier release wrote
    names = {str(file.relative_to(ROOT)) for file in tracked_files()}
    assert {name for name in names if Path(name).suffix in {*kinds, ".zip"}} == stored


def test_no_tracked_file_refers_to_a_folder_outside_the_checkout() -> None:
    outside = rb"(?<![\w@/.-])(?:\.\./)*" + b"shared" + rb"/|(?<![\w.-])/" + b"work" + rb"/"
    assert files_with(outside) == []


# --------------------------------------------------------------------------------- locked by hash


LOCKS = ["uv.txt", "run.txt", "postgres.txt", "dev.txt", "node.txt", "image.txt"]


@pytest.mark.parametrize("name", LOCKS)
def test_python_lock_pins_each_package_by_hash_and_holds_no_address(name: str) -> None:
    assert "://" not in (ROOT / "requirements" / name).read_text()
    entries = requirements(name)
    assert entries
    assert [package for package, text in entries.items() if "--hash=sha256:" not in text] == []


@pytest.mark.parametrize("name", ["run.txt", "postgres.txt"])
def test_development_is_locked_to_what_runs(name: str) -> None:
    run, dev = requirements(name), requirements("dev.txt")
    differing = {
        package
        for package, entry in run.items()
        if entry.splitlines()[0].split()[0] != dev[package].splitlines()[0].split()[0]
    }
    assert differing == set()


def test_every_dependency_is_in_the_lock() -> None:
    names = {
        re.split(r"[\[<>=~! ]", dependency)[0].lower()
        for dependency in PYPROJECT["project"]["dependencies"]
    }
    assert names - requirements("run.txt").keys() == set()


def test_npm_lock_pins_each_package_by_hash_and_holds_no_address() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text())
    packages = {path: entry for path, entry in lock["packages"].items() if path}
    assert packages
    assert [path for path, entry in packages.items() if "integrity" not in entry] == []
    assert [path for path, entry in packages.items() if "resolved" in entry] == []


# ------------------------------------------------------------------------------------------- make


def test_make_help_lists_every_target() -> None:
    make = ["make", "--no-print-directory", "help"]  # this test may itself be run by make
    listed = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True)
    described = {line.split()[1]: line.split(maxsplit=2)[2] for line in listed.stdout.splitlines()}
    phony = set(re.findall(r"^\.PHONY: (\S+)$", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert described.keys() == phony
    assert phony >= {"setup", "run", "test", "check", "fmt", "bench", "corpus", "image"}
    assert phony >= {"exercises", "screenshots", "lock", "help"}


def test_make_names_the_python_it_needs_when_it_gets_an_old_one(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    shutil.copy(ROOT / "Makefile", tmp_path)
    old = tmp_path / "python3.9"
    old.write_text('#!/bin/sh\ncase "$1" in -V) echo Python 3.9.2;; *) exit 1;; esac\n')
    old.chmod(0o755)
    made = subprocess.run(
        ["make", ".venv/.python", f"PYTHON={old}"], cwd=tmp_path, capture_output=True, text=True
    )
    assert made.returncode == 2
    assert "needs Python 3.11 or later" in made.stderr
    assert "Python 3.9.2" in made.stderr
    assert not (tmp_path / ".venv").exists()


def test_make_names_the_package_without_which_no_environment_can_be_made(tmp_path: Path) -> None:
    """Debian's python3 comes without ensurepip."""
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    shutil.copy(ROOT / "Makefile", tmp_path)
    bare = tmp_path / "python3"
    bare.write_text(f'#!/bin/sh\n[ "$1" = -m ] && exit 1\nexec {sys.executable} "$@"\n')
    bare.chmod(0o755)
    made = subprocess.run(
        ["make", ".venv/.python", f"PYTHON={bare}"], cwd=tmp_path, capture_output=True, text=True
    )
    assert made.returncode == 2
    assert f"apt-get install python3.{sys.version_info.minor}-venv" in made.stderr


def test_make_compiles_what_changed_also_where_python_writes_nothing_by_itself(
    tmp_path: Path,
) -> None:
    lock, python = tmp_path / "requirements" / "uv.txt", tmp_path / ".venv" / "bin" / "python"
    module, ready = tmp_path / "app" / "room" / "sums.py", tmp_path / ".venv" / ".python"
    stamp = tmp_path / ".venv" / ".app-bytecode"
    for file in (lock, python, module):
        file.parent.mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", tmp_path)
    python.symlink_to(sys.executable)
    compiled = []
    for text, changed, made in (("total = 1", 10, 20), ("total = 2", 30, 40)):
        for file, when in ((lock, 1), (ready, 2), (module, changed)):
            file.write_text(text)
            os.utime(file, (when, when))
        subprocess.run(
            ["make", ".venv/.app-bytecode"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
            check=True,
        )
        os.utime(stamp, (made, made))
        compiled += [file.read_bytes() for file in module.parent.glob("__pycache__/*.pyc")]
    assert len(set(compiled)) == 2


# ------------------------------------------------------------------------------------------ wheel


def test_wheel_holds_pages_exercises_and_bundle_but_no_source_maps(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert "app/exercises/multi-head-attention/exercise.toml" in names
    assert "app/static/dist/manifest.json" in names
    assert "app/static/dist/licences.txt" in names
    assert any(name.startswith("app/templates/") for name in names)
    assert [name for name in names if name.endswith(".map")] == []


# ----------------------------------------------------------------------------------- import rules

# contract -> a breach: lines added to files of app (made where there is none)
BREACHES = {
    "layers": {"storage/planted.py": "import app.jobs"},
    "web-rooms": {"web/api/planted.py": "import app.web.pages.home"},
    "use-cases": {"service/hints.py": "import app.service.drafts"},
    "no-cycles": {
        "jail/planted.py": "import app.jail.other",
        "jail/other.py": "import app.jail.planted",
    },
    "jail-alone": {"jail/planted.py": "import app.model"},
    "jail-visitors": {"main.py": "import app.jail.wire"},
    "wire-only": {"sandbox/planted.py": "from app.jail.policy import compile"},
    "sandbox-knows-no-truth": {"sandbox/planted.py": "from app import catalog"},
    "plain-core": {"verify.py": "import subprocess"},
    "pure-judge": {"grading/planted.py": "import time"},
    "pure-classroom": {"classroom/planted.py": "import random"},
    "inside-jail": {"jail/policy/problems.py": "from app.jail.mutate import mutants"},
    "inside-grading": {"grading/findings/layout.py": "from app.grading.trace import steps"},
    "sql-in-storage": {"jobs/planted.py": "import sqlalchemy"},
    "queue-in-jobs": {"service/planted.py": "import procrastinate"},
    "tokens-in-campus": {"web/planted.py": "import jwt"},
}


def broken_contracts(checkout: Path) -> set[str]:
    """The names of the contracts that lint-imports finds broken in a copy of the checkout."""
    linted = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=checkout,
        capture_output=True,
        text=True,
    )
    assert "Contracts: " in linted.stdout, linted.stdout + linted.stderr
    broken = set(re.findall(r"^(.+?) BROKEN", linted.stdout, re.MULTILINE))
    assert (linted.returncode == 0) == (not broken)
    return broken


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_the_rooms_keep_every_import_rule(checkout: Path) -> None:
    assert broken_contracts(checkout) == set()


def test_every_import_rule_has_a_breach() -> None:
    assert BREACHES.keys() == CONTRACTS.keys()


@pytest.mark.parametrize("contract", BREACHES)
def test_a_breach_of_an_import_rule_is_seen(contract: str, checkout: Path) -> None:
    for name, line in BREACHES[contract].items():
        with (checkout / "app" / name).open("a") as module:
            module.write(f"\n{line}\n")
    assert broken_contracts(checkout) == {CONTRACTS[contract]}


def test_a_room_in_no_place_is_seen(checkout: Path) -> None:
    (checkout / "app" / "attic.py").write_text("")
    assert broken_contracts(checkout) == {CONTRACTS["layers"]}


def imported_packages(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module or ""


def test_the_jail_stands_on_numpy_restrictedpython_and_the_standard_library() -> None:
    allowed = sys.stdlib_module_names | {"numpy", "RestrictedPython"}
    modules = sorted((ROOT / "app" / "jail").glob("**/*.py"))
    assert modules
    strangers = {
        (module.name, package)
        for module in modules
        for package in imported_packages(ast.parse(module.read_text()))
        if package.split(".")[0] not in allowed and not f"{package}.".startswith("app.jail.")
    }
    # Formulas are parsed in a child of their own, which runs nothing that a learner wrote.
    assert strangers == {("mathml.py", "math_core")}
