"""Drafts, links to a submission, and the report on the grader itself."""

from __future__ import annotations

import json

import pytest

from app.model import LearnerId, Slug
from app.service import NoSuchExercise, NoSuchSubmission, Refused, Service
from app.service.replay import BadReplay, differences, read_replay
from tests.service.world import PATIENCE_S, SOFTMAX, WRONG, World

ANN, BEN = LearnerId("ann"), LearnerId("ben")


def test_the_newest_text_is_opened_and_the_other_kept_by_name(
    world: World, service: Service
) -> None:
    service.drafts.save(ANN, SOFTMAX, b"laptop", base=None, device="laptop")
    world.wait(minutes=5)
    service.drafts.save(ANN, SOFTMAX, b"phone", base=None, device="phone")
    drafts = service.drafts.all(ANN, SOFTMAX)
    assert drafts.opened is not None
    assert drafts.opened.source == b"phone"
    assert [(d.source, d.name) for d in drafts.others] == [
        (b"laptop", "Draft of 29 Nov, 12:00:00 UTC")
    ]


def test_going_on_from_the_other_text_replaces_it_and_keeps_the_first(service: Service) -> None:
    service.drafts.save(ANN, SOFTMAX, b"laptop", base=None, device="laptop")
    found = service.drafts.save(ANN, SOFTMAX, b"phone", base=None, device="phone")
    found = service.drafts.save(
        ANN, SOFTMAX, b"laptop, on", base=found.others[0].version, device="third"
    )
    assert found.opened is not None
    assert found.opened.source == b"laptop, on"
    assert [d.source for d in found.others] == [b"phone"]


def test_a_draft_may_hold_anything_and_its_device_be_called_anything(service: Service) -> None:
    source = "def f(:\x00\ud800".encode("utf-8", "surrogatepass")
    service.drafts.save(ANN, SOFTMAX, source, base="no such version", device="\x00" * 1000)
    opened = service.drafts.all(ANN, SOFTMAX).opened
    assert opened is not None
    assert opened.source == source


def test_a_draft_is_of_an_exercise_and_of_bounded_length(service: Service) -> None:
    with pytest.raises(NoSuchExercise):
        service.drafts.save(ANN, Slug("nothing"), b"", base=None, device="d")
    with pytest.raises(Refused) as caught:
        service.drafts.save(ANN, SOFTMAX, b"x" * (512 * 1024 + 1), base=None, device="d")
    assert caught.value.kind == "too_long"


def test_a_link_shows_a_copy_until_it_is_revoked(service: Service) -> None:
    submission = service.submissions.submit(ANN, SOFTMAX, WRONG)
    assert service.links.token(submission.id, ANN) is None
    token = service.links.share(submission.id, ANN)
    assert len(token) == 22
    assert service.links.share(submission.id, ANN) == token
    assert service.links.shared(token).source == WRONG
    assert service.submissions.history(ANN, SOFTMAX)[0].shared
    service.links.revoke(submission.id, ANN)
    with pytest.raises(NoSuchSubmission):
        service.links.shared(token)
    assert service.links.share(submission.id, ANN) != token


def test_nobody_else_shares_or_revokes(service: Service) -> None:
    submission = service.submissions.submit(ANN, SOFTMAX, WRONG)
    token = service.links.share(submission.id, ANN)
    with pytest.raises(NoSuchSubmission):
        service.links.share(submission.id, BEN)
    with pytest.raises(NoSuchSubmission):
        service.links.revoke(submission.id, BEN)
    assert service.links.shared(token).id == submission.id


def test_only_a_hash_of_the_token_is_in_the_database(world: World) -> None:
    service = world.service()
    token = service.links.share(service.submissions.submit(ANN, SOFTMAX, WRONG).id, ANN)
    service.close()
    stored = b"".join(path.read_bytes() for path in world.data.glob("mlgrind.db*"))
    assert token.encode() not in stored


# ------------------------------------------------------------------ is the grader wrong?


def replay_of(service: Service, source: bytes) -> bytes:
    submission = service.submissions.submit(ANN, SOFTMAX, source)
    service.submissions.verdict(submission.id).result(PATIENCE_S)
    return json.dumps(
        service.submissions.replay(service.submissions.get(submission.id, ANN))
    ).encode()


@pytest.mark.parametrize("source", [WRONG, b"\xff\x00", "\ud800".encode("utf-8", "surrogatepass")])
def test_a_replay_report_holds_the_source_exactly(service: Service, source: bytes) -> None:
    replay = read_replay(replay_of(service, source))
    assert replay.source == source
    assert replay.exercise == SOFTMAX
    assert differences(replay, service.exercises.get(SOFTMAX).digest) == ()


def test_a_replay_says_what_differs(service: Service) -> None:
    found = json.loads(replay_of(service, WRONG))
    found["versions"]["numpy"] = "1.0"
    found["digest"] = "0" * 64
    told = differences(read_replay(json.dumps(found).encode()), "1" * 64)
    assert told[0] == "the exercise differs: judged by 000000000000, here it is 111111111111"
    assert told[1].startswith("numpy differs: 1.0 there, ")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json",
        b"[]",
        b'{"replay": 2}',
        b'{"replay": 1}',
        b'{"replay": 1, "versions": {}, "source_base64": "!"}',
        b'{"replay": 1, "versions": {}, "source_base64": "", "exercise": 3}',
        b"[" * 200_000,
        b"\xff\xfe",
        b" " * (4 * 1024 * 1024 + 1),
    ],
)
def test_what_is_no_replay_report_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(BadReplay):
        read_replay(data)
