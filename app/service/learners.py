"""Learners without accounts: a name if they like, and a code that carries their work elsewhere."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from app.model import LearnerId
from app.records import WorkSummary
from app.service.door import Core
from app.service.errors import BadName, NoSuchCode
from app.service.tokens import code_hash, new_code

NAME_LETTERS = 80


@dataclass(frozen=True)
class Recovered:
    """The learner the cookie has to carry from now on, and the code that replaces the used one."""

    learner: LearnerId
    code: str


class Accounts(Core):
    """The use cases around who a learner is."""

    def set_name(self, learner: LearnerId, name: str, *, address: str = "") -> str:
        """Keep a name, tidied, and give it back; "" takes it away. Raises BadName."""
        tidy = _tidy(name)
        who = self.learner(learner)
        self._admit(who, address, "write")
        self._parts.store.learners.rename(who.id, tidy, self._parts.now())
        self._acquainted.forget()
        return tidy

    def recovery_code(self, learner: LearnerId, *, address: str = "") -> str:
        """A new code for this learner's work in place of an earlier one; never shown again."""
        who = self.learner(learner)
        self._admit(who, address, "write")
        code = new_code()
        self._parts.store.learners.set_code(who.id, code_hash(code), self._parts.now())
        return code

    def look_up_recovery(self, code: str, *, address: str = "") -> WorkSummary:
        """Whose work a code opens, in counts and dates; using it is another step.

        Raises NoSuchCode.
        """
        self._admit_look_up(address)
        found = self._parts.store.learners.by_code(code_hash(code))
        if found is None:
            raise NoSuchCode(code)
        return self._parts.store.learners.summary(found)

    def switch(self, code: str, *, address: str = "") -> Recovered:
        """Become the learner of a code; what this device did before stays where it is.

        The code is used up and replaced. Raises NoSuchCode.
        """
        self._admit_look_up(address)
        code_after = new_code()
        found = self._parts.store.learners.use_code(
            code_hash(code), code_hash(code_after), self._parts.now()
        )
        if found is None:
            raise NoSuchCode(code)
        return Recovered(found, code_after)

    def join(self, learner: LearnerId, code: str, *, address: str = "") -> Recovered:
        """Become the learner of a code and bring along what this device did. Raises NoSuchCode."""
        recovered = self.switch(code, address=address)
        gone = self.learner(learner).id
        self._parts.store.learners.join(gone, recovered.learner, self._parts.now())
        self._acquainted.forget()
        return recovered

    def _admit_look_up(self, address: str) -> None:
        """Codes are tried by somebody without a learner: their address pays."""
        nobody = self._parts.store.learners.get(LearnerId(f"address {address}"))
        self._admit(nobody, address, "run", writes=False)


def _tidy(name: str) -> str:
    """One line of visible text; raises BadName where there is more than that."""
    plain = unicodedata.normalize("NFC", " ".join(name.split()))
    if any(unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn") for letter in plain):
        raise BadName("A name is made of letters; this one holds characters nobody can see.")
    if len(plain) > NAME_LETTERS:
        raise BadName(f"A name has up to {NAME_LETTERS} letters; this one has {len(plain)}.")
    return plain
