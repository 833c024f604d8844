"""Speaking to campus systems: the port `Campus` over https, PyJWT and cryptography.

Nothing here decides what a message means; nothing that comes back is trusted for size or time.
"""

from app.campus.fetch import Fetcher
from app.campus.over_https import HttpsCampus

__all__ = ["Fetcher", "HttpsCampus"]
