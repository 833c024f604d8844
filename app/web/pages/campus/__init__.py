"""The pages of campus systems: coming in from a course, connecting it, and the host's own."""

from app.web.pages.campus import coming_in, course, host, introducing, of_class

ROUTERS = (
    coming_in.router,
    course.router,
    of_class.router,
    host.router,
    introducing.router,
)
