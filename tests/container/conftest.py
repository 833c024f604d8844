"""The image, built once for all its tests, and what came out of the corpus in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.container import image, machine
from tests.container.image import Image


@pytest.fixture(scope="session")
def built_image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    if lacking := machine.missing():
        pytest.fail(lacking, pytrace=False)
    with image.built(tmp_path_factory.mktemp("image")) as built:
        yield built
