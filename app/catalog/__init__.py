"""The catalog: exercise folders as `Exercise` objects, and what is off about the rest.

Nothing of a folder is imported, executed or parsed as Python here: its `.py` files are bytes that
only the jail loads. A broken folder is a complaint and never breaks the others.
"""

from __future__ import annotations

from app.catalog.catalog import Catalog, FolderComplaint
from app.catalog.errors import ExerciseError, ExerciseErrors
from app.catalog.exercise import load
from app.catalog.statement import full_statement

__all__ = [
    "Catalog",
    "FolderComplaint",
    "ExerciseError",
    "ExerciseErrors",
    "full_statement",
    "load",
]
