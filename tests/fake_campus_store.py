"""Fakes of the ports of campuses: registrations, courses, scores, tickets. All in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from app.model import LearnerId
from app.model.campuses import (
    Course,
    Deployment,
    DeploymentState,
    Identity,
    Link,
    LoginState,
    OwnKey,
    Registration,
    Score,
    ScoreState,
    Ticket,
)
from app.model.classes import AccountId, AssignmentId, Class, ClassId, EnrolmentId
from app.ports.classes import Taken
from tests.fake_class_shelves import ClassShelves
from tests.fake_people import FakeClasses

KEPT = timedelta(hours=1)


class FakeRegistrations:
    """The port `Registrations`."""

    def __init__(self) -> None:
        self._all: dict[str, Registration] = {}
        self._deployments: dict[tuple[str, str], Deployment] = {}
        self._logins: dict[bytes, LoginState] = {}
        self._keys: dict[str, OwnKey] = {}
        self._offers: dict[bytes, datetime] = {}

    def add(self, registration: Registration) -> None:
        self.save(registration)

    def save(self, registration: Registration) -> None:
        for other in self._all.values():
            same = (other.issuer, other.client_id) == (registration.issuer, registration.client_id)
            if same and other.id != registration.id:
                raise Taken(registration.issuer)
        self._all[registration.id] = registration

    def get(self, registration: str) -> Registration | None:
        return self._all.get(registration)

    def all(self) -> tuple[Registration, ...]:
        return tuple(sorted(self._all.values(), key=lambda one: (one.name, one.id)))

    def add_origin(self, registration: str, origin: str, most: int) -> None:
        found = self._all[registration]
        if origin not in found.origins and len(found.origins) < most:
            self._all[registration] = replace(found, origins=(*found.origins, origin))

    def deployments(self, registration: str) -> tuple[Deployment, ...]:
        mine = [one for (of, _), one in self._deployments.items() if of == registration]
        return tuple(sorted(mine, key=lambda one: (one.first_seen, one.deployment)))

    def see(self, deployment: Deployment) -> Deployment:
        key = deployment.registration, deployment.deployment
        return self._deployments.setdefault(key, deployment)

    def set_deployment(self, registration: str, deployment: str, state: DeploymentState) -> None:
        key = registration, deployment
        self._deployments[key] = replace(self._deployments[key], state=state)

    def begin(self, state: LoginState) -> None:
        self.forget_logins(state.made_at)
        self._logins[state.state_hash] = state

    def forget_logins(self, now: datetime) -> None:
        kept = self._logins.items()
        self._logins = {key: one for key, one in kept if one.expires_at >= now - KEPT}

    def state(self, state_hash: bytes) -> LoginState | None:
        return self._logins.get(state_hash)

    def use(self, state_hash: bytes, now: datetime) -> bool:
        found = self._logins.get(state_hash)
        if found is None or found.used_at is not None or found.expires_at <= now:
            return False
        self._logins[state_hash] = replace(found, used_at=now)
        return True

    def keys(self) -> tuple[OwnKey, ...]:
        return tuple(sorted(self._keys.values(), key=lambda one: (one.made_at, one.kid)))

    def add_key(self, key: OwnKey) -> None:
        self._keys[key.kid] = key

    def retire_key(self, kid: str, at: datetime) -> None:
        self._keys[kid] = replace(self._keys[kid], retired_at=at)

    def forget_key(self, kid: str) -> None:
        self._keys.pop(kid, None)

    def add_offer(self, token_hash: bytes, by: str | None, until: datetime) -> None:
        self._offers[token_hash] = until

    def offer(self, token_hash: bytes, now: datetime) -> bool:
        return token_hash in self._offers and now < self._offers[token_hash]

    def use_offer(self, token_hash: bytes, now: datetime) -> bool:
        return self.offer(token_hash, now) and bool(self._offers.pop(token_hash))


class FakeCourses:
    """The port `Courses`."""

    def __init__(self, kept: ClassShelves, classes: FakeClasses) -> None:
        self._work = kept.work
        self._classes = classes
        self._all: dict[str, Course] = {}
        self._links: dict[tuple[str, str], Link] = {}
        self._identities: dict[tuple[str, str], Identity] = {}

    def see(self, course: Course) -> Course:
        key = course.registration, course.deployment, course.context
        for known in self._all.values():
            if (known.registration, known.deployment, known.context) == key:
                seen = replace(
                    course, id=known.id, class_id=known.class_id, synced_at=known.synced_at
                )
                self._all[known.id] = seen
                return seen
        self._all[course.id] = replace(course, class_id=None, synced_at=None)
        return self._all[course.id]

    def get(self, course: str) -> Course | None:
        return self._all.get(course)

    def of_class(self, class_id: ClassId) -> Course | None:
        return next((one for one in self._all.values() if one.class_id == class_id), None)

    def connected(self) -> tuple[Course, ...]:
        return tuple(one for one in self._all.values() if one.class_id is not None)

    def connect(self, course: str, class_id: ClassId) -> bool:
        with self._work.lock:
            if self._all[course].class_id is not None:
                return False
            other = self.of_class(class_id)
            if other is not None:
                self.let_go(other.id)
            self._all[course] = replace(self._all[course], class_id=class_id)
            return True

    def connect_new(self, course: str, made: Class, by: AccountId) -> bool:
        with self._work.lock:
            if self._all[course].class_id is not None:
                return False
            self._classes.add(made, by)
            return self.connect(course, made.id)

    def let_go(self, course: str) -> None:
        self._all[course] = replace(self._all[course], class_id=None)

    def synced(self, course: str, at: datetime) -> None:
        self._all[course] = replace(self._all[course], synced_at=at)

    def link(self, course: str, resource_link: str) -> Link | None:
        return self._links.get((course, resource_link))

    def links(self, course: str) -> tuple[Link, ...]:
        mine = [one for (of, _), one in self._links.items() if of == course]
        return tuple(sorted(mine, key=lambda one: one.resource_link))

    def save_link(self, link: Link) -> None:
        self._links[link.course, link.resource_link] = link

    def identity(self, registration: str, subject: str) -> Identity | None:
        return self._identities.get((registration, subject))

    def save_identity(self, identity: Identity, at: datetime) -> None:
        if identity.learner is not None:
            self._work.ensure(identity.learner, at)
        key = identity.registration, identity.subject
        first = self._identities.get(key, identity)
        learner, account = first.learner or identity.learner, first.account or identity.account
        self._identities[key] = replace(identity, learner=learner, account=account)

    def subjects(self, registration: str) -> Mapping[LearnerId, str]:
        mine = (one for one in self._identities.values() if one.registration == registration)
        found = sorted(mine, key=lambda one: one.subject)
        return {one.learner: one.subject for one in found if one.learner is not None}

    def joined(self, gone: LearnerId, into: LearnerId) -> None:
        """Who somebody of a campus is goes along when two learners are joined."""
        for key, one in self._identities.items():
            if one.learner == gone:
                self._identities[key] = replace(one, learner=into)


class FakeScores:
    """The port `Scores`."""

    def __init__(self, kept: ClassShelves) -> None:
        self._kept = kept
        self._all: dict[tuple[AssignmentId, EnrolmentId], Score] = {}

    def put(self, score: Score) -> None:
        self._all[score.assignment, score.enrolment] = score

    def of_class(self, class_id: ClassId) -> tuple[Score, ...]:
        given = self._kept.assignments
        mine = [one for one in self._all.values() if given[one.assignment].class_id == class_id]
        mine.sort(key=lambda one: (given[one.assignment].position, one.enrolment))
        return tuple(mine)

    def get(self, assignment: AssignmentId, enrolment: EnrolmentId) -> Score | None:
        return self._all.get((assignment, enrolment))

    def due(self, now: datetime, most: int = 50) -> tuple[Score, ...]:
        waiting = [one for one in self._all.values() if one.state == "waiting"]
        found = sorted(waiting, key=lambda one: (one.next_at, one.enrolment))
        return tuple(one for one in found if one.next_at <= now)[:most]

    def claim(self, score: Score, until: datetime) -> bool:
        with self._kept.work.lock:
            found = self._waiting(score, score.next_at)
            if found is not None:
                self.put(replace(found, next_at=until))
            return found is not None

    def settle(self, score: Score, until: datetime) -> bool:
        with self._kept.work.lock:
            found = self._waiting(score, until)
            if found is not None:
                self.put(score)
            return found is not None

    def _waiting(self, score: Score, next_at: datetime) -> Score | None:
        found = self.get(score.assignment, score.enrolment)
        is_it = found is not None and (found.state, found.next_at) == ("waiting", next_at)
        return found if is_it else None

    def counts(self) -> Mapping[ScoreState, int]:
        return dict(Counter(one.state for one in self._all.values()))

    def oldest_waiting(self) -> datetime | None:
        waiting = (one.as_of for one in self._all.values() if one.state == "waiting")
        return min(waiting, default=None)

    def again(self, class_id: ClassId, now: datetime) -> int:
        late = [one for one in self.of_class(class_id) if one.state in ("failed", "waiting")]
        for one in late:
            fresh = replace(one, state="waiting", tries=0, next_at=now, lineitem="", error="")
            self.put(fresh)
        return len(late)


class FakeTickets:
    """The port `KeptTickets`."""

    def __init__(self, kept: ClassShelves) -> None:
        self._lock = kept.work.lock
        self._all: dict[bytes, Ticket] = {}

    def keep(self, ticket: Ticket, now: datetime) -> None:
        self.forget(now)
        self._all[ticket.token_hash] = ticket

    def look(self, token_hash: bytes, now: datetime) -> Ticket | None:
        found = self._all.get(token_hash)
        return found if found is not None and found.expires_at > now else None

    def take(self, token_hash: bytes, now: datetime) -> Ticket | None:
        with self._lock:
            found = self.look(token_hash, now)
            if found is not None:
                del self._all[token_hash]
            return found

    def forget(self, now: datetime) -> None:
        self._all = {key: one for key, one in self._all.items() if one.expires_at > now}


class FakeCampusStore:
    """The port `CampusStore`."""

    def __init__(self, kept: ClassShelves, classes: FakeClasses) -> None:
        self.registrations = FakeRegistrations()
        self.courses = FakeCourses(kept, classes)
        self.scores = FakeScores(kept)
        self.tickets = FakeTickets(kept)
