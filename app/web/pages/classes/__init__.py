"""The pages of classes: who may open each says its route (`app/web/wall.py`)."""

from app.web.pages.classes import (
    assignments,
    grades,
    home,
    joining,
    operator,
    people,
    settings,
    staff,
)

ROUTERS = (
    home.router,
    joining.router,
    staff.router,
    operator.router,
    people.router,
    assignments.router,
    grades.router,
    settings.router,
)
