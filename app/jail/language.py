"""Which language a child speaks: how source becomes code, and the names the code starts with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from app.jail import attempts
from app.jail.mutate import mutants
from app.jail.offer import globals as facade
from app.jail.policy import compile as policy

MODULE = "solution"

Write = Callable[[str], object]


class Language(NamedTuple):
    """`compile_source` takes and gives what `policy.compile.compile_source` does."""

    compile_source: Callable[[bytes, str, policy.Rewrite | None], policy.Compiled]
    namespace: Callable[[Write], dict[str, Any]]


def learners() -> Language:
    """The language of submissions and of exercise folders."""
    return Language(policy.compile_source, lambda write: facade.namespace(write, module=MODULE))


def own_functions() -> Language:
    """No source at all: the jail's own functions, `attempts` for the self-test, and `mutants`."""
    own: dict[str, Any] = {**attempts.ATTEMPTS, "mutants": mutants.mutants}
    return Language(policy.compile_source, lambda write: dict(own))
