"""What `doctor` finds of the queue: its version, who works on it, and one secret for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.checked import Checked

if TYPE_CHECKING:
    from app.config import Settings
    from app.jobs.queue_look import QueueLook


def queue(settings: Settings) -> tuple[Checked, ...]:
    """The queue in a PostgreSQL database; nothing on SQLite, and where it can't be asked."""
    from app.queue_parts import shares_queue

    if not shares_queue(settings):
        return ()
    from app.jobs.queue_look import look_at_queue
    from app.ports import StoreAway

    try:
        found = look_at_queue(settings.database_url)
    except StoreAway:
        return ()  # the finding of the database says so
    version = _version(found)
    if found.release is None or not version.ok:
        return (version,)
    advice = "Nothing is judged without one: start `mlgrind dispatcher`."
    working = Checked(
        "dispatchers", False, found.dispatchers > 0, f"{found.dispatchers} at work", advice
    )
    return version, working, _secret(settings, found)


def _version(found: QueueLook) -> Checked:
    from app.jobs.queue_tables import RELEASE, QueueUnfit, check_release

    try:
        check_release()
    except QueueUnfit as unfit:
        return Checked("queue", True, False, str(unfit))
    if found.release is None:
        advice = "`mlgrind migrate` makes it, and so does the first start."
        return Checked("queue", False, False, "not made yet", advice)
    advice = f"This ML Grind works with {RELEASE}: run the ML Grind that goes with the queue."
    made_by = f"made by Procrastinate {found.release}"
    return Checked("queue", True, found.release == RELEASE, made_by, advice)


def _secret(settings: Settings, found: QueueLook) -> Checked:
    """By hashes in the database: each web process notes its own every minute."""
    from app.jobs.one_secret import hashed

    by_place = dict(found.secrets)
    if settings.secret_path.is_file():
        by_place["this machine"] = hashed(settings.secret_path.read_bytes())
    if len({*by_place.values()}) <= 1:
        return Checked("one secret for all", False, True, f"{len(by_place)} seen, no two differ")
    groups = [
        ", ".join(place for place, known in by_place.items() if known == secret)
        for secret in sorted({*by_place.values()})
    ]
    advice = "Give all web processes one MLGRIND_SECRET_FILE, or cookies of one fail at others."
    said = " and ".join(f"{places} have one" for places in groups)
    return Checked("one secret for all", False, False, said, advice)
