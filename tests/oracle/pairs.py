"""Inputs with outputs that other software computed, read from the files of this folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.model import Array, Value

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Oracle:
    """What one software computed for a pair, and how far it was measured to be from torch."""

    software: str
    outputs: tuple[Array, ...]
    distance: float


@dataclass(frozen=True)
class Pair:
    """Arguments by name, the outputs expected of a reference, and how near it has to come.

    `expected` is float64 throughout. `tolerance` bounds `distance`: twice the error that the file
    states for a reference, and at least four units in the last place of the coarsest input.
    """

    slug: str
    name: str
    arguments: Mapping[str, Value]
    expected: tuple[Array, ...]
    tolerance: float
    others: tuple[Oracle, ...]


def slugs() -> list[str]:
    """The exercises there are pairs for."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def read(slug: str) -> list[Pair]:
    """All pairs of an exercise, in the order of its file."""
    about = json.loads((FOLDER / f"{slug}.json").read_text("utf-8"))
    with np.load(FOLDER / f"{slug}.npz", allow_pickle=False) as stored:
        arrays = dict(stored)
    return [_pair(slug, case, arrays) for case in about["cases"]]


def distance(found: Array, expected: Array) -> float:
    """The largest |difference| / max(1, |expected|): the measure of the errors the files state."""
    if not expected.size:
        return 0.0
    right = expected.astype(np.float64)
    apart = np.abs(found.astype(np.float64) - right)
    return float(np.max(apart / np.maximum(1.0, np.abs(right))))


def _pair(slug: str, case: dict[str, Any], arrays: dict[str, Array]) -> Pair:
    name = case["id"]
    inputs: dict[str, Value] = {}
    for argument, shape in case["inputs"].items():
        if isinstance(shape, dict):
            inputs[argument] = {key: arrays[f"{name}__{argument}.{key}"] for key in shape}
        else:
            inputs[argument] = laid_out(arrays[f"{name}__{argument}"], case["layout"])
    outputs = [key.removeprefix(f"{name}__expected_") for key in case["expected"]]
    return Pair(
        slug=slug,
        name=name,
        arguments=inputs | case["scalars"],
        expected=tuple(arrays[key] for key in case["expected"]),
        tolerance=max(2 * case["err_reference_vs_expected"], 4 * _coarsest(inputs)),
        others=tuple(_others(case, arrays, outputs)),
    )


def _others(case: dict[str, Any], arrays: dict[str, Array], outputs: list[str]) -> Iterator[Oracle]:
    for software in case["oracles"]:
        if software != "expected":
            found = tuple(arrays[f"{case['id']}__{software}_{output}"] for output in outputs)
            yield Oracle(software, found, case[f"err_{software}_vs_expected"])


def laid_out(array: Array, layout: str) -> Array:
    """The same numbers in another order in memory: "C", "F" or "negative-stride"."""
    if layout == "F":
        return np.asfortranarray(array)
    if layout == "negative-stride":
        return np.ascontiguousarray(array[::-1, ::-1])[::-1, ::-1]
    return array


def _coarsest(inputs: Mapping[str, Value]) -> float:
    """The unit in the last place of the least exact input; float64's where none is float32."""
    single = [a for a in inputs.values() if isinstance(a, np.ndarray) and a.dtype == np.float32]
    return float(np.finfo(np.float32 if single else np.float64).eps)
