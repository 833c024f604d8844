"""The ladder: one step at a time, the solution at its end or after passing."""

from __future__ import annotations

import pytest

from app.model import LearnerId
from app.service import NoSuchHint, OutOfOrder, Service
from tests.service.world import PATIENCE_S, REFERENCE, SOFTMAX

ANN = LearnerId("ann")


def test_hints_open_one_by_one_and_again(service: Service) -> None:
    assert service.hints.reveal(ANN, SOFTMAX, 1).number == 1
    assert service.hints.reveal(ANN, SOFTMAX, 2).number == 2
    assert service.hints.reveal(ANN, SOFTMAX, 1).number == 1
    assert service.hints.revealed(ANN, SOFTMAX).hints == 2


def test_no_step_is_skipped(service: Service) -> None:
    with pytest.raises(OutOfOrder, match="Hint 1 comes first") as caught:
        service.hints.reveal(ANN, SOFTMAX, 2)
    assert caught.value.next_hint == 1
    assert service.hints.revealed(ANN, SOFTMAX).hints == 0


@pytest.mark.parametrize("number", [0, -1, 6, 10**20])
def test_there_is_no_step_outside_the_ladder(service: Service, number: int) -> None:
    with pytest.raises(NoSuchHint):
        service.hints.reveal(ANN, SOFTMAX, number)


def test_the_solution_opens_after_the_last_hint(service: Service) -> None:
    for number in range(1, 6):
        with pytest.raises(OutOfOrder):
            service.hints.reveal_solution(ANN, SOFTMAX)
        service.hints.reveal(ANN, SOFTMAX, number)
    solution = service.hints.reveal_solution(ANN, SOFTMAX)
    assert solution.reference == REFERENCE
    assert len(solution.alternatives) == 2
    assert service.hints.revealed(ANN, SOFTMAX).solution


def test_the_solution_opens_after_passing(service: Service) -> None:
    submission = service.submissions.submit(ANN, SOFTMAX, REFERENCE)
    service.submissions.verdict(submission.id).result(PATIENCE_S)
    assert service.hints.reveal_solution(ANN, SOFTMAX).reference == REFERENCE
    assert service.hints.revealed(ANN, SOFTMAX).passed


def test_progress_tells_of_every_exercise(service: Service) -> None:
    service.hints.reveal(ANN, SOFTMAX, 1)
    states = {row.exercise: row.state for row in service.learners.progress(ANN)}
    assert len(states) == 13
    assert states.pop(SOFTMAX) == "begun"
    assert set(states.values()) == {"new"}
