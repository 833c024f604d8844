"""The people of a connected course, as the campus lists them: read whole, then applied."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.classroom.campus_members import MOST_PAGES, Member, UnreadableList, following, members
from app.classroom.campus_scores import MEMBERS, SCOPE_MEMBERS
from app.classroom.launch import Launch
from app.model import LearnerId
from app.model.campuses import Course, Registration
from app.model.classes import ClassId, Enrolment, EnrolmentId, State
from app.ports.campuses import Reply, Unreachable
from app.ports.classes import Taken
from app.service.school import room
from app.service.school.campus.persons import NUMBERED, CampusPersons, invited_as
from app.service.school.campus.registering import Registering
from app.service.school.errors import Conflict, NotThere
from app.service.school.parts import By, SchoolParts
from app.service.school.people import sort_name
from app.service.school.rules import ClassRules
from app.service.school.words import visible

LET_GO = "The connection to this course was ended while its list was read. Nothing was changed."


@dataclass(frozen=True)
class Synced:
    """What reading the list changed: how many are new, renamed or back, and gone."""

    new: int
    changed: int
    removed: int


class CampusMembers:
    """The use cases around a course's list of people."""

    def __init__(
        self,
        parts: SchoolParts,
        rules: ClassRules,
        registering: Registering,
        persons: CampusPersons,
    ) -> None:
        self._parts = parts
        self._rules = rules
        self._registering = registering
        self._persons = persons

    def sync(self, class_id: ClassId, by: By) -> Synced:
        """Bring a class up to date with its course. Raises NotThere, Conflict with a sentence.

        A list that could not be read to its end changes nothing, nor does that of a course that
        was let go meanwhile.
        """
        course = self._parts.school.campus.courses.of_class(class_id)
        if course is None:
            raise NotThere(class_id)
        if not course.nrps_url:
            raise Conflict("Your campus does not let us read the list of people of this course.")
        registration = self._registering.get(course.registration)
        try:
            listed = self._read(registration, course.nrps_url)
        except (Unreachable, UnreadableList) as error:
            raise Conflict(f"{error} Nothing was changed.") from None
        now = self._parts.school.campus.courses.of_class(class_id)
        if now is None or now.id != course.id:
            raise Conflict(LET_GO)
        synced = self._apply(course, class_id, listed)
        self._parts.school.campus.courses.synced(course.id, self._parts.now())
        said = f"{synced.new} new, {synced.changed} changed, {synced.removed} removed"
        self._parts.note(by, "people read from the campus", class_id, said, class_id)
        return synced

    def _read(self, registration: Registration, start: str) -> dict[str, Member]:
        found: dict[str, Member] = {}
        address: str | None = start
        for _ in range(MOST_PAGES):
            reply = self._page(registration, address or "")
            for member in members(reply.content):
                found[member.subject] = member
            address = following(address or "", reply.headers.get("link", ""))
            if address is None:
                return found
        raise UnreadableList("Your campus’s list of people never ends.")

    def _page(self, registration: Registration, address: str) -> Reply:
        """One page; a token that was refused is asked for anew, once."""
        campus = self._parts.campus()
        for _ in range(2):
            token = campus.token(registration, self._registering.signing_key(), (SCOPE_MEMBERS,))
            reply = campus.call("GET", address, token=token, accept=MEMBERS)
            if reply.status != 401:
                break
            campus.forget_token(registration)
        if reply.status != 200:
            words = f": {reply.words}" if reply.words else "."
            raise UnreadableList(f"Your campus does not give the list ({reply.status}){words}")
        return reply

    # -------------------------------------------------------------- applied

    def _apply(self, course: Course, class_id: ClassId, listed: dict[str, Member]) -> Synced:
        people = self._parts.school.enrolments.of_class(class_id)
        subjects = self._parts.school.campus.courses.subjects(course.registration)
        by_learner = {one.learner: one for one in people if one.learner is not None}
        here = {subjects[who]: one for who, one in by_learner.items() if who in subjects}
        learners = {
            one.subject: one for one in listed.values() if one.active and one.part == "learner"
        }
        gone = [
            replace(one, state="removed", removed_at=self._parts.now())
            for subject, one in here.items()
            if subject not in learners and one.state in ("active", "invited")
        ]
        changed = [self._changed(one, learners[s]) for s, one in here.items() if s in learners]
        changed = [one for one in changed if one not in people]
        fresh = [member for subject, member in learners.items() if subject not in here]
        new, met = self._new(course, class_id, people, fresh)
        room.for_people(self._parts, class_id, len(new))
        try:
            self._parts.school.enrolments.apply(new, [*changed, *met, *gone])
        except Taken:
            raise Conflict(
                "Two people of the list would have one id. Nothing was changed."
            ) from None
        self._rules.forget()
        return Synced(len(new), len(changed) + len(met), len(gone))

    def _changed(self, one: Enrolment, member: Member) -> Enrolment:
        """Somebody as the list has them: back in, and named where they had no name."""
        after = one
        if one.state == "removed":
            back: State = "active" if one.joined_at is not None else "invited"
            after = replace(after, state=back, removed_at=None)
        named = visible(member.name, 80)
        if named and NUMBERED.fullmatch(one.name):
            after = replace(after, name=named, sort_name=sort_name(named))
        return after

    def _new(
        self,
        course: Course,
        class_id: ClassId,
        people: tuple[Enrolment, ...],
        fresh: list[Member],
    ) -> tuple[list[Enrolment], list[Enrolment]]:
        """Seats for who is new, and those of a roster that turn out to be theirs."""
        made: list[Enrolment] = []
        met: list[Enrolment] = []
        for member in fresh:
            who = self._learner(course, member)
            seen = Launch(
                "resource", member.subject, "", "learner", "",
                email=member.email, student_id=member.student_id,
            )  # fmt: skip
            seat = next((one for one in people if invited_as(one, seen)), None)
            if seat is not None and seat.id not in {one.id for one in met}:
                met.append(replace(seat, learner=who))
                continue
            name = visible(member.name, 80) or f"Learner {len(people) + len(made) + 1}"
            made.append(
                Enrolment(
                    EnrolmentId(self._parts.ids.next()),
                    class_id,
                    name,
                    sort_name(name),
                    who,
                    campus_login=visible(member.email, 200) or None,
                    state="invited",
                )
            )
        return made, met

    def _learner(self, course: Course, member: Member) -> LearnerId:
        known = self._parts.school.campus.courses.identity(course.registration, member.subject)
        if known is not None and known.learner is not None:
            return self._parts.store.learners.get(known.learner).id
        return self._persons.new_learner(course.registration, member.subject, known)
