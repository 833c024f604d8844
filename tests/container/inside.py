"""Runs in the container: the hostile programs against the installed package, one JSON line a case.

    python -m tests.container.inside '{"policy": false, "landlock": true, "seccomp": true}'

Only these switches of the wall, and only here: no setting of the product reaches them.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace

from app.model import Verdict
from app.sandbox.keeper import Layers
from tests.hostile import attack as attacks
from tests.hostile import promises
from tests.hostile.attack import HONEST, Attack, Configuration
from tests.hostile.corpus import Case, cases


@dataclass(frozen=True)
class Switches:
    """Which layers stand; the other user and the namespaces cannot be had without capabilities."""

    policy: bool = True
    landlock: bool = True
    seccomp: bool = True

    @property
    def configuration(self) -> Configuration:
        return Walls(
            root=True, namespaces=True, landlock=self.landlock, policy=self.policy
        ).without_seccomp(not self.seccomp)


@dataclass(frozen=True)
class Walls(Configuration):
    """A configuration of the corpus that can also do without the filter."""

    seccomp: bool = True

    def without_seccomp(self, absent: bool) -> Walls:
        return replace(self, seccomp=not absent)

    @property
    def layers(self) -> Layers:
        return replace(super().layers, seccomp=self.seccomp)


def main(switches: Switches) -> None:
    """Say of each case what it came to, and at the end how the keeper does."""
    exercise, expectations = attacks.truth()
    with attacks.attack(switches.configuration, expectations, exercise) as attack:
        for case in cases():
            if switches.policy or case.raw:
                _tell(_outcome(attack, case))
        try:
            promises.keeper_has_not_grown(attack)
            grown = ""
        except AssertionError as error:
            grown = str(error) or "the keeper has grown"
        layers = {layer.name: layer.present for layer in attack.sandbox.layers()}
        _tell({"end": True, "keeper": grown, "layers": layers})


def _outcome(attack: Attack, case: Case) -> dict[str, object]:
    verdict, ran = attack.submit(case.source)
    breaches = attack.grounds.breaches(ran)
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
    main(Switches(**json.loads(sys.argv[1])))
