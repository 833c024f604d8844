"""The people of a class: joining, seats, removing, and bringing back."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from datetime import timedelta

from app.admission import Rate
from app.model import LearnerId
from app.model.classes import Account, Class, ClassId, Enrolment, EnrolmentId, State
from app.ports.classes import Taken
from app.service.school import room
from app.service.school.classes import ClassBook
from app.service.school.errors import Complaints, Conflict, NoSuchCode, NotThere
from app.service.school.parts import By, SchoolParts, Tries
from app.service.school.rules import ClassRules
from app.service.school.words import tidy
from app.service.tokens import CODE_ALPHABET, code_hash

SEAT_LASTS = timedelta(days=7)
SEAT_LENGTH = 8
WRONG_CODES = Rate(20)
"""Wrong codes a minute an address; right ones are never counted."""

LONGEST_NAME = 80


@dataclass(frozen=True)
class Seated:
    """Somebody is in: the class, their seat, and the learner the browser's cookie has to carry."""

    made: Class
    enrolment: Enrolment
    learner: LearnerId
    fresh: bool = True


class People:
    """The use cases around who is in a class."""

    def __init__(self, parts: SchoolParts, rules: ClassRules, classes: ClassBook) -> None:
        self._parts = parts
        self._rules = rules
        self._classes = classes
        self._wrong = Tries(WRONG_CODES, parts.steady)

    # -------------------------------------------------------------- joining

    def look(self, code: str, *, address: str = "") -> Class:
        """The class of a join code. Raises NoSuchCode, and TooOften after too many wrong ones."""
        found = self._parts.school.classes.by_code(_plain(code))
        if found is None or not self._admits(found):
            self._wrong.take(address)
            raise NoSuchCode(code)
        return found

    def _admits(self, found: Class) -> bool:
        if found.archived_at is not None:
            return False
        return found.join_until is None or self._parts.now() <= found.join_until

    def seat_of(self, class_id: ClassId, learner: LearnerId) -> Enrolment | None:
        """A learner's own seat in a class, whatever its state."""
        mine = self._parts.school.enrolments.of_learner(learner)
        return next((one for one in mine if one.class_id == class_id), None)

    def join(self, code: str, learner: LearnerId, name: str, *, address: str = "") -> Seated:
        """Come in by the code and a name; who is in already stays as they are.

        Raises NoSuchCode (also for somebody who was removed), TooOften, Conflict and Refused where
        there is no room, and Complaints for the name or where the class admits by its roster only.
        """
        made = self.look(code, address=address)
        seat = self.seat_of(made.id, learner)
        if seat is not None and seat.state in ("active", "preview"):
            return Seated(made, seat, learner, fresh=False)
        if seat is not None:
            raise NoSuchCode(code)
        if made.join_by == "roster":
            raise Complaints(
                {"seat": "This class needs a seat code. Ask your instructor for yours."}
            )
        plain = self._name(name)
        room.for_joining(self._parts, learner, made.id)
        now = self._parts.now()
        enrolment = Enrolment(
            EnrolmentId(self._parts.ids.next()),
            made.id,
            plain,
            sort_name(plain),
            learner,
            joined_at=now,
        )
        try:
            self._parts.school.enrolments.add(enrolment)
        except Taken:  # another tab was quicker
            return self.join(code, learner, name, address=address)
        if not self._parts.store.learners.get(learner).name:
            self._parts.store.learners.rename(learner, plain, now)
            self._parts.forget_learners()
        self._rules.forget()
        return Seated(made, enrolment, learner)

    def _name(self, name: str) -> str:
        plain = tidy(name, LONGEST_NAME)
        if not plain:
            raise Complaints({"name": f"Write your name, in up to {LONGEST_NAME} visible letters."})
        return plain

    # -------------------------------------------------------------- seats

    def make_seat(self, class_id: ClassId, enrolment: EnrolmentId, by: By) -> str:
        """A seat code for one person, shown once, good once and for seven days. Raises NotThere."""
        self._classes.running(class_id)
        found = self.one(class_id, enrolment)
        if found.state not in ("active", "invited"):
            raise Conflict(f"{found.name} is not in the class. Bring them back first.")
        letters = "".join(secrets.choice(CODE_ALPHABET) for _ in range(SEAT_LENGTH))
        until = self._parts.now() + SEAT_LASTS
        self._parts.school.enrolments.set_seat(enrolment, code_hash(letters), until)
        self._parts.note(by, "seat code made", enrolment, found.name, class_id)
        return "-".join(letters[n : n + 4] for n in range(0, SEAT_LENGTH, 4)).lower()

    def take_seat(self, code: str, learner: LearnerId, *, address: str = "") -> Seated:
        """Use a seat code up: the browser becomes the person whose seat it is.

        Where somebody sat there, the browser takes over that learner with all their work. Raises
        NoSuchCode, TooOften, and Conflict where this browser has another seat in the class.
        """
        seat_hash = code_hash(code)
        found = self._parts.school.enrolments.by_seat(seat_hash)
        if found is None:
            self._wrong.take(address)
            raise NoSuchCode(code)
        made = self._parts.class_of(found.class_id)
        who = found.learner or learner
        if made.archived_at is not None:
            raise NoSuchCode(code)
        try:
            seated = self._parts.school.enrolments.take_seat(seat_hash, who, self._parts.now())
        except Taken:
            raise Conflict(
                "This browser has a seat in the class under another name. "
                "Ask your instructor to merge the two."
            ) from None
        outcome = "seat code refused" if seated is None else "seat code used"
        self._parts.note(f"learner {who}", outcome, found.id, found.name, found.class_id)
        if seated is None:
            self._wrong.take(address)
            raise NoSuchCode(code)
        self._rules.forget()
        return Seated(made, seated, who)

    def preview(self, class_id: ClassId, learner: LearnerId, by: Account) -> Enrolment:
        """A seat from which staff see the class as a learner does; nothing done there counts."""
        seat = self.seat_of(class_id, learner)
        if seat is not None:
            if seat.state != "preview":
                raise Conflict("This browser is in the class as a learner.")
            return seat
        room.for_people(self._parts, class_id)
        enrolment = Enrolment(
            EnrolmentId(self._parts.ids.next()),
            class_id,
            by.name,
            learner=learner,
            state="preview",
            joined_at=self._parts.now(),
        )
        self._parts.school.enrolments.add(enrolment)
        self._rules.forget()
        return enrolment

    # -------------------------------------------------------------- the roster, one by one

    def all(self, class_id: ClassId) -> tuple[Enrolment, ...]:
        """Everybody in a class, removed ones too, without the seats that staff look from."""
        people = self._parts.school.enrolments.of_class(class_id)
        return tuple(one for one in people if one.state != "preview")

    def one(self, class_id: ClassId, enrolment: EnrolmentId) -> Enrolment:
        """One person of a class. Raises NotThere, also for another class's."""
        found = self._parts.school.enrolments.get(enrolment)
        if found is None or found.class_id != class_id or found.merged_into is not None:
            raise NotThere(enrolment)
        return found

    def sections(self, class_id: ClassId) -> tuple[str, ...]:
        """The sections of a class, in order."""
        return tuple(sorted({one.section for one in self.all(class_id) if one.section}))

    def rename(self, class_id: ClassId, enrolment: EnrolmentId, name: str, by: By) -> None:
        """Change a name. Raises NotThere, Complaints."""
        before = self.one(class_id, enrolment)
        plain = self._name(name)
        after = replace(before, name=plain, sort_name=sort_name(plain))
        self._save(after, by, "renamed", f"{before.name} → {plain}")

    def set_section(self, class_id: ClassId, enrolment: EnrolmentId, section: str, by: By) -> None:
        """Put somebody into a section; "" for none."""
        before = self.one(class_id, enrolment)
        plain = tidy(section, 80)
        if plain is None:
            raise Complaints({"section": "Use at most 80 visible letters."})
        after = replace(before, section=plain)
        self._save(after, by, "section changed", f"{before.section} → {plain}")

    def remove(self, class_id: ClassId, enrolment: EnrolmentId, by: By) -> None:
        """Take somebody out: their work stays, nothing of it is shown, no score is sent."""
        before = self.one(class_id, enrolment)
        after = replace(before, state="removed", removed_at=self._parts.now())
        self._save(after, by, "removed", before.name)

    def bring_back(self, class_id: ClassId, enrolment: EnrolmentId, by: By) -> None:
        """Let somebody in again who was removed."""
        before = self.one(class_id, enrolment)
        state: State = "active" if before.learner is not None else "invited"
        after = replace(before, state=state, removed_at=None)
        self._save(after, by, "brought back", before.name)

    def _save(self, after: Enrolment, by: By, action: str, detail: str) -> None:
        self._classes.running(after.class_id)
        self._parts.school.enrolments.save(after)
        self._parts.note(by, action, after.id, detail, after.class_id)
        self._rules.forget()


def _plain(code: str) -> str:
    """A join code as it is kept; case, dashes and the letters people mistake do not matter."""
    plain = code[:40].upper().translate(str.maketrans("ILO", "110", " -\t\r\n\u2013\u2014"))
    return plain if set(plain) <= set(CODE_ALPHABET) else ""


def sort_name(name: str) -> str:
    """A name as a roster sorts it: the last word first."""
    first, _, last = name.rpartition(" ")
    return f"{last}, {first}" if first else name
