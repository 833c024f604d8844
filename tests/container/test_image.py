"""The Dockerfile's image in a plain container: it serves, and the hostile programs find nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from tests.container import attacked, bundle, inside
from tests.container.attacked import CHECKOUT
from tests.container.bundle import Container
from tests.container.image import ROOT, Image

pytestmark = pytest.mark.timeout(3600)  # the first test of each kind waits for the image

REFERENCE = (ROOT / "exercises" / "stable-softmax" / "reference.py").read_text()
POLICY = {"with-policy": True, "without-policy": False}
CASES = [
    pytest.param(policy, case, id=f"{name}-{case}")
    for name, policy in POLICY.items()
    for case in inside.of(policy=policy)
]


@dataclass(frozen=True)
class Corpus:
    """What each case came to, and what was said at the end."""

    outcomes: Mapping[str, Mapping[str, Any]]
    end: Mapping[str, Any]


@pytest.fixture(scope="session")
def corpora(built_image: Image, tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Corpus]:
    """The corpus with and without the policy; both run at once."""
    folder = tmp_path_factory.mktemp("corpus")
    runs, raw = inside.of(policy=True), inside.of(policy=False)
    with (
        attacked.container(built_image, folder / "with", policy=True, names=runs) as guarded,
        attacked.container(built_image, folder / "without", policy=False, names=raw) as bare,
    ):
        found = {True: attacked.facts(guarded), False: attacked.facts(bare)}
    return {policy: corpus(facts) for policy, facts in found.items()}


def corpus(facts: list[dict[str, Any]]) -> Corpus:
    outcomes = {fact["case"]: fact for fact in facts if "case" in fact}
    return Corpus(outcomes, next(fact for fact in facts if "end" in fact))


@pytest.mark.parametrize(("policy", "case"), CASES)
def test_attack_ends_as_it_must(corpora: dict[bool, Corpus], policy: bool, case: str) -> None:
    outcome = corpora[policy].outcomes[case]
    assert outcome["breaches"] == []
    assert outcome["right"], outcome["verdict"]
    assert outcome["honest"]


@pytest.mark.parametrize("policy", POLICY.values(), ids=POLICY)
def test_keeper_has_not_grown(corpora: dict[bool, Corpus], policy: bool) -> None:
    assert corpora[policy].end["keeper"] == ""


def test_required_layers_stand_without_root_and_without_capabilities(
    corpora: dict[bool, Corpus],
) -> None:
    layers = corpora[True].end["layers"]
    for required in ("seccomp", "no_new_privs", "rlimits", "self-test"):
        assert layers[required], required
    assert not layers["other user"]


# --------------------------------------------------------------------------- as a host starts it


@pytest.fixture(scope="module")
def served(built_image: Image, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    """The image's own command, in a container of its own network."""
    setup = built_image.configuration
    folder = tmp_path_factory.mktemp("served") / "bundle"
    mounts = [(ROOT / "tests" / "container" / "smoke.py", f"{CHECKOUT}/smoke.py")]
    command = [*setup["Entrypoint"], *setup["Cmd"]]
    less = ["MLGRIND_TRIPLES=0"]  # what three mistakes at once give: minutes
    with bundle.running(built_image, command, folder, mounts=mounts, environment=less) as container:
        assert container.process.stdout is not None
        lines = iter(container.process.stdout.readline, "")
        said = next((line for line in lines if line.startswith("ML Grind is at")), "")
        assert said, (folder / "errors").read_text()
        yield container


def test_server_in_the_container_is_ready_and_judges_a_submission(served: Container) -> None:
    done = served.execute("python", f"{CHECKOUT}/smoke.py", REFERENCE)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["ready"] == 200
    assert said["report"]["verdict"] == "accepted"
    assert said["report"]["passed"] == 6


def test_health_check_of_the_image_passes_while_it_serves(served: Container) -> None:
    kind, *command = served.image.configuration["Healthcheck"]["Test"]
    assert kind == "CMD"
    done = served.execute(*command)
    assert done.returncode == 0, done.stderr


def test_server_runs_as_nobody_in_particular_and_without_capabilities(served: Container) -> None:
    status = served.execute("cat", "/proc/1/status").stdout.splitlines()
    fields = dict(line.split(":\t", 1) for line in status if ":\t" in line)
    assert fields["Uid"].split() == [str(bundle.USER)] * 4
    assert {int(fields[name], 16) for name in ("CapEff", "CapPrm", "CapBnd", "CapInh")} == {0}
    assert fields["NoNewPrivs"] == "1"
    assert fields["Seccomp"] == "2"


def test_image_says_who_runs_where_and_keeps_data_in_one_place(built_image: Image) -> None:
    setup = built_image.configuration
    assert setup["User"] == f"{bundle.USER}:{bundle.USER}"
    assert {"MLGRIND_DATA=/data", "MLGRIND_HOST=0.0.0.0", "MLGRIND_PORT=8000"} <= set(setup["Env"])
    assert setup["Volumes"] == {"/data": {}}
    assert setup["ExposedPorts"] == {"8000/tcp": {}}


def test_image_holds_no_tool_for_building(built_image: Image) -> None:
    """What runs is the package and what it stands on."""
    installed = {path.name for path in (built_image.files / "opt/mlgrind/bin").iterdir()}
    assert "mlgrind" in installed
    assert installed & {"pip", "node", "npm", "hatchling"} == set()
    assert not (built_image.files / "build").exists()


def test_default_profile_is_narrowed_to_a_process_without_capabilities() -> None:
    profile = {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": 38,
        "archMap": [{"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []}],
        "syscalls": [
            {"names": ["read"], "action": "SCMP_ACT_ALLOW", "args": []},
            {"names": ["bpf"], "action": "SCMP_ACT_ALLOW", "includes": {"caps": ["CAP_BPF"]}},
            {"names": ["bpf"], "action": "SCMP_ACT_ERRNO", "excludes": {"caps": ["CAP_BPF"]}},
            {
                "names": ["arch_prctl"],
                "action": "SCMP_ACT_ALLOW",
                "includes": {"arches": ["amd64"]},
            },
            {"names": ["breakpoint"], "action": "SCMP_ACT_ALLOW", "includes": {"arches": ["arm"]}},
        ],
    }
    rules = bundle.seccomp(profile, "x86_64")["syscalls"]
    allowed = [rule["names"] for rule in rules if rule["action"] == "SCMP_ACT_ALLOW"]
    assert allowed == [["read"], ["arch_prctl"]]
    assert [rule["names"] for rule in rules if rule["action"] == "SCMP_ACT_ERRNO"] == [["bpf"]]
