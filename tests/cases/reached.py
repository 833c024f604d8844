"""What a learner's program can hold: `REACHED` is where the walk begins, see test_facade_crawl."""

import collections
import dataclasses
import functools
import itertools
import operator
import typing

import numpy as np
from numpy.typing import NDArray


class Own:
    def __init__(self):
        self.data, self._private, self.array = 1, 2, np.ones(2)
    @property
    def half(self):
        return 1
    def method(self):
        return self

@dataclasses.dataclass
class Record:
    x: int = 0

Pair = collections.namedtuple("Pair", "a b")

def generate():
    yield 1

def caught(function):
    try:
        function()
    except Exception as error:
        return error

x = np.arange(6.0).reshape(2, 3)
other = np
REACHED = {
    "array": x, "bytes array": np.frombuffer(b"abcd", dtype=np.uint8), "view": x[:, 1],
    "object array": np.array([1, "a"], dtype=object), "text array": np.array(["a"]),
    "structured": np.zeros(2, "i4,f8"), "record": np.zeros(2, "i4,f8")[0], "matrix": np.matrix([[1.0]]),
    "scalar": np.float64(1), "integer": np.int64(1), "dtype": x.dtype, "flags": x.flags, "flat": x.flat,
    "nditer": np.nditer(x), "ndindex": np.ndindex(2), "ndenumerate": np.ndenumerate(x),
    "broadcast": np.broadcast(x, x), "finfo": np.finfo(np.float64), "iinfo": np.iinfo(np.int32),
    "rng": np.random.default_rng(0), "random state": np.random.RandomState(0),
    "vectorize": np.vectorize(lambda v: v), "frompyfunc": np.frompyfunc(lambda v: v, 1, 1),
    "poly1d": np.poly1d([1, 2]), "errstate": np.errstate(all="ignore"),
    "printoptions": np.printoptions(precision=3), "svd": np.linalg.svd(x), "unique": np.unique_all(x),
    "class": Own, "instance": Own(), "bound method": Own().method, "property": Own.half,
    "record class": Record, "record instance": Record(), "fields": dataclasses.fields(Record),
    "pair": Pair(1, 2), "pair class": Pair, "function": generate, "generator": generate(),
    "partial": functools.partial(max, 1), "cached": functools.lru_cache(generate),
    "cached property": functools.cached_property(generate), "alias": NDArray[np.float64],
    "optional": typing.Optional[np.ndarray], "list of": list[int], "type var": typing.TypeVar("T"),
    "types": [type(v) for v in (x, 1, "a", generate, generate(), Own, Own(), np, print, None, x.flat)],
    "str": "a", "bytes": b"a", "list": [1], "dict": {1: 2}, "set": {1}, "slice": slice(1),
    "counter": collections.Counter("ab"), "deque": collections.deque([1]),
    "iterators": [iter([1]), iter({1: 2}), zip([1]), map(len, []), itertools.count(), enumerate([1])],
    "errors": [
        caught(lambda: np.nothing), caught(lambda: other.load), caught(lambda: np.ndarray.nothing),
        caught(lambda: x.nothing), caught(lambda: 1 / 0), caught(lambda: {}["a"]), caught(lambda: nothing),
        caught(lambda: np.ones(2) @ np.ones(3)), caught(lambda: x.sum(axis=9)), caught(lambda: int("a")),
        caught(lambda: np.linalg.inv(np.zeros((2, 2)))), caught(lambda: np.add("a", 1)),
        caught(lambda: np.testing.assert_allclose(1, 2)), caught(lambda: next(iter([]))),
        caught(lambda: (lambda: None).nothing), caught(lambda: generate().nothing), caught(lambda: Own.nothing),
    ],
    "super": super(Own, Own()), "format": "{}".format, "static": staticmethod(generate),
    "object": object, "getter": operator.itemgetter(0), "str class": str,
}
