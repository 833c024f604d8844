"""An exercise to take along: a folder or a notebook that runs anywhere with NumPy.

It holds the statement, the learner's own code and the visible tests with their expected outputs.
Hidden tests, the reference solution, hints and mistakes stay here.
"""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from app.catalog import full_statement
from app.model import Array, Exercise, Expectations, TestCase, Value
from app.web.html.standing_alone import imports_numpy
from app.web.report.numbers import code
from app.web.report.rows import purpose_words

_LONG = 400
"""Letters of an array's code beyond which it is packed: too many digits to be read."""

_DATE = (1980, 1, 1, 0, 0, 0)  # the same exercise gives the same bytes

Arrays = dict[str, Array]

_DRAWING = re.compile(r"!\[([^\]]*)\]\(drawing:[^)]*\)")
"""A picture of this site's own: outside it there is only what it says in words."""

_CHECK = '''
def check(got, expected, rtol={rtol}, atol={atol}):
    """Raise AssertionError where the output is not what the reference gives."""
    if isinstance(expected, tuple):
        assert isinstance(got, tuple) and len(got) == len(expected), "return a tuple"
        for mine, right in zip(got, expected):
            check(mine, right, rtol, atol)
    else:
        assert np.shape(got) == np.shape(expected), f"shape {{np.shape(got)}}"
        np.testing.assert_allclose(got, expected, rtol=rtol, atol=atol)
'''


def folder(exercise: Exercise, expectations: Expectations, source: str) -> bytes:
    """The exercise as a ZIP: README.md, solution.py, test_visible.py (plain Python or pytest).

    `source` is the learner's code. Long arrays of the tests are in a file of their own, arrays.npz.
    """
    arrays: Arrays = {}
    files: dict[str, str | bytes] = {
        "README.md": _readme(exercise),
        "solution.py": _standing_alone(source),
        "test_visible.py": _tests(exercise, expectations, arrays),
    }
    if arrays:
        files["arrays.npz"] = _packed(arrays)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(f"{exercise.slug}/{name}", _DATE), content)
    return packed.getvalue()


def notebook(exercise: Exercise, expectations: Expectations, source: str) -> bytes:
    """The exercise as a Jupyter notebook (nbformat 4.5), with the learner's code in it."""
    arrays: Arrays = {}
    tests = [_one(exercise, expectations, case, arrays) for case in _visible(expectations)]
    cells = [
        _cell("markdown", _readme(exercise)),
        _cell("code", _standing_alone(source)),
        _cell("code", "import numpy as np\n" + _check(exercise)),
        *([_cell("code", _unpacking(arrays))] if arrays else []),
        *(_cell("code", test) for test in tests),
    ]
    content = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
        },
        "cells": [{"id": f"cell-{n}", **cell} for n, cell in enumerate(cells)],
    }
    return json.dumps(content, indent=1).encode()


def _cell(kind: str, text: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": kind,
        "metadata": {},
        "source": text.strip().splitlines(keepends=True),
    }
    return cell if kind == "markdown" else {**cell, "execution_count": None, "outputs": []}


def _standing_alone(source: str) -> str:
    """The code with NumPy's import in front, which is not asked for here and is elsewhere."""
    return source if imports_numpy(source) else f"import numpy as np\n\n{source}"


def _readme(exercise: Exercise) -> str:
    statement = _DRAWING.sub(r"*Picture: \1.*", full_statement(exercise).strip())
    sources = "".join(f"- {source.text}\n" for source in exercise.sources)
    return f"# {exercise.title}\n\n{statement}\n\n## Sources\n\n{sources}"


def _visible(expectations: Expectations) -> tuple[TestCase, ...]:
    return (*(test for test in expectations.tests if test.visible), *expectations.examples)


def _check(exercise: Exercise) -> str:
    return _CHECK.format(rtol=exercise.tolerance.rtol, atol=exercise.tolerance.atol)


def _one(exercise: Exercise, expectations: Expectations, case: TestCase, arrays: Arrays) -> str:
    """A case as lines that call the learner's function and check what it gives.

    Its long arrays are put into `arrays` and read from there.
    """
    names = [parameter.name for parameter in expectations.parameters]
    given = zip(names, case.arguments, strict=False)
    arguments = [f"    {_written(a, f'{case.name}_{name}', arrays, 4)}," for name, a in given]
    call = "\n".join((f"got = {exercise.entry_point}(", *arguments, ")"))
    wanted = _written(case.expected, f"{case.name}_expected", arrays, len("expected = "))
    said = purpose_words(case.purpose).replace("`", "")
    return f"# {said}\n{call}\nexpected = {wanted}\ncheck(got, expected)\n"


def _written(value: Value, name: str, arrays: Arrays, indent: int) -> str:
    """A value as code; a long array as one of ARRAYS, where it is kept under this name."""
    if isinstance(value, tuple):
        parts = [_written(part, f"{name}_{n}", arrays, indent) for n, part in enumerate(value)]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    if isinstance(value, dict):
        items = [
            f"{key!r}: {_written(part, f'{name}_{key}', arrays, indent)}"
            for key, part in value.items()
        ]
        return "{" + (",\n" + " " * (indent + 1)).join(items) + "}"
    text = code(value, indent=indent)
    if not isinstance(value, np.ndarray) or len(text) <= _LONG:
        return text
    arrays[name] = value
    return f'ARRAYS["{name}"]'


def _packed(arrays: Arrays) -> bytes:
    """The arrays as NumPy's own file."""
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type] # its stub takes names for options
    return file.getvalue()


def _unpacking(arrays: Arrays) -> str:
    """A cell that holds the arrays, packed: a notebook is one file."""
    lines = base64.encodebytes(_packed(arrays)).decode()
    return (
        "# The arrays of the tests, packed: run it, there is nothing to read.\n"
        f'import base64, io\n\nARRAYS = np.load(io.BytesIO(base64.b64decode("""\n{lines}""")))\n'
    )


def _tests(exercise: Exercise, expectations: Expectations, arrays: Arrays) -> str:
    cases = _visible(expectations)
    functions = "".join(
        f"\n\ndef test_{case.name}():\n{_indented(_one(exercise, expectations, case, arrays))}"
        for case in cases
    )
    file = 'ARRAYS = np.load(Path(__file__).with_name("arrays.npz"))\n' if arrays else ""
    path = "from pathlib import Path\n\n" if arrays else ""
    return (
        f'"""The visible tests of {exercise.title}: run this file, or pytest."""\n\n'
        f"{path}import numpy as np\n\nfrom solution import {exercise.entry_point}\n\n{file}"
        f"{_check(exercise)}"
        f'{functions}\n\nif __name__ == "__main__":\n{_calls(cases)}'
    )


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def _calls(cases: Sequence[TestCase]) -> str:
    lines = [f"    test_{case.name}()\n    print('{case.name}: equal')\n" for case in cases]
    return "".join(lines)
