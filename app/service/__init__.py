"""The use cases: what a learner, a host and the command line can have done, whatever the parts.

`Service` holds them by subject (`service.submissions`, `service.hints`, …), each in the file of its
name. Every method blocks for a store call at most; what takes longer is a future.
"""

from __future__ import annotations

from app.service.errors import (
    AskFirst,
    BadArguments,
    BadName,
    Closed,
    ExerciseBroken,
    NoDraws,
    NoSuchCase,
    NoSuchExercise,
    NoSuchHint,
    NoSuchQuestion,
    NoSuchRecoveryCode,
    NoSuchSubmission,
    NoTriesLeft,
    OutOfOrder,
    Refused,
    TwoSeats,
)
from app.service.follow_ups import FollowUpResult
from app.service.hints import Solution
from app.service.learners import Recovered
from app.service.parts import Parts
from app.service.service import Press, Ready, Service

__all__ = [
    "AskFirst",
    "BadArguments",
    "BadName",
    "Closed",
    "ExerciseBroken",
    "FollowUpResult",
    "NoDraws",
    "NoSuchCase",
    "NoSuchRecoveryCode",
    "NoSuchExercise",
    "NoSuchHint",
    "NoSuchQuestion",
    "NoSuchSubmission",
    "NoTriesLeft",
    "OutOfOrder",
    "Parts",
    "Press",
    "Ready",
    "Recovered",
    "Refused",
    "Service",
    "Solution",
    "TwoSeats",
]
