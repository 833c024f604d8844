"""The author's proof behind `mlgrind check`: an exercise folder that passes proves itself.

Every Python file runs in the jail; the judge is the one learners meet. A folder is broken where
anything is left to complain about, and every complaint names file, line and what to do.
"""

from __future__ import annotations

from app.verify.document import to_json
from app.verify.proof import LETTERS, Complaint, Kill, Proof, Survivor
from app.verify.prove_folder import Means, prove, prove_all

__all__ = [
    "LETTERS",
    "Complaint",
    "Kill",
    "Means",
    "Proof",
    "Survivor",
    "prove",
    "prove_all",
    "to_json",
]
