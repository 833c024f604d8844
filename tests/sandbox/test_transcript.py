"""No stream of frames harms the trusted side, and none is believed that breaks the order."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.jail import wire
from app.jail.control import Answer
from app.sandbox.transcript import Transcript, bounds

KINDS = [bytes([kind]) for kind in b"H!BOPLESVNDMX"]
COST = wire.COST.pack(5, 6)
VALUE = wire.encode(1.5)
GOOD = [
    (b"H", b""),
    (b"B", b""),
    (b"O", b"hi"),
    (b"L", COST + wire.encode({"functions": (), "normalised": ()})),
    (b"S", bytes(4)),
    (b"V", COST + len(VALUE).to_bytes(4, "little") + VALUE),
    (b"D", b""),
]
payloads = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([payload for _, payload in GOOD]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3).map(tuple),
            st.dictionaries(
                st.sampled_from(
                    ["functions", "problems", "frames", "type", "kind", "line", "facts"]
                ),
                inner,
                max_size=4,
            ),
        ),
        max_leaves=6,
    ).map(lambda value: COST + wire.encode(value, depth=wire.CONTROL_DEPTH)),
)
frames = st.lists(st.tuples(st.sampled_from(KINDS), payloads), max_size=8)


def hear(stream: bytes, calls: int = 1) -> Transcript:
    transcript = Transcript(calls, stdout_bytes=100)
    reader = wire.FrameReader(bounds(100, 1000, 1000))
    try:
        for kind, payload in reader.feed(stream):
            transcript.hear(kind, payload)
    except wire.FrameError as error:
        transcript.broken = str(error)
    return transcript


def spelled(sent: list[tuple[bytes, bytes]]) -> bytes:
    return b"".join(wire.frame(kind, payload) for kind, payload in sent)


def test_honest_conversation_is_heard() -> None:
    transcript = hear(spelled(GOOD))
    assert transcript.done
    assert transcript.broken is None
    assert transcript.heard[0].value == 1.5
    assert bytes(transcript.printed[0]) == b"hi"


@settings(max_examples=200)
@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_never_believed(stream: bytes) -> None:
    assert not hear(stream).done


@settings(max_examples=300)
@given(st.integers(0, len(GOOD)), frames)
def test_forged_frames_after_honest_ones_raise_frame_errors_only(
    honest: int, forged: list[tuple[bytes, bytes]]
) -> None:
    said = GOOD[:honest] + forged
    transcript = hear(spelled(said))
    if transcript.done and transcript.heard:
        assert any(kind in (Answer.VALUE, Answer.RAISED, Answer.MISSING) for kind, _ in said)


@given(st.integers(0, len(GOOD) - 1))
def test_conversation_with_a_frame_missing_is_not_done(left_out: int) -> None:
    sent = GOOD[:left_out] + GOOD[left_out + 1 :]
    assert hear(spelled(sent)).done is (GOOD[left_out][0] == b"O")


@given(st.integers(0, len(GOOD) - 1))
def test_frame_said_twice_is_not_believed(twice: int) -> None:
    sent = GOOD[: twice + 1] + GOOD[twice:]
    transcript = hear(spelled(sent))
    assert (transcript.broken is None) is (GOOD[twice][0] == b"O")


def test_nothing_may_follow_the_last_frame() -> None:
    for kind in KINDS:
        assert hear(spelled([*GOOD, (kind, b"")])).broken is not None


def test_more_output_than_a_child_lets_through_is_not_believed() -> None:
    sent = [*GOOD[:2], *[(b"O", b"x" * 60)] * 2]
    assert hear(spelled(sent)).broken is not None
