"""What ended in our own fault is judged again; what stands is never touched."""

from __future__ import annotations

import json

from app.model import LearnerId, Slug, Verdict
from app.service.rejudging import Rejudging
from tests.service.world import PATIENCE_S, REFERENCE, SOFTMAX, WRONG, World

ANN = LearnerId("ann")


def rejudging(world: World) -> Rejudging:
    """Over the world's last service and its database."""
    service = world.opened[-1]
    parts = service._parts
    return Rejudging(
        parts.store.submissions,
        parts.jails,
        parts.catalog.get,
        world.compute,
        lambda: world.now,
    )


def test_a_fault_of_ours_gets_the_verdict_it_deserves(world: World) -> None:
    service = world.service()
    world.sandbox.faults = 99
    ours = service.submissions.submit(ANN, SOFTMAX, b"# faults\n" + REFERENCE)
    verdict = service.submissions.verdict(ours.id).result(PATIENCE_S)
    assert verdict["verdict"] == "grader_error"
    wrong = service.submissions.submit(ANN, SOFTMAX, WRONG)
    before = service.submissions.verdict(wrong.id).result(PATIENCE_S)
    world.sandbox.faults = 0

    (one,) = rejudging(world).faults()
    assert (one.submission, one.verdict) == (ours.id, Verdict.ACCEPTED)
    again = service.submissions.get(ours.id, ANN).report
    assert again is not None
    assert (again["verdict"], again["submission"], again["error_id"]) == ("accepted", ours.id, None)
    assert json.dumps(service.submissions.get(wrong.id, ANN).report) == json.dumps(before)
    assert list(rejudging(world).faults()) == []


def test_a_fault_that_happens_again_stays_as_it_was_and_says_why(world: World) -> None:
    service = world.service()
    world.sandbox.faults = 99
    ours = service.submissions.submit(ANN, SOFTMAX, b"# faults\n" + REFERENCE)
    service.submissions.verdict(ours.id).result(PATIENCE_S)
    (one,) = rejudging(world).faults()
    assert one.verdict is None and "keeper is gone" in one.why
    report = service.submissions.get(ours.id, ANN).report
    assert report is not None and report["verdict"] == "grader_error"
    assert one.exercise == Slug(SOFTMAX)
