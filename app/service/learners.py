"""Learners without accounts: a name if they like, and a code that carries their work elsewhere."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from app.classroom.showing import shown_progress
from app.model import LearnerId
from app.ports import LearnerStore, SubmissionStore
from app.records import Learner, Progress, WorkSummary
from app.service.door import Door
from app.service.errors import BadName, NoSuchRecoveryCode, TwoSeats
from app.service.exercises import Exercises
from app.service.tokens import Sequence, code_hash, new_code

NAME_LETTERS = 80
NAME_NEEDED = "This site asks for your name with the first submission."


@dataclass(frozen=True)
class Recovered:
    """The learner the cookie has to carry from now on, and the code that replaces the used one."""

    learner: LearnerId
    code: str


@dataclass(frozen=True)
class Learners:
    """Who learns here, under which name, and how far they are."""

    exercises: Exercises
    door: Door
    store: LearnerStore
    submissions: SubmissionStore
    ids: Sequence
    now: Callable[[], datetime]

    def get(self, learner: LearnerId) -> Learner:
        """Who this is; where two learners were joined, the one that has the work now."""
        return self.door.learner(learner)

    def is_recent(self, learner: LearnerId) -> bool:
        """Whether the learner's work was theirs a moment ago: asks nothing, waits for nothing."""
        return self.door.is_recent(learner)

    def new(self) -> LearnerId:
        """An id for a new cookie; nothing is written until the learner's first write."""
        return LearnerId(self.ids.next())

    def progress(self, learner: LearnerId) -> tuple[Progress, ...]:
        """What the learner did with each exercise offered, in the order of the exercises."""
        done = {row.exercise: row for row in self.submissions.progress(learner)}
        rules = self.exercises.rulebook.rules
        return tuple(
            shown_progress(done[exercise.slug], rules(learner, exercise.slug))
            if exercise.slug in done
            else Progress(exercise.slug, "new")
            for exercise in self.exercises.all_for(learner)
        )

    def set_name(self, learner: LearnerId, name: str, *, address: str = "") -> str:
        """Keep a name, tidied, and give it back; "" takes it away. Raises BadName."""
        tidy = _tidy(name)
        who = self.get(learner)
        self.door.admit(who, address, "write")
        self.store.rename(who.id, tidy, self.now())
        self.door.forget_learners()
        return tidy

    def name_for_submission(self, learner: LearnerId, name: str | None, *, address: str) -> None:
        """Keep the name that came with a submission, where the learner has none yet.

        Raises BadName where none came either: then the submission has to wait for one.
        """
        if self.get(learner).name:
            return
        if not name or not name.strip():
            raise BadName(NAME_NEEDED)
        self.set_name(learner, name, address=address)

    def recovery_code(self, learner: LearnerId, *, address: str = "") -> str:
        """A new code for this learner's work in place of an earlier one; never shown again."""
        who = self.get(learner)
        self.door.admit(who, address, "write")
        code = new_code()
        self.store.set_code(who.id, code_hash(code), self.now())
        return code

    def look_up(self, code: str, *, address: str = "") -> WorkSummary:
        """Whose work a code opens, in counts and dates; using it is another step.

        Raises NoSuchCode.
        """
        return self.store.summary(self._behind(code, address))

    def switch(self, code: str, *, address: str = "") -> Recovered:
        """Become the learner of a code; what this device did before stays where it is.

        The code is used up and replaced. Raises NoSuchCode.
        """
        self._behind(code, address)
        self.door.check_disk()
        code_after = new_code()
        found = self.store.use_code(code_hash(code), code_hash(code_after), self.now())
        if found is None:
            raise NoSuchRecoveryCode(code)
        return Recovered(found, code_after)

    def join(self, learner: LearnerId, code: str, *, address: str = "") -> Recovered:
        """Become the learner of a code and bring along what this device did.

        Raises NoSuchCode, and TwoSeats where both are in one class: a friend's code gives no one
        the friend's passes.
        """
        gone, into = self.get(learner).id, self._behind(code, address)
        if gone != into and not self.exercises.rulebook.may_join(gone, into):
            raise TwoSeats
        recovered = self.switch(code, address=address)
        self.store.join(gone, recovered.learner, self.now())
        self.door.forget_learners()
        return recovered

    def _behind(self, code: str, address: str) -> LearnerId:
        """Whose code this is. Raises NoSuchCode, and Refused for wrong ones sent again and again.

        Only wrong codes are counted, by code and by address: one who tries their way through keeps
        no other behind their address from using a right one.
        """
        wanted = code_hash(code)
        found = self.store.by_code(wanted)
        if found is not None:
            return found
        self.door.admit_wrong_code(wanted.hex(), address)
        raise NoSuchRecoveryCode(code)


def _tidy(name: str) -> str:
    """One line of visible text; raises BadName where there is more than that."""
    plain = unicodedata.normalize("NFC", " ".join(name.split()))
    if any(unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn") for letter in plain):
        raise BadName("This name has characters that nobody can see. Type it again.")
    if len(plain) > NAME_LETTERS:
        raise BadName(f"A name has up to {NAME_LETTERS} letters; this one has {len(plain)}.")
    return plain
