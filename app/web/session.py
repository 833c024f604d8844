"""Who a browser is: a signed cookie with a random learner id, and nothing of it in the database.

The row is written with the first submission, hint or draft, by the service. A cookie that is
missing, forged or signed with another secret gives a new learner, never an error.
"""

from __future__ import annotations

from http.cookies import SimpleCookie

from itsdangerous import BadSignature, TimestampSigner

from app.model import LearnerId

COOKIE = "mlgrind"
EMBEDDED = "__Host-mlgrind-embed"
"""The same inside a frame on another site's page: a jar of its own for each such site (CHIPS)."""

LIFETIME_S = 400 * 24 * 3600
"""400 days: the longest that browsers keep a cookie (RFC 6265bis)."""

IN_A_FRAME = "HttpOnly; Secure; SameSite=None; Partitioned"
"""How a cookie is marked that browsers keep for a frame on another site's page."""

_RENEW_S = 24 * 3600
_LONGEST = 64


class Sessions:
    """Signs and reads the cookie."""

    def __init__(self, secret: bytes) -> None:
        self._signer = TimestampSigner(secret, salt="mlgrind.learner")

    def read(self, value: str | None) -> tuple[LearnerId | None, bool]:
        """The learner of a cookie's value, and whether it is time to send it again."""
        if not value:
            return None, True
        try:
            learner, signed = self._signer.unsign(value, max_age=LIFETIME_S, return_timestamp=True)
            text = learner.decode("ascii")
        except (BadSignature, UnicodeDecodeError):
            return None, True
        age = self._signer.get_timestamp() - signed.timestamp()
        return (LearnerId(text), age > _RENEW_S) if len(text) <= _LONGEST else (None, True)

    def header(self, learner: LearnerId, *, secure: bool) -> str:
        """The Set-Cookie header for a learner; Secure only where the browser speaks https."""
        cookie: SimpleCookie = SimpleCookie()
        cookie[COOKIE] = self._signer.sign(learner).decode("ascii")
        cookie[COOKIE].update({"path": "/", "max-age": str(LIFETIME_S), "samesite": "Lax"})
        cookie[COOKIE]["httponly"] = True
        if secure:
            cookie[COOKIE]["secure"] = True
        return cookie[COOKIE].OutputString()

    def embedded_header(self, learner: LearnerId) -> str:
        """The Set-Cookie header for a learner inside a frame; browsers take it over https only.

        Written as text: before 3.14 the standard library knows no Partitioned.
        """
        value = self._signer.sign(learner).decode("ascii")
        return f"{EMBEDDED}={value}; Path=/; Max-Age={LIFETIME_S}; {IN_A_FRAME}"
