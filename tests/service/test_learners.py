"""Learners without accounts: names and recovery codes."""

from __future__ import annotations

import pytest

from app.model import LearnerId
from app.service import BadName, NoSuchRecoveryCode, Service
from app.service.tokens import Sequence, new_code
from tests.service.world import PATIENCE_S, REFERENCE, SOFTMAX, World

ANN, BEN = LearnerId("ann"), LearnerId("ben")


def passed(service: Service, learner: LearnerId) -> None:
    submission = service.submissions.submit(learner, SOFTMAX, REFERENCE)
    service.submissions.verdict(submission.id).result(PATIENCE_S)


def test_a_code_has_80_bits_and_no_letter_to_misread() -> None:
    code = new_code()
    letters = code.replace("-", "")
    assert len(letters) == 16
    assert not set(letters) & set("ILOU")
    assert new_code() != code


def test_ids_sort_by_the_time_they_were_made() -> None:
    sequence = Sequence()
    made = [sequence.next() for _ in range(5000)]
    assert made == sorted(set(made))
    assert made[0][14] == "7"


def test_a_code_shows_whose_work_it_is_before_it_is_used(service: Service) -> None:
    passed(service, ANN)
    service.learners.set_name(ANN, "Ann")
    code = service.learners.recovery_code(ANN)
    found = service.learners.look_up(code)
    assert (found.name, found.submissions, found.passed) == ("Ann", 1, 1)
    assert service.learners.look_up(code) == found


def test_a_code_is_read_as_people_write_it(service: Service) -> None:
    code = service.learners.recovery_code(ANN)
    sloppy = " " + code.lower().replace("-", " ").replace("0", "o").replace("1", "l") + "\n"
    assert service.learners.look_up(sloppy).learner == ANN


def test_switching_uses_the_code_up_and_gives_the_next(service: Service) -> None:
    passed(service, ANN)
    passed(service, BEN)
    code = service.learners.recovery_code(ANN)
    recovered = service.learners.switch(code)
    assert recovered.learner == ANN
    with pytest.raises(NoSuchRecoveryCode):
        service.learners.switch(code)
    assert service.learners.switch(recovered.code).learner == ANN
    assert len(service.submissions.history(ANN, SOFTMAX)) == 1


def test_joining_brings_along_what_this_device_did(service: Service) -> None:
    passed(service, ANN)
    passed(service, BEN)
    recovered = service.learners.join(BEN, service.learners.recovery_code(ANN))
    assert recovered.learner == ANN
    assert len(service.submissions.history(ANN, SOFTMAX)) == 2
    assert service.learners.get(BEN).id == ANN


def test_a_new_code_ends_the_old_one(service: Service) -> None:
    old = service.learners.recovery_code(ANN)
    service.learners.recovery_code(ANN)
    with pytest.raises(NoSuchRecoveryCode):
        service.learners.look_up(old)


def test_only_a_hash_of_the_code_is_in_the_database(world: World) -> None:
    service = world.service()
    code = service.learners.recovery_code(ANN)
    service.close()
    stored = b"".join(path.read_bytes() for path in world.data.glob("mlgrind.db*"))
    assert code.encode() not in stored
    assert code.replace("-", "").encode() not in stored


@pytest.mark.parametrize("code", ["", "nonsense", "\ud800", "0000-0000-0000-0000-0000-0000"])
def test_what_is_no_code_opens_nothing(service: Service, code: str) -> None:
    with pytest.raises(NoSuchRecoveryCode):
        service.learners.look_up(code)
    with pytest.raises(NoSuchRecoveryCode):
        service.learners.join(BEN, code)


def test_a_name_is_kept_on_one_line(service: Service) -> None:
    assert service.learners.set_name(ANN, "  Ann \n of  Green Gables ") == "Ann of Green Gables"
    assert service.learners.get(ANN).name == "Ann of Green Gables"
    assert service.learners.set_name(ANN, "") == ""


@pytest.mark.parametrize("name", ["a\x00b", "\u202egnp", "\ud800", "n" * 81, "zero\u200bwidth"])
def test_a_name_nobody_can_read_is_refused(service: Service, name: str) -> None:
    with pytest.raises(BadName):
        service.learners.set_name(ANN, name)
