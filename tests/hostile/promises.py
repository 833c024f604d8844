"""What every hostile program must come to, whatever parts of the wall stand."""

from __future__ import annotations

from app.model import Ran, Verdict
from tests.hostile.attack import HONEST, Attack
from tests.hostile.corpus import Case

GROWN_KIB = 4 * 1024
SPARES_DESCRIPTORS = 3 * 8
PAST_THE_POLICY = (
    "PAST THE POLICY",
    "GOT A BIT GENERATOR",
    "GOT A FRAME",
    "GOT OS FROM A FRAME",
    "READ A HIDDEN ATTRIBUTE",
    "READ BEYOND THE STATE",
    "READ RAW MEMORY BY ADDRESS",
)
"""What a way past the policy alone shouts: without the policy that is no news."""


def breaches_of(attack: Attack, ran: Ran) -> list[str]:
    """What came through the wall; without the policy, a way past it alone is none."""
    breaches = attack.grounds.breaches(ran)
    if attack.configuration.policy:
        return breaches
    return [breach for breach in breaches if not any(shout in breach for shout in PAST_THE_POLICY)]


def ends_as_it_must(attack: Attack, case: Case) -> None:
    """Its verdict, no breach, and the next honest submission accepted."""
    verdict, ran = attack.submit(case.source, attack.limits(case))
    breaches = breaches_of(attack, ran)
    assert not breaches, breaches
    assert verdict in attack.right_verdicts(case), verdict
    honest, _ = attack.submit(HONEST.read_bytes())
    assert honest is Verdict.ACCEPTED


def keeper_has_not_grown(attack: Attack) -> None:
    """After the whole corpus: its memory, its descriptors, and it is the same keeper."""
    resident_kib, descriptors = attack.keeper_usage()
    assert resident_kib <= attack.usage_at_first[0] + GROWN_KIB
    assert descriptors <= attack.usage_at_first[1] + SPARES_DESCRIPTORS
    assert attack.sandbox.restarts == 0
