"""Which configurations of the wall the corpus runs against.

Five passes are the fewest in which every pair of (root or user, namespaces, Landlock, policy)
occurs in all its four ways. `CORPUS_CONFIGURATIONS=all`, what `make corpus` says, runs all sixteen.
"""

from __future__ import annotations

import itertools
import os

from tests.hostile import refused
from tests.hostile.attack import Configuration
from tests.hostile.corpus import Case, cases

PAIRS = (
    Configuration(root=True, namespaces=True, landlock=False, policy=True),
    Configuration(root=True, namespaces=False, landlock=True, policy=True),
    Configuration(root=False, namespaces=True, landlock=True, policy=True),
    Configuration(root=True, namespaces=True, landlock=True, policy=False),
    Configuration(root=False, namespaces=False, landlock=False, policy=False),
)
ALL = tuple(Configuration(*parts) for parts in itertools.product((True, False), repeat=4))


def is_whole() -> bool:
    """Whether this run is of every case in every configuration."""
    return os.environ.get("CORPUS_CONFIGURATIONS") == "all"


def in_every_configuration() -> tuple[Case, ...]:
    """The cases that run with the policy on: all but those refused when compiled."""
    return cases() if is_whole() else refused.split()[0]


def configurations(*, policy: bool) -> list[Configuration]:
    """Those of this run with the language policy on, or off."""
    return [c for c in (ALL if is_whole() else PAIRS) if c.policy is policy]
