"""Classes: made, changed, archived; their join codes and their staff."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from app.classroom import dates
from app.model.classes import (
    Account,
    AccountId,
    AuditEntry,
    Class,
    ClassId,
    JoinBy,
    Staff,
    StaffRole,
)
from app.ports.classes import Taken
from app.service.school import room
from app.service.school.accounts import plain_login
from app.service.school.errors import Complaints, Conflict, NotThere
from app.service.school.parts import By, SchoolParts
from app.service.school.rules import ClassRules
from app.service.school.words import tidy
from app.service.tokens import CODE_ALPHABET

CODE_LENGTH = 10
LONGEST_TITLE = 200
RETENTION = (1, 3_650)
"""The fewest and the most days a class is kept after archiving."""


class ClassBook:
    """The use cases around a class itself."""

    def __init__(self, parts: SchoolParts, rules: ClassRules) -> None:
        self._parts = parts
        self._rules = rules

    def make(self, title: str, zone: str, by: Account, term: str = "") -> Class:
        """Make a class that `by` teaches. Raises Complaints, Conflict, Refused."""
        made = self.drafted(title, zone, term)
        room.for_class(self._parts, by.id)
        self._parts.school.classes.add(made, by.id)
        self._parts.note(by, "class made", made.id, made.title, made.id)
        return made

    def drafted(self, title: str, zone: str, term: str = "") -> Class:
        """A class as it would be made; nothing is kept yet. Raises Complaints."""
        checked = _checked({"title": title, "zone": zone, "term": term})
        return Class(
            ClassId(self._parts.ids.next()),
            checked["title"],
            checked["zone"],
            self._parts.now(),
            checked["term"],
            _new_code(),
        )

    def get(self, class_id: ClassId) -> Class:
        """One class. Raises NotThere."""
        return self._parts.class_of(class_id)

    def all(self) -> tuple[Class, ...]:
        """All classes, newest first."""
        return self._parts.school.classes.all()

    def taught_by(self, account: Account) -> tuple[tuple[Class, StaffRole], ...]:
        """The classes of an account with its part in each; a host sees all, as an instructor."""
        if account.host:
            return tuple((made, "instructor") for made in self.all())
        found = self._parts.school.classes.taught_by(account.id)
        return tuple((made, staff.role) for made, staff in found)

    def role(self, class_id: ClassId, account: Account) -> StaffRole | None:
        """An account's part in a class, or None; a host is an instructor of each."""
        if account.host:
            return "instructor" if self._parts.school.classes.get(class_id) else None
        staff = self._parts.school.classes.staff(class_id)
        return next((one.role for one in staff if one.account == account.id), None)

    def change(self, class_id: ClassId, fields: Mapping[str, str], by: By) -> Class:
        """Change title, term, zone, how learners join, or how long it is kept.

        Fields that are not given stay. Raises Complaints with all of them at once.
        """
        before = self.running(class_id)
        checked = _checked(fields)
        after = replace(
            before,
            title=checked.get("title", before.title),
            term=checked.get("term", before.term),
            zone=checked.get("zone", before.zone),
            join_by=_join_by(checked.get("join_by"), before.join_by),
            retention_days=int(checked.get("retention_days", before.retention_days)),
        )
        self._save(before, after, by, "class changed")
        return after

    def new_code(self, class_id: ClassId, by: By, until: datetime | None = None) -> Class:
        """Another join code; the one before opens nothing any more."""
        before = self.running(class_id)
        after = replace(before, join_code=_new_code(), join_until=until)
        self._save(before, after, by, "join code replaced")
        return after

    def close_joining(self, class_id: ClassId, by: By) -> Class:
        """Take the join code away."""
        before = self.running(class_id)
        after = replace(before, join_code=None)
        self._save(before, after, by, "joining closed")
        return after

    def archive(self, class_id: ClassId, by: By, *, archived: bool = True) -> Class:
        """Make a class read only, or bring it back; from archiving on its retention counts."""
        before = self._parts.class_of(class_id)
        after = replace(before, archived_at=self._parts.now() if archived else None)
        self._save(before, after, by, "class archived" if archived else "class brought back")
        return after

    def deleted_at(self, made: Class) -> datetime | None:
        """When an archived class's work goes."""
        if made.archived_at is None:
            return None
        return made.archived_at + timedelta(days=made.retention_days)

    def running(self, class_id: ClassId) -> Class:
        """A class that is not archived. Raises NotThere, and Conflict for an archived one."""
        found = self._parts.class_of(class_id)
        if found.archived_at is not None:
            raise Conflict("This class is archived. Bring it back to change something.")
        return found

    def _save(self, before: Class, after: Class, by: By, action: str) -> None:
        if before == after:
            return
        try:
            self._parts.school.classes.save(after)
        except Taken:
            raise Conflict("Another class has this code. Try again.") from None
        self._rules.forget()
        changed = [
            f"{name}: {getattr(before, name)} → {getattr(after, name)}"
            for name in ("title", "term", "zone", "join_by", "retention_days")
            if getattr(before, name) != getattr(after, name)
        ]
        self._parts.note(by, action, after.id, "; ".join(changed), after.id)

    # -------------------------------------------------------------- staff

    def staff(self, class_id: ClassId) -> tuple[Staff, ...]:
        """Who teaches it, instructors first."""
        return self._parts.school.classes.staff(class_id)

    def add_staff(self, class_id: ClassId, login: str, role: str, by: By) -> Staff:
        """Let an account teach a class, or change its part. Raises Complaints."""
        self.running(class_id)
        account = self._parts.school.accounts.by_login(plain_login(login))
        if account is None:
            raise Complaints({"login": "Nobody has this login. The host makes accounts for staff."})
        if role not in ("instructor", "assistant"):
            raise Complaints({"role": "Choose instructor or assistant."})
        part: StaffRole = "instructor" if role == "instructor" else "assistant"
        staff = Staff(class_id, account.id, part, self._parts.now(), account.name)
        if not self._parts.school.classes.set_staff(staff):
            raise Complaints({"role": "A class needs an instructor. Add another one first."})
        self._parts.note(by, "staff added", account.id, f"{account.login}: {role}", class_id)
        return staff

    def remove_staff(self, class_id: ClassId, account: AccountId, by: By) -> None:
        """End somebody's part. Raises Complaints for the last instructor."""
        if not self._parts.school.classes.remove_staff(class_id, account):
            raise Complaints({"account": "A class needs an instructor. Add another one first."})
        self._parts.note(by, "staff removed", account, "", class_id)

    def audit(self, class_id: ClassId, most: int = 200) -> tuple[AuditEntry, ...]:
        """What was done in a class, newest first."""
        return self._parts.school.audit.of_class(class_id, most)

    def without_instructor(self) -> tuple[Class, ...]:
        """Classes without staff who can sign in."""
        found = []
        for made in self.all():
            staff = self._parts.school.classes.staff(made.id)
            accounts = [self._parts.school.accounts.get(one.account) for one in staff]
            if not any(account and account.disabled_at is None for account in accounts):
                found.append(made)
        return tuple(found)

    def by_name(self, name: str) -> Class:
        """The class of an id, or of a title that only one has. Raises NotThere."""
        fits = [made for made in self.all() if name in (made.id, made.title)]
        if len(fits) != 1:
            raise NotThere(name)
        return fits[0]


def _new_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def _join_by(text: str | None, instead: JoinBy) -> JoinBy:
    if text is None:
        return instead
    return "roster" if text == "roster" else "name"


def _checked(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields as they are kept. Raises Complaints with all that is off."""
    said: dict[str, str] = {}
    kept = {name: text.strip() for name, text in fields.items()}
    for name in ("title", "term"):
        if name in kept:
            plain = tidy(kept[name], LONGEST_TITLE)
            if plain is None:
                said[name] = f"Use at most {LONGEST_TITLE} visible letters."
            kept[name] = plain or ""
    if "title" in kept and "title" not in said and not kept["title"]:
        said["title"] = "Give the class a title."
    if "zone" in kept and kept["zone"] not in dates.zone_names():
        said["zone"] = "Choose a time zone from the list, such as Europe/Berlin."
    if kept.get("join_by", "name") not in ("name", "roster"):
        said["join_by"] = "Choose one of the two."
    days = kept.get("retention_days", "550")
    if not days.isdecimal() or not RETENTION[0] <= int(days[:9]) <= RETENTION[1]:
        said["retention_days"] = f"Choose from {RETENTION[0]} to {RETENTION[1]:,} days."
    if said:
        raise Complaints(said)
    return kept
