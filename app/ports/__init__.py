"""The seams: what the core asks of a sandbox, a line of jobs, a judge and a store.

Real parts live in `sandbox/`, `jobs/` and `storage/`. One contract suite a port runs on every part
that fits it. What classes, campuses and the host ask of a store stands in files of their own.
"""

from app.ports.job_lines import KIND, PLACE, GaveWay, Job, Kind, Line, LineFull, Load, Place
from app.ports.judges import GradeJob, Judge
from app.ports.sandboxes import (
    AuthorSandbox,
    EagerSandbox,
    Jails,
    NobodyRuns,
    Sandbox,
    SandboxFault,
)
from app.ports.stores import (
    DraftStore,
    LadderStore,
    LearnerStore,
    LinkStore,
    LookStore,
    Store,
    StoreAway,
    SubmissionStore,
    TooManyInLine,
)

__all__ = [
    "AuthorSandbox",
    "DraftStore",
    "EagerSandbox",
    "GaveWay",
    "GradeJob",
    "Jails",
    "Job",
    "Judge",
    "KIND",
    "Kind",
    "LadderStore",
    "LearnerStore",
    "Line",
    "LineFull",
    "LinkStore",
    "Load",
    "LookStore",
    "NobodyRuns",
    "PLACE",
    "Place",
    "Sandbox",
    "SandboxFault",
    "Store",
    "StoreAway",
    "SubmissionStore",
    "TooManyInLine",
]
