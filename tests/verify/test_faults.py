"""Each kind of fault an exercise folder can have gives its own complaint, with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.ports import Workbench
from app.verify import prove
from tests.verify.faults import FAULTS, SOUND, Fault, broken, says


def test_the_sound_folder_is_proved(bench: Workbench) -> None:
    proof = prove(SOUND, bench)
    assert [str(complaint) for complaint in proof.complaints] == []
    assert [kill.letters for kill in proof.kills] == [
        ("V", "V", "·", "V", "V", "V"),
        ("V", "V", "V", "V", "V", "V"),
        ("V", "V", "V", "V", "V", "V"),
    ]
    assert (proof.named, proof.mutants, proof.survivors) == (3, 10, ())


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_fault_gives_its_complaint(fault: Fault, bench: Workbench, tmp_path: Path) -> None:
    proof = prove(broken(fault, tmp_path), bench)
    assert not proof.ok
    complaints = [str(complaint) for complaint in proof.complaints]
    assert any(says(fault.complaint, complaint) for complaint in complaints), complaints


def test_no_two_faults_give_the_same_complaint() -> None:
    complaints = {fault.complaint for fault in FAULTS}
    assert len(complaints) == len(FAULTS) >= 30
