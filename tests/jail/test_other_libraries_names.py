"""What other libraries have and NumPy has not is an AttributeError, with the way to write it."""

from __future__ import annotations

import pytest

from tests.jail.programs import run


@pytest.mark.parametrize(
    ("line", "message", "way"),
    [
        ("np.random.dropout(x, 0.1)", "dropout", "np.random.default_rng(0).random(shape)"),
        ("np.relu(x)", "relu", "np.maximum(x, 0)"),
        ("np.sigmoid(x)", "sigmoid", "1 / (1 + np.exp(-x))"),
        ("np.permute(x, (1, 0))", "permute", "np.transpose"),
        ("np.bmm(x, x)", "bmm", "np.matmul"),
    ],
)
def test_what_numpy_has_not_is_told_with_the_way_to_write_it(
    line: str, message: str, way: str
) -> None:
    outcome = run(f"import numpy as np\nx = np.ones((2, 2))\n{line}")
    assert outcome.error is not None
    assert outcome.error["type"] == "AttributeError"
    assert message in outcome.error["message"]
    assert way in outcome.error["help"]
    assert [frame["line"] for frame in outcome.error["frames"]] == [3]
