"""A fake of the port `Store`: everything in memory. It passes the contract suite of stores."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from app.model import LearnerId, Slug, SubmissionId, Verdict
from app.records import (
    Draft,
    Drafts,
    FollowUpAnswer,
    Hole,
    Learner,
    Revealed,
    SecondLook,
    WorkSummary,
)
from tests.fake_school import FakeSchool
from tests.fake_shelves import Shelves, verdict_of
from tests.fake_submissions import FakeSubmissions

MOST_DRAFTS = 50


class FakeLearners:
    """The port `Learners`."""

    def __init__(self, kept: Shelves) -> None:
        self._kept = kept

    def get(self, learner: LearnerId) -> Learner:
        return self._kept.who(learner)

    def rename(self, learner: LearnerId, name: str, at: datetime) -> None:
        with self._kept.lock:
            self._kept.ensure(learner, at)
            self._kept.learners[learner] = replace(self._kept.learners[learner], name=name)

    def set_code(self, learner: LearnerId, code_hash: bytes, at: datetime) -> None:
        with self._kept.lock:
            self._kept.ensure(learner, at)
            self._kept.codes[learner] = code_hash

    def by_code(self, code_hash: bytes) -> LearnerId | None:
        with self._kept.lock:
            found = [who for who, code in self._kept.codes.items() if code == code_hash]
            return self._kept.who(found[0]).id if found else None

    def use_code(self, code_hash: bytes, replacement: bytes, at: datetime) -> LearnerId | None:
        with self._kept.lock:
            found = self.by_code(code_hash)
            for who, code in self._kept.codes.items():
                if code == code_hash:
                    self._kept.codes[who] = replacement
            return found

    def summary(self, learner: LearnerId) -> WorkSummary:
        with self._kept.lock:
            made = self._kept.of(learner)
            return WorkSummary(
                learner,
                self._kept.who(learner).name,
                submissions=len(made),
                passed=len({s.exercise for s in made if verdict_of(s) == Verdict.ACCEPTED}),
                hints=len(self._kept.open_hints(learner)),
                first_at=min((s.created_at for s in made), default=None),
                last_at=max((s.created_at for s in made), default=None),
            )

    def join(self, gone: LearnerId, into: LearnerId, at: datetime) -> None:
        if gone == into:
            return
        kept = self._kept
        with kept.lock:
            kept.ensure(gone, at)
            kept.ensure(into, at)
            for made in kept.of(gone):
                kept.submissions[made.id] = replace(made, learner=into)
                kept.keys.pop(made.id, None)  # both may have used the same one
            for hint in [key for key in kept.hints if key[0] == gone]:
                kept.hints.setdefault((into, *hint[1:]), kept.hints.pop(hint))
            for shown in [key for key in kept.solutions if key[0] == gone]:
                kept.solutions.setdefault((into, shown[1]), kept.solutions.pop(shown))
            for told in [key for key in kept.answers if key[0] == gone]:
                kept.answers.setdefault((into, *told[1:]), kept.answers.pop(told))
            for key in [key for key in kept.drafts if key[0] == gone]:
                draft = kept.drafts.pop(key)
                kept.drafts[into, key[1], draft.version] = replace(draft, device=draft.version)
            for also in kept.after_join:
                also(gone, into)
            self._leave_word(gone, into)

    def _leave_word(self, gone: LearnerId, into: LearnerId) -> None:
        """One hop is always enough: what led to `gone` leads to `into` from now on."""
        known = self._kept.learners
        if not known[into].name:
            known[into] = replace(known[into], name=known[gone].name)
        for who in [gone, *(who for who, to in self._kept.joined.items() if to == gone)]:
            self._kept.joined[who] = into


class FakeLadder:
    """The port `Ladder`."""

    def __init__(self, kept: Shelves) -> None:
        self._kept = kept

    def revealed(self, learner: LearnerId, slug: Slug) -> Revealed:
        with self._kept.lock:
            numbers = [number for _, number in self._kept.open_hints(learner, slug)]
            return Revealed(
                hints=max(numbers, default=0),
                solution=(learner, slug) in self._kept.solutions,
                passed=any(verdict_of(s) == Verdict.ACCEPTED for s in self._kept.of(learner, slug)),
            )

    def reveal_hint(self, learner: LearnerId, slug: Slug, number: int, at: datetime) -> None:
        with self._kept.lock:
            self._kept.ensure(learner, at)
            self._kept.hints.setdefault((learner, slug, number), at)

    def reveal_solution(self, learner: LearnerId, slug: Slug, at: datetime) -> None:
        with self._kept.lock:
            self._kept.ensure(learner, at)
            self._kept.solutions.setdefault((learner, slug), at)

    def answer(self, learner: LearnerId, answer: FollowUpAnswer) -> None:
        with self._kept.lock:
            self._kept.ensure(learner, answer.answered_at)
            self._kept.answers[learner, answer.exercise, answer.number] = answer

    def answers(self, learner: LearnerId, slug: Slug) -> tuple[FollowUpAnswer, ...]:
        with self._kept.lock:
            found = [(key, answer) for key, answer in self._kept.answers.items()]
            return tuple(answer for key, answer in sorted(found) if key[:2] == (learner, slug))


class FakeDrafts:
    """The port `DraftBox`."""

    def __init__(self, kept: Shelves) -> None:
        self._kept = kept

    def save(self, learner: LearnerId, draft: Draft, base: str | None) -> Drafts:
        with self._kept.lock:
            self._kept.ensure(learner, draft.saved_at)
            for key in self._keys(learner, draft.exercise):
                other = self._kept.drafts[key]
                same = other.version == base or other.source == draft.source
                if key[2] != draft.device and same:
                    del self._kept.drafts[key]
            self._kept.drafts[learner, draft.exercise, draft.device] = draft
            found = self.all(learner, draft.exercise)
            for old in found.others[len(found.kept().others) :]:
                self.drop(learner, draft.exercise, old.version)
            return self.all(learner, draft.exercise)

    def all(self, learner: LearnerId, slug: Slug) -> Drafts:
        with self._kept.lock:
            found = [self._kept.drafts[key] for key in self._keys(learner, slug)]
            found.sort(key=lambda draft: draft.version, reverse=True)
            return Drafts(found[0], tuple(found[1:])) if found else Drafts(None)

    def drop(self, learner: LearnerId, slug: Slug, version: str) -> None:
        with self._kept.lock:
            for key in self._keys(learner, slug):
                if self._kept.drafts[key].version == version:
                    del self._kept.drafts[key]

    def _keys(self, learner: LearnerId, slug: Slug) -> list[tuple[LearnerId, Slug, str]]:
        return [key for key in self._kept.drafts if key[:2] == (learner, slug)]


class FakeLinks:
    """The port `Links`."""

    def __init__(self, kept: Shelves) -> None:
        self._kept = kept

    def share(
        self, submission: SubmissionId, token_hash: bytes, nonce: bytes, at: datetime
    ) -> None:
        self._kept.links[submission] = (token_hash, nonce)

    def nonce(self, submission: SubmissionId) -> bytes | None:
        found = self._kept.links.get(submission)
        return None if found is None else found[1]

    def shared(self, token_hash: bytes) -> SubmissionId | None:
        with self._kept.lock:
            found = [s for s, (token, _) in self._kept.links.items() if token == token_hash]
            return found[0] if found else None

    def revoke(self, submission: SubmissionId) -> None:
        self._kept.links.pop(submission, None)


class FakeLooks:
    """The port `LookStore`."""

    def __init__(self, kept: Shelves) -> None:
        self._kept = kept

    def record(self, look: SecondLook) -> None:
        with self._kept.lock:
            if look.submission not in self._kept.submissions:
                return
            self._kept.looks.setdefault(look.submission, look)
            if look.draw is not None:
                hole = look.exercise, look.digest, look.draw
                self._kept.holes.setdefault(hole, look.looked_at)

    def get(self, submission: SubmissionId) -> SecondLook | None:
        return self._kept.looks.get(submission)

    def holes(self) -> tuple[Hole, ...]:
        with self._kept.lock:
            found = [self._hole(*hole, at) for hole, at in self._kept.holes.items()]
        return tuple(sorted(found, key=lambda h: (h.exercise, -h.submissions, h.draw)))

    def _hole(self, exercise: Slug, digest: str, draw: int, at: datetime) -> Hole:
        fell = sorted(
            look.submission
            for look in self._kept.looks.values()
            if (look.exercise, look.digest, look.draw) == (exercise, digest, draw)
        )
        source = self._kept.submissions[fell[0]].source if fell else None
        return Hole(exercise, digest, draw, at, len(fell), source)


class FakeStore:
    """The port `Store`; closing it forgets nothing, as a database does not."""

    shared = False

    def __init__(self) -> None:
        kept = Shelves()
        self.submissions = FakeSubmissions(kept)
        self.learners = FakeLearners(kept)
        self.ladder = FakeLadder(kept)
        self.drafts = FakeDrafts(kept)
        self.links = FakeLinks(kept)
        self.looks = FakeLooks(kept)
        self.school = FakeSchool(kept)

    def does_chores(self) -> bool:
        return True

    def answers(self) -> bool:
        return True

    def close(self) -> None:
        """Nothing to let go of."""
