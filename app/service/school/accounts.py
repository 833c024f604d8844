"""Staff: their accounts, signing in and out, and links that set a password."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, replace
from datetime import timedelta

from app.admission import Rate
from app.model.classes import Account, AccountId, Session
from app.ports.classes import Taken
from app.service.school.errors import Complaints, NotThere, WrongPassword
from app.service.school.parts import By, SchoolParts, Tries
from app.service.school.passwords import Passwords
from app.service.school.words import tidy
from app.service.tokens import token_hash

IDLE = timedelta(hours=12)
LONGEST = timedelta(days=30)
SEEN_EACH = timedelta(minutes=1)
LINK_LASTS = timedelta(hours=24)
SIGN_INS = Rate(5)
"""Tries to sign in a minute an address."""

LOGIN = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,99}")


def plain_login(text: str) -> str:
    """A login as it is kept; "" for what can be none."""
    plain = text.strip().lower()
    return plain if LOGIN.fullmatch(plain) else ""


@dataclass(frozen=True)
class SignedIn:
    """A new session: the token goes into a cookie and is kept nowhere."""

    account: Account
    token: str


class StaffAccounts:
    """The use cases around who teaches here."""

    def __init__(self, parts: SchoolParts) -> None:
        self._parts = parts
        self._passwords = Passwords()
        self._tries = Tries(SIGN_INS, parts.steady)

    def needs_first(self) -> bool:
        """Whether no one can sign in yet: no account has a password."""
        kept = self._parts.school.accounts
        return not any(kept.password(account.id) for account in kept.all())

    def first_link(self) -> str | None:
        """A token for the host's first password, or None where somebody can sign in already."""
        if not self.needs_first():
            return None
        accounts = self._parts.school.accounts.all()
        host = next((account for account in accounts if account.host), None)
        if host is None:
            host = self._new("host", "Host", host=True)
        return self.link(host.id, "the start")

    def add(self, login: str, name: str, by: By, *, host: bool = False) -> tuple[Account, str]:
        """Make an account, and the token of a link that sets its password. Raises Complaints."""
        made = self._new(login, name, host=host)
        self._parts.note(by, "account added", made.id, f"{made.login}, {made.name}")
        return made, self.link(made.id, by)

    def _new(self, login: str, name: str, *, host: bool) -> Account:
        login, name = self._checked(login, name)
        account = Account(
            AccountId(self._parts.ids.next()), name, self._parts.now(), login, host=host
        )
        try:
            self._parts.school.accounts.add(account)
        except Taken:
            raise Complaints({"login": "Somebody has this login already."}) from None
        return account

    def _checked(self, login: str, name: str) -> tuple[str, str]:
        """Login and name as they are kept. Raises Complaints."""
        said = {}
        login, name = login.strip().lower(), tidy(name, 200) or ""
        if not LOGIN.fullmatch(login):
            said["login"] = "A login has letters, digits and . _ @ + -, such as ann or ann@uni.edu."
        if not name:
            said["name"] = "Write a name with visible letters."
        if said:
            raise Complaints(said)
        return login, name

    def link(self, account: AccountId, by: By) -> str:
        """The token of a link that sets a password once, within a day. Raises NotThere."""
        if self._parts.school.accounts.get(account) is None:
            raise NotThere(account)
        token = secrets.token_urlsafe(24)
        now = self._parts.now()
        self._parts.school.accounts.add_link(token_hash(token), account, now, now + LINK_LASTS)
        self._parts.note(by, "link made", account)
        return token

    def of_link(self, token: str) -> Account:
        """Whose link this is; looking uses nothing up. Raises NotThere."""
        found = self._parts.school.accounts.link(token_hash(token), self._parts.now())
        account = None if found is None else self._parts.school.accounts.get(found)
        if account is None or account.disabled_at is not None:
            raise NotThere("link")
        return account

    def set_password(self, token: str, password: str, login: str = "", name: str = "") -> SignedIn:
        """Use a link: keep the password, and login and name where they are given; sign in.

        Raises NotThere for a used or old link and Complaints for what is typed; then the link
        stays good.
        """
        account = self.of_link(token)
        if login or name:
            login, name = self._checked(login or account.login or "", name or account.name)
            account = replace(account, login=login, name=name)
        complaint = self._passwords.complaint(password)
        if complaint:
            raise Complaints({"password": complaint})
        try:
            self._parts.school.accounts.save(account)
        except Taken:
            raise Complaints({"login": "Somebody has this login already."}) from None
        if self._parts.school.accounts.use_link(token_hash(token), self._parts.now()) is None:
            raise NotThere("link")
        self._parts.school.accounts.set_password(account.id, self._passwords.hashed(password))
        self._parts.note(account, "password set", account.id)
        return self._open(account)

    def sign_in(self, login: str, password: str, *, address: str = "") -> SignedIn:
        """A session for a login and its password. Raises WrongPassword, TooOften."""
        self._tries.take(address)
        account = self._parts.school.accounts.by_login(plain_login(login))
        kept = None
        if account is not None and account.disabled_at is None:
            kept = self._parts.school.accounts.password(account.id)
        if not self._passwords.fits(kept, password) or account is None:
            raise WrongPassword
        return self._open(account)

    def _open(self, account: Account) -> SignedIn:
        token = secrets.token_urlsafe(32)
        now = self._parts.now()
        self._parts.school.sign_ins.open(
            token_hash(token), Session(account.id, now, now, now + LONGEST)
        )
        return SignedIn(account, token)

    def signed_in(self, token: str | None) -> Account | None:
        """Who a cookie's token is; None where the session ended, or its account is shut."""
        if not token:
            return None
        kept, now = self._parts.school.sign_ins.get(token_hash(token)), self._parts.now()
        if kept is None or kept.account is None or kept.framed:
            return None
        if now >= kept.expires_at or now - kept.seen_at >= IDLE:
            return None
        account = self._parts.school.accounts.get(kept.account)
        if account is None or account.disabled_at is not None:
            return None
        if now - kept.seen_at >= SEEN_EACH:
            self._parts.school.sign_ins.saw(token_hash(token), now)
        return account

    def sign_out(self, token: str) -> None:
        """End a session."""
        self._parts.school.sign_ins.end(token_hash(token))

    def all(self) -> tuple[Account, ...]:
        """All accounts, by name."""
        return self._parts.school.accounts.all()

    def by_login(self, login: str) -> Account:
        """The account of a login. Raises NotThere."""
        found = self._parts.school.accounts.by_login(plain_login(login))
        if found is None:
            raise NotThere(login)
        return found

    def disable(self, account: AccountId, by: By, *, disabled: bool = True) -> None:
        """Shut an account, or open it again. The last host's stays open: raises Complaints."""
        found = self._parts.school.accounts.get(account)
        if found is None:
            raise NotThere(account)
        hosts = [one for one in self.all() if one.host and one.disabled_at is None]
        if disabled and hosts == [found]:
            raise Complaints({"account": "This is the only host. Make another one first."})
        at = self._parts.now() if disabled else None
        self._parts.school.accounts.save(replace(found, disabled_at=at))
        self._parts.note(by, "account disabled" if disabled else "account enabled", account)
