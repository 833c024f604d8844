"""A proof as JSON, format 1: what `mlgrind check --json` prints, one object a folder."""

from __future__ import annotations

from typing import Any

from app.verify.proof import Proof

FORMAT = 1


def to_json(proof: Proof) -> dict[str, Any]:
    """A proof as plain dicts and lists; `ok` says whether the exercise is proved."""
    return {
        "format": FORMAT,
        "exercise": proof.slug,
        "folder": proof.folder,
        "digest": proof.digest,
        "ok": proof.ok,
        "complaints": [
            {"file": c.file, "line": c.line, "key": c.key, "message": c.message}
            for c in proof.complaints
        ],
        "passed": list(proof.passed),
        "advice": list(proof.advice),
        "sets": list(proof.sets),
        "tests": list(proof.tests),
        "mistakes": [
            {
                "slug": kill.misconception.slug,
                "area": kill.misconception.area,
                "letters": list(kill.letters),
                "caught": kill.caught,
                "named": kill.named,
                "provable": kill.provable,
                "note": kill.note,
            }
            for kill in proof.kills
        ],
        "mutants": {
            "made": proof.mutants,
            "caught": proof.mutants - len(proof.survivors),
            "survivors": [
                {"line": s.mutant.line, "change": s.mutant.change, "why": s.why or None}
                for s in proof.survivors
            ],
        },
        "seconds": round(proof.seconds, 2),
    }
