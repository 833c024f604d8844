"""The wire: what goes over comes back the same, and no bytes at all are believed or harmful."""

from __future__ import annotations

import collections
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from app.jail import wire

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**200), 2**200),
    st.floats(),
    st.text(st.characters(), max_size=20),
    arrays.arrays(st.sampled_from(wire.DTYPES), arrays.array_shapes(min_dims=0, max_side=4)),
)
values: st.SearchStrategy[Any] = leaves
for _ in range(wire.DEPTH):
    values = st.one_of(
        leaves,
        st.lists(values, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=5), values, max_size=3),
    )


def same(a: Any, b: Any) -> bool:
    """Equal with types, dtypes, shapes, and every bit of every float."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if isinstance(a, float):
        return struct.pack("<d", a) == struct.pack("<d", b)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return bool(a == b)


@given(values)
def test_value_comes_back_as_it_went(value: Any) -> None:
    assert same(wire.decode(wire.encode(value)), value)


@given(values)
def test_spelling_is_the_same_every_time(value: Any) -> None:
    """Changed arguments are told by their bytes, so a copy must be spelled the same."""
    spelled = wire.encode(value)
    assert wire.encode(wire.decode(spelled)) == spelled


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_a_value_or_a_frame_error(data: bytes) -> None:
    try:
        value = wire.decode(data)
    except wire.FrameError:
        return
    assert same(wire.decode(wire.encode(value)), value)


@given(values, st.data())
def test_damaged_value_is_a_value_or_a_frame_error(value: Any, data: st.DataObject) -> None:
    spelled = bytearray(wire.encode(value))
    at = data.draw(st.integers(0, len(spelled) - 1))
    spelled[at] = data.draw(st.integers(0, 255))
    try:
        wire.decode(bytes(spelled))
    except wire.FrameError:
        pass


@given(values)
def test_value_cut_short_is_a_frame_error(value: Any) -> None:
    spelled = wire.encode(value)
    for end in range(len(spelled)):
        with pytest.raises(wire.FrameError):
            wire.decode(spelled[:end])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"NN",
        b"a\x0a" + struct.pack("<B8Q", 8, *[0xFFFFFFFFFFFFFFFF] * 8),
        b"a\x0a" + struct.pack("<B2Q", 2, 2**62, 0) + b"x",
        b"a\x0a" + struct.pack("<B2Q", 2, 2**63, 0),
        b"a\xff\x00",
        b"a\x00" + struct.pack("<BQ", 1, 1) + b"\x02",
        b"(" + struct.pack("<I", 2**32 - 1),
        b"i" + struct.pack("<H", 0),
        b"i" + struct.pack("<H", 0xFFFF) + bytes(0xFFFF),
        b"s" + struct.pack("<I", 1) + b"\xff",
        b"(\x01\0\0\0" * 100 + b"N",
        b"o" + struct.pack("<I", 0) + struct.pack("<B", 255),
    ],
)
def test_lying_value_is_a_frame_error(data: bytes) -> None:
    with pytest.raises(wire.FrameError):
        wire.decode(data)


def test_subclasses_cross_by_name_only() -> None:
    class Sneaky(np.ndarray[Any, Any]):
        def __array_finalize__(self, obj: object) -> None:
            pass

    class Text(str):
        pass

    class Number(np.float64):
        pass

    masked = np.ma.masked_array([1.0], [True])
    for value, name in (
        (np.zeros(2).view(Sneaky), "Sneaky"),
        (Text("a"), "Text"),
        (Number(1.0), "Number"),
        (masked, "MaskedArray"),
        (type("list", (list,), {})(), "list"),
    ):
        assert wire.decode(wire.encode(value)) == wire.Named(name)


def test_type_that_lies_about_its_name_is_called_by_its_real_one() -> None:
    class Liar(type):
        __name__ = property(lambda cls: (_ for _ in ()).throw(RuntimeError))

    value = Liar("Honest", (), {})()
    assert wire.decode(wire.encode(value)) == wire.Named("Honest")


def test_array_larger_than_the_room_crosses_by_description() -> None:
    virtual = np.broadcast_to(np.float64(0), (10**4, 10**4, 10**4))
    assert wire.decode(wire.encode(virtual, room=1000)) == wire.Odd("float64", (10**4,) * 3)


def test_big_endian_array_arrives_native() -> None:
    value = wire.decode(wire.encode(np.array([1.0, 2.0], ">f8")))
    assert value.dtype == np.dtype("<f8")
    assert value.tolist() == [1.0, 2.0]


frames = st.lists(st.tuples(st.sampled_from([b"A", b"B"]), st.binary(max_size=30)), max_size=8)


@given(frames, st.data())
def test_frames_are_cut_the_same_however_they_arrive(
    sent: list[tuple[bytes, bytes]], data: st.DataObject
) -> None:
    stream = b"".join(wire.frame(kind, payload) for kind, payload in sent)
    reader = wire.FrameReader({b"A": 30, b"B": 30})
    got: list[tuple[bytes, bytes]] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        got += reader.feed(stream[:size])
        stream = stream[size:]
    assert got == sent
    assert not reader.unfinished


def test_frame_longer_than_its_kind_may_be_is_refused_at_its_header() -> None:
    reader = wire.FrameReader({b"A": 10})
    with pytest.raises(wire.FrameError):
        list(reader.feed(wire.HEADER.pack(b"A", 11)))
    with pytest.raises(wire.FrameError):
        list(wire.FrameReader({b"A": 10}).feed(wire.HEADER.pack(b"Z", 0)))


@given(st.text(max_size=20), st.binary(max_size=20))
def test_names_and_their_bytes_come_apart(name: str, data: bytes) -> None:
    assert wire.split_name(wire.named_bytes(name, data)) == (name, data)


@given(st.binary(max_size=10))
def test_bytes_without_a_name_are_a_frame_error(payload: bytes) -> None:
    try:
        wire.split_name(payload)
    except wire.FrameError:
        pass


def test_a_named_tuple_crosses_as_the_tuple_it_holds() -> None:
    class Pair(NamedTuple):
        left: object
        right: object

    class Lying(Pair):
        def __iter__(self) -> Iterator[Any]:
            while True:
                yield 0.0

        def __len__(self) -> int:
            return 10**18

    point = collections.namedtuple("point", "x y")
    for made in (Pair, Lying, point):
        assert wire.decode(wire.encode(made(1, (2.5, None)))) == (1, (2.5, None))
        assert wire.decode(wire.encode((made(1, 2), 3))) == ((1, 2), 3)


def test_another_tuple_of_a_class_of_its_own_crosses_by_its_name() -> None:
    class Own(tuple[object, ...]):
        pass

    assert wire.decode(wire.encode(Own((1, 2)))) == wire.Named("Own")
