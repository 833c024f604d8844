"""Words for outputs that differ: type, dtype, shape, NaN, values, changed arguments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.grading.hidden import DIGITS, may_show_parts
from app.grading.sentences import shape as shape_words
from app.grading.sentences.judged_case import JudgedCase, ordinal
from app.grading.sentences.phrases import count, figure, shown
from app.model import Mismatch, Opaque, Tolerance

_LEFT_OUT = "Python gives None where no `return` runs. End with `return` and the output."

_TYPE_ADVICE = {
    "list": (
        "A list has no shape. np.array makes an array of nested lists; np.stack and np.concatenate "
        "join arrays."
    ),
    "tuple": "Return the output alone, without the values it was made from.",
    "str": "Text can't be compared with numbers. Return the array itself, without formatting it.",
    "matrix": (
        "np.matrix is always 2-D, and `*` means matmul on it. Use plain arrays: "
        "np.asarray turns it into one."
    ),
    "generator": "A generator makes its values only when asked. Collect them into an array.",
    "function": "You return a function, not its result. Are the call's parentheses missing?",
    "method": "You return a method, not its result. Are the call's parentheses missing?",
    "builtin_function_or_method": "Are a call's parentheses missing, as in `x.copy()`?",
    "dict": "Return the output itself, not a dict that holds it.",
    "float": "Everything seems to be reduced to one number. Does a reduction need an axis?",
    "int": "Return the output array, not a single integer.",
    "bool": "The output can't be True or False. Do you return a comparison?",
}


def sentence(scene: JudgedCase, mismatch: Mismatch) -> str:
    """What differs, with both sides; the first sentence holds at most 15 words."""
    if mismatch.kind == "type":
        return _type(scene, mismatch)
    if mismatch.kind == "dtype":
        return _dtype(scene, mismatch)
    if mismatch.kind == "shape" and mismatch.got_shape is None:
        wanted = shape_words.wanted_words(mismatch.expected_shape or ())
        return f"{scene.subject} has another shape; it should be {wanted}."
    if mismatch.kind == "shape":
        seen = shape_words.shapes_of(mismatch, scene.sizes, scene.names)
        return " ".join(
            filter(None, (shape_words.sentence(seen, scene.subject), shape_words.detail(seen)))
        )
    if mismatch.kind == "not_finite":
        return _not_finite(scene, mismatch)
    if mismatch.kind == "values":
        return _values(scene, mismatch)
    name = shown(scene.argument(mismatch.argument or 0), 60)
    return f"The function changes its argument `{name}`. The values it returns are right."


def advice(scene: JudgedCase, mismatch: Mismatch) -> str:
    """What to think about; "" where nothing general helps."""
    if mismatch.kind == "type":
        return _type_advice(scene, mismatch)
    if mismatch.kind == "dtype":
        return _dtype_advice(mismatch)
    if mismatch.kind == "shape" and mismatch.got_shape is None:
        return "Print the shape of each array on an example, and compare it with the statement."
    if mismatch.kind == "shape":
        return shape_words.advice(shape_words.shapes_of(mismatch, scene.sizes, scene.names))
    if mismatch.kind == "not_finite":
        return (
            "nan comes from 0/0, inf - inf or the root of a negative number; inf from dividing by "
            "0 or from exp of a large number. Look at what goes into exp and what is divided by."
        )
    if mismatch.kind == "values":
        return f"A value counts as equal within {tolerance(scene.exercise.tolerance)}."
    return (
        "Operations such as `Q /= 2` and `Q[0] = 1` work in place, on the caller's array. "
        "Make a new array, or work on a copy."
    )


# ------------------------------------------------------------------ type and dtype


def _type(scene: JudgedCase, mismatch: Mismatch) -> str:
    got, wanted = mismatch.got_type, scene.case.expected
    who = "The function" if mismatch.part is None else f"For its {ordinal(mismatch.part)} part it"
    if mismatch.part is None and isinstance(wanted, tuple):
        if isinstance(scene.value, tuple):
            return f"The function returns {_parts(scene)}; it should return {len(wanted)}."
        return f"{who} returns {_thing(got)}; it should return a tuple of {len(wanted)} parts."
    if got == "None" and scene.execution.stdout.strip():
        return "The function prints and returns None. What is printed can't be compared."
    aim = "a number" if mismatch.expected_shape == () else "an array"
    return f"{who} returns {_thing(got)}, not {aim}."


def _parts(scene: JudgedCase) -> str:
    got, wanted = scene.value, scene.case.expected
    if not isinstance(got, tuple) or not isinstance(wanted, tuple):
        return "one"
    if not scene.case.visible and not may_show_parts(len(got), len(wanted)):
        return "many more parts"
    return count(len(got), "part")


def _thing(type_name: str) -> str:
    name = shown(type_name, 60)
    if name == "None":
        return "None"
    known = {
        "str": "text",
        "float": "a single number",
        "ndarray": "one array",
        "matrix": "an np.matrix",
        "builtin_function_or_method": "a method",
    }
    if name in known:
        return known[name]
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _type_advice(scene: JudgedCase, mismatch: Mismatch) -> str:
    if mismatch.got_type == "None":
        return _LEFT_OUT
    wanted = scene.case.expected
    if isinstance(wanted, tuple) and mismatch.part is None:
        parts = ", ".join("abcdefgh"[: len(wanted)])
        return f"Return all {len(wanted)} parts, separated by commas: `return {parts}`."
    if isinstance(scene.value, Opaque) and mismatch.got_type not in _TYPE_ADVICE:
        return "Return a plain NumPy array: np.asarray turns most things into one."
    return _TYPE_ADVICE.get(mismatch.got_type, "Return a plain NumPy array.")


def _dtype(scene: JudgedCase, mismatch: Mismatch) -> str:
    kind = shown(mismatch.dtype or "", 60)
    wanted = "float" if not _wants_int(scene) else "int"
    return f"{scene.subject} has dtype {kind}; it should be {wanted}."


def _wants_int(scene: JudgedCase) -> bool:
    expected = scene.case.expected
    if isinstance(expected, tuple) and scene.mismatch is not None:
        expected = expected[scene.mismatch.part or 0]
    kind = expected.dtype.kind if isinstance(expected, np.ndarray) else ""
    return kind in ("i", "u", "b") or isinstance(expected, int)


def _dtype_advice(mismatch: Mismatch) -> str:
    kind = mismatch.dtype or ""
    if kind.startswith(("int", "uint")):
        return (
            "Integers drop the decimals. `np.zeros_like` of an integer array, "
            "`dtype=int` and `astype(int)` make them."
        )
    if kind == "bool":
        return "The array holds True and False where numbers should be. Do you return a comparison?"
    if kind.startswith("complex"):
        return "The values became complex, by the root of a negative number or a complex constant."
    if kind == "object":
        return (
            "An object array holds Python objects, often lists of unequal length. "
            "Check the shapes of what you put together."
        )
    return "Build it with NumPy's default dtype, float64."


# ------------------------------------------------------------------ values


def _not_finite(scene: JudgedCase, mismatch: Mismatch) -> str:
    if mismatch.size == 1:
        return f"The value is {'nan' if mismatch.nan else 'inf'}; it should be a finite number."
    lost = mismatch.nan + mismatch.inf
    both = [f"{n} nan" for n in [mismatch.nan] if n] + [f"{n} inf" for n in [mismatch.inf] if n]
    verb = "is" if lost == 1 else "are"
    said = f"{_of(lost, mismatch.size)} {verb} not finite: {' and '.join(both)}."
    others = mismatch.wrong - lost
    return (
        f"{said} Of the others, {others} {'is' if others == 1 else 'are'} off." if others else said
    )


def _of(number: int, size: int) -> str:
    return f"{number:,} of {count(size, 'value')}"


def _values(scene: JudgedCase, mismatch: Mismatch) -> str:
    verb = "is" if mismatch.wrong == 1 else "are"
    if mismatch.size == 1 and scene.case.visible and mismatch.worst_got is not None:
        got, expected = _apart(mismatch.worst_got, mismatch.worst_expected or 0.0)
        return f"{scene.subject} is {got}; it should be {expected}."
    said = f"{_of(mismatch.wrong, mismatch.size)} {verb} off"
    if mismatch.size == 1:
        said = "The value is off"
    if scene.subject != "The output":
        said = f"{scene.subject}: {said}"
    if mismatch.worst_abs is None or mismatch.worst_index is None:
        return f"{said}: where inf or nan is expected, yours is something else."
    where = place(scene, mismatch.worst_index)
    at = f" at {where}" if where else ""
    if scene.case.visible and mismatch.worst_got is not None:
        pair = _apart(mismatch.worst_got, mismatch.worst_expected or 0.0)
        return f"{said}. The worst{at}: yours {pair[0]}, expected {pair[1]}."
    return (
        f"{said}, by up to {figure(mismatch.worst_abs, DIGITS)}. The worst is{at}."
        if where
        else (f"{said}, by {figure(mismatch.worst_abs, DIGITS)}.")
    )


def _apart(got: float, expected: float) -> tuple[str, str]:
    """Both numbers with as many digits as it takes to tell them apart."""
    for digits in range(5, 18):
        pair = figure(got, digits), figure(expected, digits)
        if pair[0] != pair[1]:
            return pair
    return repr(got), repr(expected)


def place(scene: JudgedCase, index: Sequence[int]) -> str:
    """ "row 6, column 1 (head 0)", "index 3", "[1, 0, 2]", or "" for a number."""
    if not index:
        return ""
    if len(index) == 1:
        return f"index {index[0]}"
    if len(index) > 2:
        return f"[{', '.join(map(str, index))}]"
    head = _head(scene, index[-1])
    return f"row {index[0]}, column {index[1]}{head}"


def _head(scene: JudgedCase, column: int) -> str:
    heads, shape = scene.exercise.heads, scene.mismatch.expected_shape if scene.mismatch else None
    if heads is None or not shape or heads.axis not in scene.names[-1:]:
        return ""
    names = [p.name for p in scene.parameters]
    n_heads = dict(zip(names, scene.case.arguments, strict=False)).get(heads.count)
    if not isinstance(n_heads, int) or n_heads < 2 or shape[-1] % n_heads:
        return ""
    return f" (head {column // (shape[-1] // n_heads)})"


def tolerance(limits: Tolerance) -> str:
    """ "rtol 1e-5, atol 1e-6"."""
    return f"rtol {_exponent(limits.rtol)}, atol {_exponent(limits.atol)}"


def _exponent(value: float) -> str:
    return f"{value:g}".replace("e-0", "e-")
