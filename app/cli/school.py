"""The use cases of classes without a server: on the same database, beside a running one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.cli.common import open_store, settings_with, stop

if TYPE_CHECKING:
    from app.service.school import School

BY = "the command line"


@contextmanager
def school(database: str | None) -> Iterator[School]:
    """The school on a database; what it says no with becomes a sentence and status 2."""
    from app.main import build_campus, build_catalog, load_secret
    from app.service.school import Complaints, Conflict, NotThere, School, SchoolParts

    settings = settings_with(database=database)
    store = open_store(settings)
    catalog = build_catalog(settings)
    secret = load_secret(settings.data, settings.secret_file)
    parts = SchoolParts(
        store.school,
        store,
        catalog.get,
        lambda: tuple(catalog.all()),
        secret,
        campus=build_campus(settings, secret),
    )
    try:
        yield School(parts)
    except Complaints as error:
        stop("\n".join(error.fields.values()))
    except Conflict as error:
        stop(str(error))
    except NotThere as error:
        stop(f"There is nothing with that name: {error}")
    finally:
        store.close()
