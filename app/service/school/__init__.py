"""The use cases of classes, beside those of exercises, over the same parts.

What is off comes as one of `errors`: NotThere (it is not, or not for you), Complaints (a form's,
by field), Conflict (not as things stand). Who may do what is checked at the door, in `web/wall.py`.
"""

from app.service.school.errors import (
    Complaints,
    Conflict,
    DoneBefore,
    NoSuchCode,
    NotThere,
    TooOften,
    WrongPassword,
)
from app.service.school.parts import SchoolParts
from app.service.school.school import School

__all__ = [
    "Complaints",
    "Conflict",
    "DoneBefore",
    "NoSuchCode",
    "NotThere",
    "School",
    "SchoolParts",
    "TooOften",
    "WrongPassword",
]
