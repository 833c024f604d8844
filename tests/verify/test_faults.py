"""Each kind of fault an exercise folder can have gives its own complaint, with what to do."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from app.expectations import composing
from app.verify import Means, prove
from tests.verify.faults import FAULTS, SOUND, Fault, broken, says


def test_the_sound_folder_is_proved(means: Means) -> None:
    proof = prove(SOUND, means)
    assert [str(complaint) for complaint in proof.complaints] == []
    assert [kill.letters for kill in proof.kills] == [
        ("V", "V", "·", "V", "V", "V"),
        ("V", "V", "V", "V", "V", "V"),
        ("V", "V", "V", "V", "V", "V"),
    ]
    assert (proof.named, proof.mutants, proof.survivors) == (3, 10, ())


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_fault_gives_its_complaint(
    fault: Fault, means: Means, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composing, "BATCH_CPU_S", 1.0)  # what never ends is waited for as long
    proof = prove(broken(fault, tmp_path), means)
    assert not proof.ok
    complaints = [str(complaint) for complaint in proof.complaints]
    assert any(says(fault.complaint, complaint) for complaint in complaints), complaints


def test_no_two_faults_give_the_same_complaint() -> None:
    complaints = {fault.complaint for fault in FAULTS}
    assert len(complaints) == len(FAULTS) >= 30


def test_a_file_that_changes_while_it_is_checked_is_told(means: Means, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SOUND, tmp_path / SOUND.name))

    def meddle(slug: str, done: int, total: int) -> None:
        if done == 1:
            with (folder / "exercise.toml").open("a") as settings:
                settings.write("# later\n")

    assert [str(complaint) for complaint in prove(folder, means, meddle).complaints] == [
        "exercise.toml: changed while it was checked. Check the folder again."
    ]
