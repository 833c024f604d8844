"""Runs in the container: the hostile programs against the installed package, one JSON line a case.

    python -m tests.container.inside '{"policy": false, "landlock": true}'

Only these switches of the wall, and only here: no setting of the product reaches them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.model import Verdict
from app.sandbox.keeper import Layers
from tests.hostile import attack as attacks
from tests.hostile import promises
from tests.hostile.attack import HONEST, Attack, Configuration
from tests.hostile.corpus import Case, cases
from tests.hostile.passes import in_every_configuration, is_whole

OF_THE_SYSTEM = ("os_", "res_", "legit_")
"""How the names of programs begin that are about the operating system's layers and limits."""


@dataclass(frozen=True)
class Wall(Configuration):
    """A configuration of the corpus that can also do without the filter."""

    seccomp: bool = True

    @property
    def layers(self) -> Layers:
        return replace(super().layers, seccomp=self.seccomp)


def main(
    policy: bool = True,
    landlock: bool = True,
    seccomp: bool = True,
    namespaces: bool = True,
    after: str = "",
    names: Sequence[str] | None = None,
) -> None:
    """Say of each case past `after` what it came to, and at the end how the keeper does.

    `names` are the cases to run; without it, all that make sense with the policy on or off.
    """
    wall = Wall(root=True, namespaces=namespaces, landlock=landlock, policy=policy, seccomp=seccomp)
    exercise, expectations = attacks.truth()
    with attacks.attack(wall, expectations, exercise) as attack:
        _tell({"begin": True})
        for case in cases():
            asked = case.raw or policy if names is None else case.name in names
            if asked and case.name > after:
                _tell(_outcome(attack, case))
        try:
            promises.keeper_has_not_grown(attack)
            grown = ""
        except AssertionError as error:
            grown = str(error) or "the keeper has grown"
        layers = {layer.name: layer.present for layer in attack.sandbox.layers()}
        _tell({"end": True, "keeper": grown, "layers": layers})


def of(*, policy: bool, whole: bool = False) -> list[str]:
    """The names of the cases that run, with the policy or without, in order.

    All that ask for more of the system than they may, or for what they may; of those that try the
    language and the grader, for which a container is as good as another place, every fourth. Every
    case where the `whole` is asked for, as `make corpus` does by `CORPUS_CONFIGURATIONS=all`.
    """
    runs = in_every_configuration() if policy else [case for case in cases() if case.raw]
    names = [case.name for case in runs]
    others = [name for name in names if not name.startswith(OF_THE_SYSTEM)]
    left_out = {name for at, name in enumerate(others) if at % 4 and not (whole or is_whole())}
    return [name for name in names if name not in left_out]


def _outcome(attack: Attack, case: Case) -> dict[str, object]:
    verdict, ran = attack.submit(case.source, attack.limits(case))
    breaches = promises.breaches_of(attack, ran)
    honest, _ = attack.submit(HONEST.read_bytes())
    return {
        "case": case.name,
        "verdict": verdict,
        "right": verdict in attack.right_verdicts(case),
        "breaches": breaches,
        "honest": honest is Verdict.ACCEPTED,
    }


def _tell(fact: dict[str, object]) -> None:
    print(json.dumps(fact), flush=True)


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
